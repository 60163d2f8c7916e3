package service

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"atelier/internal/sqldb"
	"atelier/upstream"
)

// pathFiles is where files are read.
// ASSUMED [Who may read files]: no key is needed; as on any content network, who knows the link may follow it.
const pathFiles = "/openapi/files/"

// pathPreviews is where the pictures of presets are.
const pathPreviews = pathFiles + "presets/"

// fileURL is the link to a file; "" for no file.
func fileURL(base, id string) string {
	if id == "" {
		return ""
	}
	return base + pathFiles + id
}

// getFile serves a stored file with ranges and conditional requests. The log names its content: by its id anybody could fetch it.
func (s *Service) getFile(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	f, err := s.read().FindFile(r.Context(), id)
	if errors.Is(err, sql.ErrNoRows) {
		s.send(w, r, http.StatusNotFound, taskEnvelope(s, reply{}, asFailure(unknown("file", id))), nil)
		return
	}
	if err == nil && s.expired(f.Kind, f.CreatedAt) {
		s.send(w, r, http.StatusGone, taskEnvelope(s, reply{}, asFailure(&failure{
			status: http.StatusGone, code: upstream.CodeParameter, message: "This link has expired.",
		})), nil)
		return
	}
	var content *os.File
	if err == nil {
		content, err = s.openFile(f)
	}
	if err != nil {
		s.cfg.Logger.Error("serve a file", "content", f.Sha256, "error", err)
		s.send(w, r, http.StatusInternalServerError, taskEnvelope(s, reply{}, asFailure(err)), nil)
		return
	}
	s.sendFile(w, r, content, f.MediaType, id, sqldb.Time(f.CreatedAt), `"`+f.Sha256+`"`)
}

func (s *Service) expired(kind string, createdAt int64) bool {
	after := s.switches.Load().ResultExpiry
	return after > 0 && kind == kindResult && s.cfg.Now().Sub(sqldb.Time(createdAt)) >= after
}

// sendFile answers with a file and closes it. The headers keep a hostile file from ever running as a page.
func (s *Service) sendFile(w http.ResponseWriter, r *http.Request, content *os.File, mediaType, name string, at time.Time, etag string) {
	defer func() {
		if err := content.Close(); err != nil {
			s.cfg.Logger.Error("close a file", "content", etag, "error", err)
		}
	}()
	s.sendContent(w, r, content, mediaType, name, at, etag)
}

// sendContent serves the content of a file.
func (s *Service) sendContent(w http.ResponseWriter, r *http.Request, content io.ReadSeeker, mediaType, name string, at time.Time, etag string) {
	disposition := "inline"
	if !strings.HasPrefix(mediaType, "image/") || strings.HasSuffix(name, ".psd") {
		disposition = "attachment"
	}
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", fmt.Sprintf("%s; filename=%q", disposition, name))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // pages of other origins show results; who knows the link may read it
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	h.Set("ETag", etag)
	http.ServeContent(w, r, "", at, content)
}

// ownFile says whether a URL leads to a file of ours, and to which: an id, or a preview as "presets/…". base is the
// origin the request came by.
func (s *Service) ownFile(rawURL, base string) (id string, own bool) {
	u, err := url.Parse(rawURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !strings.HasPrefix(u.Path, pathFiles) {
		return "", false
	}
	if u.Host != EmbeddedHost && !slices.Contains(s.cfg.Hosts, u.Host) && u.Scheme+"://"+u.Host != base {
		return "", false
	}
	return strings.TrimPrefix(path.Clean(u.Path), pathFiles), true
}
