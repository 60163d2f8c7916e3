package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
)

// Favourites are each user's own, wherever they sign in; their other windows hear of them, and a preset that is deleted is none any
// more.
func TestFavouritesAreEachUsersOwn(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	s.start()
	_, olga := s.member("Olga", atelier.Designer)
	_, vera := s.member("Vera", atelier.Viewer)
	change := func(c atelier.ChangeFavourites, want ...atelier.Favourite) {
		t.Helper()
		var got, after atelier.FavouriteList
		s.json("PATCH", "/api/favourites", c, http.StatusOK, &got)
		s.json("GET", "/api/favourites", nil, http.StatusOK, &after)
		for _, list := range []atelier.FavouriteList{got, after} {
			if diff := cmp.Diff(append([]atelier.Favourite{}, want...), list.Favourites); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		}
	}
	beach, model, story := atelier.Favourite{Kind: "locations", ID: 3}, atelier.Favourite{Kind: "fashionModels", ID: 3}, atelier.Favourite{Kind: "dimensions", Name: "Story"}
	s.as(olga, func() {
		socket := s.listen("")
		change(atelier.ChangeFavourites{Add: []atelier.Favourite{story}}, story)
		change(atelier.ChangeFavourites{Add: []atelier.Favourite{story, beach}}, story, beach)
		var heard atelier.FavouriteList
		s.eventOf(socket, atelier.EventFavourites, func(data json.RawMessage) bool {
			return json.Unmarshal(data, &heard) == nil && len(heard.Favourites) == 2
		})
	})
	s.as(vera, func() { // who only looks has some, too
		change(atelier.ChangeFavourites{Add: []atelier.Favourite{model}, Remove: []atelier.Favourite{beach}}, model)
	})
	s.as(olga, func() {
		change(atelier.ChangeFavourites{Remove: []atelier.Favourite{story, model}}, beach)
		picture := s.upload(photo(64))
		var own atelier.Preset
		s.json("POST", "/api/locations", atelier.CreatePreset{Name: "Loft", Assets: []atelier.AssetID{picture.ID}}, http.StatusCreated, &own)
		mine := atelier.Favourite{Kind: "locations", ID: own.ID}
		change(atelier.ChangeFavourites{Add: []atelier.Favourite{mine}}, beach, mine)
		s.json("DELETE", fmt.Sprintf("/api/locations/%d", own.ID), nil, http.StatusNoContent, nil)
		change(atelier.ChangeFavourites{}, beach)
	})
}

func TestFavouritesThatCannotBeAreRefusedAndThereIsAMost(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	refused := func(field string, c atelier.ChangeFavourites) {
		t.Helper()
		if e := s.json("PATCH", "/api/favourites", c, http.StatusBadRequest, nil).error(t); e.Fields[field] == "" {
			t.Errorf("%+v: %+v", c, e)
		}
	}
	for _, f := range []atelier.Favourite{
		{Kind: "agents", ID: 1}, {Kind: "locations"}, {Kind: "locations", ID: -1}, {Kind: "locations", ID: 1, Name: "Beach"}, {Kind: "dimensions", ID: 1}, {Kind: "dimensions", ID: 1, Name: "Story"}, {Kind: "dimensions"},
	} {
		refused("add", atelier.ChangeFavourites{Add: []atelier.Favourite{f}})
		refused("remove", atelier.ChangeFavourites{Remove: []atelier.Favourite{f}})
	}
	many := make([]atelier.Favourite, 1000)
	for i := range many {
		many[i] = atelier.Favourite{Kind: "locations", ID: int64(i + 1)}
	}
	s.json("PATCH", "/api/favourites", atelier.ChangeFavourites{Add: many}, http.StatusOK, nil)
	one := []atelier.Favourite{{Kind: "locations", ID: 1001}}
	s.json("PATCH", "/api/favourites", atelier.ChangeFavourites{Add: one}, http.StatusConflict, nil)
	s.json("PATCH", "/api/favourites", atelier.ChangeFavourites{Add: one, Remove: many[:1]}, http.StatusOK, nil)
	refused("add", atelier.ChangeFavourites{Add: append(many, one...)})
	var list atelier.FavouriteList
	if s.json("GET", "/api/favourites", nil, http.StatusOK, &list); len(list.Favourites) != 1000 || list.Favourites[999] != one[0] {
		t.Errorf("%d are marked, the last one %+v", len(list.Favourites), list.Favourites[len(list.Favourites)-1])
	}
}
