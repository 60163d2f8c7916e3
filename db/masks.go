package db

import (
	"context"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Mask is an atelier.Mask with the file it stands for.
type Mask struct {
	atelier.Mask
	SHA256 string // of the normalised PNG in the content store
}

// CreateMask stores a named mask of one of the user's assets.
func (d *DB) CreateMask(ctx context.Context, user atelier.UserID, m Mask) (Mask, error) {
	id, err := newID()
	if err != nil {
		return Mask{}, err
	}
	row := gen.Mask{
		ID: id, UserID: string(user), AssetID: string(m.AssetID), Name: m.Name, Width: int64(m.Width), Height: int64(m.Height),
		Kept: m.Kept, Sha256: m.SHA256, CreatedAt: d.millis(),
	}
	err = d.change(ctx, "create mask", func(q *gen.Queries) error { return q.InsertMask(ctx, gen.InsertMaskParams(row)) }, nil)
	return maskOf(row), err
}

// FindMask finds one of the user's masks.
func (d *DB) FindMask(ctx context.Context, user atelier.UserID, id atelier.MaskID) (Mask, error) {
	row, err := d.read.Mask(ctx, gen.MaskParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return Mask{}, missing(err, "find mask", noMask)
	}
	return maskOf(row), nil
}

// ListMasks gives the user's masks of one asset, or of all with "", newest first and at most 500.
func (d *DB) ListMasks(ctx context.Context, user atelier.UserID, asset atelier.AssetID) ([]atelier.Mask, error) {
	rows, err := d.read.Masks(ctx, gen.MasksParams{UserID: string(user), AssetID: string(asset)})
	if err != nil {
		return nil, fmt.Errorf("list masks: %w", err)
	}
	masks := make([]atelier.Mask, 0, len(rows))
	for _, r := range rows {
		masks = append(masks, maskOf(r).Mask)
	}
	return masks, nil
}

// DeleteMask deletes one of the user's masks. Runs that used it keep their own copy.
func (d *DB) DeleteMask(ctx context.Context, user atelier.UserID, id atelier.MaskID) error {
	return d.change(ctx, "delete mask", func(q *gen.Queries) error {
		n, err := q.DeleteMask(ctx, gen.DeleteMaskParams{ID: string(id), UserID: string(user)})
		return oneRow(n, err, noMask)
	}, nil)
}

// RenameMask gives one of the user's masks another name.
func (d *DB) RenameMask(ctx context.Context, user atelier.UserID, id atelier.MaskID, name string) error {
	return d.change(ctx, "rename mask", func(q *gen.Queries) error {
		n, err := q.RenameMask(ctx, gen.RenameMaskParams{Name: name, ID: string(id), UserID: string(user)})
		return oneRow(n, err, noMask)
	}, nil)
}

// oneRow says NotFound when a change met no row.
func oneRow(n int64, err error, sentence string) error {
	if err == nil && n == 0 {
		return atelier.Refuse(atelier.NotFound, sentence)
	}
	return err
}

func maskOf(r gen.Mask) Mask {
	return Mask{
		Mask: atelier.Mask{
			ID: atelier.MaskID(r.ID), AssetID: atelier.AssetID(r.AssetID), Name: r.Name, Width: int(r.Width), Height: int(r.Height),
			Kept: r.Kept, CreatedAt: sqldb.Time(r.CreatedAt), File: "/api/masks/" + r.ID + "/file", Thumb: "/api/masks/" + r.ID + "/thumb",
		},
		SHA256: r.Sha256,
	}
}
