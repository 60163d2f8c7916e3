package pages

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// withFurther puts photos beside the one on the stage.
func (b *bench) withFurther(names ...string) *bench {
	b.do(func(app.Context) {
		for _, name := range names {
			b.studio.place(atelier.Asset{ID: atelier.AssetID(name), Name: name + ".jpg", Width: 600, Height: 800}, model.Further.Name, 0)
		}
	})
	return b
}

// ofEach answers each request for a run with a run of its own.
func (b *bench) ofEach(refused string) {
	b.answers["POST /api/runs"] = func(r browser.Request) (int, any) {
		if refused != "" && strings.Contains(string(r.Body), `"`+refused+`"`) {
			return 400, map[string]any{"error": atelier.FieldError("originalImage", "The picture was deleted.")}
		}
		return 202, atelier.RunBody{Run: atelier.Run{ID: atelier.RunID(r.Body[:40]), State: atelier.StateRecorded, CreatedAt: noon}}
	}
}

func TestTheSameIsMadeOfEveryPhoto(t *testing.T) {
	b := openStudio(t).withPicture().withFurther("b", "c", "b", "a1")
	b.ofEach("")
	b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
	b.do(func(app.Context) { b.studio.SetValue("batchCount", 2.0) })
	if html := b.html(); !strings.Contains(html, "Generate 6 images from 3 photos") {
		t.Error("the button does not say of how many photos")
	}
	b.generate()
	keys, of := map[string]bool{}, []string{}
	for _, s := range b.starts(t) {
		keys[s.IntentKey] = true
		of = append(of, s.Files["originalImage"][0]+" "+s.Title)
		if len(s.Files) != 1 || s.Values["batchCount"] != 2.0 {
			t.Errorf("%+v", s)
		}
	}
	if got := strings.Join(of, ", "); got != "a1 dress.jpg, b b.jpg, c c.jpg" || len(keys) != 3 {
		t.Errorf("runs of %s under %d keys", got, len(keys))
	}
	if !strings.Contains(b.core.said, "3 runs started") {
		t.Errorf("said %q", b.core.said)
	}
}

func TestWhatWasRefusedIsTriedAgainWithoutDoublingTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to take a photo back stands for a while
		b := openStudio(t).withPicture().withFurther("b", "c")
		b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
		b.ofEach("b")
		b.generate()
		if want := "2 of 3 runs were started. b.jpg: The picture was deleted."; b.studio.refusal != want {
			t.Errorf("says %q, want %q", b.studio.refusal, want)
		}
		b.do(func(app.Context) { b.studio.DropFile(model.Further.Name, 0) })
		b.generate()
		starts := b.starts(t)
		if len(starts) != 5 || starts[3].IntentKey != starts[0].IntentKey || starts[4].IntentKey != starts[2].IntentKey {
			t.Fatalf("%d requests: the photos that went through were not asked for under their keys", len(starts))
		}
		b.later(time.Second)
		b.generate()
		if starts = b.starts(t); len(starts) != 7 || starts[5].IntentKey == starts[3].IntentKey {
			t.Error("the next press of the button is no new wish")
		}
	})
}

func TestOtherPhotosWaitForTheFirstAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a run without an answer is sent again after a rest
		b := openStudio(t).withPicture().withFurther("b", "c")
		b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
		b.offline = true
		b.generate()
		if n := len(b.starts(t)); n != 1 || b.studio.sending {
			t.Errorf("%d requests into the silence; still sending: %v", n, b.studio.sending)
		}
		if !strings.HasPrefix(b.studio.refusal, "0 of 3 runs") || !strings.HasSuffix(b.studio.refusal, "start automatically when it does.") {
			t.Errorf("says %q", b.studio.refusal)
		}
		b.offline = false
		b.ofEach("")
		b.generate()
		if s := b.starts(t); len(s) != 4 || s[1].IntentKey != s[0].IntentKey {
			t.Errorf("%d requests, the first under another key", len(s))
		}
	})
}

func TestAFurtherPhotoChangesPlacesWithTheStage(t *testing.T) {
	b := openStudio(t).withPicture().withFurther("b", "c")
	ids := func() string {
		out := ""
		for _, p := range b.studio.form.Photos(b.studio.asset) {
			if p != nil {
				out += " " + string(p.ID)
			}
		}
		return strings.TrimSpace(out)
	}
	b.do(func(app.Context) { b.studio.PickSlot(model.Further.Name, 1) })
	if ids() != "c b a1" || b.studio.dialog != "" || b.core.said != "c.jpg is on the stage" {
		t.Errorf("photos %s, dialog %q, said %q", ids(), b.studio.dialog, b.core.said)
	}
	b.do(func(app.Context) { b.studio.leaveStage() })
	if ids() != "b a1" {
		t.Errorf("after the photo on the stage was taken off: %s", ids())
	}
	one := b.studio.form.Files[model.Further.Name][0]
	b.do(func(app.Context) { b.studio.choose(&one) })
	if ids() != "a1" {
		t.Errorf("a further photo that is put on the stage is there twice, or not at all: %s", ids())
	}
}

func TestSeveralAreChosenInOneGo(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(app.Context) { b.studio.PickSlot(model.Further.Name, 0) })
	b.do(func(app.Context) {
		for _, id := range []atelier.AssetID{"b", "c", "b", "a1"} {
			b.studio.ChooseFile(atelier.Asset{ID: id, Name: string(id), Width: 600, Height: 800})
		}
	})
	if got := b.studio.form.Files[model.Further.Name]; len(got) != 1 || got[0].ID != "c" {
		t.Errorf("chosen: %+v", got)
	}
	if html := b.html(); b.studio.dialog != assetsID || !strings.Contains(html, words.FurtherChosen(2)) {
		t.Errorf("the dialog %q does not say how many are chosen", b.studio.dialog)
	}
}

func TestPhotosThatCameTogetherAreOffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer stands for a while
		b := openStudio(t)
		b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
		offered := func() (out []components.Toast) {
			for _, t := range b.core.toasts {
				if strings.HasPrefix(t.Action, "Run on all ") {
					out = append(out, t)
				}
			}
			return out
		}
		arrive := func(names ...string) {
			var ids []int
			for _, name := range names {
				ids = append(ids, b.studio.addUpload(name))
			}
			for i, id := range slices.Backward(ids) {
				b.studio.arrived(id, atelier.Asset{ID: atelier.AssetID(names[i]), Name: names[i], Width: 600, Height: 800}, "", 0)
			}
		}
		b.do(func(app.Context) {
			if arrive("a"); len(offered()) != 0 {
				t.Error("one photo alone is offered")
			}
			b.studio.refuse(b.studio.addUpload("broken"), words.UploadUnreadable)
			arrive("b", "c", "d", "c") // one of them twice
			if got := offered(); len(got) != 1 || got[0].Message != words.FurtherHere(3) {
				t.Fatalf("offered: %+v", got)
			}
			if len(b.studio.form.Photos(b.studio.asset)) != 1 {
				t.Error("they are taken without being asked for")
			}
			b.core.DoToast(offered()[0].ID)
			of := ""
			for _, p := range b.studio.form.Photos(b.studio.asset) {
				of += string(p.ID)
			}
			if of != "bcd" {
				t.Errorf("after the offer was taken the photos are %s, want those that were picked, in their order", of)
			}

			// One of four is asked about, and repaired when the others are here.
			ids := map[string]int{}
			for _, name := range []string{"e", "f", "g", "h"} {
				ids[name] = b.studio.addUpload(name)
			}
			here := func(name string) {
				b.studio.arrived(ids[name], atelier.Asset{ID: atelier.AssetID(name), Name: name, Width: 600, Height: 800}, "", 0)
			}
			b.studio.consult(patient{id: ids["e"]})
			b.studio.consult(patient{id: ids["f"]})
			here("h")
			here("g")
			if got := offered(); len(got) != 0 {
				t.Fatalf("offered before all is decided about: %+v", got)
			}
			b.studio.CloseDialog(doctorID)
			if got := offered(); len(got) != 1 || got[0].Message != words.FurtherHere(2) {
				t.Errorf("offered when the others are left out: %+v", got)
			}
		})
	})
}

// Several scenes and models of several photos are a run each, and the button says how many results it is.
func TestTheSameIsMadeInSeveralSettings(t *testing.T) {
	b := openStudio(t).withPicture()
	n := 0
	b.answers["POST /api/runs"] = func(browser.Request) (int, any) {
		n++
		return 202, map[string]any{"run": atelier.Run{ID: atelier.RunID("r" + strconv.Itoa(n)), Status: atelier.Pending}}
	}
	b.do(func(app.Context) {
		b.studio.ChooseAgent("aimodel")
		b.studio.SetValue("locationId", 1.0)
		b.studio.AlsoPreset("locationId", atelier.Preset{ID: 2, Name: "Beach"})
		b.studio.SetValue("fashionModelId", 5.0)
		b.studio.AlsoPreset("fashionModelId", atelier.Preset{ID: 6, Name: "Kenji"})
		b.studio.AlsoPreset("fashionModelId", atelier.Preset{ID: 7, Name: "Amara"})
		b.studio.addFurther(atelier.Asset{ID: "b", Name: "b.jpg", Kind: "image", Width: 600, Height: 800})
	})
	if html := app.HTMLString(b.studio.renderFoot()); !strings.Contains(html, "Generate 48 images from 2 photos in 6 settings") {
		t.Errorf("the button says %s", html)
	}
	b.generate()
	seen := map[string]bool{}
	for _, start := range b.starts(t) {
		seen[fmt.Sprint(start.Files["originalImage"], start.Values["locationId"], start.Values["fashionModelId"])] = true
	}
	if len(seen) != 12 || len(b.starts(t)) != 12 {
		t.Errorf("%d runs, of these kinds: %v", len(b.starts(t)), seen)
	}
	// The mask that was painted goes with every run.
	b.do(func(app.Context) {
		b.studio.toggleFurther(atelier.Asset{ID: "b"})
		b.studio.SetValue("maskType", "custom")
	})
	b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500})
	b.generate()
	masks := map[string]bool{}
	for _, start := range b.starts(t)[12:] {
		if start.Mask == nil {
			t.Fatalf("a run goes without its mask: %+v", start)
		}
		masks[start.Mask.PNG] = true
	}
	if len(b.starts(t)) != 18 || len(masks) != 1 {
		t.Errorf("%d runs with %d masks, want 6 more with the same", len(b.starts(t))-12, len(masks))
	}
	b.do(func(app.Context) {
		b.studio.SetValue("maskType", "autoApparelSegment")
		b.studio.addFurther(atelier.Asset{ID: "b", Name: "b.jpg", Kind: "image", Width: 600, Height: 800})
	})
	// A hundred runs at once, not more.
	b.do(func(app.Context) {
		for i := range 15 {
			b.studio.AlsoPreset("locationId", atelier.Preset{ID: int64(20 + i)})
		}
	})
	if hint, bad := b.studio.hint(); !bad || !strings.Contains(hint, "That makes 102 runs; at most 100 can start at once.") {
		t.Errorf("with 102 runs the hint is %q, %v", hint, bad)
	}
	b.do(func(app.Context) { b.studio.AlsoPreset("locationId", atelier.Preset{ID: 20}) })
	if hint, _ := b.studio.hint(); hint != "" {
		t.Errorf("with 96 runs the hint is %q", hint)
	}
}

func TestWhatARunIsCalledIsNoPartOfTheWish(t *testing.T) {
	t.Parallel()
	var s Studio
	wish := atelier.StartRun{Agent: "aiproduct", Title: "vase.png", Values: map[string]any{"locationId": 1.0}}
	key := s.intentKey(wish, model.NewIntentKey())
	wish.Title = "vase · Beach" // the name of the scene was read between two tries
	if s.intentKey(wish, model.NewIntentKey()) != key {
		t.Error("the same wish by another name became another run")
	}
	wish.Values = map[string]any{"locationId": 2.0}
	if s.intentKey(wish, model.NewIntentKey()) == key {
		t.Error("another scene became the same run")
	}
}

func TestPressThatMakesMuchAsksFirst(t *testing.T) {
	for _, tt := range []struct {
		name         string
		photos       int // beside the one on the stage
		each         float64
		asks         bool
		said, button string
	}{
		{"eight images", 0, 8, false, "", ""},
		{"nine images", 0, 9, true, "This starts 1 run that makes 9 images.", "Generate 9 images"},
		{"four runs", 3, 2, false, "", ""},
		{"five runs", 4, 1, true, "This starts 5 runs that make 5 images in all.", "Generate 5 images"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := openStudio(t).withPicture().withFurther([]string{"b", "c", "d", "e"}[:tt.photos]...)
			b.ofEach("")
			b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
			b.do(func(app.Context) { b.studio.SetValue("batchCount", tt.each) })
			b.do(func(app.Context) { b.studio.generate() })
			if asks := b.studio.dialog == confirmID; asks != tt.asks || asks == (len(b.starts(t)) > 0) {
				t.Fatalf("asks: %v, %d runs were sent", asks, len(b.starts(t)))
			}
			if !tt.asks {
				return
			}
			if html := b.html(); !strings.Contains(html, tt.said) || !strings.Contains(html, tt.button) {
				t.Errorf("the question does not say %q", tt.said)
			}
			b.do(func(app.Context) { b.studio.CloseDialog(confirmID) })
			if n := len(b.starts(t)); n != 0 {
				t.Fatalf("%d runs were sent after the question was closed", n)
			}
			b.generate()
			if n := len(b.starts(t)); n != tt.photos+1 {
				t.Errorf("%d runs were sent, want %d", n, tt.photos+1)
			}
		})
	}
}

func TestQuestionSaysTheCostOfAllRuns(t *testing.T) {
	b := openStudio(t).withPicture().withFurther("b", "c", "d", "e")
	b.core.session.Upstream = "remote"
	b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
	b.studio.estimate = estimate{Estimate: atelier.Estimate{TotalPower: 2}, known: true}
	b.do(func(app.Context) { b.studio.generate() })
	if html := b.html(); !strings.Contains(html, "About 10 credits") {
		t.Error("five runs of 2 credits do not cost 10")
	}
}

func TestBatchEndsWithItsPhotos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to take the photos back stands for a while
		b := openStudio(t).withPicture().withFurther("b", "c")
		if html := b.html(); !strings.Contains(html, `data-testid="batch"`) || !strings.Contains(html, "3 photos") {
			t.Error("the stage does not show the photos of the batch")
		}
		b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
		if n := len(b.studio.form.Photos(b.studio.asset)); n != 3 {
			t.Errorf("another agent works on %d of the 3 photos on the stage", n)
		}
		other := atelier.Asset{ID: "z", Name: "z.jpg", Width: 600, Height: 800}
		var back []offer
		b.do(func(ctx app.Context) {
			b.studio.place(other, "", 0)
			ctx.After(offerStands/2, func(app.Context) { back = slices.Collect(maps.Values(b.core.offers)) })
		})
		if n := len(b.studio.form.Photos(b.studio.asset)); n != 1 || strings.Contains(b.html(), `data-testid="batch"`) {
			t.Errorf("another photo is worked on with %d others", n-1)
		}
		if len(back) != 1 {
			t.Fatalf("%d offers to take the photos back", len(back))
		}
		b.do(func(app.Context) { back[0].do() })
		if n := len(b.studio.form.Photos(b.studio.asset)); n != 3 || b.studio.asset.ID != "a1" {
			t.Errorf("taken back, %d photos are on the stage", n)
		}
		b.do(func(app.Context) { b.studio.OnlyStage() })
		if n := len(b.studio.form.Photos(b.studio.asset)); n != 1 || b.studio.asset.ID != "a1" {
			t.Errorf("%d photos are left beside the one on the stage", n-1)
		}
	})
}
