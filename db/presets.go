package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Preset is a fashion model or location the user made at the image service, which has no list of them.
type Preset struct {
	Upstream  string
	Kind      string // locations, fashionModels
	ID        int64  // at the image service
	UserID    atelier.UserID
	Name      string
	Cover     string // URL at the image service
	Status    string // prepare, complete, failed
	CreatedAt time.Time
}

// CreatePreset remembers a preset the image service has made, for which an intent was recorded ("" = none was): it has become true.
func (d *DB) CreatePreset(ctx context.Context, p Preset, intent string, then ...Then) error {
	return d.change(ctx, "create preset", func(q *gen.Queries) error {
		if err := q.DeletePresetIntent(ctx, intent); err != nil {
			return err
		}
		return q.InsertPreset(ctx, gen.InsertPresetParams{
			Upstream: p.Upstream, Kind: p.Kind, UpstreamID: p.ID, UserID: string(p.UserID), Name: p.Name, Cover: p.Cover, Status: p.Status,
			CreatedAt: d.millis(),
		})
	}, then)
}

// FindPreset finds one of the user's own presets.
func (d *DB) FindPreset(ctx context.Context, upstream, kind string, id int64, user atelier.UserID) (Preset, error) {
	row, err := d.read.Preset(ctx, gen.PresetParams{Upstream: upstream, Kind: kind, UpstreamID: id, UserID: string(user)})
	if err != nil {
		return Preset{}, missing(err, "find preset", noPreset)
	}
	return presetOf(row), nil
}

// ListPresets gives the user's own presets of one kind, newest first.
func (d *DB) ListPresets(ctx context.Context, upstream, kind string, user atelier.UserID) ([]Preset, error) {
	rows, err := d.read.Presets(ctx, gen.PresetsParams{Upstream: upstream, Kind: kind, UserID: string(user)})
	return presetsOf(rows, err)
}

// CountPresets counts the presets of a kind that users have made at an image service, or are making: those that failed too, which stay
// there until they are deleted.
func (d *DB) CountPresets(ctx context.Context, upstream, kind string) (int, error) {
	n, err := d.read.CountPresets(ctx, gen.CountPresetsParams{Upstream: upstream, Kind: kind})
	if err != nil {
		return 0, fmt.Errorf("count presets: %w", err)
	}
	return int(n), nil
}

// PresetOwners tells who made which presets of a kind at an image service, by their ids there.
func (d *DB) PresetOwners(ctx context.Context, upstream, kind string) (map[int64]atelier.UserID, error) {
	rows, err := d.read.PresetOwners(ctx, gen.PresetOwnersParams{Upstream: upstream, Kind: kind})
	if err != nil {
		return nil, fmt.Errorf("list the owners of presets: %w", err)
	}
	owners := make(map[int64]atelier.UserID, len(rows))
	for _, r := range rows {
		owners[r.UpstreamID] = atelier.UserID(r.UserID)
	}
	return owners, nil
}

// ListOpenPresets gives every preset that is still being made.
func (d *DB) ListOpenPresets(ctx context.Context, upstream string) ([]Preset, error) {
	rows, err := d.read.OpenPresets(ctx, upstream)
	return presetsOf(rows, err)
}

// SetPreset records the status and cover of a preset.
func (d *DB) SetPreset(ctx context.Context, p Preset) error {
	return d.change(ctx, "set preset", func(q *gen.Queries) error {
		n, err := q.SetPreset(ctx, gen.SetPresetParams{Upstream: p.Upstream, Kind: p.Kind, UpstreamID: p.ID, Status: p.Status, Cover: p.Cover})
		return oneRow(n, err, noPreset)
	}, nil)
}

// DeletePreset forgets a preset of the user's, and who marked it.
func (d *DB) DeletePreset(ctx context.Context, upstream, kind string, id int64, user atelier.UserID) error {
	return d.change(ctx, "delete preset", func(q *gen.Queries) error {
		n, err := q.DeletePreset(ctx, gen.DeletePresetParams{Upstream: upstream, Kind: kind, UpstreamID: id, UserID: string(user)})
		if err := oneRow(n, err, noPreset); err != nil {
			return err
		}
		return q.DeleteFavouritesOf(ctx, gen.DeleteFavouritesOfParams{Upstream: upstream, Kind: kind, PresetID: id})
	}, nil)
}

// SavePresetNames remembers what presets of a kind are called, by their ids.
func (d *DB) SavePresetNames(ctx context.Context, upstream, kind string, names map[int64]string) error {
	return d.change(ctx, "save names of presets", func(q *gen.Queries) error {
		for id, name := range names {
			if err := q.SavePresetName(ctx, gen.SavePresetNameParams{Upstream: upstream, Kind: kind, UpstreamID: id, Name: name}); err != nil {
				return err
			}
		}
		return nil
	}, nil)
}

// PresetName is what a preset was called when it was last seen, "" when that is not known.
func (d *DB) PresetName(ctx context.Context, upstream, kind string, id int64) (string, error) {
	name, err := d.read.PresetName(ctx, gen.PresetNameParams{Upstream: upstream, Kind: kind, UpstreamID: id})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("find the name of a preset: %w", err)
	}
	return name, nil
}

// FindImage finds our copy of somebody else's picture by the hash of its URL; ok is false when there is none.
func (d *DB) FindImage(ctx context.Context, urlHash string) (b Blob, ok bool, err error) {
	row, err := d.read.Image(ctx, urlHash)
	if errors.Is(err, sql.ErrNoRows) {
		return Blob{}, false, nil
	}
	if err != nil {
		return Blob{}, false, fmt.Errorf("find image: %w", err)
	}
	return Blob{SHA256: row.Sha256, Format: row.Format}, true, nil
}

// SaveImage remembers our copy of somebody else's picture.
func (d *DB) SaveImage(ctx context.Context, urlHash string, b Blob) error {
	return d.change(ctx, "save image", func(q *gen.Queries) error {
		return q.SaveImage(ctx, gen.SaveImageParams{UrlHash: urlHash, Sha256: b.SHA256, Format: b.Format, FetchedAt: d.millis()})
	}, nil)
}

func presetsOf(rows []gen.Preset, err error) ([]Preset, error) {
	if err != nil {
		return nil, fmt.Errorf("list presets: %w", err)
	}
	presets := make([]Preset, 0, len(rows))
	for _, r := range rows {
		presets = append(presets, presetOf(r))
	}
	return presets, nil
}

func presetOf(r gen.Preset) Preset {
	return Preset{
		Upstream: r.Upstream, Kind: r.Kind, ID: r.UpstreamID, UserID: atelier.UserID(r.UserID), Name: r.Name, Cover: r.Cover, Status: r.Status,
		CreatedAt: sqldb.Time(r.CreatedAt),
	}
}
