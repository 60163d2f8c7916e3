package bff

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/db"
	"atelier/imaging/probe"
	"atelier/upstream"
)

// presetKind is a kind of preset that users can make (Task API, "Create my fashion model", "Create my location").
type presetKind struct {
	path string
	name string // as in atelier.Preset.Kind
	word string
	max  int // pictures
	rule probe.Rule
}

var (
	fashionModels = presetKind{"fashion-models", jobs.KindFashionModels, "fashion model", 4, probe.FashionModel}
	locations     = presetKind{"locations", jobs.KindLocations, "location", 1, probe.Location}
)

// presetAgent is the agent that own presets belong to.
const presetAgent, presetVersion = "aimodel", "v1.0"

func (s *Server) listOwnPresets(kind presetKind) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		rows, err := s.c.DB.ListPresets(r.Context(), s.c.UpstreamID, kind.name, who.User.ID)
		if err != nil {
			return err
		}
		out := atelier.PresetList{Presets: make([]atelier.Preset, 0, len(rows))}
		for _, p := range rows {
			out.Presets = append(out.Presets, s.ownPreset(p))
		}
		return writeJSON(w, http.StatusOK, out)
	}
}

func (s *Server) ownPreset(p db.Preset) atelier.Preset {
	return atelier.Preset{Kind: p.Kind, ID: p.ID, Name: p.Name, Image: s.imagePath(p.Cover), Type: "Yours", Status: p.Status}
}

// createOwnPreset makes a preset of pictures of the user's; it can be used once the service says that it is complete.
func (s *Server) createOwnPreset(kind presetKind) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		var body atelier.CreatePreset
		if err := readJSON(w, r, maxJSON, &body); err != nil {
			return err
		}
		name := strings.TrimSpace(body.Name)
		if name == "" || utf8.RuneCountInString(name) > 100 {
			return atelier.FieldError("name", "A "+kind.word+" needs a name of at most 100 characters.")
		}
		if len(body.Assets) == 0 || len(body.Assets) > kind.max {
			return atelier.FieldError("assets", fmt.Sprintf("A %s takes 1 to %d pictures.", kind.word, kind.max))
		}
		urls := make([]string, 0, len(body.Assets))
		for _, id := range body.Assets {
			a, err := s.c.DB.FindAsset(r.Context(), who.User.ID, id)
			if err != nil {
				return err
			}
			facts := probe.Facts{Format: probe.Format(a.Sent.Format), Width: a.Width, Height: a.Height, Bytes: a.Sent.Bytes}
			if found := kind.rule.Check(facts); len(found) > 0 {
				return atelier.FieldError("assets", found[0].Sentence())
			}
			url, err := s.jobs.Upload(r.Context(), atelier.TaskSurface, a.Sent)
			if err != nil {
				return err
			}
			urls = append(urls, url)
		}
		// Closing the tab must not lose the id of what the service makes now.
		ctx := context.WithoutCancel(r.Context())
		id, err := s.makePreset(ctx, kind, name, urls)
		if err != nil {
			return err
		}
		p := db.Preset{Upstream: s.c.UpstreamID, Kind: kind.name, ID: id, UserID: who.User.ID, Name: name, Cover: urls[0], Status: upstream.PresetPrepare}
		if err := s.c.DB.CreatePreset(ctx, p, s.jobs.WatchPreset(who.User.ID, kind.name, id)); err != nil {
			return err
		}
		s.presets.forget()
		return writeJSON(w, http.StatusCreated, s.ownPreset(p))
	}
}

func (s *Server) makePreset(ctx context.Context, kind presetKind, name string, urls []string) (int64, error) {
	if kind.name == jobs.KindLocations {
		l, err := s.c.Upstream.CreateLocation(ctx, upstream.MyLocationCreate{Image: urls[0], Name: name, AgentName: presetAgent, AgentVersion: presetVersion})
		return l.LocationID, err
	}
	m, err := s.c.Upstream.CreateFashionModel(ctx, upstream.MyFashionModelCreate{Images: urls, Name: name, AgentName: presetAgent, AgentVersion: presetVersion})
	return m.FashionModelID, err
}

func (s *Server) deleteOwnPreset(kind presetKind) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return atelier.Errorf(atelier.NotFound, "This %s no longer exists.", kind.word)
		}
		if _, err := s.c.DB.FindPreset(r.Context(), s.c.UpstreamID, kind.name, id, who.User.ID); err != nil {
			return err
		}
		ctx := context.WithoutCancel(r.Context())
		remove := s.c.Upstream.DeleteFashionModel
		if kind.name == jobs.KindLocations {
			remove = s.c.Upstream.DeleteLocation
		}
		// One that is gone there already is only forgotten here.
		if up, ok := errors.AsType[*upstream.Error](remove(ctx, id)); ok && up.Kind != upstream.Refused {
			return up
		}
		if err := s.c.DB.DeletePreset(ctx, s.c.UpstreamID, kind.name, id, who.User.ID); err != nil {
			return err
		}
		s.presets.forget()
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}
