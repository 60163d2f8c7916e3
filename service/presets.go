package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image"
	"slices"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/service/gen"
	"atelier/service/presets"
	"atelier/service/render"
	"atelier/upstream"
)

// The kinds of custom presets, as stored.
const (
	kindFashionModel = "fashionModel"
	kindLocation     = "location"
)

// drawing is a preset of ours: drawn at any size.
type drawing interface {
	Draw(ctx context.Context, w, h int) (*image.NRGBA, error)
}

// findDrawing finds a preset of ours by the param that names it.
func findDrawing(param string, id int64) (drawing, bool) {
	switch param {
	case "locationId":
		return first(presets.Locations(), func(l presets.Location) bool { return l.ID == id })
	case "fashionModelId":
		return first(presets.FashionModels(), func(m presets.FashionModel) bool { return m.ID == id })
	case "backgroundId":
		return first(presets.Backgrounds(), func(b presets.Background) bool { return b.ID == id })
	}
	return nil, false
}

func first[T drawing](list []T, is func(T) bool) (drawing, bool) {
	i := slices.IndexFunc(list, is)
	if i < 0 {
		return nil, false
	}
	return list[i], true
}

// presetParams are the params that name a preset, with the kind of custom preset they may name too.
var presetParams = []struct{ param, custom, what string }{
	{"locationId", kindLocation, "location"},
	{"fashionModelId", kindFashionModel, "fashion model"},
	{"backgroundId", "", "background"},
}

// presetID reads a preset's id out of the values; 0 when none is given.
func presetID(v catalog.Values, param string) int64 {
	n, _ := v[param].(float64)
	return int64(n)
}

// checkPresets refuses ids that do not exist for the account and custom presets that are not complete
// (Task API, "States and transitions": only complete resources may be used in executions).
func (s *Service) checkPresets(ctx context.Context, account string, v catalog.Values) error {
	for _, p := range presetParams {
		if _, given := v[p.param]; !given {
			continue
		}
		id := presetID(v, p.param)
		if _, ok := findDrawing(p.param, id); ok {
			continue
		}
		row, err := s.findMyPreset(ctx, account, p.custom, id)
		if errors.Is(err, sql.ErrNoRows) {
			return refuse("%s: there is no %s %d.", p.param, p.what, id)
		}
		if err != nil {
			return err
		}
		if row.Status != upstream.PresetComplete {
			return refuse("%s: %s %d cannot be used, its status is %s.", p.param, p.what, id, row.Status)
		}
	}
	return nil
}

// addPresets draws or reads the presets an execution names, fitted to its picture.
func (s *Service) addPresets(ctx context.Context, e gen.Execution, req *render.Request) error {
	v := req.Values
	for _, p := range presetParams {
		to := map[string]**image.NRGBA{"locationId": &req.Location, "fashionModelId": &req.FashionModel, "backgroundId": &req.Background}[p.param]
		id := presetID(v, p.param)
		if id == 0 {
			id = taggedPreset(p.param, v, req.Seed)
		}
		// Task API, "aimodel v1.0": some mask types leave nothing for these to act on.
		if id == 0 || (p.param == "fashionModelId" && v["maskType"] == "autoSubjectSegment") || (p.param == "locationId" && v["maskType"] == "autoHumanSegment") {
			continue
		}
		if b := ours(presets.Backgrounds(), id, func(b presets.Background) int64 { return b.ID }); b != nil && b.Clear && p.param == "backgroundId" {
			continue
		}
		img, err := s.presetPicture(ctx, e, p.param, p.custom, id, req.Original)
		if err != nil {
			return err
		}
		*to = img
		switch p.param {
		case "locationId":
			req.Place = ours(presets.Locations(), id, func(l presets.Location) int64 { return l.ID })
		case "fashionModelId":
			req.Who = ours(presets.FashionModels(), id, func(m presets.FashionModel) int64 { return m.ID })
		}
	}
	return nil
}

// ours is the one of our presets with an id, nil when it is somebody's own.
func ours[T any](list []T, id int64, of func(T) int64) *T {
	if i := slices.IndexFunc(list, func(p T) bool { return of(p) == id }); i >= 0 {
		return &list[i]
	}
	return nil
}

func (s *Service) presetPicture(ctx context.Context, e gen.Execution, param, custom string, id int64, like *image.NRGBA) (*image.NRGBA, error) {
	if d, ok := findDrawing(param, id); ok {
		w, h := presetSize(param, like)
		img, err := d.Draw(ctx, w, h)
		if err != nil {
			return nil, fmt.Errorf("draw %s %d: %w", param, id, err)
		}
		return img, nil
	}
	row, err := s.findMyPreset(ctx, e.AccountID, custom, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, refuse("%s: %d was deleted.", param, id)
	}
	if err != nil {
		return nil, err
	}
	data, err := s.readOwn(ctx, param, row.ImageFile)
	if err != nil {
		return nil, err
	}
	img, err := decodePicture(ctx, param, data)
	if err != nil {
		return nil, err
	}
	return imaging.FitPixels(img, presetPixels), nil
}

// presetSize is the shape of the picture it is used with, at most 1600 px: enough behind a subject, quick to draw.
func presetSize(param string, like *image.NRGBA) (w, h int) {
	if param == "fashionModelId" || like == nil {
		return 1024, 1280
	}
	w, h = like.Rect.Dx(), like.Rect.Dy()
	if long := max(w, h); long > 1600 {
		w, h = max(w*1600/long, 1), max(h*1600/long, 1)
	}
	return w, h
}

// taggedPreset chooses among our presets that bear one of the tags asked for; 0 when none is asked for or none does.
// ASSUMED [Tag ids]: the tags are used where no id is given, and any one tag is enough.
func taggedPreset(param string, v catalog.Values, seed int64) int64 {
	var ids []int64
	switch param {
	case "locationId":
		wanted := tagIDs(v["locationTagIds"])
		for _, l := range presets.Locations() {
			if bears(l.Tags, wanted) {
				ids = append(ids, l.ID)
			}
		}
	case "fashionModelId":
		wanted := tagIDs(v["fashionModelTagIds"])
		for _, m := range presets.FashionModels() {
			if bears(m.Tags, wanted) {
				ids = append(ids, m.ID)
			}
		}
	}
	if len(ids) == 0 {
		return 0
	}
	return ids[seed%int64(len(ids))]
}

func tagIDs(v any) []int64 {
	list, _ := v.([]any)
	var ids []int64
	for _, x := range list {
		if n, ok := x.(float64); ok {
			ids = append(ids, int64(n))
		}
	}
	return ids
}

func bears(tags []presets.Tag, wanted []int64) bool {
	return slices.ContainsFunc(tags, func(t presets.Tag) bool { return slices.Contains(wanted, t.ID) })
}
