package model

import (
	"fmt"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/catalog"
)

func pictures(sizes ...[2]int) []atelier.Asset {
	out := make([]atelier.Asset, len(sizes))
	for i, s := range sizes {
		out[i] = atelier.Asset{ID: atelier.AssetID(fmt.Sprint("p", i)), Name: fmt.Sprintf("p%d.jpg", i), Width: s[0], Height: s[1]}
	}
	return out
}

func TestFurtherPhotosAreTheStudiosOwn(t *testing.T) {
	f := NewForm(find(t, "aimodel")).With("textDescription", "a beach").WithFiles(Further.Name, pictures([2]int{600, 800}, [2]int{900, 900}))
	start := f.Start(photo, "k", "")
	if len(start.Files) != 1 || len(start.Files["originalImage"]) != 1 {
		t.Errorf("a run holds %v, want its own photo alone", start.Files)
	}
	if p := FirstRefusal(f.Problems(photo)); p != nil {
		t.Errorf("refused: %+v", p)
	}
	for _, slot := range f.Slots(photo, Shown{All: true}) {
		if slot.File.Name == Further.Name {
			t.Error("they stand among the fields of the agent")
		}
	}
	if slot, ok := f.Slot(photo, Further.Name); !ok || !slot.Ours || len(slot.Assets) != 2 || slot.Room != MostPhotos-3 {
		t.Errorf("the field is %+v, %v", slot, ok)
	}
	if file, ok := f.File(Further.Name); !ok || file.Max != MostPhotos-1 {
		t.Errorf("File = %+v, %v", file, ok)
	}
}

func TestFurtherPhotosGoAlongToAgentsThatWorkOnOneAndComeBackFromOthers(t *testing.T) {
	f := NewForm(find(t, "aimodel")).WithFiles(Further.Name, pictures([2]int{600, 800}))
	words := f.Switch(find(t, "z-image"))
	if _, ok := words.FurtherSlot(photo); ok {
		t.Error("an agent that works on no photo has a field for more of them")
	}
	if n := len(words.Photos(nil)); n != 1 {
		t.Errorf("%d runs of an agent of words, want 1", n)
	}
	if n := len(words.Switch(find(t, "removeBG")).Photos(photo.Asset)); n != 2 {
		t.Errorf("%d photos, want the one on the stage and the further one", n)
	}
	if n := len(f.Photos(nil)); n != 1 {
		t.Errorf("%d runs while no photo is on the stage, want 1", n)
	}
	if back := ReadDraft(f.Draft("a1").Encode()).Form([]catalog.Agent{f.Agent}); len(back.Photos(photo.Asset)) != 2 {
		t.Error("a reload loses them")
	}
	again, _ := f.Recall(f.Agent, nil, nil)
	if n := len(again.Switch(f.Agent).Photos(photo.Asset)); n != 1 {
		t.Errorf("an earlier run brings %d photos back, want its own alone", n)
	}
}

func TestFurtherPhotosAreAddedOnceAndTakenOut(t *testing.T) {
	f := NewForm(find(t, "removeBG"))
	a := pictures([2]int{600, 800})[0]
	f = f.WithFurther(*photo.Asset, photo.Asset)
	if n := len(f.Files[Further.Name]); n != 0 {
		t.Errorf("the photo on the stage is among the further ones: %d", n)
	}
	f = f.WithFurther(a, photo.Asset)
	if n := len(f.Files[Further.Name]); n != 1 {
		t.Errorf("%d after one was added", n)
	}
	if n := len(f.WithFurther(a, photo.Asset).Files[Further.Name]); n != 0 {
		t.Errorf("%d after it was taken out", n)
	}
	for i := range MostPhotos + 5 {
		f = f.WithFurther(atelier.Asset{ID: atelier.AssetID(fmt.Sprint(i))}, photo.Asset)
	}
	if n := len(f.Photos(photo.Asset)); n != MostPhotos {
		t.Errorf("%d photos, want %d at most", n, MostPhotos)
	}
}

func TestAFurtherPhotoOfAnotherSizeStandsInTheMiddleOfTheCanvas(t *testing.T) {
	same, wide, large := atelier.Asset{ID: "s", Name: "s.jpg", Width: 1000, Height: 1400}, atelier.Asset{ID: "w", Name: "w.jpg", Width: 1400, Height: 1000}, atelier.Asset{ID: "l", Name: "l.jpg", Width: 2400, Height: 1600}
	f := NewForm(find(t, "expandimage")).With("targetWidth", 2000.0).With("targetHeight", 2000.0).With("fillLeft", 100.0).With("fillTop", 600.0)
	if v := f.Of(&same, photo.Asset).Values; v["fillLeft"] != 100.0 || v["fillTop"] != 600.0 {
		t.Errorf("of the same size it stands elsewhere: %v", v)
	}
	v := f.Of(&wide, photo.Asset).Values
	if _, left := v["fillLeft"]; left || v["targetWidth"] != 2000.0 {
		t.Errorf("of another size: %v", v)
	}
	if f.Values["fillLeft"] != 100.0 {
		t.Error("the form itself has changed")
	}
	slot, _ := f.WithFiles(Further.Name, []atelier.Asset{same, wide}).FurtherSlot(photo)
	if slot.Problem != "" {
		t.Errorf("refused: %s", slot.Problem)
	}
	slot, _ = f.WithFiles(Further.Name, []atelier.Asset{same, large}).FurtherSlot(photo)
	if !strings.Contains(slot.Problem, "l.jpg") || !strings.Contains(slot.Problem, "2400 × 1600") {
		t.Errorf("of one larger than the canvas it says %q", slot.Problem)
	}
	// Who cuts the one on the stage means it.
	if slot, _ = f.With("targetWidth", 900.0).WithFiles(Further.Name, []atelier.Asset{large}).FurtherSlot(photo); slot.Problem != "" {
		t.Errorf("where the first is cut too: %s", slot.Problem)
	}
}

func TestWhatAllPhotosAreRefusedForIsNotSaidOfTheFurtherOnes(t *testing.T) {
	f := NewForm(find(t, "aimodel")).WithFiles(Further.Name, pictures([2]int{600, 800}))
	if FirstRefusal(f.Problems(photo)) == nil {
		t.Fatal("a form without a scene is not refused")
	}
	if slot, _ := f.FurtherSlot(photo); slot.Problem != "" {
		t.Errorf("it says %q of the further photo", slot.Problem)
	}
}
