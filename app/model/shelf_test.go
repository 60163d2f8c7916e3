package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
)

func TestAgentsAreFoundByTheirNameAndByWhatHappens(t *testing.T) {
	for query, want := range map[string]string{
		"removeBG": "removeBG", "cut out": "removeBG", "CANVAS larger": "expandimage", "mannequin invisible": "ai-ghost-mannequin-generator",
		"another style": "portrait-motion", "continue video": "advanced-video", "glasses": "glasses-remover-from-photo",
	} {
		found := SearchAgents(catalog.All(), query)
		names := []string{}
		hit := false
		for _, a := range found {
			names = append(names, a.Name)
			hit = hit || a.Name == want
		}
		if !hit || len(found) > len(catalog.All())/2 {
			t.Errorf("%q finds %v, want %s and few others", query, names, want)
		}
	}
}

func TestShelfRemembersFavouritesAndTheLastAgents(t *testing.T) {
	s := ReadShelf("no json").Star("aimodel").Star("aipose").Star("aimodel").Use("z-image").Use("aipose").Use("z-image")
	s = ReadShelf(s.Encode())
	if diff := cmp.Diff(Shelf{Starred: []string{"aipose"}, Recent: []string{"z-image", "aipose"}}, s); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		s = s.Use(name)
	}
	if len(s.Recent) != recentAgents || s.Recent[0] != "g" {
		t.Errorf("used last: %v", s.Recent)
	}
	s.Recent = []string{"z-image", "gone"}
	groups := s.Group(catalog.All(), "")
	if groups[0].Key != "starred" || groups[1].Key != "recent" || len(groups[1].Agents) != 1 {
		t.Errorf("%+v", groups[:2])
	}
	n := 0
	for _, g := range groups[2:] {
		n += len(g.Agents)
	}
	if n != len(catalog.All()) {
		t.Errorf("%d agents in the families, want each once", n)
	}
	if found := s.Group(catalog.All(), "pose"); found[0].Key != "original" {
		t.Errorf("a search begins with %q", found[0].Key)
	}
	for query, want := range map[string]string{"picture studio": "image-studio", "removebg": "removeBG", "sketch": "image-to-sketch", "picture to video": "image-to-video"} {
		if found := s.Group(catalog.All(), query); found[0].Agents[0].Name != want {
			t.Errorf("%q finds %s first, want %s", query, found[0].Agents[0].Name, want)
		}
	}
}
