package bff

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/imaging/parallel"
	"atelier/imaging/probe"
)

// maxSheet is how many thumbnails come with one answer, more than a row of the widest wall has, and maxSheetWidth how wide they are asked
// for at most: an answer is put together in memory.
const (
	maxSheet      = 100
	maxSheetWidth = 640
)

// resultThumbs sends the thumbnails of the results named in ?of=, with commas between: each a line that is a data: address of its picture
// (RFC 2397), in the order they are named, and an empty line for one that is not to be had. ?w= is that of resultThumb, up to maxSheetWidth. The row of a wall
// comes so with one request, which costs browser and server little more than each of its pictures would.
func (s *Server) resultThumbs(w http.ResponseWriter, r *http.Request, who visitor) error {
	width, err := thumbWidth(r, maxSheetWidth)
	if err != nil {
		return err
	}
	ids := strings.Split(r.URL.Query().Get("of"), ",")
	if len(ids) > maxSheet {
		return atelier.FieldError("of", words.SheetTooLong(maxSheet))
	}
	type one struct {
		line string
		tag  string
		kept bool // it will be the same picture for ever
		err  error
	}
	all := make([]one, len(ids))
	err = parallel.Each(r.Context(), len(ids), func(i int) {
		this := &all[i]
		res, err := s.visibleResult(r.Context(), who, atelier.ResultID(ids[i]))
		var sha string
		if err == nil {
			sha, err = thumbOf(res)
		}
		if err == nil {
			this.line, err = s.thumbAddress(r.Context(), sha, width)
		}
		switch {
		case err == nil:
			this.tag, this.kept = sha, !who.sees(res)
		case atelier.CodeOf(err) != atelier.NotFound:
			this.err = err
		}
	})
	var body, tags strings.Builder
	f := served{}
	for _, one := range all {
		err = errors.Join(err, one.err)
		f.shown = f.shown || !one.kept
		body.WriteString(one.line + "\n")
		tags.WriteString(one.tag + "\n")
	}
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(tags.String()))
	f.contain(w.Header(), "text/plain; charset=us-ascii", fmt.Sprintf("%x-%d", sum[:16], width))
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(body.String()))
	return nil
}

// thumbAddress is the data: address of a thumbnail of a stored picture, width being one of media.Widths. The error is NotFound where the
// picture is not stored.
func (s *Server) thumbAddress(ctx context.Context, sha string, width int) (address string, err error) {
	file, err := s.openThumb(ctx, sha, width)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	data, err := io.ReadAll(file)
	if err != nil {
		return "", fmt.Errorf("read a thumbnail: %w", err)
	}
	return "data:" + probe.Sniff(data[:min(len(data), sniffed)]).MediaType() + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}
