package bff

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/fidelity"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/imaging/psd"
)

// How much one layered file takes: as many pictures, and as many pixels in all its layers. The pixels are held in memory, four bytes
// each.
const (
	maxLayers      = 64
	maxLayerPixels = 150_000_000
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
	if len(body.IDs) > maxLayers {
		return atelier.FieldError("ids", fmt.Sprintf("A layered file takes at most %d pictures.", maxLayers))
	}
	c, err := s.composition(r.Context(), who.User.ID, body.IDs)
	if err != nil {
		return err
	}
	name := stem(strings.TrimSpace(body.Name))
	if name == "" {
		name = c.layers[0].run.Title
	}
	if err := s.heavy.Acquire(r.Context(), pixelWork); err != nil {
		return fmt.Errorf("wait to make a layered file: %w", err)
	}
	defer s.heavy.Release(pixelWork)
	sha, n, err := s.writeLayers(r.Context(), c)
	if err != nil {
		return err
	}
	e, err := s.c.DB.CreateExport(r.Context(), db.Export{UserID: who.User.ID, Kind: db.ExportLayers, Name: name, SHA256: sha, Bytes: n})
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
	return s.serveBlob(w, r, served{sha: e.SHA256, format: probe.PSD, name: e.Name, attach: true})
}

// composition is what goes into a layered file.
type composition struct {
	layers []chosenLayer
	size   image.Point // of the document
}

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
	for _, res := range results {
		if !res.Stored {
			return c, atelier.FieldError("ids", "One of the pictures is not here yet.")
		}
		if res.Trashed || runs[res.RunID].Trashed {
			return c, errTrashed
		}
		if res.Kind != "image" {
			return c, atelier.FieldError("ids", "A layered file takes pictures, not videos.")
		}
		c.layers = append(c.layers, chosenLayer{runs[res.RunID], res.Result})
		// The largest picture decides, so that none loses pixels.
		if res.Width*res.Height > c.size.X*c.size.Y {
			c.size = image.Pt(res.Width, res.Height)
		}
	}
	sources := c.sources()
	others := 0 // layers beside the results
	for _, run := range sources {
		if a := run.Asset; a.Width*a.Height > c.size.X*c.size.Y {
			c.size = image.Pt(a.Width, a.Height)
		}
		others += 2
	}
	if most := maxLayerPixels/(c.size.X*c.size.Y) - others; len(c.layers) > most {
		return c, atelier.FieldError("ids", fmt.Sprintf("These pictures are too many for one layered file at %d × %d. Choose at most %d.", c.size.X, c.size.Y, max(most, 0)))
	}
	return c, nil
}

// sources are runs whose sources go into the file: one of each source, and of each mask that protects something of it. One that
// protects nothing stands for its source where no other does.
func (c composition) sources() (runs []db.Run) {
	for _, l := range c.layers {
		if l.run.Asset == nil {
			continue
		}
		same := func(r db.Run) bool {
			return r.Asset.SHA256 == l.run.Asset.SHA256 && (r.MaskSHA256 == l.run.MaskSHA256 || r.MaskSHA256 == "" || l.run.MaskSHA256 == "")
		}
		switch at := slices.IndexFunc(runs, same); {
		case at < 0:
			runs = append(runs, l.run)
		case runs[at].MaskSHA256 == "":
			runs[at] = l.run
		}
	}
	return runs
}

// writeLayers makes the file and stores it.
func (s *Server) writeLayers(ctx context.Context, c composition) (sha string, n int64, err error) {
	doc := psd.Document{Width: c.size.X, Height: c.size.Y, XMP: s.originOf(c.layers[0].run).Packet()}
	var kept []psd.Layer
	sources := c.sources()
	for n, run := range sources {
		number := ""
		if len(sources) > 1 {
			number = fmt.Sprintf(" %d", n+1)
		}
		source, keep, err := s.sourceAndMask(ctx, run)
		if err != nil {
			return "", 0, err
		}
		layer := placed(c.size, source, "Source"+number)
		doc.Layers = append(doc.Layers, layer)
		if !keep.Empty() {
			inner := layer
			inner.Name = "Source" + number + ", only what is kept"
			fitted := scaledMask(keep, layer.Image.Rect.Dx(), layer.Image.Rect.Dy())
			inner.Mask = &fitted
			kept = append(kept, psd.Layer{Name: "Kept pixels" + number, Hidden: true, Layers: []psd.Layer{inner}})
		}
	}
	for i := len(c.layers) - 1; i >= 0; i-- {
		img, err := s.picture(ctx, c.layers[i].result.SHA256)
		if err != nil {
			return "", 0, err
		}
		layer := placed(c.size, img, nameIn(c.layers[i].run, c.layers[i].result))
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
			return "", 0, atelier.Wrap(atelier.TooLarge, err, "The layered file would be larger than 2 GB. Choose fewer pictures.")
		}
		return "", 0, err
	}
	return to.Commit()
}

// sourceAndMask opens the source of a run, and what of it is protected; the mask is empty when nothing is.
func (s *Server) sourceAndMask(ctx context.Context, run db.Run) (*image.NRGBA, mask.Plane, error) {
	source, keep, err := s.jobs.Protected(ctx, run)
	if _, nothing := errors.AsType[*fidelity.NotComparableError](err); nothing {
		source, err = s.picture(ctx, run.Asset.SHA256)
		return source, mask.Plane{}, err
	}
	return source, keep, err
}

// placed makes a layer of a picture: scaled to the document where it has its shape, whole in the middle where it has another.
func placed(size image.Point, img *image.NRGBA, name string) psd.Layer {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if ratio := float64(w) * float64(size.Y) / (float64(h) * float64(size.X)); ratio > .98 && ratio < 1.02 {
		w, h = size.X, size.Y
	} else {
		w, h = imaging.FitSize(w, h, size.X, size.Y)
	}
	if w != img.Rect.Dx() || h != img.Rect.Dy() {
		img = imaging.Resize(img, w, h)
	}
	return psd.Layer{Name: name, Image: img, X: (size.X - w) / 2, Y: (size.Y - h) / 2}
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
		return nil, atelier.Wrap(atelier.NotFound, err, "The file of this picture is missing.")
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
