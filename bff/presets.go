package bff

import (
	"cmp"
	"context"
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/upstream"
)

// presetLife is for how long an answer about presets serves everybody.
const presetLife = time.Minute

// presetCache holds recent answers about presets: a form asks for the same page again and again.
type presetCache struct {
	mu    sync.Mutex
	pages map[presetQuery]presetPage
}

// presetQuery is a question to an account.
type presetQuery struct {
	account string
	upstream.AgentInfoQuery
}

type presetPage struct {
	info upstream.AgentInfo
	at   time.Time
}

// forget drops everything, because the user has made or deleted a preset.
func (c *presetCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages = nil
}

func (s *Server) agentInfo(ctx context.Context, q upstream.AgentInfoQuery) (upstream.AgentInfo, error) {
	now, asked := s.c.Now(), presetQuery{s.jobs.Account(ctx).ID, q}
	s.presets.mu.Lock()
	page, ok := s.presets.pages[asked]
	s.presets.mu.Unlock()
	if ok && now.Sub(page.at) < presetLife {
		return page.info, nil
	}
	info, err := s.jobs.Account(ctx).Client.AgentInfo(ctx, q)
	if err != nil {
		return info, err
	}
	if err := s.learnNames(ctx, info); err != nil {
		s.log.WarnContext(ctx, "names of presets could not be remembered; runs with them are not found by these names", "error", err)
	}
	s.presets.mu.Lock()
	defer s.presets.mu.Unlock()
	if s.presets.pages == nil || len(s.presets.pages) > 1000 {
		s.presets.pages = map[presetQuery]presetPage{}
	}
	s.presets.pages[asked] = presetPage{info, now}
	return info, nil
}

// listPresets gives one page of what an agent offers: locations, fashionModels, backgrounds or dimensions. What another user has made
// is left out, and those behind it move up.
func (s *Server) listPresets(w http.ResponseWriter, r *http.Request, who visitor) error {
	agent, ok := s.agent(r.PathValue("name"), "")
	if !ok {
		return atelier.Refuse(atelier.NotFound, words.RunAgent)
	}
	page, err := queryInt(r, "page", 100_000)
	if err != nil {
		return err
	}
	size, err := queryInt(r, "pageSize", maxPresetPage)
	if err != nil {
		return err
	}
	kind := r.URL.Query().Get("kind")
	if err := oneOf("kind", kind, presetKinds...); err != nil {
		return err
	}
	q := upstream.AgentInfoQuery{AgentName: agent.Model(), AgentVersion: agent.Version, Page: max(page, 1), PageSize: cmp.Or(size, 50)}
	if agent.Model() == jobs.PresetAgent && (kind == jobs.KindLocations || kind == jobs.KindFashionModels) {
		q.ResourceType = kind // Task API, "Agent info": only for this agent
	}
	view, err := s.presetView(r.Context(), who.User.ID, kind)
	if err != nil {
		return err
	}
	read := s.presetPage
	if view.leavesOut() {
		read = func(ctx context.Context, q upstream.AgentInfoQuery, kind string) (atelier.PresetPage, error) {
			return s.visiblePresets(ctx, q, kind, view)
		}
	}
	out, err := read(r.Context(), q, kind)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

const (
	kindBackgrounds = "backgrounds"
	kindDimensions  = "dimensions"
	// typeYours is how the image service calls what its account has made (Task API, "Agent info").
	typeYours = "Yours"
	// maxPresetPage is the largest page of presets (Task API, "Limits").
	maxPresetPage = 100
)

var presetKinds = []string{jobs.KindLocations, jobs.KindFashionModels, kindBackgrounds, kindDimensions}

// presetPage gives one page as the image service has it.
func (s *Server) presetPage(ctx context.Context, q upstream.AgentInfoQuery, kind string) (atelier.PresetPage, error) {
	info, err := s.agentInfo(ctx, q)
	if err != nil {
		return atelier.PresetPage{}, err
	}
	out := atelier.PresetPage{Presets: []atelier.Preset{}, Page: q.Page, PageSize: q.PageSize}
	var meta *upstream.PageMeta
	switch kind {
	case jobs.KindLocations:
		for _, l := range info.Locations {
			out.Presets = append(out.Presets, atelier.Preset{
				Kind: kind, ID: l.ID, Name: l.Name, Image: s.imagePath(l.Image), Categories: l.Categories, Tags: tags(l.Tags), Type: l.Type, Status: l.Status,
			})
		}
		if info.Pagination != nil {
			meta = info.Pagination.Locations
		}
	case jobs.KindFashionModels:
		for _, m := range info.FashionModels {
			p := atelier.Preset{Kind: kind, ID: m.ID, Name: m.Name, Image: s.imagePath(m.Image), Tags: tags(m.Tags), Type: m.Type, Status: m.Status}
			if m.Profile != nil {
				p.Price, p.Style = m.Profile.PriceDescription, m.Profile.Style
			}
			out.Presets = append(out.Presets, p)
		}
		if info.Pagination != nil {
			meta = info.Pagination.FashionModels
		}
	case kindBackgrounds:
		for _, b := range info.Backgrounds {
			out.Presets = append(out.Presets, atelier.Preset{Kind: kind, ID: b.ID, Name: b.Name, Image: s.imagePath(b.Image)})
		}
	case kindDimensions:
		for _, d := range info.Dimensions {
			out.Presets = append(out.Presets, atelier.Preset{Kind: kind, Name: d.Name, Width: d.Width, Height: d.Height})
		}
	}
	out.Total, out.LastPage = len(out.Presets), true
	if meta != nil {
		out.Total, out.LastPage = meta.Total, meta.IsLastPage
	} else if q.Page > 1 {
		out.Presets = []atelier.Preset{} // what has no pages has only the first one
	}
	return out, nil
}

// presetView says which presets of a kind a user sees. The image service knows one account and not who of its users made what.
type presetView struct {
	user   atelier.UserID
	owners map[int64]atelier.UserID // of those made here
	// strict leaves out what the account has made and nobody here: the account of the embedded service is the studio's alone, so that
	// one is a user's whose row was lost.
	strict bool
}

func (s *Server) presetView(ctx context.Context, user atelier.UserID, kind string) (presetView, error) {
	v := presetView{user: user}
	if kind != jobs.KindLocations && kind != jobs.KindFashionModels {
		return v, nil // nobody makes these
	}
	v.strict = s.c.Team && s.jobs.Account(ctx).Kind == embedded
	var err error
	v.owners, err = s.c.DB.PresetOwners(ctx, s.jobs.Account(ctx).ID, kind)
	return v, err
}

// leavesOut says whether there may be presets that the user does not see.
func (v presetView) leavesOut() bool {
	for _, owner := range v.owners {
		if owner != v.user {
			return true
		}
	}
	return v.strict
}

func (v presetView) hides(p atelier.Preset) bool {
	if owner, ok := v.owners[p.ID]; ok {
		return owner != v.user
	}
	return v.strict && p.Type == typeYours
}

// visiblePresets gives one page of what the user sees: the pages of the image service are gone through from the first one, since what
// is left out on them moves those behind it. Total still counts what is left out further on.
func (s *Server) visiblePresets(ctx context.Context, q upstream.AgentInfoQuery, kind string, view presetView) (atelier.PresetPage, error) {
	out := atelier.PresetPage{Presets: []atelier.Preset{}, Page: q.Page, PageSize: q.PageSize, LastPage: true}
	skip, hidden := (q.Page-1)*q.PageSize, 0
	q.PageSize = maxPresetPage
	// No more pages than hold what is skipped, shown and left out, however many the service says there are.
	most := (skip+out.PageSize+len(view.owners)+2*maxOwnPresets)/maxPresetPage + 1
	for q.Page = 1; q.Page <= most; q.Page++ {
		page, err := s.presetPage(ctx, q, kind)
		if err != nil {
			return out, err
		}
		for _, p := range page.Presets {
			switch {
			case view.hides(p):
				hidden++
			case skip > 0:
				skip--
			case len(out.Presets) < out.PageSize:
				out.Presets = append(out.Presets, p)
			default:
				out.LastPage = false
			}
		}
		out.Total = page.Total - hidden
		if page.LastPage || len(page.Presets) == 0 || !out.LastPage {
			break
		}
	}
	return out, nil
}

// usesPresets refuses values that name a preset which the user does not see.
func (s *Server) usesPresets(ctx context.Context, user atelier.UserID, agent catalog.Agent, values catalog.Values) error {
	for _, p := range agent.Params {
		id, given := values[p.Name].(float64)
		if p.Kind != catalog.Preset || !given {
			continue
		}
		view, err := s.presetView(ctx, user, p.PresetKind)
		if err != nil {
			return err
		}
		if owner, ok := view.owners[int64(id)]; ok && owner != user {
			return &atelier.Error{Code: atelier.NotFound, Message: words.PresetNotOffered, Fields: map[string]string{p.Name: words.PresetNotOffered}}
		}
	}
	return nil
}

func tags(in []upstream.Tag) []atelier.Tag {
	out := make([]atelier.Tag, len(in))
	for i, t := range in {
		out[i] = atelier.Tag{ID: t.ID, Name: t.Name}
	}
	return out
}

const images = "img1"

// imagePath is the address of our copy of a picture of the image service: browsers load from us alone. Only addresses the
// service gave get one.
func (s *Server) imagePath(url string) string {
	if url == "" || len(url) > 2048 {
		return ""
	}
	subject := base64.RawURLEncoding.EncodeToString([]byte(url))
	return "/api/images/" + subject + "." + s.proof(images, subject)
}
