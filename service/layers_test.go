package service

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"

	other "github.com/oov/psd"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestAnExportHoldsTheSceneTheProductAndTheResultsApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut("batchCount", 2))
	done := w.finish(execution)
	body := map[string]string{"executionId": execution}
	must[bool](t, w.post(upstream.PathPSDCreate, w.key, body))
	job := eventually(t, func() upstream.PSDJob { return must[upstream.PSDJob](t, w.post(upstream.PathPSDQuery, w.key, body)) },
		func(j upstream.PSDJob) bool { return ended(j.Status) })
	if job.Status != statusSuccess {
		t.Fatalf("job = %+v", job)
	}
	file, _, err := other.Decode(bytes.NewReader(w.fetch(job.Result.FileURL).raw), &other.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range file.Layer {
		names = append(names, l.Name)
	}
	if want := []string{"Background", "Original", "Protected", "Results"}; !slices.Equal(names, want) {
		t.Fatalf("the layers are %s, want %s", strings.Join(names, ", "), strings.Join(want, ", "))
	}
	// The picture keeps its left half on a plain colour: without the product there is the colour alone.
	scene := file.Layer[0].Picker
	for _, at := range []image.Point{{20, 20}, {130, 300}, {250, 540}, {500, 100}} {
		r, g, b, a := scene.At(at.X, at.Y).RGBA()
		if near := max(apart(r, 0x20), apart(g, 0x40), apart(b, 0x60), apart(a, 0xff)); near > 2 {
			t.Errorf("the scene at %v is %d away from the colour behind the product", at, near)
		}
	}
	const layerMask = -2 // the number of its channel
	region := file.Layer[2].Channel[layerMask].Data
	if len(region) != 520*560 || region[300*520+20] != 255 || region[300*520+400] != 0 {
		t.Errorf("the protected layer's mask has %d pixels and is not what was painted", len(region))
	}
	results := file.Layer[3].Layer
	if len(results) != 2 || results[0].Name != "Result 1" || !results[0].Visible() || results[1].Visible() {
		t.Fatalf("the results are %+v", results)
	}
	first := decode(t, w.fetch(done.Result[0].Image).raw)
	for _, at := range []image.Point{{20, 20}, {255, 300}, {400, 500}} {
		r, g, b, _ := file.Picker.At(at.X, at.Y).RGBA()
		want := first.NRGBAAt(at.X, at.Y)
		if max(apart(r, want.R), apart(g, want.G), apart(b, want.B)) > 1 {
			t.Errorf("opened flat, the file is not the first result at %v", at)
		}
	}
}

// A source that is too large to be worked on as it is: its results have its size all the same where that is asked for (Task API,
// "Shared mask and execution parameters"), and all layers of the export lie on each other.
func TestResultsAreAsLargeAsASourceThatIsWorkedOnSmaller(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := image.Pt(520, 560)
	smaller := need{memory: 1, most: int64(source.X*source.Y) / 4}
	leave := sits(t, w.svc.bench, &seat{memory: w.svc.bench.total})
	execution := w.execute(w.task("removeBG", w.upload(testpics.JPEG(photo()))), cutOut("resizeToOriginalImage", true))
	eventually(t, func() bool { _, ok := w.svc.bench.known(execution); return ok }, func(known bool) bool { return known })
	w.svc.bench.note(execution, smaller)
	leave()
	done := w.finish(execution)
	if done.Status != statusSuccess {
		t.Fatalf("the execution is %+v", done)
	}
	result := decode(t, w.fetch(done.Result[0].Image).raw)
	if result.Rect.Size() != source {
		t.Errorf("the result is %v, want the source's %v", result.Rect.Size(), source)
	}
	e, err := w.svc.read().FindExecution(t.Context(), execution)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := w.svc.read().FindFile(t.Context(), e.MaskFile); err != nil || f.Width != int64(source.X/2) {
		t.Fatalf("the region is %d wide, %v: the source was not worked on smaller", f.Width, err)
	}
	w.svc.bench.note(execution, smaller)
	o, err := w.svc.original(t.Context(), e, source)
	if err != nil {
		t.Fatal(err)
	}
	if o.size != source || o.at != (image.Point{}) || o.region == nil || o.region.Rect().Size() != source {
		t.Errorf("the original is %v at %v, with a region %v", o.size, o.at, o.region != nil)
	}
	if img, err := o.open(); err != nil || img.Rect.Size() != source {
		t.Errorf("the original opens as another size than it has: %v", err)
	}
}

// apart is how far a channel of 16 bits is from one of 8.
func apart(got uint32, want uint8) int {
	d := int(got>>8) - int(want)
	return max(d, -d)
}
