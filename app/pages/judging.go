package pages

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// judging hands a verdict on to what it is about when it is given.
type judging struct {
	core  *core
	shots func() []model.Shot
}

// Pick implements components.VerdictPort.
func (j judging) Pick(pick string) { j.core.judge(j.shots(), atelier.UpdateResults{Pick: &pick}) }

// Rate implements components.VerdictPort.
func (j judging) Rate(stars int) { j.core.judge(j.shots(), atelier.UpdateResults{Rating: &stars}) }

// judgement is what the action of a key says of results, seen from one of them.
func judgement(action string, r atelier.Result) (atelier.UpdateResults, bool) {
	var u atelier.UpdateResults
	pick := func(p string) (atelier.UpdateResults, bool) { return atelier.UpdateResults{Pick: &p}, true }
	switch action {
	case model.DoPick:
		return pick("pick")
	case model.DoReject:
		return pick("reject")
	case model.DoNeither:
		return pick("")
	case model.DoFavourite:
		starred := !r.Starred
		u.Starred = &starred
		return u, true
	}
	if n, ok := strings.CutPrefix(action, model.DoStars); ok {
		stars := int(n[0] - '0')
		u.Rating = &stars
		return u, true
	}
	return u, false
}

// theirs says that an action is not ours to do where somebody else shows their results.
func theirs(action string) bool {
	_, judges := judgement(action, atelier.Result{})
	return judges || action == model.DoBoard || action == model.DoTrash
}

// judge rates, picks or stars results: at once on screen, then on the server. What the server refuses is taken back. The designer can
// take it back too: each then has what it had. Of verdicts on one result each, as they follow each other at the desk, the last is on offer.
func (c *core) judge(shots []model.Shot, u atelier.UpdateResults) {
	if len(shots) == 0 {
		return
	}
	before := make([]atelier.Result, len(shots))
	u.IDs = make([]atelier.ResultID, len(shots))
	for i, s := range shots {
		before[i], u.IDs[i] = s.Result, s.Result.ID
		c.spread(model.Judge(s.Result, u))
	}
	c.change()
	c.update(u, func(changed []atelier.Result, err error) {
		one := len(before) == 1
		if err != nil {
			there := map[atelier.ResultID]bool{}
			for _, r := range changed { // of several parts, those that went before
				there[r.ID] = true
			}
			before = slices.DeleteFunc(before, func(r atelier.Result) bool {
				if !there[r.ID] {
					c.spread(r)
				}
				return !there[r.ID]
			})
			c.failed(err)
		}
		if undo := model.Rejudge(before, u); len(undo) > 0 {
			if one {
				c.DropToast(c.judged)
			}
			id := c.offer(words.NowJudged(len(before), u), func() { c.rejudge(undo) })
			if one {
				c.judged = id
			}
		}
	})
}

// rejudge tells the server what is thought of results, and everything that shows them what they are then.
func (c *core) rejudge(updates []atelier.UpdateResults) {
	for _, u := range updates {
		c.update(u, func(results []atelier.Result, err error) {
			for _, r := range results {
				c.spread(r)
			}
			c.failed(err)
		})
	}
}

// update changes results on the server, no more at a time than it takes.
func (c *core) update(u atelier.UpdateResults, then func([]atelier.Result, error)) {
	c.do(func(ctx context.Context) func() {
		var results []atelier.Result
		err := inParts(u.IDs, func(ids []atelier.ResultID) error {
			part := u
			part.IDs = ids
			changed, err := c.api.UpdateResults(ctx, part)
			results = append(results, changed...)
			return err
		})
		return func() { then(results, err) }
	})
}

// inParts does something with no more results or runs at a time than the server takes.
func inParts[ID any](ids []ID, do func([]ID) error) error {
	for part := range slices.Chunk(ids, atelier.MaxChosen) {
		if err := do(part); err != nil {
			return err
		}
	}
	return nil
}

// spread brings everything that shows a result up to date with it.
func (c *core) spread(r atelier.Result) {
	data, err := json.Marshal(r)
	if err != nil {
		return
	}
	c.take(atelier.Event{Type: atelier.EventResult, Data: data})
	c.rev++
}

// Star implements components.LightboxPort.
func (c *core) Star(id atelier.ResultID, starred bool) {
	for _, s := range append(c.viewer.shots(), c.runs.Shots()...) {
		if s.Result.ID == id {
			c.judge([]model.Shot{s}, atelier.UpdateResults{Starred: &starred})
			return
		}
	}
}

// trashDays is how long the trash keeps what is put there.
func (c *core) trashDays() int { return c.session.Limits.TrashDays }

// trash puts shots into the trash, and offers to take them back: a run where a shot stands for one, else the result alone.
func (c *core) trash(shots []model.Shot) {
	runs, results := model.Apart(shots)
	if len(runs)+len(results) == 0 {
		return
	}
	c.do(func(ctx context.Context) func() {
		wentRuns, wentResults := 0, 0 // of several parts, those before the one that failed
		err := inParts(runs, func(ids []atelier.RunID) error {
			_, err := c.api.Trash(ctx, ids)
			if err == nil {
				wentRuns += len(ids)
			}
			return err
		})
		if err == nil {
			err = inParts(resultIDs(results), func(ids []atelier.ResultID) error {
				_, err := c.api.TrashResults(ctx, ids)
				if err == nil {
					wentResults += len(ids)
				}
				return err
			})
		}
		return func() {
			c.failed(err)
			runs, results := runs[:wentRuns], results[:wentResults]
			if len(runs)+len(results) == 0 {
				return
			}
			for _, id := range runs {
				c.tell(atelier.Run{ID: id, Trashed: true})
			}
			c.lose(results)
			said := words.RunsTrashed(len(runs))
			if len(runs) == 0 {
				said = words.ResultsTrashed(len(results))
			}
			c.offer(said, func() { c.restore(runs, results, nil) })
		}
	})
}

func resultIDs(results []atelier.Result) []atelier.ResultID {
	ids := make([]atelier.ResultID, len(results))
	for i, r := range results {
		ids[i] = r.ID
	}
	return ids
}

// lose takes results that were thrown away off everything that shows them. A run that has ended goes with its last result.
func (c *core) lose(results []atelier.Result) {
	for _, r := range results {
		r.Trashed = true
		c.spread(r)
		if run, ok := c.runs.Find(r.RunID); ok && len(run.Results) == 0 && run.State.Final() {
			c.tell(atelier.Run{ID: run.ID, Trashed: true})
		}
	}
	c.change()
}

// restore takes runs and results out of the trash. The server tells every list about them; one run alone need not wait for that.
func (c *core) restore(runs []atelier.RunID, results []atelier.Result, then func()) {
	c.review.back = map[atelier.RunID]bool{}
	for _, id := range runs {
		c.review.back[id] = true
	}
	for _, r := range results {
		c.review.back[r.RunID] = true
	}
	c.do(func(ctx context.Context) func() {
		var run atelier.Run
		var err error
		switch len(runs) {
		case 0:
		case 1:
			run, err = c.api.Restore(ctx, runs[0])
		default:
			err = inParts(runs, func(ids []atelier.RunID) error {
				_, err := c.api.RestoreRuns(ctx, ids)
				return err
			})
		}
		if err == nil && len(results) > 0 {
			err = inParts(resultIDs(results), func(ids []atelier.ResultID) error {
				_, err := c.api.RestoreResults(ctx, ids)
				return err
			})
		}
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			if run.ID != "" {
				run.Trashed = false
				c.tell(run)
			}
			for _, r := range results {
				r.Trashed = false
				c.spread(r)
			}
			if then != nil {
				then()
			}
		}
	})
}
