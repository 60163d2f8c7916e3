package jobs

import (
	"context"
	"strings"
	"sync"
	"time"

	"atelier/catalog"
	"atelier/db"
	"atelier/upstream"
)

// What accounts of the image service want that its documents do not say is found here, by what they answer.

// masksByURL says whether the mask of a run goes out by its address: so it is configured, or this run's mask or another one of the account was
// refused in base64.
func (e *Engine) masksByURL(ctx context.Context, run db.Run) (bool, error) {
	if e.o.MaskByURL || run.MaskByURL {
		return true, nil
	}
	return e.o.DB.WantsMaskURL(ctx, e.Account(ctx).ID)
}

// refusesMask says whether the image service has refused a request because of the mask that it held in base64.
// ASSUMED [Masks in base64]: such a refusal names the parameter.
func refusesMask(err error, params map[string]any) bool {
	if _, sent := params["customMask"]; !sent {
		return false
	}
	text := strings.ReplaceAll(strings.ToLower(messageOf(err)), "_", "")
	const param = "custommask"
	for {
		_, after, found := strings.Cut(text, param)
		if !found {
			return false
		}
		if !strings.HasPrefix(after, "url") {
			return true
		}
		text = after
	}
}

// transparentName is what the background preset is called that leaves nothing behind a cut-out.
const transparentName = "Transparent"

// clearLife is for how long an answer of agent info serves the runs that come after.
const clearLife = time.Minute

// clears are the background presets for nothing, by account and agent; 0 = none is listed.
type clears struct {
	mu sync.Mutex
	by map[string]clearPreset
}

type clearPreset struct {
	id int64
	at time.Time
}

// AddTransparent chooses the background preset for nothing in a request that chooses no background, where agent info lists one: accounts refuse
// such a request. ASSUMED [removeBG with neither].
func (e *Engine) AddTransparent(ctx context.Context, agent catalog.Agent, in *catalog.Input) error {
	param, ok := catalog.WithoutBackground(agent, *in)
	if !ok {
		return nil
	}
	id, err := e.transparent(ctx, agent)
	if err != nil {
		return err
	}
	if id != 0 {
		in.Values[param] = float64(id)
	}
	return nil
}

// transparent gives the id of that preset, 0 when none is listed or the service does not tell. What keeps the service from answering at all
// would keep the run from being sent too: then it is the error.
func (e *Engine) transparent(ctx context.Context, agent catalog.Agent) (int64, error) {
	account, now := e.Account(ctx), e.o.Now()
	key := account.ID + " " + agent.Model() + " " + agent.Version
	e.clears.mu.Lock()
	known, ok := e.clears.by[key]
	e.clears.mu.Unlock()
	if ok && now.Sub(known.at).Abs() < clearLife {
		return known.id, nil
	}
	info, err := account.Client.AgentInfo(ctx, upstream.AgentInfoQuery{AgentName: agent.Model(), AgentVersion: agent.Version})
	switch kind := upstream.KindOf(err); {
	case err == nil:
	case ok, kind != upstream.NotSent && kind != upstream.Busy:
		e.log.WarnContext(ctx, "look for the transparent background", "agent", agent.Name, "error", err)
		return known.id, nil
	default:
		return 0, err
	}
	known = clearPreset{at: now}
	for _, b := range info.Backgrounds {
		if strings.EqualFold(strings.TrimSpace(b.Name), transparentName) {
			known.id = b.ID
			break
		}
	}
	e.clears.mu.Lock()
	defer e.clears.mu.Unlock()
	if e.clears.by == nil {
		e.clears.by = map[string]clearPreset{}
	}
	e.clears.by[key] = known
	return known.id, nil
}
