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

// start asks for a run. The request is kept in the browser under its key until the server has answered: a reload, a
// crash or a lost answer then asks again with the same key, and the server gives the run there already is.
func (c *core) start(request atelier.StartRun, then func(atelier.Run, error)) {
	c.do(func(ctx context.Context) func() {
		if data, err := json.Marshal(request); err == nil {
			// Without storage the run is asked for all the same, only not remembered.
			_ = browser.Keep(ctx, model.IntentPrefix+request.IntentKey, data)
		}
		run, err := c.api.Start(ctx, request)
		if answered(err) {
			_ = browser.Forget(ctx, model.IntentPrefix+request.IntentKey)
		}
		return func() {
			if err == nil {
				c.runs = c.runs.Merge(run)
			}
			then(run, err)
		}
	})
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
	run, err := c.api.Start(ctx, request)
	if answered(err) {
		_ = browser.Forget(ctx, key)
	}
	return run, err == nil
}
