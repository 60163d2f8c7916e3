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

// seatedToLayOut waits for the place and the memory that a layered file takes; results are what it is made of.
func (s *Service) seatedToLayOut(ctx context.Context, e gen.Execution, interruptions int64) (results []gen.File, leave func(), err error) {
	if results, err = s.resultFiles(ctx, e.ID); err != nil {
		return nil, nil, err
	}
	leave, err = s.bench.sit(ctx, &seat{at: pictureAt, turn: s.line.now(), memory: layerCost(results), alone: interruptions >= trusted})
	return results, leave, err
}

// layOut builds the layered file of an execution out of its results and stores it; the caller is seated.
func (s *Service) layOut(ctx context.Context, e gen.Execution, results []gen.File) (err error) {
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

// layerCost estimates the memory of a layered file in bytes: what completing the background takes, and what larger results take
// beside it. Writing takes less, since layers are opened one after the other.
func layerCost(results []gen.File) int64 {
	var largest int64
	for _, f := range results {
		largest = max(largest, f.Width*f.Height)
	}
	worked := min(largest, maxPixels)
	return perPixel*worked + perDecoded*(largest-worked)
}

// document lays out the background, the original, its protected region and the results. The first result shows; the others
// and what was worked from are there, hidden, so that the file opens as what was made.
func (s *Service) document(ctx context.Context, e gen.Execution, results []gen.File) (psd.Document, error) {
	var doc psd.Document
	group := psd.Layer{Name: "Results", Group: true}
	for i, f := range results {
		size := image.Pt(int(f.Width), int(f.Height))
		doc.Width, doc.Height = max(doc.Width, size.X), max(doc.Height, size.Y)
		group.Layers = append(group.Layers, psd.Layer{Name: fmt.Sprintf("Result %d", i+1), Size: size, Hidden: i > 0, Open: func() (*image.NRGBA, error) {
			data, err := s.readFile(f)
			if err != nil {
				return nil, err
			}
			return decodePicture(ctx, "result", data)
		}})
	}
	o, err := s.original(ctx, e, image.Pt(doc.Width, doc.Height))
	if err != nil {
		return doc, err
	}
	back, err := background(ctx, e, group.Layers[0], o)
	if err != nil {
		return doc, err
	}
	doc.Layers = append(append([]psd.Layer{back}, o.layers()...), group)
	return doc, nil
}

// original is the source picture on the canvas of the results, and its protected region; open and region are nil where there
// is none.
type original struct {
	open   func() (*image.NRGBA, error)
	size   image.Point
	at     image.Point
	region *mask.Plane
}

func (o original) layers() []psd.Layer {
	if o.open == nil {
		return nil
	}
	layer := psd.Layer{Name: "Original", Open: o.open, Size: o.size, X: o.at.X, Y: o.at.Y, Hidden: true}
	layers := []psd.Layer{layer}
	if o.region != nil {
		layer.Name, layer.Mask = "Protected", o.region
		layers = append(layers, layer)
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
	n, err := s.needOf(ctx, e)
	if err != nil {
		return o, err
	}
	s.bench.forget(e.ID) // it has ended
	values := in.Values
	o.open = func() (*image.NRGBA, error) {
		img, err := s.picture(ctx, e, source.Name, in.Files[source.Name][0])
		if err != nil {
			return nil, err
		}
		if img.Rect.Size() != canvas { // resizeToOriginalImage makes results as large as the source, however large that is
			img, values = asWorkedOn(img, in.Values, n.most)
		}
		return img, nil
	}
	first, err := o.open()
	if err != nil {
		return o, err
	}
	o.size = first.Rect.Size()
	o.at = placeOriginal(values, o.size, canvas)
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
	if size := image.Pt(m.W, m.H); fromAlpha && size != o.size && o.size == canvas {
		m = m.Fitted(o.size.X, o.size.Y).Run()
	}
	if fromAlpha && image.Pt(m.W, m.H) == o.size {
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
func background(ctx context.Context, e gen.Execution, result psd.Layer, o original) (psd.Layer, error) {
	img, err := result.Open()
	if err != nil {
		return psd.Layer{}, err
	}
	layer := psd.Layer{Name: "Background", Image: img, Hidden: !img.Opaque()}
	if layer.Hidden && o.open != nil {
		if layer.Image, err = o.open(); err != nil {
			return layer, err
		}
	}
	if o.region != nil && o.region.Rect() == layer.Image.Rect && o.region.Stats(0).Share < mostlyKept {
		size := layer.Image.Rect.Size()
		small, region := imaging.FitPixels(layer.Image, maxPixels), *o.region
		if small.Rect != region.Rect() {
			region = region.Fitted(small.Rect.Dx(), small.Rect.Dy()).Run()
		}
		around := float64(max(region.W, region.H)) / 200
		done, err := fill.Complete(ctx, small, region.Grow(around), fill.Options{Seed: seed(e.ID)})
		if err != nil && !errors.Is(err, fill.ErrNothingKnown) {
			return layer, err
		}
		if err == nil {
			if done.Rect.Size() != size {
				done = imaging.Resize(done, size.X, size.Y)
			}
			layer.Image = done
			return layer, nil
		}
	}
	layer.Image = image.NewNRGBA(image.Rectangle{Max: result.Size})
	draw.Draw(layer.Image, layer.Image.Rect, image.White, image.Point{}, draw.Src)
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
