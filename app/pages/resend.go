package pages

import (
	"context"
	"encoding/json"
	"strings"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// start asks for runs, one after the other, and tells how many were asked for so far. All requests are kept in the browser under their keys
// before the first is sent, each until the server has answered: a reload, a crash or a lost answer then asks again with the same keys,
// and the server gives the runs there already are. err is the first refusal, of the request at failed; where nobody answers the others
// are not sent, and stay kept.
func (c *core) start(requests []atelier.StartRun, told func(n int), then func(runs []atelier.Run, err error, failed int)) {
	c.do(func(ctx context.Context) func() {
		for _, request := range requests {
			if data, err := json.Marshal(request); err == nil {
				// Without storage the run is asked for all the same, only not remembered.
				_ = browser.Keep(ctx, model.IntentPrefix+request.IntentKey, data)
			}
		}
		var runs []atelier.Run
		var first error
		failed := 0
		for i, request := range requests {
			run, err := c.ask(ctx, request)
			if err == nil {
				runs = append(runs, run)
			} else if first == nil {
				first, failed = err, i
			}
			if !answered(err) {
				break
			}
			c.post(func() { told(i + 1) })
		}
		return func() {
			c.runs = c.runs.Merge(runs...)
			then(runs, first, failed)
		}
	})
}

// ask asks for a run that is kept in the browser, which forgets it once the server has decided.
func (c *core) ask(ctx context.Context, request atelier.StartRun) (atelier.Run, error) {
	run, err := c.api.Start(ctx, request)
	if answered(err) {
		_ = browser.Forget(ctx, model.IntentPrefix+request.IntentKey)
	}
	return run, err
}

// answered says whether the server has decided. Without an answer, or a session, the run is still wanted.
func answered(err error) bool {
	code := atelier.CodeOf(err)
	return err == nil || code != client.Offline && code != atelier.Unauthorized
}

// resend asks again for every run whose answer never came.
func (c *core) resend() {
	c.do(func(ctx context.Context) func() {
		keys, err := browser.KeptKeys(ctx)
		if err != nil {
			return nil
		}
		var runs []atelier.Run
		for _, key := range keys {
			if !strings.HasPrefix(key, model.IntentPrefix) {
				continue
			}
			run, ok := c.resendOne(ctx, key)
			if ok {
				runs = append(runs, run)
			}
		}
		return func() {
			c.runs = c.runs.Merge(runs...)
			if len(runs) > 0 {
				c.toast("info", words.RunsResent(len(runs)))
			}
		}
	})
}

func (c *core) resendOne(ctx context.Context, key string) (atelier.Run, bool) {
	data, ok, err := browser.Kept(ctx, key)
	if err != nil || !ok {
		return atelier.Run{}, false
	}
	var request atelier.StartRun
	if json.Unmarshal(data, &request) != nil {
		_ = browser.Forget(ctx, key)
		return atelier.Run{}, false
	}
	run, err := c.ask(ctx, request)
	return run, err == nil
}
