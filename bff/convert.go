package bff

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/probe"
)

// conversion reads how pictures are to be delivered; nil = as they are.
func conversion(format string, quality int, size string) (*media.Conversion, error) {
	if format != "" && !slices.Contains(atelier.FileFormats, format) {
		return nil, atelier.FieldError("format", fmt.Sprintf("format must be one of %q.", atelier.FileFormats))
	}
	if quality < 0 || quality > 100 {
		return nil, atelier.FieldError("quality", "quality must be a whole number from 1 to 100.")
	}
	c := media.Conversion{Format: probe.Format(format), Quality: quality}
	if size != "" {
		preset, ok := atelier.FindDeliverySize(size)
		if !ok {
			return nil, atelier.FieldError("size", "The studio knows no size of this name.")
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
		return atelier.FieldError("format", "A video is delivered as it is.")
	}
	file, err := s.c.Store.Converted(r.Context(), res.SHA256, *how)
	if errors.Is(err, fs.ErrNotExist) {
		return atelier.Wrap(atelier.NotFound, err, "The file of this picture is missing.")
	}
	if err != nil {
		return err
	}
	f.variant = fmt.Sprintf("-%s-%d-%dx%d-%t", how.Format, how.Quality, how.Width, how.Height, how.Pad)
	return serveSniffed(w, r, file, f)
}

// nameIn is the file name of a result, without its ending: the run's title and the result's place in it.
func nameIn(run db.Run, res db.Result) string { return fmt.Sprintf("%s %d", run.Title, res.Index+1) }
