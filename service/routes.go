package service

import (
	"net/http"
	"strings"

	"atelier/upstream"
)

// Handler serves everything below /openapi/. It may be used before Start and until Close.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	task := func(pattern string, h handler) { mux.Handle(pattern, s.serve(taskEnvelope, h)) }
	run := func(pattern string, h handler) { mux.Handle(pattern, s.serve(runEnvelope, h)) }

	task("POST "+upstream.PathTaskCreate, s.faulty(s.createTask))
	task("POST "+upstream.PathTaskExecute, s.faulty(s.executeTask))
	task("POST "+upstream.PathTaskQuery, s.queryTask)
	task("GET "+upstream.PathTaskList, s.listTasks)
	task("POST "+upstream.PathTaskDelete, s.deleteTask)
	task("GET "+upstream.PathAgentInfo, s.agentInfo)
	task("POST "+upstream.PathUploadImage, s.uploadImage)
	task("POST "+upstream.PathPSDCreate, s.createPSD)
	task("POST "+upstream.PathPSDQuery, s.queryPSD)
	task("POST "+upstream.PathFashionModelCreate, s.createFashionModel)
	task("GET "+upstream.PathFashionModelQuery, s.queryFashionModel)
	task("POST "+upstream.PathFashionModelDelete, s.deleteFashionModel)
	task("POST "+upstream.PathLocationCreate, s.createLocation)
	task("GET "+upstream.PathLocationQuery, s.queryLocation)
	task("POST "+upstream.PathLocationDelete, s.deleteLocation)

	run("POST "+upstream.PathRunUpload, s.uploadImage)
	run("POST "+upstream.PathRuns, s.faulty(s.startRun))
	run("GET "+upstream.PathRuns+"/{id}", s.pollRun)
	run("POST "+upstream.PathEstimates, s.estimatePower)
	// ASSUMED: the description needs no key, since a client reads it to learn that it needs one.
	mux.HandleFunc("GET "+upstream.PathOpenAPI, s.getOpenAPI)

	mux.HandleFunc("GET "+pathFiles+"{id}", s.getFile)
	mux.HandleFunc("GET "+pathPreviews+"{name}", s.getPreview)
	return s.known(mux)
}

// faulty cuts the connection where the switches ask for it: before anything happened, or after everything did.
func (s *Service) faulty(h handler) handler {
	return func(r *http.Request, c caller) (reply, error) {
		n, sw := s.calls.Add(1), s.switches.Load()
		if n == int64(sw.FailBefore) {
			panic(http.ErrAbortHandler)
		}
		rep, err := h(r, c)
		if err == nil && n == int64(sw.FailAfter) {
			panic(http.ErrAbortHandler)
		}
		return rep, err
	}
}

// known answers paths and methods that do not exist in the envelope of their surface.
func (s *Service) known(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		form := taskEnvelope
		if strings.HasPrefix(r.URL.Path, "/openapi/agent/") {
			form = runEnvelope
		}
		f := &failure{status: http.StatusNotFound, code: upstream.CodeParameter, message: "There is nothing at " + clip(r.URL.Path) + "."}
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "" {
				w.Header().Set("Allow", method)
				f.status, f.message = http.StatusMethodNotAllowed, "Use "+method+" here."
			}
		}
		s.writeJSON(w, f.status, form(s, reply{}, f))
	})
}
