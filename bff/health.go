package bff

import (
	"context"
	"net/http"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
)

// healthz says that the process answers.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request, _ visitor) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz says that the studio can do its work: its database and its content store can be written.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request, _ visitor) error {
	if err := s.ready.look(r.Context(), s.c); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

// readiness is what the last look at database and store found. Anybody may ask, and each look flushes the disk: one a second
// is enough.
type readiness struct {
	mu    sync.Mutex
	until time.Time // what was found is told until then
	err   error
}

func (k *readiness) look(ctx context.Context, c Config) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := c.Now()
	if now.Before(k.until) && k.until.Sub(now) <= time.Second {
		return k.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // whoever asked may leave; others wait for the answer
	defer cancel()
	k.err = nil
	if err := c.DB.Probe(ctx); err != nil {
		k.err = atelier.Wrap(atelier.UpstreamBusy, err, words.StudioDatabase)
	} else if err := c.Store.Probe(); err != nil {
		k.err = atelier.Wrap(atelier.UpstreamBusy, err, words.StudioStore)
	}
	k.until = c.Now().Add(time.Second)
	return k.err
}
