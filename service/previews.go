package service

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"atelier/imaging/probe"
	"atelier/service/presets"
)

// previewURL is the link to the picture of one of our presets.
func previewURL(base, kind string, id int64) string {
	return base + pathPreviews + kind + "-" + strconv.FormatInt(id, 10) + ".webp"
}

// previewName reads the file id of one of our URLs; ok says that it names a preview.
func previewName(id string) (name string, ok bool) {
	return strings.CutPrefix(id, strings.TrimPrefix(pathPreviews, pathFiles))
}

// readPreview gives the bytes of a preview, for use as a source picture.
func readPreview(name string) ([]byte, error) {
	data, err := presets.FileOf(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown("preset picture", name)
	}
	return data, err
}

// getPreview serves the picture of a preset.
func (s *Service) getPreview(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := readPreview(name)
	if err != nil {
		status := http.StatusInternalServerError
		if _, ok := errors.AsType[*failure](err); ok {
			status = http.StatusNotFound
		} else {
			s.cfg.Logger.Error("serve a preview", "name", name, "error", err)
		}
		s.send(w, r, status, taskEnvelope(s, reply{}, asFailure(err)), nil)
		return
	}
	sum := sha256.Sum256(data)
	s.sendContent(w, r, bytes.NewReader(data), probe.WebP.MediaType(), name, time.Time{}, strconv.Quote(hex.EncodeToString(sum[:16])))
}
