package bff

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/singleflight"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
)

// imageCache keeps a picture from being fetched twice at once, and many from being fetched together: what makes them has other work.
type imageCache struct {
	group singleflight.Group
	// Those of the image service's own hosts are not behind those of others, which may be slow.
	own, foreign chan struct{}
	time         time.Duration
}

const (
	// imagesAtOnce is how many pictures of either kind are fetched at a time.
	imagesAtOnce = 2
	// imageTime is how long one may take to come, imageTurn how long it may wait to be fetched: who asks again then waits anew.
	imageTime = 20 * time.Second
	imageTurn = 2 * time.Minute
	// imagePatience is how long an element of a page waits for its picture. A browser has six connections to us: pictures that
	// take seconds would keep everything else from being asked.
	imagePatience = 250 * time.Millisecond
)

func newImageCache() imageCache {
	return imageCache{own: make(chan struct{}, imagesAtOnce), foreign: make(chan struct{}, imagesAtOnce), time: imageTime}
}

// notYet is the smallest PNG there is, a pixel of nothing: boot.js asks again for a picture that is no larger.
var notYet = []byte("\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00" +
	"\x00\x00\x0b\x49\x44\x41\x54\x78\xda\x63\x60\x00\x02\x00\x00\x05\x00\x01\xe9\xfa\xdc\xd8\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82")

// image sends our copy of a picture of the image service, fetching it first when there is none. ?w= asks for a smaller one. An
// element of a page is answered at once, with 202 and notYet, while the picture is on its way.
func (s *Server) image(w http.ResponseWriter, r *http.Request, _ visitor) error {
	subject, ok := s.proven(images, r.PathValue("token"))
	if !ok {
		return atelier.Refuse(atelier.NotFound, words.RequestNothing)
	}
	raw, err := base64.RawURLEncoding.DecodeString(subject)
	if err != nil {
		return atelier.Wrap(atelier.NotFound, err, words.RequestNothing)
	}
	sum := sha256.Sum256(raw)
	key := hex.EncodeToString(sum[:])
	blob, ok, err := s.c.DB.FindImage(r.Context(), key)
	if err != nil {
		return err
	}
	if !ok || !s.c.Store.Has(blob.SHA256) {
		ctx := context.WithoutCancel(r.Context())
		fetched := s.images.group.DoChan(key, func() (found any, err error) {
			err = errors.New("the fetching of a preview panicked") // unless it comes to its end
			defer s.survive("a preview")
			return s.fetchImage(ctx, string(raw), key)
		})
		var patience <-chan time.Time
		if r.Header.Get("Sec-Fetch-Dest") == "image" {
			patience = time.After(imagePatience)
		}
		select {
		case got := <-fetched:
			if got.Err != nil {
				return atelier.Wrap(atelier.UpstreamBad, got.Err, words.FilePreviewFailed)
			}
			blob, _ = got.Val.(db.Blob)
		case <-patience:
			return sendNotYet(w)
		case <-r.Context().Done():
			return r.Context().Err()
		}
	}
	if r.URL.Query().Has("w") {
		return s.serveThumb(w, r, served{sha: blob.SHA256, name: words.NamePreview})
	}
	return s.serveBlob(w, r, served{sha: blob.SHA256, format: probe.Format(blob.Format), name: words.NamePreview})
}

func sendNotYet(w http.ResponseWriter) error {
	h := w.Header()
	h.Set("Content-Type", probe.PNG.MediaType())
	h.Set("Cache-Control", "no-store")
	h.Set("Retry-After", "1")
	w.WriteHeader(http.StatusAccepted)
	_, err := w.Write(notYet)
	return err
}

func (s *Server) fetchImage(ctx context.Context, address, key string) (b db.Blob, err error) {
	turns := s.images.foreign
	if s.ofService(ctx, address) {
		turns = s.images.own
	}
	waited := time.NewTimer(imageTurn)
	defer waited.Stop()
	select {
	case turns <- struct{}{}:
	case <-waited.C:
		return b, errors.New("too many previews wait to be fetched")
	}
	defer func() { <-turns }()
	coming, cancel := context.WithTimeout(ctx, s.images.time)
	defer cancel()
	resp, err := s.jobs.Account(ctx).Outbound.Get(coming, address, media.Image.MaxBytes)
	if err != nil {
		return b, fmt.Errorf("fetch a preview: %w", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	f, err := s.c.Store.Keep(ctx, resp.Body, resp.Length, media.Image)
	if err != nil {
		return b, err
	}
	b = db.Blob{SHA256: f.SHA256, Format: string(f.Format), Bytes: f.Bytes}
	return b, s.c.DB.SaveImage(ctx, key, b)
}

// ofService says whether an address is one of the image service's own.
func (s *Server) ofService(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	a := s.jobs.Account(ctx)
	return err == nil && (a.Client.Serves(u.Host) || a.Outbound.Inside(u.Host))
}
