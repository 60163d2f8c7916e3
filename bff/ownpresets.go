package bff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
	"atelier/upstream"
)

// presetKind is a kind of preset that users can make (Task API, "Create my fashion model", "Create my location").
type presetKind struct {
	path string
	name string // as in atelier.Preset.Kind
	said words.PresetSaid
	max  int // pictures
	rule probe.Rule
}

var (
	fashionModels = presetKind{"fashion-models", jobs.KindFashionModels, words.PresetModels, 4, probe.FashionModel}
	locations     = presetKind{"locations", jobs.KindLocations, words.PresetLocations, 1, probe.Location}
)

// maxOwnPresets is how many of each kind an account of the image service takes (Task API, "Create my fashion model", "Create my
// location").
const maxOwnPresets = 1000

func (s *Server) listOwnPresets(kind presetKind) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		rows, err := s.c.DB.ListPresets(r.Context(), s.jobs.Account(r.Context()).ID, kind.name, who.User.ID)
		if err != nil {
			return err
		}
		n, err := s.c.DB.CountPresets(r.Context(), s.jobs.Account(r.Context()).ID, kind.name)
		if err != nil {
			return err
		}
		out := atelier.PresetList{Presets: make([]atelier.Preset, 0, len(rows)), Count: n, Limit: maxOwnPresets}
		for _, p := range rows {
			out.Presets = append(out.Presets, s.ownPreset(p))
		}
		return writeJSON(w, http.StatusOK, out)
	}
}

func (s *Server) ownPreset(p db.Preset) atelier.Preset {
	return atelier.Preset{Kind: p.Kind, ID: p.ID, Name: p.Name, Image: s.imagePath(p.Cover), Type: typeYours, Status: p.Status}
}

// createOwnPreset makes a preset of pictures of the user's; it can be used once the service says that it is complete.
func (s *Server) createOwnPreset(kind presetKind) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		var body atelier.CreatePreset
		if err := readJSON(w, r, maxJSON, &body); err != nil {
			return err
		}
		name := plainLine(body.Name)
		if name == "" || utf8.RuneCountInString(name) > 100 {
			return atelier.FieldError("name", kind.said.Name)
		}
		if len(body.Assets) == 0 || len(body.Assets) > kind.max {
			return atelier.FieldError("assets", kind.said.Take(kind.max))
		}
		n, err := s.c.DB.CountPresets(r.Context(), s.jobs.Account(r.Context()).ID, kind.name)
		if err != nil {
			return err
		}
		if n >= maxOwnPresets {
			return atelier.Refuse(atelier.Conflict, kind.said.Full(n))
		}
		assets, err := s.presetAssets(r.Context(), who.User.ID, kind, body.Assets)
		if err != nil {
			return err
		}
		files := make([]db.Blob, len(assets))
		for i, a := range assets {
			files[i] = a.Sent
		}
		p := db.Preset{Kind: kind.name, UserID: who.User.ID, Name: name}
		p, err = s.jobs.MakePreset(r.Context(), p, files, func(ctx context.Context, urls []string) (int64, error) { return s.makePreset(ctx, kind, name, urls) })
		if err != nil {
			return err
		}
		s.presets.forget()
		return writeJSON(w, http.StatusCreated, s.ownPreset(p))
	}
}

// presetAssets finds the pictures a preset is to be made of and refuses all of them when one breaks the rule of its kind.
func (s *Server) presetAssets(ctx context.Context, user atelier.UserID, kind presetKind, ids []atelier.AssetID) (assets []db.Asset, err error) {
	var wrong []string
	for _, id := range ids {
		a, err := s.c.DB.FindAsset(ctx, user, id)
		if err != nil {
			return nil, err
		}
		if a.Kind != "image" {
			return nil, atelier.FieldError("assets", kind.said.File(a.Name))
		}
		if a.Turned && a.Sent.Bytes > kind.rule.MaxBytes {
			// It was packed anew to be turned, for an upload, which may be larger.
			sent, err := s.c.Store.Upright(ctx, a.Pixels, kind.rule)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, atelier.Wrap(atelier.NotFound, err, words.FileMissing)
			}
			if err != nil {
				return nil, err
			}
			a.Sent = db.Blob{SHA256: sent.SHA256, Format: string(sent.Format), Bytes: sent.Bytes}
		}
		facts := probe.Facts{Format: probe.Format(a.Sent.Format), Width: a.Width, Height: a.Height, Bytes: a.Sent.Bytes}
		for _, problem := range kind.rule.Check(facts) {
			wrong = append(wrong, words.PresetFile(a.Name, problem.Sentence()))
		}
		assets = append(assets, a)
	}
	if len(wrong) > 0 {
		return nil, atelier.FieldError("assets", strings.Join(wrong, " "))
	}
	return assets, nil
}

func (s *Server) makePreset(ctx context.Context, kind presetKind, name string, urls []string) (int64, error) {
	if kind.name == jobs.KindLocations {
		l, err := s.jobs.Account(ctx).Client.CreateLocation(ctx, upstream.MyLocationCreate{Image: urls[0], Name: name, AgentName: jobs.PresetAgent, AgentVersion: jobs.PresetVersion})
		return l.LocationID, err
	}
	m, err := s.jobs.Account(ctx).Client.CreateFashionModel(ctx, upstream.MyFashionModelCreate{Images: urls, Name: name, AgentName: jobs.PresetAgent, AgentVersion: jobs.PresetVersion})
	return m.FashionModelID, err
}

func (s *Server) deleteOwnPreset(kind presetKind) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return atelier.Refuse(atelier.NotFound, kind.said.Gone)
		}
		p, err := s.c.DB.FindPreset(r.Context(), s.jobs.Account(r.Context()).ID, kind.name, id, who.User.ID)
		if err != nil {
			return err
		}
		ctx := context.WithoutCancel(r.Context())
		remove := s.jobs.Account(ctx).Client.DeleteFashionModel
		if kind.name == jobs.KindLocations {
			remove = s.jobs.Account(ctx).Client.DeleteLocation
		}
		// One that is gone there already is only forgotten here.
		if up, ok := errors.AsType[*upstream.Error](remove(ctx, id)); ok && up.Kind != upstream.Refused {
			return up
		}
		if err := s.c.DB.DeletePreset(ctx, s.jobs.Account(ctx).ID, kind.name, id, who.User.ID); err != nil {
			return err
		}
		s.presets.forget()
		p.Status = "deleted"
		s.hub.Publish(who.User.ID, atelier.EventPreset, fmt.Sprintf("%s %d", p.Kind, p.ID), s.ownPreset(p))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}
