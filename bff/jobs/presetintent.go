package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/upstream"
)

// The agent that own presets belong to.
const PresetAgent, PresetVersion = "aimodel", "v1.0"

// PresetIntentArgs asks for a preset to be looked for of which it is not known whether it was made.
type PresetIntentArgs struct {
	Intent string `json:"intent"`
}

// Kind names the job.
func (PresetIntentArgs) Kind() string { return "preset_intent" }

// InsertOpts chooses queue and uniqueness.
func (PresetIntentArgs) InsertOpts() river.InsertOpts { return once(queueWatch) }

// making knows which presets this process is having made, by kind and name: nobody looks for these meanwhile.
type making struct {
	mu    sync.Mutex
	names map[string]int
}

func (m *making) begin(kind, name string) (end func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names == nil {
		m.names = map[string]int{}
	}
	key := kind + " " + name
	m.names[key]++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.names[key]--; m.names[key] == 0 {
			delete(m.names, key)
		}
	}
}

func (m *making) has(kind, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names[kind+" "+name] > 0
}

// MakePreset has a preset made of files by create, which is given their URLs and gives its id, and begins to wait for it. The image service
// takes no key for this, so the intent is recorded first, with what it has of that name already: when the answer is lost, or the process
// dies, what it has made since is the one. p needs Kind, UserID and Name.
func (e *Engine) MakePreset(ctx context.Context, p db.Preset, files []db.Blob, create func(ctx context.Context, urls []string) (int64, error)) (db.Preset, error) {
	defer e.making.begin(p.Kind, p.Name)()
	ctx = e.At(ctx, e.Account(ctx)) // whichever is current when it is made
	ctx = context.WithoutCancel(ctx)
	there, err := e.presetsNamed(ctx, p.Kind, p.Name)
	if err != nil && upstream.KindOf(err) != upstream.Refused { // who has no list for our key has none afterwards either
		return p, err
	}
	intent := db.PresetIntent{Upstream: e.Account(ctx).ID, Kind: p.Kind, UserID: p.UserID, Name: p.Name, Known: []int64{}}
	for _, l := range there {
		intent.Known = append(intent.Known, l.ID)
	}
	id, err := e.o.DB.CreatePresetIntent(ctx, intent, e.o.Now(), func(id string) db.Then { return e.insert(PresetIntentArgs{id}) })
	if err != nil {
		return p, err
	}
	err = e.WithUploads(ctx, atelier.TaskSurface, files, func(urls []string) (err error) {
		if err = e.o.DB.SetPresetIntentSent(ctx, id, e.o.Now()); err != nil {
			return err
		}
		p.Cover = urls[0]
		p.ID, err = create(ctx, urls)
		return err
	})
	if upstream.KindOf(err) == upstream.Ambiguous {
		e.log.WarnContext(ctx, "it is not known whether a preset was made", "name", p.Name, "error", err)
		return p, atelier.Refuse(atelier.UpstreamBad, words.PresetNotAnswered)
	}
	if err != nil {
		return p, errors.Join(err, e.o.DB.DropPresetIntent(ctx, id))
	}
	return p, e.keepPreset(ctx, &p, id)
}

// keepPreset remembers a preset the image service has made.
func (e *Engine) keepPreset(ctx context.Context, p *db.Preset, intent string) error {
	p.Upstream, p.Status = e.Account(ctx).ID, upstream.PresetPrepare
	if err := e.o.DB.CreatePreset(ctx, *p, intent, e.insert(PresetArgs{p.UserID, p.Kind, p.ID, p.Upstream})); err != nil {
		return err
	}
	e.o.Publish(p.UserID, atelier.EventPreset, fmt.Sprintf("%s %d", p.Kind, p.ID), e.o.Preset(*p))
	return nil
}

// workPresetIntent finds out what became of a preset whose answer was lost.
func (e *Engine) workPresetIntent(ctx context.Context, args PresetIntentArgs) error {
	in, err := e.o.DB.FindPresetIntent(ctx, args.Intent)
	if err != nil {
		return err
	}
	account, known := e.named(in.Upstream)
	if !known {
		return nil // it is looked for when the studio uses its account again
	}
	ctx = e.At(ctx, account)
	if e.making.has(in.Kind, in.Name) {
		return river.JobSnooze(e.Account(ctx).Settle)
	}
	if wait := in.SentAt.Add(e.Account(ctx).Settle).Sub(e.o.Now()); wait > 0 {
		return river.JobSnooze(min(wait, e.Account(ctx).Settle))
	}
	if err := e.mayAsk(ctx); err != nil {
		return err
	}
	there, err := e.presetsNamed(ctx, in.Kind, in.Name)
	if upstream.KindOf(err) != "" && e.o.Now().Sub(in.CreatedAt) < patience {
		e.log.WarnContext(ctx, "a preset cannot be looked for yet", "name", in.Name, "error", err)
		return river.JobSnooze(e.retryIn(in.SentAt, 0))
	}
	if err != nil && upstream.KindOf(err) == "" {
		return err
	}
	owners, err := e.o.DB.PresetOwners(ctx, in.Upstream, in.Kind)
	if err != nil {
		return err
	}
	for _, l := range there {
		if _, owned := owners[l.ID]; !owned && !slices.Contains(in.Known, l.ID) {
			return e.keepPreset(ctx, &db.Preset{Kind: in.Kind, ID: l.ID, UserID: in.UserID, Name: in.Name, Cover: l.Image}, in.ID)
		}
	}
	misses, err := e.o.DB.CountPresetIntentMiss(ctx, in.ID)
	if err != nil {
		return err
	}
	if misses < looks {
		return river.JobSnooze(e.Account(ctx).Confirm)
	}
	if err := e.o.DB.DropPresetIntent(ctx, in.ID); err != nil {
		return err
	}
	e.o.Publish(in.UserID, atelier.EventNotice, in.ID, atelier.Notice{Level: "warning", Message: words.PresetUnmade(in.Name)})
	return nil
}

// presetsNamed gives what the account has made of a kind under a name, the oldest first.
func (e *Engine) presetsNamed(ctx context.Context, kind, name string) (found []upstream.Location, err error) {
	q := upstream.AgentInfoQuery{AgentName: PresetAgent, AgentVersion: PresetVersion, PageSize: 100, ResourceType: kind}
	for q.Page = 1; q.Page <= mostPages; q.Page++ {
		info, err := e.Account(ctx).Client.AgentInfo(ctx, q)
		if err != nil {
			return nil, err
		}
		all, last := info.Locations, true
		if kind == KindFashionModels {
			all = nil
			for _, m := range info.FashionModels {
				all = append(all, upstream.Location{ID: m.ID, Name: m.Name, Image: m.Image, Type: m.Type})
			}
		}
		if p := info.Pagination; p != nil {
			meta := p.Locations
			if kind == KindFashionModels {
				meta = p.FashionModels
			}
			last = meta == nil || meta.IsLastPage
		}
		for _, l := range all {
			if l.Type == typeYours && strings.TrimSpace(l.Name) == name {
				found = append(found, l)
			}
		}
		if last || len(all) == 0 {
			break
		}
	}
	slices.SortFunc(found, func(a, b upstream.Location) int { return int(a.ID - b.ID) })
	return found, nil
}

const (
	// typeYours is how the image service calls what its account has made (Task API, "Agent info").
	typeYours = "Yours"
	// mostPages bounds how far its list is read: an account makes a thousand of a kind at most.
	mostPages = 40
)
