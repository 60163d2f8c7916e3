package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
)

// A run belongs to the account of the image service that it was recorded for (runs.upstream), and is sent, watched and looked for there.

// BindRun gives a run that is recorded to another account. A task that the former one made for it is of no use there.
func (d *DB) BindRun(ctx context.Context, id atelier.RunID, upstream string) error {
	return d.change(ctx, "bind run", func(q *gen.Queries) error {
		return q.BindRun(ctx, gen.BindRunParams{ID: string(id), Upstream: upstream})
	}, nil)
}

// BindOpenRuns gives runs under way that name no account, as earlier versions recorded them, to one.
func (d *DB) BindOpenRuns(ctx context.Context, upstream string) error {
	return d.change(ctx, "bind open runs", func(q *gen.Queries) error { return q.BindOpenRuns(ctx, upstream) }, nil)
}

// NewestSent gives the newest run since a moment that an account has accepted; ok is false when there is none.
func (d *DB) NewestSent(ctx context.Context, upstream string, since time.Time) (r Run, ok bool, err error) {
	from, err := NewRunIDAt(since)
	if err != nil {
		return r, false, err
	}
	row, err := d.read.NewestSent(ctx, gen.NewestSentParams{ID: string(from), Upstream: upstream})
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("find the newest run of an account: %w", err)
	}
	r, err = d.LoadRun(ctx, atelier.RunID(row.ID))
	return r, err == nil, err
}

// NewestPreset gives the newest preset of an account that was made here; ok is false when there is none.
func (d *DB) NewestPreset(ctx context.Context, upstream string) (p Preset, ok bool, err error) {
	row, err := d.read.NewestPreset(ctx, upstream)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	if err != nil {
		return p, false, fmt.Errorf("find the newest preset of an account: %w", err)
	}
	return presetOf(row), true, nil
}

// UnderWay counts the runs of an account that have not ended.
type UnderWay struct {
	Waiting int // recorded, and not sent yet
	Sent    int
}

// CountOpenByUpstream counts runs that have not ended, by account.
func (d *DB) CountOpenByUpstream(ctx context.Context) (map[string]UnderWay, error) {
	rows, err := d.read.OpenByUpstream(ctx)
	if err != nil {
		return nil, fmt.Errorf("count open runs by account: %w", err)
	}
	open := map[string]UnderWay{}
	for _, r := range rows {
		n := open[r.Upstream]
		if atelier.State(r.State) == atelier.StateRecorded {
			n.Waiting += int(r.Runs)
		} else {
			n.Sent += int(r.Runs)
		}
		open[r.Upstream] = n
	}
	return open, nil
}

// upstreamsAtMost bounds how many runs UpstreamsInUse looks through for each reason.
const upstreamsAtMost = 5000

// UpstreamsInUse gives the accounts that something is still waited for from: runs that have not ended, runs since a moment that may turn
// up after all, layered exports, presets.
func (d *DB) UpstreamsInUse(ctx context.Context, since time.Time, of []string) (map[string]bool, error) {
	open, err := d.CountOpenByUpstream(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for id := range open {
		used[id] = true
	}
	for _, list := range []func(context.Context, time.Time, int) ([]Run, error){d.ListUndecided, d.ListUnseen} {
		runs, err := list(ctx, since, upstreamsAtMost)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			used[r.Upstream] = true
		}
	}
	exports, err := d.ListOpenPSDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range exports {
		r, err := d.LoadRun(ctx, id)
		if err != nil {
			return nil, err
		}
		used[r.Upstream] = true
	}
	for _, id := range of {
		presets, err := d.ListOpenPresets(ctx, id)
		if err != nil {
			return nil, err
		}
		intents, err := d.ListPresetIntents(ctx, id)
		if err != nil {
			return nil, err
		}
		used[id] = used[id] || len(presets) > 0 || len(intents) > 0
	}
	return used, nil
}
