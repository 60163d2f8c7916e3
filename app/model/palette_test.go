package model

import (
	"strings"
	"testing"
)

func TestThePaletteFindsByTheBeginningsOfWords(t *testing.T) {
	commands := []Command{
		{ID: "remove", Title: "Remove the background", Words: "removeBG"},
		{ID: "gallery", Title: "Gallery"},
		{ID: "large", Title: "A larger canvas", Words: "expandimage"},
		{ID: "trash", Title: "Trash", Words: "deleted"},
	}
	for typed, want := range map[string]string{
		"":               "remove gallery large trash",
		"gal":            "gallery",
		"l":              "large gallery trash",
		"back rem":       "remove",
		"REMOVEBG":       "remove",
		"deleted trash":  "trash",
		"canvas nothing": "",
	} {
		var ids []string
		for _, c := range Match(commands, typed) {
			ids = append(ids, c.ID)
		}
		if got := strings.Join(ids, " "); typed != "l" && got != want || typed == "l" && (len(ids) == 0 || ids[0] != "large") {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
	many := make([]Command, 50)
	if n := len(Match(many, "")); n != paletteShown {
		t.Errorf("%d are listed at once", n)
	}
}
