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
	agent, err := s.findInfoAgent(name, version)
	if err != nil {
		return reply{}, err
	}
	page, err := readPage(q)
	if err != nil {
		return reply{}, err
	}
	data := map[string]any{"agentVersion": agent.Version}
	ctx := r.Context()
	switch agent.Model() {
	case "aimodel":
		err = s.look(ctx, c.base, func(v view) error { return s.modelInfo(ctx, v, c, q.Get("resourceType"), page, data) })
	case "aiproduct":
		// No pagination here (Task API, "Agent info"), so nothing may be left out.
		err = s.look(ctx, c.base, func(v view) error {
			offered, err := v.locations(ctx, c)
			if err == nil {
				data[resourceLocations], err = offered.all()
			}
			return err
		})
	case "expandimage":
		data["dimensions"] = dimensions()
	case "removeBG":
		data["backgrounds"] = backgrounds(c.base)
	}
	return reply{data: data}, err
}

// findInfoAgent takes the agents of both surfaces (Run API, "Agent info (shared with the first document)").
func (s *Service) findInfoAgent(name, version string) (catalog.Agent, error) {
	if agent, ok := s.agents.Find(name, version); ok && version != "" {
		return agent, nil
	}
	if agent, ok := catalog.Find(name, version); ok && version != "" {
		return agent, nil // hidden by the operator, while others that are like it use its presets
	}
	return s.findAgent(name, version, catalog.Task)
}

// The size of a page of presets when none is asked for, and the largest (Task API, "Limits").
const (
	pageSize    = 50
	maxPageSize = 100
)

// page is a page of presets, counted from 1.
type page struct{ number, size int }

func readPage(q url.Values) (page, error) {
	p := page{number: 1, size: pageSize}
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
	if p.size > maxPageSize {
		return p, refuse("pageSize must be at most %d; it is %d.", maxPageSize, p.size)
	}
	return p, nil
}

// offer is what an agent offers of one kind: the caller's own presets, newest first, then ours. The own ones are read page
// by page.
type offer[T any] struct {
	own  int // how many there are
	read func(limit, from int32) ([]T, error)
	ours []T
}

// page gives one page; past the end there is nothing, which is a last page too.
func (o offer[T]) page(p page) ([]T, upstream.PageMeta, error) {
	total := o.own + len(o.ours)
	pages := (total + p.size - 1) / p.size
	meta := upstream.PageMeta{Total: total, IsLastPage: p.number >= pages}
	list := []T{}
	if p.number > pages {
		return list, meta, nil
	}
	from := (p.number - 1) * p.size
	if from < o.own {
		own, err := o.read(int32(p.size), int32(from))
		if err != nil {
			return nil, meta, err
		}
		list = append(list, own...)
	}
	to := min(from+p.size, total) - o.own
	if from = max(from-o.own, 0); from < to {
		list = append(list, o.ours[from:to]...)
	}
	return list, meta, nil
}

// all gives everything as one page.
func (o offer[T]) all() ([]T, error) {
	list, _, err := o.page(page{number: 1, size: max(o.own+len(o.ours), 1)})
	return list, err
}

func (s *Service) modelInfo(ctx context.Context, v view, c caller, only string, p page, data map[string]any) error {
	if only != "" && only != resourceLocations && only != resourceFashionModels {
		return refuse("resourceType must be %s or %s; it is %q.", resourceLocations, resourceFashionModels, clip(only))
	}
	pagination := upstream.Pagination{Page: p.number, PageSize: p.size}
	if only != resourceFashionModels {
		offered, err := v.locations(ctx, c)
		if err != nil {
			return err
		}
		list, meta, err := offered.page(p)
		if err != nil {
			return err
		}
		data[resourceLocations], pagination.Locations = list, &meta
	}
	if only != resourceLocations {
		offered, err := v.fashionModels(ctx, c)
		if err != nil {
			return err
		}
		list, meta, err := offered.page(p)
		if err != nil {
			return err
		}
		data[resourceFashionModels], pagination.FashionModels = list, &meta
	}
	data["pagination"] = pagination
	return nil
}

// The values of a preset's type.
const (
	typeAI    = "AI"
	typeYours = "Yours"
)

func (v view) locations(ctx context.Context, c caller) (offer[upstream.Location], error) {
	var ours []upstream.Location
	for _, l := range presets.Locations() {
		ours = append(ours, upstream.Location{
			ID: l.ID, Name: l.Name, Image: previewURL(c.base, "location", l.ID),
			Categories: l.Categories, Tags: tags(l.Tags), Status: upstream.PresetComplete, Type: typeAI,
		})
	}
	return offered(ctx, v, c, kindLocation, ours, func(row gen.MyPreset, image string) upstream.Location {
		return upstream.Location{ID: row.ID, Name: row.Name, Image: image, Categories: []string{}, Status: row.Status, Type: typeYours}
	})
}

func (v view) fashionModels(ctx context.Context, c caller) (offer[upstream.FashionModel], error) {
	var ours []upstream.FashionModel
	for _, m := range presets.FashionModels() {
		ours = append(ours, upstream.FashionModel{
			ID: m.ID, Name: m.Name, Image: previewURL(c.base, "fashionModel", m.ID),
			Profile: &upstream.Profile{Nationality: m.Nationality, Style: m.Style, PriceDescription: m.Price},
			Tags:    tags(m.Tags), Status: upstream.PresetComplete, Type: typeAI,
		})
	}
	return offered(ctx, v, c, kindFashionModel, ours, func(row gen.MyPreset, image string) upstream.FashionModel {
		return upstream.FashionModel{ID: row.ID, Name: row.Name, Image: image, Status: row.Status, Type: typeYours}
	})
}

// offered joins the caller's presets of a kind and ours. Own ones are there from the start, with the status that says
// whether they can be used; until the cover is made the first picture stands in for it.
// ASSUMED [Custom presets in agent info]: the documents give locations and models in agent info every status, so none is left out.
func offered[T any](ctx context.Context, v view, c caller, kind string, ours []T, as func(row gen.MyPreset, image string) T) (offer[T], error) {
	n, err := v.q.CountPresets(ctx, gen.CountPresetsParams{AccountID: c.account, Kind: kind})
	if err != nil {
		return offer[T]{}, fmt.Errorf("count custom presets: %w", err)
	}
	read := func(limit, from int32) ([]T, error) {
		rows, err := v.q.ListPresets(ctx, gen.ListPresetsParams{AccountID: c.account, Kind: kind, PageSize: limit, PageFrom: from})
		if err != nil {
			return nil, fmt.Errorf("list custom presets: %w", err)
		}
		list := make([]T, len(rows))
		for i, row := range rows {
			given, err := presetImages(row)
			if err != nil {
				return nil, err
			}
			list[i] = as(row, presetPicture(c.base, row, given))
		}
		return list, nil
	}
	return offer[T]{own: int(n), read: read, ours: ours}, nil
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
