package service

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/psd"
	"atelier/service/gen"
)

// layOut builds the layered file of an execution and stores it.
func (s *Service) layOut(ctx context.Context, e gen.Execution) (err error) {
	results, err := s.resultFiles(ctx, e.ID)
	if err != nil {
		return err
	}
	release, err := s.bench.reserve(ctx, layerCost(results))
	if err != nil {
		return err
	}
	defer release()
	doc, err := s.document(ctx, e, results)
	if err != nil {
		return err
	}
	d, err := s.files.draft()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	if err := psd.Write(d, doc); err != nil {
		if errors.Is(err, psd.ErrTooLarge) {
			return refuse("The results are too large for one layered file: the format holds at most 2 GB.")
		}
		return err
	}
	ctx = detached(ctx)
	_, err = s.keep(ctx, d, gen.CreateFileParams{
		AccountID: e.AccountID, Kind: kindPSD, ExecutionID: e.ID,
		MediaType: "image/vnd.adobe.photoshop", Width: int64(doc.Width), Height: int64(doc.Height),
	}, ".psd",
		func(q *gen.Queries, id string, _ inserter) error {
			n, err := q.FinishPSD(ctx, gen.FinishPSDParams{ExecutionID: e.ID, FileID: id})
			if err == nil && n == 0 {
				return errGone
			}
			return err
		})
	return err
}

// resultFiles are the files of the items that succeeded, in order.
func (s *Service) resultFiles(ctx context.Context, execution string) ([]gen.File, error) {
	items, err := s.read().ListItems(ctx, execution)
	if err != nil {
		return nil, fmt.Errorf("list items: %w", err)
	}
	var files []gen.File
	for _, it := range items {
		if it.Status != statusSuccess {
			continue
		}
		f, err := s.read().FindFile(ctx, it.FileID)
		if err != nil {
			return nil, fmt.Errorf("find a result: %w", err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, refuse("This execution has no picture to export.")
	}
	return files, nil
}

// layerCost estimates the memory of a layered file in bytes: each layer's pixels and their packed form, and what completing
// the background of the largest takes, which is more than the other layers and the flattened picture.
func layerCost(results []gen.File) int64 {
	var pixels, largest int64
	for _, f := range results {
		pixels += f.Width * f.Height
		largest = max(largest, f.Width*f.Height)
	}
	return 8*pixels + 48*largest
}

// document lays out the background, the original, its protected region and the results. The first result shows; the others
// and what was worked from are there, hidden, so that the file opens as what was made.
func (s *Service) document(ctx context.Context, e gen.Execution, results []gen.File) (psd.Document, error) {
	var doc psd.Document
	group := psd.Layer{Name: "Results", Group: true}
	for i, f := range results {
		data, err := s.readFile(f)
		if err != nil {
			return doc, err
		}
		img, err := decodePicture(ctx, "result", data)
		if err != nil {
			return doc, err
		}
		doc.Width, doc.Height = max(doc.Width, img.Rect.Dx()), max(doc.Height, img.Rect.Dy())
		group.Layers = append(group.Layers, psd.Layer{Name: fmt.Sprintf("Result %d", i+1), Image: img, Hidden: i > 0})
	}
	o, err := s.original(ctx, e, image.Pt(doc.Width, doc.Height))
	if err != nil {
		return doc, err
	}
	back, err := background(ctx, e, group.Layers[0].Image, o)
	if err != nil {
		return doc, err
	}
	doc.Layers = append(append([]psd.Layer{back}, o.layers()...), group)
	return doc, nil
}

// original is the source picture on the canvas of the results, and its protected region; both are nil where there is none.
type original struct {
	image  *image.NRGBA
	at     image.Point
	region *mask.Plane
}

func (o original) layers() []psd.Layer {
	if o.image == nil {
		return nil
	}
	layers := []psd.Layer{{Name: "Original", Image: o.image, X: o.at.X, Y: o.at.Y, Hidden: true}}
	if o.region != nil {
		layers = append(layers, psd.Layer{Name: "Protected", Image: o.image, X: o.at.X, Y: o.at.Y, Mask: o.region, Hidden: true})
	}
	return layers
}

func (s *Service) original(ctx context.Context, e gen.Execution, canvas image.Point) (o original, err error) {
	task, err := s.read().FindTask(ctx, gen.FindTaskParams{ID: e.TaskID, AccountID: e.AccountID})
	if err != nil {
		return o, fmt.Errorf("find the task: %w", err)
	}
	agent, in, err := s.decodeOrder(task, e)
	if err != nil {
		return o, err
	}
	source, ok := agent.Source()
	if !ok || len(in.Files[source.Name]) == 0 {
		return o, nil
	}
	if o.image, err = s.picture(ctx, e, source.Name, in.Files[source.Name][0]); err != nil {
		return o, err
	}
	o.at = placeOriginal(in.Values, o.image.Rect.Size(), canvas)
	if e.MaskFile == "" {
		return o, nil
	}
	data, err := s.readOwn(ctx, "mask", e.MaskFile)
	if err != nil {
		return o, err
	}
	m, fromAlpha, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return o, fmt.Errorf("read the mask: %w", err)
	}
	if fromAlpha && m.W == o.image.Rect.Dx() && m.H == o.image.Rect.Dy() {
		o.region = &m
	}
	return o, nil
}

// mostlyKept is the share of a picture from which on too little is left beside the protected region to continue from.
const mostlyKept = 0.6

// background is the lowest layer: the scene of the first result with what was protected taken out of it, or of the original
// where the result has none, so that a retoucher can move the product. Where nothing was protected it is white paper. It
// hides below a result with transparent parts, which would not look like itself on it.
// ASSUMED [Layers of a PSD]: the documents do not say what the layers of the export are.
func background(ctx context.Context, e gen.Execution, result *image.NRGBA, o original) (psd.Layer, error) {
	layer := psd.Layer{Name: "Background", Image: result, Hidden: !result.Opaque()}
	if layer.Hidden && o.image != nil {
		layer.Image = o.image
	}
	if o.region != nil && o.region.Rect() == layer.Image.Rect && o.region.Stats(0).Share < mostlyKept {
		around := float64(max(layer.Image.Rect.Dx(), layer.Image.Rect.Dy())) / 200
		done, err := fill.Complete(ctx, layer.Image, o.region.Grow(around), fill.Options{Seed: seed(e.ID)})
		if err == nil || !errors.Is(err, fill.ErrNothingKnown) {
			layer.Image = done
			return layer, err
		}
	}
	layer.Image = image.NewNRGBA(result.Rect)
	draw.Draw(layer.Image, result.Rect, image.White, image.Point{}, draw.Src)
	return layer, nil
}

// placeOriginal is where the source lies on the canvas of the results: where it was put, or in the middle
// (Task API, "expandimage v1.0").
func placeOriginal(v catalog.Values, size, canvas image.Point) image.Point {
	at := canvas.Sub(size).Div(2)
	if left, ok := v["fillLeft"].(float64); ok {
		at.X = int(left)
	}
	if top, ok := v["fillTop"].(float64); ok {
		at.Y = int(top)
	}
	return at
}
