package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"
	"testing"

	"atelier/service/presets"
)

// smallSitter is a drawn portrait as small as tests of many agents can do with.
var smallSitter = sync.OnceValues(func() (*image.NRGBA, error) {
	return presets.FashionModels()[0].Draw(context.Background(), 272, 340)
})

func TestMissingSubjectIsRefused(t *testing.T) {
	t.Parallel()
	portrait, err := smallSitter()
	if err != nil {
		t.Fatal(err)
	}
	thing := still(200, 240)
	says := map[sight]string{
		aFace: "No face was found in %s.", hairOfIt: "No hair was found in %s.", somebody: "Nobody was found in %s.",
		clothes: "No clothes were found in %s.", aRoom: "No room was found in %s: somebody stands before it.",
	}
	for agent, look := range sought {
		if _, known := agents[agent]; !known {
			t.Errorf("%s is no agent", agent)
		}
		lists := map[string][]*image.NRGBA{"the photo": {thing}}
		switch {
		case look.what == clothes:
			lists = map[string][]*image.NRGBA{"the photo": {plain(200, 240, color.NRGBA{130, 140, 150, 255})}}
		case look.what == aRoom:
			lists = map[string][]*image.NRGBA{"the photo": {portrait}}
		case look.every:
			lists = map[string][]*image.NRGBA{"picture 1": {thing, portrait}, "picture 2": {portrait, thing}}
		case agent == "ai-clothes-changer" || agent == "ai-photoshoot":
			lists = map[string][]*image.NRGBA{"picture 1": {thing, portrait}}
		}
		for where, list := range lists {
			_, err := Segment(t.Context(), Request{Agent: agent, Files: map[string][]*image.NRGBA{"images": list}})
			var u *UnseenError
			if want := fmt.Sprintf(says[look.what], where); !errors.As(err, &u) || !strings.HasPrefix(u.Error(), want) {
				t.Errorf("%s without its %s in %s: %v", agent, look.what, where, err)
			}
		}
	}
}

// A room that is empty and one with a thing in the middle are planned, a photograph of somebody is not, however small the face.
func TestSlowEmptyRoomIsPlanned(t *testing.T) {
	t.Parallel()
	whole, err := presets.Samples()[2].Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, img := range map[string]*image.NRGBA{"somebody": whole, "a thing": still(320, 300), "a room": emptyRoom(320, 300)} {
		_, err := Segment(t.Context(), Request{Agent: "ai-room-planner", Files: map[string][]*image.NRGBA{"images": {img}}})
		var u *UnseenError
		if refused := errors.As(err, &u); refused != (name == "somebody") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSlowOpenAirIsNotARoom(t *testing.T) {
	t.Parallel()
	outside := map[string]bool{"Mountain lake": true, "Morning beach": true, "Desert dunes": true, "Fresh snow": true}
	pictures := map[string]*image.NRGBA{}
	for _, l := range presets.Locations() {
		inside := l.Wall && !slices.Contains(l.Categories, "Outdoor")
		if !outside[l.Name] && !inside {
			continue
		}
		img, err := l.Draw(t.Context(), 320, 260)
		if err != nil {
			t.Fatal(err)
		}
		pictures[l.Name] = img
	}
	for item := range 2 { // the view of a room, and its plan
		req := Request{Item: item, Values: map[string]any{"textDescription": "a living room with four green plants and a blue wall"}}
		img, err := roomPlan(t.Context(), req, Segmentation{})
		if err != nil {
			t.Fatal(err)
		}
		pictures["drawn "+itoa(item)] = img
	}
	pictures["a blue wall"] = plain(320, 260, color.NRGBA{110, 150, 205, 255})
	pictures["an empty room"] = emptyRoom(320, 260)
	window := plain(320, 260, color.NRGBA{214, 204, 188, 255})
	garden := plain(320, 260, color.NRGBA{60, 110, 50, 255})
	f := field{seed: 5}
	for i := 0; i < len(garden.Pix); i += 4 {
		x, y := i/4%320, i/4/320
		k := 0.6 + 0.8*float64(f.hash(x/9, y/9)&255)/255
		copy(garden.Pix[i:], []uint8{byte255(60 * k), byte255(110 * k), byte255(50 * k)})
		if (image.Point{X: x, Y: y}).In(image.Rect(60, 30, 260, 190)) {
			copy(window.Pix[i:i+3], garden.Pix[i:i+3])
		}
	}
	pictures["a window to a garden"], pictures["a garden"] = window, garden
	outside["a garden"] = true
	for name, img := range pictures {
		err := seenIn(t.Context(), img, aRoom, 0)
		var u *UnseenError
		refused := errors.As(err, &u) && strings.Contains(u.Error(), "open air")
		if err != nil && !refused {
			t.Errorf("%s: %v", name, err)
		}
		if refused != outside[name] {
			t.Errorf("%s shows the open air: %v", name, refused)
		}
	}
}

// Looks that a description of another family asks for are refused likewise, and so is what the table cannot tell.
func TestSlowLooksNeedPeople(t *testing.T) {
	t.Parallel()
	thing := still(200, 240)
	for _, tt := range []struct{ agent, text, want string }{
		{"some-model-of-family-d", "make the hair blue", "No face"},
		{"some-model-of-family-d", "as a zombie", "No face"},
		{"some-model-of-family-d", "an older face", "No face"},
		{"ai-tattoo-generator", "a rose", "No bare skin"},
		{"some-model-of-family-d", "a tattoo of a rose", "No bare skin"},
		{"ai-translate", "Pain frais", "No lettering"},
		{"ai-translate", " ;\n", "There are no words"},
	} {
		req := Request{Agent: tt.agent, Original: thing, Values: map[string]any{"textDescription": tt.text}}
		seg, err := Segment(t.Context(), req)
		if err == nil {
			_, err = Render(t.Context(), req, seg)
		}
		var u *UnseenError
		if !errors.As(err, &u) || !strings.HasPrefix(u.Error(), tt.want) {
			t.Errorf("%s of a thing, %q: %v", tt.agent, tt.text, err)
		}
	}
	img, seg := sitter(t)
	bald := made(t, "bald-filter", "", 0, img, seg)
	again, err := Segment(t.Context(), Request{Agent: "hair-color-try-on", Original: bald})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Render(t.Context(), Request{Agent: "hair-color-try-on", Original: bald, Values: map[string]any{}}, again)
	var u *UnseenError
	if !errors.As(err, &u) || !strings.HasPrefix(u.Error(), "No hair") {
		t.Errorf("a bald head's hair is coloured: %v", err)
	}
}
