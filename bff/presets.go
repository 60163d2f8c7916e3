package bff

import (
	"context"
	"encoding/base64"
	"net/http"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/upstream"
)

// presetLife is for how long an answer about presets serves everybody.
const presetLife = time.Minute

// presetCache holds recent answers about presets: a form asks for the same page again and again.
type presetCache struct {
	mu    sync.Mutex
	pages map[upstream.AgentInfoQuery]presetPage
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
	now := s.c.Now()
	s.presets.mu.Lock()
	page, ok := s.presets.pages[q]
	s.presets.mu.Unlock()
	if ok && now.Sub(page.at) < presetLife {
		return page.info, nil
	}
	info, err := s.c.Upstream.AgentInfo(ctx, q)
	if err != nil {
		return info, err
	}
	if err := s.learnNames(ctx, info); err != nil {
		s.log.WarnContext(ctx, "names of presets could not be remembered; runs with them are not found by these names", "error", err)
	}
	s.presets.mu.Lock()
	defer s.presets.mu.Unlock()
	if s.presets.pages == nil || len(s.presets.pages) > 1000 {
		s.presets.pages = map[upstream.AgentInfoQuery]presetPage{}
	}
	s.presets.pages[q] = presetPage{info, now}
	return info, nil
}

// listPresets gives one page of what an agent offers: locations, fashionModels, backgrounds or dimensions.
func (s *Server) listPresets(w http.ResponseWriter, r *http.Request, _ visitor) error {
	agent, ok := s.agent(r.PathValue("name"), "")
	if !ok {
		return atelier.Errorf(atelier.NotFound, "The studio does not offer this agent.")
	}
	page, err := queryInt(r, "page", 100_000)
	if err != nil {
		return err
	}
	size, err := queryInt(r, "pageSize", 100)
	if err != nil {
		return err
	}
	q := upstream.AgentInfoQuery{AgentName: agent.Name, AgentVersion: agent.Version, Page: max(page, 1), PageSize: size}
	if size == 0 {
		q.PageSize = 50
	}
	kind := r.URL.Query().Get("kind")
	if agent.Name == "aimodel" && (kind == "locations" || kind == "fashionModels") {
		q.ResourceType = kind // Task API, "Agent info": only for this agent
	}
	info, err := s.agentInfo(r.Context(), q)
	if err != nil {
		return err
	}
	out := atelier.PresetPage{Presets: []atelier.Preset{}, Page: q.Page, PageSize: q.PageSize}
	var meta *upstream.PageMeta
	switch kind {
	case "locations":
		for _, l := range info.Locations {
			out.Presets = append(out.Presets, atelier.Preset{
				Kind: kind, ID: l.ID, Name: l.Name, Image: s.imagePath(l.Image), Categories: l.Categories, Tags: tags(l.Tags), Type: l.Type, Status: l.Status,
			})
		}
		if info.Pagination != nil {
			meta = info.Pagination.Locations
		}
	case "fashionModels":
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
	case "backgrounds":
		for _, b := range info.Backgrounds {
			out.Presets = append(out.Presets, atelier.Preset{Kind: kind, ID: b.ID, Name: b.Name, Image: s.imagePath(b.Image)})
		}
	case "dimensions":
		for _, d := range info.Dimensions {
			out.Presets = append(out.Presets, atelier.Preset{Kind: kind, Name: d.Name, Width: d.Width, Height: d.Height})
		}
	default:
		return atelier.FieldError("kind", "kind must be locations, fashionModels, backgrounds or dimensions.")
	}
	out.Total, out.LastPage = len(out.Presets), true
	if meta != nil {
		out.Total, out.LastPage = meta.Total, meta.IsLastPage
	} else if q.Page > 1 {
		out.Presets = []atelier.Preset{} // what has no pages has only the first one
	}
	return writeJSON(w, http.StatusOK, out)
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
