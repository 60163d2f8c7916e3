package db

import (
	"context"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
)

// MaxFavourites is how many presets of an image service a user can mark.
const MaxFavourites = 1000

// ListFavourites gives the presets of an image service that a user marked, the first marked first.
func (d *DB) ListFavourites(ctx context.Context, upstream string, user atelier.UserID) ([]atelier.Favourite, error) {
	return favourites(ctx, d.read, upstream, user)
}

// ChangeFavourites marks presets and takes marks away, and gives those that are marked then.
func (d *DB) ChangeFavourites(ctx context.Context, upstream string, user atelier.UserID, add, remove []atelier.Favourite) (after []atelier.Favourite, err error) {
	err = d.change(ctx, "change favourites", func(q *gen.Queries) error {
		for _, f := range remove {
			if err := q.DeleteFavourite(ctx, gen.DeleteFavouriteParams{UserID: string(user), Upstream: upstream, Kind: f.Kind, PresetID: f.ID, Name: f.Name}); err != nil {
				return err
			}
		}
		for _, f := range add {
			err := q.InsertFavourite(ctx, gen.InsertFavouriteParams{UserID: string(user), Upstream: upstream, Kind: f.Kind, PresetID: f.ID, Name: f.Name, MarkedAt: d.millis()})
			if err != nil {
				return err
			}
		}
		n, err := q.CountFavourites(ctx, gen.CountFavouritesParams{UserID: string(user), Upstream: upstream})
		if err != nil {
			return err
		}
		if n > MaxFavourites {
			return atelier.Refuse(atelier.Conflict, favouritesFull(MaxFavourites))
		}
		after, err = favourites(ctx, q, upstream, user)
		return err
	}, nil)
	return after, err
}

func favourites(ctx context.Context, q *gen.Queries, upstream string, user atelier.UserID) ([]atelier.Favourite, error) {
	rows, err := q.Favourites(ctx, gen.FavouritesParams{UserID: string(user), Upstream: upstream})
	if err != nil {
		return nil, fmt.Errorf("list favourites: %w", err)
	}
	list := make([]atelier.Favourite, len(rows))
	for i, r := range rows {
		list[i] = atelier.Favourite{Kind: r.Kind, ID: r.PresetID, Name: r.Name}
	}
	return list, nil
}
