package bff

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging/probe"
)

// createAsset takes a picture: the bytes themselves with their Content-Type, or a form with one file named image or file.
func (s *Server) createAsset(w http.ResponseWriter, r *http.Request, who visitor) error {
	body, name, length, err := upload(r)
	if err != nil {
		return err
	}
	p, err := s.c.Store.Take(r.Context(), body, length, probe.Upload)
	if err != nil {
		return err
	}
	asset, created, err := s.c.DB.CreateAsset(r.Context(), db.Asset{
		Asset: atelier.Asset{
			Kind: "image", Name: name, Width: p.Facts.Width, Height: p.Facts.Height, Format: string(p.Facts.Format), Bytes: p.Bytes,
			SHA256: p.SHA256, Preview: p.Preview,
		},
		UserID: who.User.ID, Sent: db.Blob{SHA256: p.Sent.SHA256, Format: string(p.Sent.Format), Bytes: p.Sent.Bytes},
	})
	if err != nil {
		return err
	}
	if created {
		s.hub.Publish(who.User.ID, atelier.EventAsset, string(asset.ID), asset.Asset)
	}
	w.Header().Set("Location", "/api/assets/"+string(asset.ID))
	return writeJSON(w, http.StatusCreated, asset.Asset)
}

// upload finds the file in a request and its name.
func upload(r *http.Request) (body io.Reader, name string, length int64, err error) {
	t, params := mediaType(r)
	name = r.URL.Query().Get("name")
	if t != "multipart/form-data" {
		return r.Body, fileName(name), r.ContentLength, nil
	}
	if params["boundary"] == "" {
		return nil, "", 0, atelier.Errorf(atelier.Invalid, "The form has no boundary.")
	}
	form := multipart.NewReader(r.Body, params["boundary"])
	for range 16 {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, "", 0, atelier.Wrap(atelier.Invalid, err, "The form cannot be read.")
		}
		if n := part.FormName(); n != "image" && n != "file" {
			continue
		}
		if name == "" {
			name = part.FileName()
		}
		return part, fileName(name), -1, nil
	}
	return nil, "", 0, atelier.FieldError("image", "The form holds no file named image.")
}

func (s *Server) listAssets(w http.ResponseWriter, r *http.Request, who visitor) error {
	limit, err := queryInt(r, "limit", pageSize)
	if err != nil {
		return err
	}
	if limit == 0 {
		limit = 50
	}
	cursor, err := queryCursor(r)
	if err != nil {
		return err
	}
	page, err := s.c.DB.ListAssets(r.Context(), who.User.ID, cursor, limit)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, page)
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
	return s.serveBlob(w, r, served{sha: a.SHA256, format: probe.Format(a.Format), name: stem(a.Name), attach: attach})
}

func (s *Server) assetThumb(w http.ResponseWriter, r *http.Request, who visitor) error {
	a, err := s.asset(r, who)
	if err != nil {
		return err
	}
	return s.serveThumb(w, r, a.SHA256, stem(a.Name))
}
