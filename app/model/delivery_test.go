package model

import (
	"strings"
	"testing"
	"time"

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
		{Delivery{Quality: 0}, false},
		{Delivery{Quality: 101}, false},
	} {
		if got := tt.d.Problem(); (got == "") != tt.ok {
			t.Errorf("%+v: %q", tt.d, got)
		}
	}
}

func TestTheFirstNameOfADelivery(t *testing.T) {
	s := Shot{Run: atelier.Run{Title: "Blue dress", CreatedAt: first}, Result: atelier.Result{Format: "png"}}
	for _, tt := range []struct {
		d    Delivery
		want string
	}{
		{Delivery{}, "Blue dress 1.png"},
		{Delivery{Template: "{date} {agent} {number}", Format: "jpeg"}, "2026-03-01 New model 1.jpg"},
		{Delivery{Template: "look", Format: "webp"}, "look.webp"},
	} {
		if got := tt.d.Example(s, "New model", time.UTC); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.d, got, tt.want)
		}
	}
	if z := (Delivery{Format: "png", Quality: 80, Template: " a "}).Request(nil, "n"); z.Quality != 0 || z.Template != "a" || z.Name != "n" {
		t.Errorf("asked for %+v", z)
	}
	if z := (Delivery{Format: "jpeg", Quality: 80}).Request(nil, ""); z.Quality != 80 {
		t.Errorf("asked for %+v", z)
	}
}
