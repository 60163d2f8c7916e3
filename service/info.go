package service

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"atelier/catalog"
	"atelier/service/gen"
	"atelier/service/presets"
	"atelier/upstream"
)

// The values of resourceType (Task API, "Agent info").
const (
	resourceLocations     = "locations"
	resourceFashionModels = "fashionModels"
)

// agentInfo is Task API, "Agent info". The caller's own presets come first.
func (s *Service) agentInfo(r *http.Request, c caller) (reply, error) {
	q := r.URL.Query()
	name, version := q.Get("agentName"), q.Get("agentVersion")
	agent, err := findInfoAgent(name, version)
	if err != nil {
		return reply{}, err
	}
	page, err := readPage(q)
	if err != nil {
		return reply{}, err
	}
	data := map[string]any{"agentVersion": agent.Version}
	ctx := r.Context()
	switch agent.Name {
	case "aimodel":
		return reply{data: data}, s.modelInfo(ctx, c, q.Get("resourceType"), page, data)
	case "aiproduct":
		// No pagination here (Task API, "Agent info"), so nothing may be left out.
		data["locations"], err = s.locations(ctx, c)
	case "expandimage":
		data["dimensions"] = dimensions()
	case "removeBG":
		data["backgrounds"] = backgrounds(c.base)
	}
	return reply{data: data}, err
}

// findInfoAgent takes the agents of both surfaces (Run API, "Agent info (shared with the first document)").
func findInfoAgent(name, version string) (catalog.Agent, error) {
	if agent, ok := catalog.Find(name, version); ok && version != "" {
		return agent, nil
	}
	return findAgent(name, version, catalog.Task)
}

// page is a page of presets, counted from 1.
type page struct{ number, size int }

func readPage(q url.Values) (page, error) {
	p := page{number: 1, size: 50}
	for name, to := range map[string]*int{"page": &p.number, "pageSize": &p.size} {
		v := q.Get(name)
		if v == "" {
			continue
		}
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return p, refuse("%s must be a whole number of at least 1; it is %q.", name, clip(v))
		}
		*to = n
	}
	if p.size > 100 {
		return p, refuse("pageSize must be at most 100; it is %d.", p.size)
	}
	return p, nil
}

// paged cuts a page out of a list; past its end there is nothing, which is a last page too.
func paged[T any](list []T, p page) ([]T, upstream.PageMeta) {
	pages := (len(list) + p.size - 1) / p.size
	meta := upstream.PageMeta{Total: len(list), IsLastPage: p.number >= pages}
	if p.number > pages {
		return []T{}, meta
	}
	from := (p.number - 1) * p.size
	return list[from:min(from+p.size, len(list))], meta
}

func (s *Service) modelInfo(ctx context.Context, c caller, only string, p page, data map[string]any) error {
	if only != "" && only != resourceLocations && only != resourceFashionModels {
		return refuse("resourceType must be %s or %s; it is %q.", resourceLocations, resourceFashionModels, clip(only))
	}
	pagination := upstream.Pagination{Page: p.number, PageSize: p.size}
	if only != resourceFashionModels {
		list, err := s.locations(ctx, c)
		if err != nil {
			return err
		}
		shown, meta := paged(list, p)
		data[resourceLocations], pagination.Locations = shown, &meta
	}
	if only != resourceLocations {
		list, err := s.fashionModels(ctx, c)
		if err != nil {
			return err
		}
		shown, meta := paged(list, p)
		data[resourceFashionModels], pagination.FashionModels = shown, &meta
	}
	data["pagination"] = pagination
	return nil
}

// The values of a preset's type.
const (
	typeAI    = "AI"
	typeYours = "Yours"
)

func (s *Service) locations(ctx context.Context, c caller) ([]upstream.Location, error) {
	own, err := s.completePresets(ctx, c.account, kindLocation)
	if err != nil {
		return nil, err
	}
	list := []upstream.Location{}
	for _, row := range own {
		list = append(list, upstream.Location{
			ID: row.ID, Name: row.Name, Image: fileURL(c.base, row.CoverFile),
			Categories: []string{}, Status: row.Status, Type: typeYours,
		})
	}
	for _, l := range presets.Locations() {
		list = append(list, upstream.Location{
			ID: l.ID, Name: l.Name, Image: previewURL(c.base, "location", l.ID),
			Categories: l.Categories, Tags: tags(l.Tags), Status: upstream.PresetComplete, Type: typeAI,
		})
	}
	return list, nil
}

func (s *Service) fashionModels(ctx context.Context, c caller) ([]upstream.FashionModel, error) {
	own, err := s.completePresets(ctx, c.account, kindFashionModel)
	if err != nil {
		return nil, err
	}
	list := []upstream.FashionModel{}
	for _, row := range own {
		list = append(list, upstream.FashionModel{
			ID: row.ID, Name: row.Name, Image: fileURL(c.base, row.CoverFile),
			Status: row.Status, Type: typeYours,
		})
	}
	for _, m := range presets.FashionModels() {
		list = append(list, upstream.FashionModel{
			ID: m.ID, Name: m.Name, Image: previewURL(c.base, "fashionModel", m.ID),
			Profile: &upstream.Profile{Nationality: m.Nationality, Style: m.Style, PriceDescription: m.Price},
			Tags:    tags(m.Tags), Status: upstream.PresetComplete, Type: typeAI,
		})
	}
	return list, nil
}

func (s *Service) completePresets(ctx context.Context, account, kind string) ([]gen.MyPreset, error) {
	rows, err := s.read().ListCompletePresets(ctx, gen.ListCompletePresetsParams{AccountID: account, Kind: kind})
	if err != nil {
		return nil, fmt.Errorf("list custom presets: %w", err)
	}
	return rows, nil
}

func tags(list []presets.Tag) []upstream.Tag {
	out := make([]upstream.Tag, len(list))
	for i, t := range list {
		out[i] = upstream.Tag{ID: t.ID, Name: t.Name}
	}
	return out
}

func backgrounds(base string) []upstream.Background {
	list := []upstream.Background{}
	for _, b := range presets.Backgrounds() {
		list = append(list, upstream.Background{ID: b.ID, Name: b.Name, Image: previewURL(base, "background", b.ID)})
	}
	return list
}

func dimensions() []upstream.Dimension {
	list := []upstream.Dimension{}
	for _, d := range presets.Dimensions() {
		list = append(list, upstream.Dimension{Name: d.Name, Width: d.Width, Height: d.Height})
	}
	return list
}
