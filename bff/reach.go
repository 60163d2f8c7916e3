package bff

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/internal/outbound"
)

// reach finds out whether the studio's public address leads back to it: at start, and once an hour. The answer is told, not
// needed: without callbacks the studio asks.
type reach struct {
	found  atomic.Pointer[bool] // nil = not known yet
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

// What a probe may take, how often it is made, and how soon again after one that failed.
const (
	probeTimeout = 15 * time.Second
	probeEvery   = time.Hour
	probeAgain   = 5 * time.Minute
)

const probes = "probe1"

// start begins to probe when there is a public address that is called.
func (p *reach) start(ctx context.Context, s *Server) {
	if s.c.PublicURL == "" || s.c.NoCallbacks && s.c.Connect == nil {
		return
	}
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.wg.Go(func() {
		defer s.survive("probing the public address")
		wait := s.c.ProbeAfter
		for {
			t := time.NewTimer(wait)
			select {
			case <-ctx.Done():
				t.Stop()
				return
			case <-t.C:
			}
			wait = probeEvery
			if s.jobs.Account(ctx).CallbackURL == nil {
				wait = probeAgain // the next account may call
				continue
			}
			err := s.reachOurselves(ctx)
			reachable := err == nil
			if was := p.found.Swap(&reachable); was == nil || *was != reachable {
				if reachable {
					s.log.InfoContext(ctx, "callbacks reach the studio", "public url", s.c.PublicURL)
				} else {
					s.log.WarnContext(ctx, "the public address does not lead to this studio: runs are asked for instead of being called about", "public url", s.c.PublicURL, "error", err)
				}
			}
			if !reachable {
				wait = probeAgain
			}
		}
	})
}

func (p *reach) stop() {
	if p.cancel != nil {
		p.cancel()
	}
	p.wg.Wait()
}

// reachOurselves asks our own public address for something only we can answer.
func (s *Server) reachOurselves(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	u, err := url.Parse(s.c.PublicURL)
	if err != nil {
		return fmt.Errorf("read the public address: %w", err)
	}
	client := outbound.New(outbound.Policy{Hosts: []string{u.Host}, Timeout: probeTimeout})
	nonce := rand.Text()
	resp, err := client.Get(ctx, strings.TrimRight(s.c.PublicURL, "/")+"/callbacks/v1/probe/"+nonce, maxJSON)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if string(body) != s.proof(probes, nonce) {
		return fmt.Errorf("somebody else answers there")
	}
	return nil
}

// answerProbe proves that this is the studio that asks.
func (s *Server) answerProbe(w http.ResponseWriter, r *http.Request, _ visitor) error {
	nonce := r.PathValue("nonce")
	if len(nonce) > 64 {
		return atelier.Refuse(atelier.NotFound, words.RequestNothing)
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Cache-Control", "no-store")
	_, err := io.WriteString(w, s.proof(probes, nonce))
	return err
}
