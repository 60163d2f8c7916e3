package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
)

// file is one thing the site serves, with the compressed copies it has.
type file struct {
	contentType string
	plain       []byte // nil for the client, which is embedded only compressed
	br, gz      []byte
	hash        string
	immutable   bool // its URL names its content
}

func newFile(contentType string, data []byte) (*file, error) {
	sum := sha256.Sum256(data)
	f := &file{contentType: contentType, plain: data, hash: hex.EncodeToString(sum[:8])}
	if len(data) < 1024 || contentType == "image/png" || contentType == "image/jpeg" {
		return f, nil
	}
	var err error
	f.br, f.gz, err = compress(data)
	return f, err
}

// ServeHTTP answers GET and HEAD with the smallest copy the client takes.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "This is a file: GET or HEAD it.", http.StatusMethodNotAllowed)
		return
	}
	body, coding := f.plain, ""
	switch ae := r.Header.Get("Accept-Encoding"); {
	case f.br != nil && accepts(ae, "br"):
		body, coding = f.br, "br"
	case f.gz != nil && (accepts(ae, "gzip") || f.plain == nil):
		body, coding = f.gz, "gzip"
	}
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	etag := `"` + f.hash + coding + `"`
	h.Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	// The client going away is not a failure of ours.
	_, _ = w.Write(body)
}
