package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/upstream"
)

// The kinds of presets a user can make.
const (
	KindLocations     = "locations"
	KindFashionModels = "fashionModels"
)

// workPreset waits until a preset can be used.
func (e *Engine) workPreset(ctx context.Context, args PresetArgs) error {
	account, known := e.named(args.Account)
	if !known {
		return nil // its account is not used any more
	}
	ctx = e.At(ctx, account)
	p, err := e.o.DB.FindPreset(ctx, e.Account(ctx).ID, args.Of, args.ID, args.User)
	if err != nil || p.Status != upstream.PresetPrepare {
		return err
	}
	began := e.o.Now()
	for {
		if e.o.Now().Sub(p.CreatedAt) > patience {
			return e.endPreset(ctx, p)
		}
		if err := e.mayAsk(ctx); err != nil {
			return err
		}
		name, cover, status, err := e.preset(ctx, args.Of, args.ID)
		switch {
		case upstream.KindOf(err) == upstream.Refused:
			status = upstream.PresetFailed
		case err != nil && upstream.KindOf(err) == "":
			return err
		}
		if name != "" {
			p.Name = name
		}
		if status != "" && (status != p.Status || cover != p.Cover) {
			p.Status, p.Cover = status, cover
			if err := e.o.DB.SetPreset(ctx, p); err != nil {
				return err
			}
			e.o.Publish(p.UserID, atelier.EventPreset, fmt.Sprintf("%s %d", p.Kind, p.ID), e.o.Preset(p))
		}
		if p.Status != upstream.PresetPrepare {
			return nil
		}
		wait := jitter(min(max(e.o.Now().Sub(p.CreatedAt)/10, account.PollMin), account.PollMax))
		if e.o.Now().Sub(began)+wait > e.o.Watch {
			return river.JobSnooze(wait)
		}
		if !e.pause(ctx, wait) {
			return river.JobSnooze(0)
		}
	}
}

// endPreset gives up a preset that is never ready.
func (e *Engine) endPreset(ctx context.Context, p db.Preset) error {
	p.Status = upstream.PresetFailed
	if err := e.o.DB.SetPreset(ctx, p); err != nil {
		return err
	}
	key := fmt.Sprintf("%s %d", p.Kind, p.ID)
	e.o.Publish(p.UserID, atelier.EventPreset, key, e.o.Preset(p))
	e.o.Publish(p.UserID, atelier.EventNotice, key, atelier.Notice{Level: "warning", Message: words.PresetLate(p.Name)})
	return nil
}

// preset asks the image service about one preset.
func (e *Engine) preset(ctx context.Context, kind string, id int64) (name, cover, status string, err error) {
	if kind == KindLocations {
		l, err := e.Account(ctx).Client.Location(ctx, id)
		return l.Name, l.Cover, l.Status, err
	}
	m, err := e.Account(ctx).Client.FashionModel(ctx, id)
	return m.Name, m.Cover, m.Status, err
}

func nothingToStore(*sql.Tx, []atelier.ResultID) error { return nil }
