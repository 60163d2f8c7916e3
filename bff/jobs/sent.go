package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/upstream"
)

// A run that may have been accepted is sent again under its key with the very bytes that went out before, or not at all: whatever has
// changed since, under one key there is one request.

// request is what the image service is to be sent for a run.
type request struct {
	init, params map[string]any
	body         []byte   // of the call over the run surface
	reused       []string // uploads that were made earlier
}

// request makes what is to be sent: what was sent before when that may have been accepted, else what the run says, with its files
// uploaded.
func (e *Engine) request(ctx context.Context, run db.Run, agent catalog.Agent) (r request, err error) {
	digest := ""
	if run.Step == db.StepDoubted {
		if r.body, digest, err = e.sentBefore(ctx, run.ID); err != nil || r.body != nil {
			return r, err
		}
	}
	var in catalog.Input
	if in, r.reused, err = e.input(ctx, run); err != nil {
		return r, err
	}
	if err := e.AddTransparent(ctx, agent, &in); err != nil {
		return r, err
	}
	r.init, r.params = catalog.Encode(agent, surface(run.Surface), in)
	if run.Surface != atelier.RunSurface {
		return r, nil
	}
	r.body, err = upstream.RunStart{
		Agent: upstream.RunAgent{Name: run.Agent, Version: run.Version}, Input: r.init, Params: r.params, CallbackURL: e.Account(ctx).callback(run.ID),
	}.Body()
	if err == nil && digest != "" && digest != digestOf(r.body) {
		err = atelier.Refuse(atelier.Conflict, words.RunNotSentAgain)
	}
	return r, err
}

// kept is what is kept of a body that is about to be sent.
func (e *Engine) kept(id atelier.RunID, body []byte) db.Request {
	r := db.Request{Digest: digestOf(body)}
	if e.o.Seal != nil {
		r.Sealed = base64.StdEncoding.EncodeToString(e.o.Seal.Seal(nil, nil, body, []byte(id))) //nolint:gosec // it makes a nonce of its own, by chance
	}
	return r
}

// sentBefore gives the body that was last sent for a run, nil when it cannot be had any more, and its digest, "" when nothing was kept.
func (e *Engine) sentBefore(ctx context.Context, id atelier.RunID) (body []byte, digest string, err error) {
	kept, err := e.o.DB.FindRequest(ctx, id)
	if atelier.CodeOf(err) == atelier.NotFound {
		return nil, "", nil
	}
	if err != nil || kept.Sealed == "" || e.o.Seal == nil {
		return nil, kept.Digest, err
	}
	sealed, err := base64.StdEncoding.DecodeString(kept.Sealed)
	if err == nil {
		body, err = e.o.Seal.Open(nil, nil, sealed, []byte(id))
	}
	if err != nil {
		e.log.WarnContext(ctx, "what was sent for a run cannot be read any more; was the callback key changed?", "run", id, "error", err)
		return nil, kept.Digest, nil
	}
	return body, kept.Digest, nil
}

func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
