package bff

import (
	"errors"
	"io/fs"
	"math"
	"net/http"
	"slices"
	"strconv"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// automatic are the mask types whose region is found, not painted (Run API, "Mask and enum semantics").
var automatic = []segment.Kind{
	segment.Apparel, segment.UpperApparel, segment.LowerApparel, segment.WholeSubject, segment.Human, segment.InverseHuman,
}

// previewMask answers with what an automatic mask type would protect. The embedded service finds the same; an account of the image
// service may find it a little differently. The search ends with the request.
func (s *Server) previewMask(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.PreviewMask
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if !slices.Contains(automatic, segment.Kind(body.MaskType)) {
		return atelier.FieldError("maskType", words.MaskNoKind)
	}
	asset, err := s.c.DB.FindAsset(r.Context(), who.User.ID, body.AssetID)
	if err != nil {
		return err
	}
	if asset.Kind != "image" {
		return atelier.FieldError("assetId", words.MaskOfPictures)
	}
	var keep catalog.Keep
	if a, ok := s.agent(body.Agent, ""); ok {
		keep = catalog.KeepOf(a, catalog.Values{"generateVersion": body.Engine})
	}
	keep.MaskType = body.MaskType
	found, err := s.c.Store.Kept(r.Context(), asset.Sent.SHA256, analysisOf(keep))
	if errors.Is(err, fs.ErrNotExist) {
		return atelier.Wrap(atelier.NotFound, err, words.FileMissing)
	}
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "no-store")
	h.Set(atelier.ConfidenceHeader, strconv.FormatFloat(math.Floor(100*found.Confidence)/100, 'f', 2, 64))
	if found.Note != "" {
		h.Set(atelier.NoteHeader, found.Note)
	}
	_, err = w.Write(mask.EncodeRGBA(found.Mask))
	return err
}
