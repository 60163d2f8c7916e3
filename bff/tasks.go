package bff

import (
	"net/http"

	"atelier/atelier"
	"atelier/upstream"
)

// The image service's own list of tasks: what was made elsewhere with the same key is seen here too.

func (s *Server) listTasks(w http.ResponseWriter, r *http.Request, _ visitor) error {
	limit, err := queryInt(r, "limit", 20)
	if err != nil {
		return err
	}
	f := upstream.TaskFilter{Limit: limit, Cursor: r.URL.Query().Get("cursor")}
	if len(f.Cursor) > 2048 {
		return atelier.FieldError("cursor", "This cursor was not given by the image service.")
	}
	if f.CreatedAfter, err = queryTime(r, "createdAfter"); err != nil {
		return err
	}
	if f.CreatedBefore, err = queryTime(r, "createdBefore"); err != nil {
		return err
	}
	if !f.CreatedAfter.IsZero() && !f.CreatedBefore.IsZero() && !f.CreatedBefore.After(f.CreatedAfter) {
		return atelier.FieldError("createdBefore", "createdBefore must be later than createdAfter.")
	}
	page, err := s.c.Upstream.ListTasks(r.Context(), f)
	if err != nil {
		return err
	}
	out := atelier.TaskPage{Tasks: make([]atelier.Task, 0, len(page.Tasks)), NextCursor: page.NextCursor}
	for _, t := range page.Tasks {
		out.Tasks = append(out.Tasks, s.task(t, t.TaskID))
	}
	return writeJSON(w, http.StatusOK, out)
}

func (s *Server) findTask(w http.ResponseWriter, r *http.Request, _ visitor) error {
	id := r.PathValue("id")
	t, err := s.c.Upstream.QueryTask(r.Context(), upstream.TaskQuery{TaskID: id})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, s.task(t, id))
}

func (s *Server) deleteTask(w http.ResponseWriter, r *http.Request, _ visitor) error {
	if err := s.c.Upstream.DeleteTask(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// task is a task in the studio's own terms; its pictures go through our own address.
func (s *Server) task(t upstream.Task, id string) atelier.Task {
	out := atelier.Task{ID: id, Agent: t.AgentName, Version: t.AgentVersion, CreatedAt: t.CreatedAt, Executions: []atelier.TaskExecution{}}
	if name, ok := t.InitParams["taskName"].(string); ok {
		out.Name = name
	}
	if url, ok := t.InitParams["originalImage"].(string); ok {
		out.Source = s.imagePath(url)
	}
	for _, x := range t.Executions {
		e := atelier.TaskExecution{ID: x.ExecutionID, Status: atelier.Status(x.Status), Time: x.ExecutionTime, Images: []string{}}
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
	return out
}
