package bff

import (
	"context"
	"net/http"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/upstream"
)

// The image service's own list of tasks: what was made elsewhere with the same key is seen here too.

func (s *Server) listTasks(w http.ResponseWriter, r *http.Request, who visitor) error {
	limit, err := queryInt(r, "limit", 20)
	if err != nil {
		return err
	}
	f := upstream.TaskFilter{Limit: limit, Cursor: r.URL.Query().Get("cursor")}
	if len(f.Cursor) > 2048 {
		return atelier.FieldError("cursor", words.RequestServiceCursor)
	}
	if f.CreatedAfter, err = queryTime(r, "createdAfter"); err != nil {
		return err
	}
	if f.CreatedBefore, err = queryTime(r, "createdBefore"); err != nil {
		return err
	}
	if !f.CreatedAfter.IsZero() && !f.CreatedBefore.IsZero() && !f.CreatedBefore.After(f.CreatedAfter) {
		return atelier.FieldError("createdBefore", words.RequestTimesReversed)
	}
	page, err := s.jobs.ListTasks(r.Context(), f)
	if err != nil {
		return err
	}
	out := atelier.TaskPage{Tasks: make([]atelier.Task, 0, len(page.Tasks)), NextCursor: page.NextCursor}
	for _, t := range page.Tasks {
		if err := s.notAnothers(r.Context(), who, t.TaskID, t); atelier.CodeOf(err) == atelier.NotFound {
			continue
		} else if err != nil {
			return err
		}
		task, err := s.task(r.Context(), t, t.TaskID)
		if err != nil {
			return err
		}
		out.Tasks = append(out.Tasks, task)
	}
	return writeJSON(w, http.StatusOK, out)
}

func (s *Server) findTask(w http.ResponseWriter, r *http.Request, who visitor) error {
	id := r.PathValue("id")
	t, err := s.queryTask(r.Context(), who, id)
	if err != nil {
		return err
	}
	task, err := s.task(r.Context(), t, id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, task)
}

// queryTask asks the image service for a task that is not another user's.
func (s *Server) queryTask(ctx context.Context, who visitor, id string) (upstream.Task, error) {
	t, err := s.jobs.Account(ctx).Client.QueryTask(ctx, upstream.TaskQuery{TaskID: id})
	if err != nil {
		return t, err
	}
	return t, s.notAnothers(ctx, who, id, t)
}

// notAnothers refuses a task that belongs to a run of another user, as if there were none.
func (s *Server) notAnothers(ctx context.Context, who visitor, id string, t upstream.Task) error {
	name, _ := t.InitParams["taskName"].(string)
	owner, err := s.c.DB.TaskOwner(ctx, id, name)
	if err != nil {
		return err
	}
	if owner != "" && owner != who.User.ID {
		return atelier.Refuse(atelier.NotFound, words.TaskGone)
	}
	return nil
}

func (s *Server) deleteTask(w http.ResponseWriter, r *http.Request, who visitor) error {
	if s.c.Team {
		if _, err := s.queryTask(r.Context(), who, r.PathValue("id")); err != nil {
			return err
		}
	}
	if err := s.jobs.Account(r.Context()).Client.DeleteTask(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// task is a task in the studio's own terms; its pictures go through our own address.
func (s *Server) task(ctx context.Context, t upstream.Task, id string) (atelier.Task, error) {
	out := atelier.Task{ID: id, Agent: t.AgentName, Version: t.AgentVersion, CreatedAt: t.CreatedAt, Executions: []atelier.TaskExecution{}}
	if name, ok := t.InitParams["taskName"].(string); ok {
		out.Name = name
	}
	if url, ok := t.InitParams["originalImage"].(string); ok {
		out.Source = s.imagePath(url)
	}
	for _, x := range t.Executions {
		run, err := s.runOf(ctx, x.ExecutionID)
		if err != nil {
			return atelier.Task{}, err
		}
		e := atelier.TaskExecution{Known: run != "", Run: run, ID: x.ExecutionID, Status: atelier.Status(x.Status), Images: []string{}}
		if at := x.ExecutedAt(); !at.IsZero() {
			e.Time = &at
		}
		for _, r := range x.Result {
			if r.Image != "" {
				e.Images = append(e.Images, s.imagePath(r.Image))
			}
			if r.Error != "" {
				e.Error = r.Error
			}
		}
		out.Executions = append(out.Executions, e)
	}
	return out, nil
}

// runOf gives the run of the studio that holds an execution, "" when none does: runs of the run surface may be listed as tasks, too.
func (s *Server) runOf(ctx context.Context, execution string) (run atelier.RunID, err error) {
	for _, surface := range []atelier.Surface{atelier.TaskSurface, atelier.RunSurface} {
		if run, err = s.c.DB.RunOfExecution(ctx, surface, execution); run != "" || err != nil {
			break
		}
	}
	return run, err
}
