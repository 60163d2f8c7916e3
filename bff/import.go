package bff

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/imaging/probe"
	"atelier/internal/sqldb"
	"atelier/upstream"
)

// importTask makes runs of a task's executions that the studio does not know: of work made elsewhere, and of work whose
// record was lost. A run that waits for one of them takes it. Their results are brought here like those of any run.
func (s *Server) importTask(w http.ResponseWriter, r *http.Request, who visitor) error {
	id := r.PathValue("id")
	task, err := s.queryTask(r.Context(), who, id)
	if err != nil {
		return err
	}
	name, _ := task.InitParams["taskName"].(string)
	page := atelier.RunPage{Runs: []atelier.Run{}}
	own, err := s.c.DB.FindRunByTag(r.Context(), name)
	switch {
	case err == nil && !own.State.Final() && own.ExecutionID == "":
		return atelier.Refuse(atelier.Conflict, words.TaskLookedFor)
	case err == nil && own.UserID == who.User.ID:
		claimed, err := s.jobs.Claim(r.Context(), own, id, task)
		if err != nil {
			return err
		}
		if claimed {
			if own, err = s.c.DB.LoadRun(r.Context(), own.ID); err != nil {
				return err
			}
			page.Runs = append(page.Runs, own.Run)
		}
	case err != nil && atelier.CodeOf(err) != atelier.NotFound:
		return err
	}
	for _, x := range task.Executions {
		known, err := s.runOf(r.Context(), x.ExecutionID)
		if err != nil {
			return err
		}
		if known != "" || x.ExecutionID == "" {
			continue
		}
		run, err := s.imported(r.Context(), who.User.ID, id, name, task, x)
		if err != nil {
			return err
		}
		stored, _, err := s.c.DB.CreateRun(r.Context(), run, s.jobs.Watch(run.ID))
		if sqldb.IsUnique(err) {
			// Somebody else has brought it in meanwhile.
			if known, ferr := s.runOf(r.Context(), x.ExecutionID); known != "" || ferr != nil {
				if ferr != nil {
					return ferr
				}
				continue
			}
		}
		if err != nil {
			return err
		}
		s.publishRun(stored.Run, who.User.ID)
		page.Runs = append(page.Runs, stored.Run)
	}
	return writeJSON(w, http.StatusCreated, page)
}

// imported is the run of an execution that was made elsewhere, in its place in time, with the picture it was made of.
func (s *Server) imported(ctx context.Context, user atelier.UserID, id, name string, task upstream.Task, x upstream.Execution) (db.Run, error) {
	made := s.madeAt(task, x)
	run, err := db.NewRunIDAt(made)
	if err != nil {
		return db.Run{}, err
	}
	out := db.Run{
		Run: atelier.Run{
			ID: run, IntentKey: "import:" + x.ExecutionID, Agent: task.AgentName, Version: task.AgentVersion, Status: atelier.Pending,
			State: atelier.StateAccepted, Values: map[string]any{}, Files: map[string][]string{}, TaskID: id, ExecutionID: x.ExecutionID,
			Surface: atelier.TaskSurface, CreatedAt: made,
		},
		UserID: user, Tag: name + "+" + x.ExecutionID, Upstream: s.jobs.Account(ctx).ID,
	}
	out.Title, _, _ = strings.Cut(name, "~")
	agent, ok := s.agent(task.AgentName, task.AgentVersion)
	if !ok {
		agent = catalog.Agent{Name: task.AgentName, Version: task.AgentVersion, Title: task.AgentName}
	}
	if out.Title == "" {
		out.Title = agent.Title
	}
	// What the service names differs from the studio's names where an operator's catalog says so.
	asked, _ := catalog.Decode(agent, catalog.Task, task.InitParams, x.Params)
	for _, p := range agent.Params {
		if v := asked.Values[p.Name]; v != nil && x.Params[p.Name] != nil && p.Kind != catalog.MaskPNG && p.Kind != catalog.MaskURL {
			out.Values[p.Name] = p.Plain(v) // runs are listed with tasks, and have params that tasks do not
		}
	}
	// Elsewhere more may have been asked for than anybody may here. The results are worth having all the same.
	if err := checkWeight(out.Values); err != nil {
		s.log.WarnContext(ctx, "the values of a task are too large to be kept", "task", id, "error", err)
		out.Values = map[string]any{}
	}
	if address, text := task.InitParams["originalImage"].(string); !ok && text {
		asked.Files["originalImage"] = []string{address}
	}
	names := s.bringPictures(ctx, user, agent, asked.Files, &out)
	if png, _ := asked.Values["customMask"].(string); out.Asset != nil && png != "" {
		if m, err := s.c.Store.TakeMask(ctx, png, "mask", out.Asset.Width, out.Asset.Height); err == nil {
			out.MaskSHA256 = m.SHA256
		} else {
			s.log.WarnContext(ctx, "the mask of a task cannot be used", "task", id, "error", err)
		}
	}
	out.Search, err = s.searchText(ctx, out, names)
	return out, err
}

// madeAt is when an execution was made, as far as it is known; never in the future.
func (s *Server) madeAt(task upstream.Task, x upstream.Execution) time.Time {
	now, at := s.c.Now(), x.ExecutedAt()
	if at.IsZero() && task.CreatedAt != nil {
		at = *task.CreatedAt
	}
	if at.IsZero() || at.After(now) {
		return now
	}
	return at
}

// sourceTime bounds how long the pictures a task was made of may take to come.
const sourceTime = 20 * time.Second

// bringPictures brings the pictures a run was made of here and names them in it; it gives what they are called. What cannot be
// fetched any more, or is no picture, is no reason to go without the results: its address stays.
func (s *Server) bringPictures(ctx context.Context, user atelier.UserID, agent catalog.Agent, files map[string][]string, out *db.Run) (names []string) {
	ctx, cancel := context.WithTimeout(ctx, sourceTime)
	defer cancel()
	source, works := agent.Source()
	for _, field := range slices.Sorted(maps.Keys(files)) {
		out.Files[field] = slices.Clone(files[field])
		if f, known := agent.File(field); known && f.Media != catalog.Image {
			continue
		}
		for i, address := range files[field] {
			brought, err := s.bringSource(ctx, user, address)
			if err != nil {
				s.log.WarnContext(ctx, "a picture that a task was made of cannot be brought here", "execution", out.ExecutionID, "error", err)
				continue
			}
			out.Files[field][i] = string(brought.ID)
			names = append(names, brought.Name)
			if out.Asset == nil && (!works || field == source.Name) {
				out.Asset = &brought
			}
		}
	}
	return names
}

// bringSource takes a picture of the image service's in, as one of the user's. One that they brought themselves is found again.
func (s *Server) bringSource(ctx context.Context, user atelier.UserID, address string) (source atelier.Asset, err error) {
	resp, err := s.jobs.Account(ctx).Outbound.Get(ctx, address, probe.Upload.MaxBytes)
	if err != nil {
		return source, fmt.Errorf("fetch a picture: %w", err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	taken, err := s.takePicture(ctx, resp.Body, resp.Length)
	if err != nil {
		return source, err
	}
	taken.UserID, taken.Name = user, "picture"
	if u, err := url.Parse(address); err == nil && u.Path != "" {
		taken.Name = atelier.FileName(path.Base(u.Path))
	}
	asset, created, err := s.c.DB.CreateAsset(ctx, taken)
	if err != nil {
		return source, err
	}
	if created {
		s.hub.Publish(user, atelier.EventAsset, string(asset.ID), asset.Asset)
	}
	return asset.Asset, nil
}
