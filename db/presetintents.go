package db

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// PresetIntent says that a preset is about to be made at the image service, which may have made it even if its answer is never heard.
type PresetIntent struct {
	ID        string
	Upstream  string
	Kind      string // locations, fashionModels
	UserID    atelier.UserID
	Name      string
	Known     []int64   // the ids that presets of this name had there before
	SentAt    time.Time // when the image service was last asked, or the intent recorded
	CreatedAt time.Time
}

// CreatePresetIntent records an intent made at that moment and gives its id. Somebody makes one preset of a name at a time: another one
// is Conflict.
func (d *DB) CreatePresetIntent(ctx context.Context, p PresetIntent, at time.Time, then func(id string) Then) (string, error) {
	known, err := json.Marshal(p.Known)
	if err != nil {
		return "", fmt.Errorf("encode known presets: %w", err)
	}
	id, err := newID()
	if err != nil {
		return "", err
	}
	err = d.change(ctx, "intend a preset", func(q *gen.Queries) error {
		return q.InsertPresetIntent(ctx, gen.InsertPresetIntentParams{
			ID: id, Upstream: p.Upstream, Kind: p.Kind, UserID: string(p.UserID), Name: p.Name, KnownJson: string(known), SentAt: sqldb.Millis(at),
		})
	}, []Then{then(id)})
	if sqldb.IsUnique(err) {
		return "", atelier.Refuse(atelier.Conflict, presetBeingMade)
	}
	return id, err
}

// FindPresetIntent finds an intent that is still open.
func (d *DB) FindPresetIntent(ctx context.Context, id string) (PresetIntent, error) {
	row, err := d.read.PresetIntent(ctx, id)
	if err != nil {
		return PresetIntent{}, missing(err, "find the intent of a preset", noPresetIntent)
	}
	p := PresetIntent{
		ID: row.ID, Upstream: row.Upstream, Kind: row.Kind, UserID: atelier.UserID(row.UserID), Name: row.Name,
		SentAt: sqldb.Time(row.SentAt), CreatedAt: sqldb.Time(row.CreatedAt),
	}
	if err := json.Unmarshal([]byte(row.KnownJson), &p.Known); err != nil {
		return PresetIntent{}, fmt.Errorf("read the intent of a preset: %w", err)
	}
	return p, nil
}

// ListPresetIntents gives the ids of the intents that are open at an image service, oldest first.
func (d *DB) ListPresetIntents(ctx context.Context, upstream string) ([]string, error) {
	ids, err := d.read.PresetIntents(ctx, upstream)
	if err != nil {
		return nil, fmt.Errorf("list the intents of presets: %w", err)
	}
	return ids, nil
}

// SetPresetIntentSent records that the image service is about to be asked.
func (d *DB) SetPresetIntentSent(ctx context.Context, id string, at time.Time) error {
	return d.change(ctx, "begin a preset", func(q *gen.Queries) error {
		return q.SetPresetIntentSent(ctx, gen.SetPresetIntentSentParams{ID: id, SentAt: sqldb.Millis(at)})
	}, nil)
}

// CountPresetIntentMiss counts a look that did not find the preset, and says how many there were.
func (d *DB) CountPresetIntentMiss(ctx context.Context, id string) (misses int, err error) {
	err = d.change(ctx, "count a miss of a preset", func(q *gen.Queries) error {
		n, err := q.CountPresetIntentMiss(ctx, id)
		misses = int(n)
		return err
	}, nil)
	return misses, err
}

// DropPresetIntent forgets an intent of which nothing came.
func (d *DB) DropPresetIntent(ctx context.Context, id string) error {
	return d.change(ctx, "drop the intent of a preset", func(q *gen.Queries) error { return q.DeletePresetIntent(ctx, id) }, nil)
}
