package bff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"golang.org/x/text/unicode/norm"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/compose"
	"atelier/imaging/probe"
	"atelier/imaging/segment"
	"atelier/imaging/video"
	"atelier/imaging/video/container"
)

// createAsset takes a picture, a video or a sound: the bytes themselves with their Content-Type, or a form with one file
// named image or file. What it is, its first bytes say.
func (s *Server) createAsset(w http.ResponseWriter, r *http.Request, who visitor) error {
	body, name, length, err := upload(r)
	if err != nil {
		return err
	}
	buffered := bufio.NewReaderSize(body, 64<<10)
	head, err := buffered.Peek(container.SniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return atelier.Wrap(atelier.Invalid, err, words.UploadInterrupted)
	}
	var taken db.Asset
	if container.Sniff(head) != "" {
		taken, err = s.takeMedium(r, buffered, length)
	} else {
		taken, err = s.takePicture(r.Context(), buffered, length)
	}
	if err != nil {
		return err
	}
	taken.Name, taken.UserID = name, who.User.ID
	asset, created, err := s.c.DB.CreateAsset(r.Context(), taken)
	if err != nil {
		return err
	}
	if created {
		s.hub.Publish(who.User.ID, atelier.EventAsset, string(asset.ID), asset.Asset)
	}
	w.Header().Set("Location", "/api/assets/"+string(asset.ID))
	return writeJSON(w, http.StatusCreated, asset.Asset)
}

func (s *Server) takePicture(ctx context.Context, body io.Reader, length int64) (db.Asset, error) {
	p, err := s.c.Store.Take(ctx, body, length, probe.Studio)
	return db.Asset{
		Asset: atelier.Asset{
			Kind: "image", Width: p.Facts.Width, Height: p.Facts.Height, Format: string(p.Facts.Format), Bytes: p.Bytes,
			SHA256: p.SHA256, Preview: p.Preview,
		},
		Sent: db.Blob{SHA256: p.Sent.SHA256, Format: string(p.Sent.Format), Bytes: p.Sent.Bytes},
	}, err
}

func (s *Server) takeMedium(r *http.Request, body io.Reader, length int64) (db.Asset, error) {
	m, err := s.c.Store.TakeMedium(r.Context(), body, length, s.c.MediaBytes, s.still(uploadStill, s.poster))
	format := string(m.Facts.Format)
	return db.Asset{
		Asset: atelier.Asset{
			Kind: m.Kind(), Width: m.Facts.Width, Height: m.Facts.Height, Format: format, Bytes: m.Bytes, SHA256: m.SHA256,
			Preview: m.Preview, Seconds: m.Facts.Seconds,
		},
		Sent: db.Blob{SHA256: m.SHA256, Format: format, Bytes: m.Bytes}, PosterSHA: m.PosterSHA,
	}, err
}

// How long taking a picture out of a video may keep an upload waiting, for which somebody looks on, and a result, which is without that
// picture until the next day when a busy machine does not come to it in time.
const (
	uploadStill = 20 * time.Second
	resultStill = 5 * time.Minute
)

// still is a way to take a picture out of a video in a time, nil when nothing here can read videos.
func (s *Server) still(within time.Duration, take func(ctx context.Context, path string, info video.Info) (*image.NRGBA, error)) media.Still {
	if s.c.Video == nil {
		return nil
	}
	return func(ctx context.Context, path string) (*image.NRGBA, error) {
		ctx, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		info, err := s.c.Video.Probe(ctx, path)
		if err != nil {
			return nil, err
		}
		return take(ctx, path, info)
	}
}

// poster is the frame a second into a video, or in the middle of a shorter one.
func (s *Server) poster(ctx context.Context, path string, info video.Info) (*image.NRGBA, error) {
	return s.c.Video.Frame(ctx, path, info, min(1, info.Seconds/2))
}

// lastFrame is the last frame of a video, as large as an agent takes pictures.
func (s *Server) lastFrame(ctx context.Context, path string, info video.Info) (*image.NRGBA, error) {
	frame, err := s.c.Video.LastFrame(ctx, path, info)
	if err != nil {
		return nil, err
	}
	return compose.Usable(frame), nil
}

// upload finds the file in a request and its name.
func upload(r *http.Request) (body io.Reader, name string, length int64, err error) {
	t, params := mediaType(r)
	name = r.URL.Query().Get("name")
	if t != "multipart/form-data" {
		return r.Body, atelier.FileName(norm.NFC.String(name)), r.ContentLength, nil
	}
	if params["boundary"] == "" {
		return nil, "", 0, atelier.Refuse(atelier.Invalid, words.UploadNoBoundary)
	}
	form := multipart.NewReader(r.Body, params["boundary"])
	for range 16 {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, "", 0, atelier.Wrap(atelier.Invalid, err, words.UploadUnread)
		}
		if n := part.FormName(); n != "image" && n != "file" {
			continue
		}
		if name == "" {
			name = part.FileName()
		}
		return part, atelier.FileName(norm.NFC.String(name)), -1, nil
	}
	return nil, "", 0, atelier.FieldError("image", words.UploadNoFile)
}

// listAssets gives the user's files, newest first: of one kind, with a search those whose names have all its words in them,
// with sha256 in hex only the one of that content.
func (s *Server) listAssets(w http.ResponseWriter, r *http.Request, who visitor) error {
	if sum := r.URL.Query().Get("sha256"); sum != "" {
		page := atelier.AssetPage{Assets: []atelier.Asset{}}
		found, err := s.c.DB.FindAssetOf(r.Context(), who.User.ID, sum)
		switch {
		case err == nil:
			page.Assets = append(page.Assets, found.Asset)
		case atelier.CodeOf(err) != atelier.NotFound:
			return err
		}
		return writeJSON(w, http.StatusOK, page)
	}
	f, err := assetFilter(r)
	if err != nil {
		return err
	}
	page, err := s.c.DB.ListAssets(r.Context(), who.User.ID, f)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, page)
}

func assetFilter(r *http.Request) (f atelier.AssetFilter, err error) {
	q := r.URL.Query()
	f = atelier.AssetFilter{Kind: q.Get("kind"), Query: q.Get("q")}
	if err := oneOf("kind", f.Kind, "", "image", "video", "audio"); err != nil {
		return f, err
	}
	if len(f.Query) > 500 {
		return f, atelier.FieldError("q", words.RequestSearchLong)
	}
	if f.Limit, err = queryInt(r, "limit", pageSize); err != nil {
		return f, err
	}
	if f.Limit == 0 {
		f.Limit = 50
	}
	f.Cursor, err = queryCursor(r)
	return f, err
}

func (s *Server) findAsset(w http.ResponseWriter, r *http.Request, who visitor) error {
	a, err := s.asset(r, who)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, a.Asset)
}

func (s *Server) asset(r *http.Request, who visitor) (db.Asset, error) {
	return s.c.DB.FindAsset(r.Context(), who.User.ID, atelier.AssetID(r.PathValue("id")))
}

func (s *Server) assetFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	a, err := s.asset(r, who)
	if err != nil {
		return err
	}
	attach, err := queryBool(r, "download")
	if err != nil {
		return err
	}
	if !attach {
		a = asSeen(a)
	}
	return s.serveBlob(w, r, served{sha: a.SHA256, format: formatOf(a), name: stem(a.Name), attach: attach})
}

// asSeen is the file that every browser shows as the server reads the picture: of a PNG with a turn, which not all of them know, and of
// a HEIC or TIFF, the copy that was made for the image service.
func asSeen(a db.Asset) db.Asset {
	if f := probe.Format(a.Format); a.Kind == "image" && (f == probe.PNG || f.Converted()) && a.Sent.SHA256 != a.SHA256 {
		a.SHA256, a.Format = a.Sent.SHA256, a.Sent.Format
	}
	return a
}

// formatOf is the format of an asset's file.
func formatOf(a db.Asset) fileFormat {
	if a.Kind == "image" {
		return probe.Format(a.Format)
	}
	return container.Format(a.Format)
}

func (s *Server) assetThumb(w http.ResponseWriter, r *http.Request, who visitor) error {
	a, err := s.asset(r, who)
	if err != nil {
		return err
	}
	sha := a.Pixels
	if a.Kind != "image" {
		if sha = a.PosterSHA; sha == "" {
			return atelier.Refuse(atelier.NotFound, words.FileNoPreview)
		}
	}
	return s.serveThumb(w, r, served{sha: sha, name: stem(a.Name)})
}

// assetFaces says how many faces are found in a picture.
func (s *Server) assetFaces(w http.ResponseWriter, r *http.Request, who visitor) error {
	a, err := s.asset(r, who)
	if err != nil {
		return err
	}
	if a.Kind != "image" {
		return atelier.Refuse(atelier.Conflict, words.FileNoFaces)
	}
	if err := s.heavy.Acquire(r.Context(), 1); err != nil {
		return fmt.Errorf("wait to look for faces: %w", err)
	}
	defer s.heavy.Release(1)
	img, err := s.picture(r.Context(), a.Pixels)
	if err != nil {
		return err
	}
	faces, err := segment.Faces(img)
	if err != nil {
		return fmt.Errorf("look for faces in picture %s: %w", a.ID, err)
	}
	return writeJSON(w, http.StatusOK, atelier.AssetFaces{Faces: len(faces)})
}
