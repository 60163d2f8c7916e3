package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/internal/outbound"
	"atelier/upstream"
)

// Account is one account of the image service, and how the studio behaves towards it. A run stays with the account it was started with.
// ID, Client and Outbound are needed; durations of 0 take the value in brackets.
type Account struct {
	// ID names the account in the database: its uploads, presets and runs are remembered under it.
	ID     string
	Client *upstream.Client
	// Outbound fetches what the account made.
	Outbound *outbound.Client
	// Idempotent says that the service honours the key of a run: a lost answer may be asked for again.
	Idempotent bool
	// CallbackURL gives the address the service may call about a run; nil or "" = none is sent.
	CallbackURL func(atelier.RunID) string
	// MediaURL gives the address the service fetches a video or sound from; nil = it is uploaded like a picture.
	MediaURL func(atelier.AssetID) string
	// Stop ends the work on an execution at once, unless it has ended; nil = the service cannot be made to stop.
	Stop func(ctx context.Context, execution string) error
	// PollRate is how many questions a second all watching together may ask; what looks for lost runs may ask half as many beside.
	// 0 = no limit.
	PollRate rate.Limit

	Settle  time.Duration // how long after a lost answer the request may still be under way (120 s)
	Confirm time.Duration // between two looks that found nothing (60 s)
	PollMin time.Duration // between the first polls (1 s)
	PollMax time.Duration // between the last ones (15 s)
	HintGap time.Duration // between two looks at a run because the service called (5 s)

	// What the studio offers with it.
	Kind      string // embedded, remote
	Estimates bool   // it tells what a run would cost
	NoVideo   string // why it cannot make videos, and what to do; "" = it can
	// NoMedia says that it has no way to get videos and sounds of ours.
	NoMedia bool

	polls *rate.Limiter // nil = no limit
	lists *rate.Limiter // for what is looked for: it does not stand in line behind all that is watched
}

// complete fills in what is not given.
func (a *Account) complete() {
	standard(&a.Settle, 120*time.Second)
	standard(&a.Confirm, time.Minute)
	standard(&a.PollMin, time.Second)
	standard(&a.PollMax, 15*time.Second)
	standard(&a.HintGap, 5*time.Second)
	if a.PollRate > 0 && a.polls == nil {
		a.polls = rate.NewLimiter(a.PollRate, max(1, int(a.PollRate)))
		a.lists = rate.NewLimiter(a.PollRate/2, max(1, int(a.PollRate/2)))
	}
}

// callback gives the address the service may call about a run, "" for none.
func (a *Account) callback(id atelier.RunID) string {
	if a.CallbackURL == nil {
		return ""
	}
	return a.CallbackURL(id)
}

// accounts are those the engine works with: the current one, which new runs go to, and former ones with runs under way.
type accounts struct {
	current *Account
	all     map[string]*Account
}

// Use makes an account the current one. Runs that were started with another go on there as long as it is among former; those of an
// account that is in neither are asked for at the current one.
func (e *Engine) Use(current *Account, former ...*Account) {
	next := &accounts{current: current, all: map[string]*Account{}}
	for _, a := range append(former, current) {
		a.complete()
		next.all[a.ID] = a
	}
	if was := e.accounts.Swap(next); was != nil && was.current.ID != current.ID {
		e.line.reset() // what one service bears says nothing of another
	}
}

type accountKey struct{}

// At makes the calls made with the context go to an account.
func (e *Engine) At(ctx context.Context, a *Account) context.Context {
	return context.WithValue(ctx, accountKey{}, a)
}

// Account gives the account that the calls made with a context go to: the one At has named, else the current one.
func (e *Engine) Account(ctx context.Context) *Account {
	if a, ok := ctx.Value(accountKey{}).(*Account); ok {
		return a
	}
	return e.accounts.Load().current
}

// accountOf gives the account of a run. known is false when the run was started with one that the engine has no key of any more.
func (e *Engine) accountOf(run db.Run) (a *Account, known bool) {
	return e.named(run.Upstream)
}

// named gives the account with an ID, else the current one; "" is the current one.
func (e *Engine) named(id string) (a *Account, known bool) {
	all := e.accounts.Load()
	if a, known = all.all[id]; known {
		return a, true
	}
	return all.current, id == ""
}

// held says whether a run waits for its account to be entered again.
func (e *Engine) held(run db.Run) bool {
	_, known := e.accountOf(run)
	return !known && e.o.Hold
}

// hold keeps a run waiting for its account.
func (e *Engine) hold(ctx context.Context, run db.Run) error {
	if run.State == atelier.StateRecorded && (run.Error == nil || run.Error.Message != words.StateNoAccount) {
		why := &atelier.Error{Code: atelier.UpstreamBusy, Message: words.StateNoAccount, Retryable: true}
		if _, err := e.o.DB.SetState(ctx, run.ID, run.State, run.Step, why); err != nil {
			return err
		}
		e.publishRun(ctx, run.ID)
	}
	return river.JobSnooze(e.o.RetryMax)
}

// forRun makes the calls made with the context go to the account of a run.
func (e *Engine) forRun(ctx context.Context, run db.Run) context.Context {
	a, _ := e.accountOf(run)
	return e.At(ctx, a)
}

// LateFor is for how long after it was sent a run may turn up that could not be found: its account is asked for it until then.
const LateFor = lateFor

// Sees says whether an account knows the execution of a run: then the run is its own, whichever of its keys is used.
func (e *Engine) Sees(ctx context.Context, a *Account, run db.Run) (bool, error) {
	_, err := e.fetch(e.At(ctx, a), run)
	switch {
	case err == nil:
		return true, nil
	case upstream.KindOf(err) == upstream.Refused, errors.Is(err, errNoExecution):
		return false, nil
	}
	return false, err
}

// SeesPreset says whether an account has a preset of that name under its number.
func (e *Engine) SeesPreset(ctx context.Context, a *Account, p db.Preset) (bool, error) {
	name, _, _, err := e.preset(e.At(ctx, a), p.Kind, p.ID)
	if upstream.KindOf(err) == upstream.Refused {
		return false, nil
	}
	return err == nil && name == p.Name, err
}
