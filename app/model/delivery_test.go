package model

import (
	"strings"
	"testing"

	"atelier/app/words"
	"atelier/atelier"
)

func TestWhatIsWrongWithADeliveryIsSaid(t *testing.T) {
	for _, tt := range []struct {
		d  Delivery
		ok bool
	}{
		{Delivery{Quality: 90}, true},
		{Delivery{Quality: 1, Template: "{title}-{agent} {date} {number}"}, true},
		{Delivery{Quality: 100, Template: strings.Repeat("x", 200)}, true},
		{Delivery{Quality: 90, Template: strings.Repeat("x", 201)}, false},
		{Delivery{Quality: 90, Template: "{titel}"}, false},
		{Delivery{Quality: 90, Template: strings.Repeat("é", 200)}, true},
		{Delivery{Format: "jpeg", Quality: 0}, false},
		{Delivery{Format: "webp", Quality: 101}, false},
		{Delivery{Format: "png", Quality: 0}, true}, // there it counts for nothing, and is not shown
	} {
		if got := tt.d.Problem(); (got == "") != tt.ok {
			t.Errorf("%+v: %q", tt.d, got)
		}
	}
}

func TestEverySizeOfADeliveryHasAName(t *testing.T) {
	for _, s := range atelier.DeliverySizes {
		if words.DeliverySizes[s.Name] == "" {
			t.Errorf("%s has none", s.Name)
		}
	}
}

func TestTheFirstNameOfADelivery(t *testing.T) {
	s := Shot{Run: atelier.Run{Title: "Blue: dress", Agent: "aimodel", CreatedAt: first}, Result: atelier.Result{Format: "png"}}
	film := Shot{Run: s.Run, Result: atelier.Result{Format: "mp4", Kind: "video"}}
	for _, tt := range []struct {
		d    Delivery
		s    Shot
		all  int
		want string
	}{
		{Delivery{}, s, 1, "Blue- dress 01.png"},
		{Delivery{Template: "{date} {agent} {number}", Format: "jpeg"}, s, 100, "2026-03-01 aimodel 001.jpg"},
		{Delivery{Template: "look", Format: "webp"}, s, 2, "look.webp"},
		{Delivery{Template: "look", Format: "webp"}, film, 2, "look.mp4"},
	} {
		if got := tt.d.Example(tt.s, tt.all); got != tt.want {
			t.Errorf("%+v of %d: %q, want %q", tt.d, tt.all, got, tt.want)
		}
	}
	if z := (Delivery{Format: "png", Quality: 80, Template: " a "}).Request(nil, "n"); z.Quality != 0 || z.Template != "a" || z.Name != "n" {
		t.Errorf("asked for %+v", z)
	}
	if z := (Delivery{Format: "jpeg", Quality: 80}).Request(nil, ""); z.Quality != 80 {
		t.Errorf("asked for %+v", z)
	}
}
