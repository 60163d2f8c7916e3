package service

import (
	"fmt"
	"net/http"
	"path"
	"runtime/debug"
	"strings"

	"atelier/upstream"
)

// route is one endpoint. Its path is the one in the OpenAPI description.
type route struct {
	method, path string
	handler      http.Handler
}

// routes are all endpoints.
func (s *Service) routes() []route {
	task := func(method, path string, h handler) route { return route{method, path, s.serve(taskEnvelope, h)} }
	run := func(method, path string, h handler) route { return route{method, path, s.serve(runEnvelope, h)} }
	return []route{
		task(http.MethodPost, upstream.PathTaskCreate, s.faulty(s.createTask)),
		task(http.MethodPost, upstream.PathTaskExecute, s.faulty(s.executeTask)),
		task(http.MethodPost, upstream.PathTaskQuery, s.queryTask),
		task(http.MethodGet, upstream.PathTaskList, s.listTasks),
		task(http.MethodPost, upstream.PathTaskDelete, s.deleteTask),
		task(http.MethodGet, upstream.PathAgentInfo, s.agentInfo),
		task(http.MethodPost, upstream.PathUploadImage, s.uploadImage),
		task(http.MethodPost, upstream.PathPSDCreate, s.createPSD),
		task(http.MethodPost, upstream.PathPSDQuery, s.queryPSD),
		task(http.MethodPost, upstream.PathFashionModelCreate, s.createFashionModel),
		task(http.MethodGet, upstream.PathFashionModelQuery, s.queryFashionModel),
		task(http.MethodPost, upstream.PathFashionModelDelete, s.deleteFashionModel),
		task(http.MethodPost, upstream.PathLocationCreate, s.createLocation),
		task(http.MethodGet, upstream.PathLocationQuery, s.queryLocation),
		task(http.MethodPost, upstream.PathLocationDelete, s.deleteLocation),

		run(http.MethodPost, upstream.PathRunUpload, s.uploadImage),
		run(http.MethodPost, upstream.PathRunVideos, s.uploadVideo),
		run(http.MethodPost, upstream.PathRunAudios, s.uploadAudio),
		run(http.MethodPost, upstream.PathRuns, s.faulty(s.startRun)),
		run(http.MethodGet, upstream.PathRuns+"/{executionId}", s.pollRun),
		run(http.MethodPost, upstream.PathEstimates, s.estimatePower),
		// ASSUMED [openapi.yaml]: the description needs no key, since a client reads it to learn that it needs one.
		{http.MethodGet, upstream.PathOpenAPI, http.HandlerFunc(s.getOpenAPI)},

		{http.MethodGet, pathFiles + "{id}", http.HandlerFunc(s.getFile)},
		{http.MethodGet, pathPreviews + "{name}", http.HandlerFunc(s.getPreview)},
	}
}

// Routes gives every method and path that is served, as http.ServeMux takes them; open says that it takes no key.
func Routes() map[string]bool {
	open := map[string]bool{}
	for _, r := range new(Service).routes() {
		open[r.method+" "+r.path] = r.path == upstream.PathOpenAPI || strings.HasPrefix(r.path, pathFiles) || strings.HasPrefix(r.path, pathPreviews)
	}
	return open
}

// Handler serves everything below /openapi/. It may be used before Start and until Close.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.method+" "+r.path, r.handler)
	}
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

// known answers paths and methods that do not exist in the envelope of their surface. A path that is not in its plain form
// is none of ours: a redirect would be followed without the body.
func (s *Service) known(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		plain := path.Clean(r.URL.Path) == r.URL.Path
		if _, pattern := mux.Handler(r); pattern != "" && plain {
			defer s.brokenOff(r)
			mux.ServeHTTP(w, r)
			return
		}
		form := taskEnvelope
		if strings.HasPrefix(r.URL.Path+"/", "/openapi/agent/") {
			form = runEnvelope
		}
		f := &failure{status: http.StatusNotFound, code: upstream.CodeParameter, message: "There is nothing at " + clip(r.URL.Path) + "."}
		if allowed := methods(mux, r); plain && len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			f.status, f.message = http.StatusMethodNotAllowed, "Use "+allowed[0]+" here."
		}
		s.send(w, r, f.status, form(s, reply{}, f), nil)
	})
}

// brokenOff counts a panic of a handler that has no envelope to tell of it in, and breaks its answer off.
func (s *Service) brokenOff(r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p != any(http.ErrAbortHandler) {
		err := s.counted(fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack()))
		s.cfg.Logger.ErrorContext(r.Context(), "a handler panicked", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	panic(http.ErrAbortHandler)
}

// methods are those that the path of r answers to.
func methods(mux *http.ServeMux, r *http.Request) []string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
