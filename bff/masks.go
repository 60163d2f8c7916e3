package bff

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
)

// maxRequest bounds a JSON body that may carry a mask, in bytes; maxJSON any other.
const (
	maxRequest = 34 << 20
	maxJSON    = 1 << 20
)

func (s *Server) createMask(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.CreateMask
	if err := readJSON(w, r, maxRequest, &body); err != nil {
		return err
	}
	name, err := maskName(body.Name)
	if err != nil {
		return err
	}
	asset, err := s.c.DB.FindAsset(r.Context(), who.User.ID, body.AssetID)
	if err != nil {
		return err
	}
	m, err := s.c.Store.TakeMask(r.Context(), body.PNG, "png", asset.Width, asset.Height)
	if err != nil {
		return err
	}
	stored, err := s.c.DB.CreateMask(r.Context(), who.User.ID, db.Mask{
		Mask:   atelier.Mask{AssetID: asset.ID, Name: name, Width: m.Width, Height: m.Height, Kept: m.Kept},
		SHA256: m.SHA256,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, stored.Mask)
}

func maskName(given string) (string, error) {
	name := strings.TrimSpace(given)
	if name == "" || utf8.RuneCountInString(name) > 100 {
		return "", atelier.FieldError("name", words.MaskName)
	}
	return name, nil
}

func (s *Server) renameMask(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.RenameMask
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	name, err := maskName(body.Name)
	if err != nil {
		return err
	}
	id := atelier.MaskID(r.PathValue("id"))
	if err := s.c.DB.RenameMask(r.Context(), who.User.ID, id, name); err != nil {
		return err
	}
	m, err := s.c.DB.FindMask(r.Context(), who.User.ID, id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, m.Mask)
}

func (s *Server) listMasks(w http.ResponseWriter, r *http.Request, who visitor) error {
	masks, err := s.c.DB.ListMasks(r.Context(), who.User.ID, atelier.AssetID(r.URL.Query().Get("assetId")))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.MaskList{Masks: masks})
}

func (s *Server) maskFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	m, err := s.c.DB.FindMask(r.Context(), who.User.ID, atelier.MaskID(r.PathValue("id")))
	if err != nil {
		return err
	}
	attach, err := queryBool(r, "download")
	if err != nil {
		return err
	}
	return s.serveBlob(w, r, served{sha: m.SHA256, format: probe.PNG, name: m.Name, attach: attach})
}

// runMask sends the mask that a run of the visitor's own was asked with, named or not.
func (s *Server) runMask(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	if run.MaskSHA256 == "" {
		return atelier.Refuse(atelier.NotFound, words.MaskNone)
	}
	return s.serveBlob(w, r, served{sha: run.MaskSHA256, format: probe.PNG, name: words.NameMask(titleOf(run))})
}

func (s *Server) maskThumb(w http.ResponseWriter, r *http.Request, who visitor) error {
	m, err := s.c.DB.FindMask(r.Context(), who.User.ID, atelier.MaskID(r.PathValue("id")))
	if err != nil {
		return err
	}
	return s.serveThumb(w, r, served{sha: m.SHA256, name: m.Name})
}

func (s *Server) deleteMask(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.c.DB.DeleteMask(r.Context(), who.User.ID, atelier.MaskID(r.PathValue("id"))); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
