package bff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"net/http"
	"slices"
	"time"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/fidelity"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/provenance"
	"atelier/imaging/psd"
)

// startLayers makes a layered file of a selection: each source, each result as a layer of its own, and the protected pixels of the
// sources with the masks as their layer masks.
func (s *Server) startLayers(w http.ResponseWriter, r *http.Request, who visitor) (err error) {
	var body atelier.StartLayers
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if body.IDs, err = checkChosen(body.IDs); err != nil {
		return err
	}
	c, err := s.composition(r.Context(), who.User.ID, body.IDs)
	if err != nil {
		return err
	}
	name, err := downloadName(body.Name, titleOf(c.layers[0].run))
	if err != nil {
		return err
	}
	// One at a time: it takes minutes where much is chosen, and smaller work goes past it.
	if err := s.layering.Acquire(r.Context(), 1); err != nil {
		return fmt.Errorf("wait to make a layered file: %w", err)
	}
	defer s.layering.Release(1)
	// A file that young stays when it makes way, so it cannot yet make way for another.
	young, err := s.c.DB.CountExportsSince(r.Context(), who.User.ID, db.ExportLayers, s.c.Now().Add(-jobs.YoungFile))
	if err != nil {
		return err
	}
	if young >= maxExports {
		return &atelier.Error{Code: atelier.TooMany, Wait: time.Minute, Message: words.LayeredOften(maxExports)}
	}
	if err := s.heavy.Acquire(r.Context(), 1); err != nil {
		return fmt.Errorf("wait to make a layered file: %w", err)
	}
	defer s.heavy.Release(1)
	sha, n, err := s.writeLayers(r.Context(), c)
	if err != nil {
		return err
	}
	e, err := s.keepExport(r.Context(), db.Export{UserID: who.User.ID, Kind: db.ExportLayers, Name: name, SHA256: sha, Bytes: n})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, atelier.Layers{ID: e.ID, File: "/api/psds/" + e.ID + "/file", Bytes: n})
}

// layersFile sends a layered file.
func (s *Server) layersFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	e, err := s.c.DB.FindExport(r.Context(), who.User.ID, db.ExportLayers, r.PathValue("id"))
	if err != nil {
		return err
	}
	return s.servePicture(w, r, served{sha: e.SHA256, name: e.Name, attach: true}) // PSD or, beyond its limit, PSB
}

// composition is what goes into a layered file.
type composition struct {
	layers []chosenLayer
	size   image.Point   // of the document
	shapes []image.Point // the largest picture of each shape
}

// maxCanvas is how many pixels a document has at most, which are held while it is flattened: two pictures as large as any, one upright and
// one lying, fit.
const maxCanvas = 2 * probe.MaxPixels

type chosenLayer struct {
	run    db.Run
	result db.Result
}

// composition looks the results up and refuses what does not fit into one file.
func (s *Server) composition(ctx context.Context, user atelier.UserID, ids []atelier.ResultID) (c composition, err error) {
	results, err := s.c.DB.FindListed(ctx, user, ids)
	if err != nil {
		return c, err
	}
	runIDs := make([]atelier.RunID, len(results))
	for i, res := range results {
		runIDs[i] = res.RunID
	}
	runs, err := s.c.DB.FindRuns(ctx, user, runIDs)
	if err != nil {
		return c, err
	}
	var sizes []image.Point
	for _, res := range results {
		if !res.Stored {
			return c, atelier.FieldError("ids", words.ResultOneNotHere)
		}
		if res.Trashed || runs[res.RunID].Trashed {
			return c, errTrashed
		}
		if res.Kind != "image" {
			return c, atelier.FieldError("ids", words.LayeredVideo)
		}
		c.layers = append(c.layers, chosenLayer{runs[res.RunID], res.Result})
		sizes = append(sizes, image.Pt(res.Width, res.Height))
	}
	for _, source := range c.sources() {
		sizes = append(sizes, image.Pt(source.asset.Width, source.asset.Height))
	}
	c.lay(sizes)
	switch {
	case max(c.size.X, c.size.Y) > psd.MaxSide:
		return c, atelier.FieldError("ids", words.LayeredSide(c.size.X, c.size.Y, psd.MaxSide))
	case c.size.X*c.size.Y > maxCanvas:
		return c, atelier.FieldError("ids", words.LayeredArea(c.size.X, c.size.Y, maxCanvas/1_000_000))
	}
	return c, nil
}

// lay finds the shapes of pictures and a document that holds the largest of each, so that none loses pixels.
func (c *composition) lay(sizes []image.Point) {
	slices.SortStableFunc(sizes, func(a, b image.Point) int { return cmp.Compare(b.X*b.Y, a.X*a.Y) })
	for _, size := range sizes {
		if c.placed(size) == size && !slices.Contains(c.shapes, size) {
			c.shapes = append(c.shapes, size)
		}
		c.size = image.Pt(max(c.size.X, size.X), max(c.size.Y, size.Y))
	}
}

// placed is how large a picture lies in the document: as the largest of its shape, so that they lie on each other.
func (c *composition) placed(is image.Point) image.Point {
	for _, shape := range c.shapes {
		if ratio := float64(is.X) * float64(shape.Y) / (float64(is.Y) * float64(shape.X)); ratio > .98 && ratio < 1.02 {
			return shape
		}
	}
	return is
}

// chosenSource is a picture results were made of, and one run of each region of it that any of them protected.
type chosenSource struct {
	asset   *atelier.Asset
	regions []db.Run
}

// sources are the sources that go into the file, each once.
func (c composition) sources() (sources []chosenSource) {
	for _, l := range c.layers {
		if l.run.Asset == nil || l.run.Asset.Kind != "image" {
			continue
		}
		at := slices.IndexFunc(sources, func(s chosenSource) bool { return s.asset.SHA256 == l.run.Asset.SHA256 })
		if at < 0 {
			at = len(sources)
			sources = append(sources, chosenSource{asset: l.run.Asset})
		}
		s := &sources[at]
		region := jobs.RegionOf(l.run)
		if region != "" && !slices.ContainsFunc(s.regions, func(r db.Run) bool { return jobs.RegionOf(r) == region }) {
			s.regions = append(s.regions, l.run)
		}
	}
	return sources
}

// writeLayers makes the file and stores it. Pictures are opened one after the other, as they are written.
func (s *Server) writeLayers(ctx context.Context, c composition) (sha string, n int64, err error) {
	origins := make([]provenance.Origin, len(c.layers))
	for i, l := range c.layers {
		origins[i] = s.originOf(l.run)
	}
	doc := psd.Document{Width: c.size.X, Height: c.size.Y, Large: true, XMP: provenance.PacketOf(origins...)}
	var kept []psd.Layer
	sources := c.sources()
	for n, source := range sources {
		number := 0
		if len(sources) > 1 {
			number = n + 1
		}
		a := source.asset
		layer := s.layerOf(ctx, c, a.Pixels, image.Pt(a.Width, a.Height), words.LayerSource(number))
		doc.Layers = append(doc.Layers, layer)
		for m, run := range source.regions {
			if layer.OpenMask, err = s.openMask(ctx, run, layer.Size); err != nil {
				return "", 0, err
			}
			if layer.OpenMask == nil {
				continue
			}
			region := 0
			if len(source.regions) > 1 {
				region = m + 1
			}
			layer.Name = words.LayerSourceKept(number)
			kept = append(kept, psd.Layer{Name: words.LayerKept(number, region), Hidden: true, Layers: []psd.Layer{layer}})
		}
	}
	for i := len(c.layers) - 1; i >= 0; i-- {
		res := c.layers[i].result
		layer := s.layerOf(ctx, c, res.SHA256, image.Pt(res.Width, res.Height), nameIn(c.layers[i].run, res))
		layer.Hidden = i > 0 // the first one chosen is seen
		doc.Layers = append(doc.Layers, layer)
	}
	doc.Layers = append(doc.Layers, kept...)
	to, err := s.c.Store.Writer()
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, to.Discard()) }()
	if err := psd.Write(to, doc); err != nil {
		if errors.Is(err, psd.ErrTooLarge) {
			return "", 0, atelier.Wrap(atelier.TooLarge, err, c.tooLarge())
		}
		return "", 0, err
	}
	return to.Commit()
}

// tooLarge says that the file would be larger than one is made, and about how many of the pictures fit: as many as do when none of
// them packs at all.
func (c composition) tooLarge() string {
	others := 1 // the flattened picture
	for _, source := range c.sources() {
		others += 1 + len(source.regions)
	}
	fit := psd.MaxLarge/(3*int64(c.size.X)*int64(c.size.Y)) - int64(others)
	if fit < 1 || fit >= int64(len(c.layers)) {
		return words.LayeredFewer
	}
	return words.LayeredFit(c.size.X, c.size.Y, fit)
}

// openMask finds what a run protects of its source, and gives how its mask is opened at a size; nil when it protects nothing.
func (s *Server) openMask(ctx context.Context, run db.Run, size image.Point) (func() (mask.Plane, error), error) {
	keep, err := s.jobs.Keep(ctx, run)
	if _, nothing := errors.AsType[*fidelity.NotComparableError](err); nothing || err == nil && keep.Empty() {
		return nil, nil //nolint:nilnil // nil says "nothing is protected"
	}
	if err != nil {
		return nil, err
	}
	packed := mask.EncodePalette(keep) // a hundredth of its pixels
	return func() (mask.Plane, error) {
		keep, _, err := imaging.DecodeMask(ctx, packed, imaging.DefaultLimits)
		if err != nil {
			return keep, err
		}
		return scaledMask(keep, size.X, size.Y), nil
	}, nil
}

// layerOf makes a layer of a stored picture, in the middle of the document.
func (s *Server) layerOf(ctx context.Context, c composition, sha string, is image.Point, name string) psd.Layer {
	size := c.placed(is)
	return psd.Layer{Name: name, Size: size, X: (c.size.X - size.X) / 2, Y: (c.size.Y - size.Y) / 2, Open: func() (*image.NRGBA, error) {
		img, err := s.picture(ctx, sha)
		if err == nil && img.Rect.Size() != size {
			img = imaging.Resize(img, size.X, size.Y)
		}
		return img, err
	}}
}

// scaledMask scales a mask as the picture it belongs to.
func scaledMask(p mask.Plane, w, h int) mask.Plane {
	if p.W == w && p.H == h {
		return p
	}
	img := image.NewNRGBA(image.Rect(0, 0, p.W, p.H))
	for i, v := range p.Pix {
		copy(img.Pix[4*i:], []uint8{v, v, v, 255})
	}
	scaled, _ := imaging.MaskOf(imaging.Resize(img, w, h))
	return scaled
}

// picture opens a stored picture, upright.
func (s *Server) picture(ctx context.Context, sha string) (*image.NRGBA, error) {
	data, err := s.c.Store.Read(sha)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, atelier.Wrap(atelier.NotFound, err, words.FileMissing)
	}
	if err != nil {
		return nil, err
	}
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return nil, fmt.Errorf("open a stored picture: %w", err)
	}
	return img, nil
}
