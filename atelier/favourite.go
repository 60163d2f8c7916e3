package atelier

// Favourite is a preset that a user marked. It names the preset by its id, or by its name where it has none, as dimensions do.
type Favourite struct {
	Kind string `json:"kind"` // as in Preset
	ID   int64  `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

// FavouriteOf is what marks a preset.
func FavouriteOf(p Preset) Favourite {
	if p.ID == 0 {
		return Favourite{Kind: p.Kind, Name: p.Name}
	}
	return Favourite{Kind: p.Kind, ID: p.ID}
}

// FavouriteList answers GET and PATCH /api/favourites: every preset the user marked, the first marked first.
type FavouriteList struct {
	Favourites []Favourite `json:"favourites"`
}

// ChangeFavourites is the body of PATCH /api/favourites. What is marked already, or not marked, stays so.
type ChangeFavourites struct {
	Add    []Favourite `json:"add,omitempty"`
	Remove []Favourite `json:"remove,omitempty"`
}
