package bff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"sync"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
)

// conversion reads how pictures are to be delivered; nil = as they are.
func conversion(format string, quality int, size string) (*media.Conversion, error) {
	if format != "" && !slices.Contains(atelier.FileFormats, format) {
		return nil, atelier.FieldError("format", words.RequestOneOf("format", atelier.FileFormats))
	}
	if quality < 0 || quality > 100 {
		return nil, atelier.FieldError("quality", words.RequestWhole("quality", 1, 100))
	}
	c := media.Conversion{Format: probe.Format(format), Quality: quality}
	if size != "" {
		preset, ok := atelier.FindDeliverySize(size)
		if !ok {
			return nil, atelier.FieldError("size", words.DownloadNoSize)
		}
		c.Width, c.Height, c.Pad = preset.Width, preset.Height, preset.Pad
	}
	if c == (media.Conversion{}) {
		return nil, nil //nolint:nilnil // nil says "as they are"
	}
	return &c, nil
}

// resultFile sends a result as it is or, asked by format, quality and size, as a delivery; a template names it. It says where it
// comes from either way.
func (s *Server) resultFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.visible(r, who)
	if err != nil {
		return err
	}
	attach, err := queryBool(r, "download")
	if err != nil {
		return err
	}
	quality, err := queryInt(r, "quality", 100)
	if err != nil {
		return err
	}
	how, err := conversion(r.URL.Query().Get("format"), quality, r.URL.Query().Get("size"))
	if err != nil {
		return err
	}
	run, err := s.c.DB.LoadRun(r.Context(), res.RunID)
	if err != nil {
		return err
	}
	f := served{sha: res.SHA256, format: probe.Format(res.Format), name: nameIn(run, res), attach: attach, shown: who.sees(res), origin: s.originOf(run)}
	if names := atelier.NameTemplate(r.URL.Query().Get("template")); names != "" {
		if err := checkNames(names); err != nil {
			return err
		}
		f.name = names.Fill(run.Title, run.Agent, run.CreatedAt, 1, 1)
	}
	if how == nil {
		return s.serveBlob(w, r, f)
	}
	if res.Kind != "image" {
		return atelier.FieldError("format", words.DownloadVideo)
	}
	file, err := s.converted(r.Context(), who.User.ID, res.SHA256, *how)
	if errors.Is(err, fs.ErrNotExist) {
		return atelier.Wrap(atelier.NotFound, err, words.FileMissing)
	}
	if err != nil {
		return err
	}
	f.variant = fmt.Sprintf("-%s-%d-%dx%d-%t", how.Format, how.Quality, how.Width, how.Height, how.Pad)
	return serveSniffed(w, r, file, f)
}

// converted opens a picture as it is to be delivered, unless the user has too many on their way.
func (s *Server) converted(ctx context.Context, user atelier.UserID, sha string, how media.Conversion) (*os.File, error) {
	done, err := s.converting.begin(user)
	if err != nil {
		return nil, err
	}
	defer done()
	return s.c.Store.Converted(ctx, sha, how)
}

// maxConverting is how many conversions of one user are under way or wait.
const maxConverting = 32

// conversions counts those that are under way, by who asked.
type conversions struct {
	mu   sync.Mutex
	open map[atelier.UserID]int
}

// begin refuses one too many. done must follow.
func (c *conversions) begin(user atelier.UserID) (done func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[user] >= maxConverting {
		return nil, &atelier.Error{Code: atelier.TooMany, Message: words.DownloadConverting, Retryable: true}
	}
	if c.open == nil {
		c.open = map[atelier.UserID]int{}
	}
	c.open[user]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[user]--; c.open[user] == 0 {
			delete(c.open, user)
		}
	}, nil
}

// titleOf is the title of a run in names of files: many have that of the photo they were made of, whose ending is not theirs.
func titleOf(run db.Run) string { return atelier.WithoutEnding(run.Title) }

// nameIn is the file name of a result, without its ending: the run's title and the result's place in it.
func nameIn(run db.Run, res db.Result) string { return fmt.Sprintf("%s %d", titleOf(run), res.Index+1) }
