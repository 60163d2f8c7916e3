package bff

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/singleflight"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/probe"
)

// imageCache keeps a picture from being fetched twice at once, and many from being fetched together: what makes them has other work.
type imageCache struct {
	group singleflight.Group
	turns chan struct{}
}

const (
	// imagesAtOnce is how many pictures of the image service are fetched at a time.
	imagesAtOnce = 2
	// imagePatience is how long an element of a page waits for its picture. A browser has six connections to us: pictures that
	// take seconds would keep everything else from being asked.
	imagePatience = 250 * time.Millisecond
)

func newImageCache() imageCache { return imageCache{turns: make(chan struct{}, imagesAtOnce)} }

// notYet is the smallest PNG there is, a pixel of nothing: boot.js asks again for a picture that is no larger.
var notYet = []byte("\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00" +
	"\x00\x00\x0b\x49\x44\x41\x54\x78\xda\x63\x60\x00\x02\x00\x00\x05\x00\x01\xe9\xfa\xdc\xd8\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82")

// image sends our copy of a picture of the image service, fetching it first when there is none. ?w= asks for a smaller one. An
// element of a page is answered at once, with 202 and notYet, while the picture is on its way.
func (s *Server) image(w http.ResponseWriter, r *http.Request, _ visitor) error {
	subject, ok := s.proven(images, r.PathValue("token"))
	if !ok {
		return atelier.Errorf(atelier.NotFound, "There is nothing at this address.")
	}
	raw, err := base64.RawURLEncoding.DecodeString(subject)
	if err != nil {
		return atelier.Wrap(atelier.NotFound, err, "There is nothing at this address.")
	}
	sum := sha256.Sum256(raw)
	key := hex.EncodeToString(sum[:])
	blob, ok, err := s.c.DB.FindImage(r.Context(), key)
	if err != nil {
		return err
	}
	if !ok || !s.c.Store.Has(blob.SHA256) {
		ctx := context.WithoutCancel(r.Context())
		fetched := s.images.group.DoChan(key, func() (any, error) { return s.fetchImage(ctx, string(raw), key) })
		var patience <-chan time.Time
		if r.Header.Get("Sec-Fetch-Dest") == "image" {
			patience = time.After(imagePatience)
		}
		select {
		case got := <-fetched:
			if got.Err != nil {
				return atelier.Wrap(atelier.UpstreamBad, got.Err, "The preview cannot be fetched from the image service.")
			}
			blob, _ = got.Val.(db.Blob)
		case <-patience:
			return sendNotYet(w)
		case <-r.Context().Done():
			return r.Context().Err()
		}
	}
	if r.URL.Query().Has("w") {
		return s.serveThumb(w, r, served{sha: blob.SHA256, name: "preview"})
	}
	return s.serveBlob(w, r, served{sha: blob.SHA256, format: probe.Format(blob.Format), name: "preview"})
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

func (s *Server) fetchImage(ctx context.Context, url, key string) (b db.Blob, err error) {
	s.images.turns <- struct{}{}
	defer func() { <-s.images.turns }()
	resp, err := s.c.Outbound.Get(ctx, url, media.Image.MaxBytes)
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
