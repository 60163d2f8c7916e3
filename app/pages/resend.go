package pages

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// start asks for runs, one after the other, and reports how many it has asked for so far. The browser keeps all
// requests under their keys before the first is sent, each until the server has answered: after a reload, a crash or a
// lost answer it asks again with the same keys, and the server returns the runs that exist. Without an answer the
// browser keeps the others and sends none of them.
func (c *core) start(requests []atelier.StartRun, told func(n int), then func(answers)) {
	now := c.now()
	c.do(func(ctx context.Context) func() {
		for _, request := range requests {
			keep(ctx, request, now)
		}
		var a answers
		waits := false
		for i, request := range requests {
			run, err := c.ask(ctx, request)
			switch {
			case err == nil:
				a.runs = append(a.runs, run)
			case atelier.CodeOf(err) == atelier.Unclear:
				a.unclear = append(a.unclear, request)
			case a.err == nil:
				a.err, a.failed = err, i
			}
			if waits = !answered(err); waits {
				break
			}
			c.post(func() { told(i + 1) })
		}
		return func() {
			c.runs = c.runs.Merge(a.runs...)
			if waits {
				c.resendLater(resendRests)
			}
			then(a)
		}
	})
}

// answers are those to the requests of a press.
type answers struct {
	runs    []atelier.Run
	unclear []atelier.StartRun // not started: what they keep is not clear
	err     error              // the first other refusal
	failed  int                // the request it is the answer to
}

// keep remembers a request in the browser. Without storage the run is asked for all the same, only not remembered.
func keep(ctx context.Context, request atelier.StartRun, now time.Time) {
	if data, err := json.Marshal(model.Intent{StartRun: request, KeptAt: now}); err == nil {
		_ = browser.Keep(ctx, model.IntentPrefix+request.IntentKey, data)
	}
}

// ask asks for a run that is kept in the browser, which forgets it once the server has decided.
func (c *core) ask(ctx context.Context, request atelier.StartRun) (atelier.Run, error) {
	run, err := c.api.Start(ctx, request)
	if answered(err) {
		_ = browser.Forget(ctx, model.IntentPrefix+request.IntentKey)
	}
	return run, err
}

// answered says whether the server has decided. Without an answer of its own, with a fault, or without a session, the run is still wanted.
func answered(err error) bool {
	switch atelier.CodeOf(err) {
	case atelier.Unauthorized, atelier.DiskFull:
		return false
	}
	return !silent(err) && !errors.Is(err, client.ErrElsewhere)
}

// How long it takes until what was not answered is asked for again: longer each time.
const (
	resendRests  = 2 * time.Second
	resendAtMost = 5 * time.Minute
)

// resendLater asks again after a rest.
func (c *core) resendLater(rest time.Duration) {
	c.resends++
	nth := c.resends
	c.ui.After(rest, func(app.Context) {
		if nth == c.resends && c.access == signedIn {
			c.resend(min(2*rest, resendAtMost))
		}
	})
}

// resend asks again for every run whose answer never came, and once more after a rest while there are any. Old ones wait for the
// designer's word.
func (c *core) resend(rest time.Duration) {
	now := c.now()
	c.do(func(ctx context.Context) func() {
		keys, err := browser.KeptKeys(ctx)
		if err != nil {
			return nil
		}
		var runs []atelier.Run
		var old []model.Intent
		var refused error
		var unclear []atelier.StartRun
		waits, offline := false, false
		for _, key := range keys {
			intent, ok := kept(ctx, key)
			switch {
			case !ok:
				continue
			case intent.Old(now):
				old = append(old, intent)
				continue
			case offline:
				continue // it would not be answered either
			}
			run, err := c.ask(ctx, intent.StartRun)
			switch {
			case err == nil:
				runs = append(runs, run)
			case atelier.CodeOf(err) == atelier.Unclear:
				unclear = append(unclear, intent.StartRun)
			case answered(err):
				refused = err
			default:
				waits = true
			}
			offline = atelier.CodeOf(err) == client.Offline
		}
		return func() {
			c.old = old
			c.runs = c.runs.Merge(runs...)
			if len(runs) > 0 {
				c.toast("info", words.RunsResent(len(runs)))
			}
			c.failed(refused)
			if len(unclear) > 0 {
				c.askUnclearKept(unclear)
			}
			switch {
			case waits:
				c.resendLater(rest)
			case c.resent != nil && (len(runs)+len(unclear) > 0 || refused != nil):
				c.resent()
			}
		}
	})
}

// kept is a request that was kept in the browser under a key.
func kept(ctx context.Context, key string) (intent model.Intent, ok bool) {
	if !strings.HasPrefix(key, model.IntentPrefix) {
		return intent, false
	}
	data, ok, err := browser.Kept(ctx, key)
	if err != nil || !ok {
		return intent, false
	}
	if json.Unmarshal(data, &intent) != nil {
		_ = browser.Forget(ctx, key)
		return intent, false
	}
	return intent, true
}

// renderOld asks what becomes of requests that waited for an answer too long to be sent again unasked.
func (c *core) renderOld() app.UI {
	oldest := slices.MinFunc(c.old, func(a, b model.Intent) int { return a.KeptAt.Compare(b.KeptAt) })
	ago := ""
	if !oldest.KeptAt.IsZero() {
		ago = words.Ago(c.now(), oldest.KeptAt)
	}
	return components.El("div", "class", "notice", "role", "status", "data-testid", "old-runs").Body(
		components.Text("span", "", words.RunsOld(len(c.old), oldest.Title, ago)),
		components.Button("", words.RunsOldSend, "button--link").Attr("data-testid", "old-send").OnClick(func(app.Context, app.Event) { c.decideOld(true) }),
		components.Button("", words.RunsOldDiscard, "button--link").Attr("data-testid", "old-discard").OnClick(func(app.Context, app.Event) { c.decideOld(false) }))
}

// decideOld sends them as if they were asked for now, or forgets them. What another window has decided meanwhile stays so.
func (c *core) decideOld(send bool) {
	old, now := c.old, c.now()
	c.old = nil
	c.do(func(ctx context.Context) func() {
		for _, intent := range old {
			key := model.IntentPrefix + intent.IntentKey
			if _, there := kept(ctx, key); there && send {
				keep(ctx, intent.StartRun, now)
			} else if there {
				_ = browser.Forget(ctx, key)
			}
		}
		return func() {
			if send {
				c.resend(resendRests)
				return
			}
			if c.resent != nil {
				c.resent()
			}
			c.offer(words.RunsOldDiscarded(len(old)), func() { c.wantAgain(old) })
		}
	})
}

// wantAgain keeps requests again that were forgotten, and asks about them.
func (c *core) wantAgain(old []model.Intent) {
	c.do(func(ctx context.Context) func() {
		for _, intent := range old {
			keep(ctx, intent.StartRun, intent.KeptAt)
		}
		return func() { c.resend(resendRests) }
	})
}
