package service

import (
	"context"
	"errors"
	"fmt"
	"image"

	"atelier/catalog"
	"atelier/imaging"
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

// layerCost estimates the memory of a layered file in bytes: each layer's pixels and their packed form, and as much again
// for the original, its copy and the flattened picture.
func layerCost(results []gen.File) int64 {
	var pixels, largest int64
	for _, f := range results {
		pixels += f.Width * f.Height
		largest = max(largest, f.Width*f.Height)
	}
	return 8*pixels + 24*largest
}

// document lays out the original, its protected region and the results. The first result shows; the others and what was
// worked from are there, hidden, so that the file opens as what was made.
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
	below, err := s.originalLayers(ctx, e, image.Pt(doc.Width, doc.Height))
	if err != nil {
		return doc, err
	}
	doc.Layers = append(below, group)
	return doc, nil
}

// originalLayers are the source picture, whole and as far as it was protected; none for agents without a source.
func (s *Service) originalLayers(ctx context.Context, e gen.Execution, canvas image.Point) ([]psd.Layer, error) {
	task, err := s.read().FindTask(ctx, gen.FindTaskParams{ID: e.TaskID, AccountID: e.AccountID})
	if err != nil {
		return nil, fmt.Errorf("find the task: %w", err)
	}
	agent, in, err := s.decodeOrder(task, e)
	if err != nil {
		return nil, err
	}
	source, ok := agent.Source()
	if !ok || len(in.Files[source.Name]) == 0 {
		return nil, nil
	}
	img, err := s.picture(ctx, e, source.Name, in.Files[source.Name][0])
	if err != nil {
		return nil, err
	}
	at := placeOriginal(in.Values, img.Rect.Size(), canvas)
	layers := []psd.Layer{{Name: "Original", Image: img, X: at.X, Y: at.Y, Hidden: true}}
	if e.MaskFile == "" {
		return layers, nil
	}
	data, err := s.readOwn(ctx, "mask", e.MaskFile)
	if err != nil {
		return nil, err
	}
	m, fromAlpha, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return nil, fmt.Errorf("read the mask: %w", err)
	}
	if fromAlpha && m.W == img.Rect.Dx() && m.H == img.Rect.Dy() {
		layers = append(layers, psd.Layer{Name: "Protected", Image: img, X: at.X, Y: at.Y, Mask: &m, Hidden: true})
	}
	return layers, nil
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
