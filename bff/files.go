package bff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/imaging/probe"
	"atelier/imaging/provenance"
)

// fileFormat is a kind of file that is served: of pictures, videos or sounds.
type fileFormat interface {
	MediaType() string
	Extension() string
}

// served describes a stored file on its way to a browser.
type served struct {
	sha    string // with variant the ETag
	format fileFormat
	// variant tells apart what is made of the same bytes.
	variant string
	name    string            // file name without its ending
	attach  bool              // to be saved, not shown
	shown   bool              // another's, as long as they show it: who has it in a cache has to ask for it again
	origin  provenance.Origin // said in the file itself
}

// cache says how long a browser keeps a file: what is one's own never changes.
func (s served) cache() string {
	if s.shown {
		return "private, no-cache"
	}
	return "private, max-age=31536000, immutable"
}

// contain says that content is for a page of ours to show and never run, what it is, and how long it is good; tag is what its ETag has.
func (s served) contain(h http.Header, mediaType, tag string) {
	h.Set("Content-Type", mediaType)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", s.cache())
	h.Set("ETag", `"`+tag+`"`)
}

// serve sends a file as content that a page can show and never run: its type from our own table, sandboxed, for our origin only.
func serve(w http.ResponseWriter, r *http.Request, f *os.File, s served) (err error) {
	out, mark, err := tagged(f, s.origin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	h := w.Header()
	s.contain(h, s.format.MediaType(), s.sha+s.variant+mark)
	h.Set("Content-Disposition", disposition(s.name+s.format.Extension(), s.attach))
	// Content never changes under its name, so there is no time of change to compare.
	http.ServeContent(w, r, "", time.Time{}, out)
	return nil
}

// disposition names a file for saving (RFC 6266): plain ASCII for old readers, everything for the others.
func disposition(name string, attach bool) string {
	kind := "inline"
	if attach {
		kind = "attachment"
	}
	name = atelier.FileName(name)
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%;`, r) {
			return '_'
		}
		return r
	}, name)
	if plain == name {
		return kind + `; filename="` + plain + `"`
	}
	return kind + `; filename="` + plain + `"; filename*=UTF-8''` + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

// stem is a file name without its ending.
func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 6 {
		return name[:i]
	}
	return name
}

// serveBlob sends a stored file.
func (s *Server) serveBlob(w http.ResponseWriter, r *http.Request, f served) error {
	file, err := s.c.Store.Open(f.sha)
	if errors.Is(err, fs.ErrNotExist) {
		return atelier.Wrap(atelier.NotFound, err, words.FileMissing)
	}
	if err != nil {
		return err
	}
	return serve(w, r, file, f)
}

// serveThumb sends a smaller picture of a stored one; ?w= chooses how small.
func (s *Server) serveThumb(w http.ResponseWriter, r *http.Request, f served) error {
	width, err := thumbWidth(r, 10_000)
	if err != nil {
		return err
	}
	f.variant = fmt.Sprintf("-%d", width)
	if match := r.Header.Get("If-None-Match"); match == `"`+f.sha+f.variant+`"` {
		// Asked for again and again while scrolling: neither file nor picture is touched.
		w.Header().Set("ETag", match)
		w.Header().Set("Cache-Control", f.cache())
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	file, err := s.openThumb(r.Context(), f.sha, width)
	if err != nil {
		return err
	}
	return serveSniffed(w, r, file, f)
}

// thumbWidth is the size of thumbnails that ?w= asks for, a number up to most: one of media.Widths.
func thumbWidth(r *http.Request, most int) (int, error) {
	width, err := queryInt(r, "w", most)
	if width == 0 {
		width = 320
	}
	return media.WidthFor(width), err
}

// openThumb opens a smaller picture of a stored one. The error is NotFound where there is none.
func (s *Server) openThumb(ctx context.Context, sha string, width int) (*os.File, error) {
	file, err := s.c.Store.Thumb(ctx, sha, width)
	if errors.Is(err, fs.ErrNotExist) {
		err = atelier.Wrap(atelier.NotFound, err, words.FileMissing)
	}
	return file, err
}

// servePicture sends a stored picture whose format only its bytes tell.
func (s *Server) servePicture(w http.ResponseWriter, r *http.Request, f served) error {
	file, err := s.c.Store.Open(f.sha)
	if errors.Is(err, fs.ErrNotExist) {
		return atelier.Wrap(atelier.NotFound, err, words.FileMissing)
	}
	if err != nil {
		return err
	}
	return serveSniffed(w, r, file, f)
}

// sniffed is how many bytes of a picture tell its format.
const sniffed = 16

// serveSniffed sends a file of ours as the kind of picture it begins like.
func serveSniffed(w http.ResponseWriter, r *http.Request, file *os.File, s served) error {
	var head [sniffed]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return errors.Join(fmt.Errorf("read a picture: %w", err), file.Close())
	}
	s.format = probe.Sniff(head[:])
	return serve(w, r, file, s)
}

// mediaType is the type of a Content-Type header in lower case, "" when it cannot be read.
func mediaType(r *http.Request) (string, map[string]string) {
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return "", nil
	}
	return t, params
}
