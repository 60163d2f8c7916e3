package service

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"sync"
	"time"

	"atelier/catalog"
	"atelier/service/gen"
	"atelier/upstream"

	"github.com/riverqueue/river"
)

// The states of a delivery.
const (
	deliveryDone    = "delivered"
	deliveryGivenUp = "given_up"
)

// callbackAnswer is what a receiver says to end a delivery (Task API, "Events").
// ASSUMED [What ends a delivery]: "the literal text" is these seven bytes, with any status of success; with a line break or a space
// around it, it is another answer.
const callbackAnswer = "SUCCESS"

const callbackPosts = 3 // the first and two retries

// deliveryTime is the longest one post may take.
const deliveryTime = 30 * time.Second

// maxCallbackURL bounds an address in bytes. ASSUMED [Length of an address].
const maxCallbackURL = 8192

// checkCallback refuses a callbackUrl that could never be posted to.
func (s *Service) checkCallback(rawURL string) error {
	if rawURL == "" {
		return nil
	}
	if len(rawURL) > maxCallbackURL {
		return refuse("callbackUrl has %d bytes; at most %d are allowed.", len(rawURL), maxCallbackURL)
	}
	if err := s.hooks.Check(rawURL); err != nil {
		return refuse("callbackUrl must be a full http or https URL whose host can be reached from the public internet: %v.", err)
	}
	return nil
}

// announce records that an execution changed its status, for its callback, within a transaction. The changes of one execution
// are told one after the other: only the first that waits has a job.
// ASSUMED [Body]: the status an execution is created with is no change.
func (s *Service) announce(ctx context.Context, q *gen.Queries, j inserter, e gen.Execution, status string) error {
	if e.CallbackUrl == "" || s.switches.Load().DropCallbacks {
		return nil
	}
	id, err := newID()
	if err != nil {
		return err
	}
	items, err := q.ListItems(ctx, e.ID)
	if err != nil {
		return fmt.Errorf("list the items of a callback: %w", err)
	}
	told, err := json.Marshal(tellItems(items))
	if err != nil {
		return fmt.Errorf("record the items of a callback: %w", err)
	}
	waiting, err := q.CountWaitingDeliveries(ctx, e.ID)
	if err != nil {
		return fmt.Errorf("count callbacks: %w", err)
	}
	n, err := q.NextDeliveryNumber(ctx, e.ID)
	if err != nil {
		return fmt.Errorf("number a callback: %w", err)
	}
	err = q.CreateDelivery(ctx, gen.CreateDeliveryParams{
		ID: id, ExecutionID: e.ID, N: n, Status: status, Items: string(told), CreatedAt: s.now(),
	})
	if err != nil {
		return fmt.Errorf("record a callback: %w", err)
	}
	if waiting > 0 {
		return nil
	}
	return j(ctx, deliveryJob{ID: id})
}

// toldItem is an item as it was at a change of status.
type toldItem struct {
	Status string `json:"status"`
	Error  string `json:"error,omitempty"`
	File   string `json:"file,omitempty"`
	Poster string `json:"poster,omitempty"`
	Last   string `json:"lastFrame,omitempty"`
}

func tellItems(items []gen.Item) []toldItem {
	told := make([]toldItem, len(items))
	for i, it := range items {
		told[i] = toldItem{Status: it.Status, Error: it.Error, File: it.FileID, Poster: it.PosterFile, Last: it.LastFrameFile}
	}
	return told
}

// deliver posts one callback, unless somebody does: the answer a query gave at the moment of the change.
func (s *Service) deliver(ctx context.Context, job deliveryJob) error {
	work := piece{kind: job.Kind(), id: job.ID}
	ctx, release, ok := s.bench.claim(ctx, work)
	if !ok {
		return nil
	}
	defer release()
	d, to, err := s.nextDelivery(ctx, job.ID)
	if errors.Is(err, errGone) {
		return nil
	}
	if err != nil {
		return err
	}
	leave, ok := s.lanes.enter(to)
	if !ok {
		return river.JobSnooze(laneWait)
	}
	defer leave()
	rise, err := s.apart(ctx, d.Beginnings)
	if err != nil {
		return err
	}
	defer rise()
	ctx, cancel := context.WithTimeout(ctx, deliveryTime)
	defer cancel()
	var next error // when to try again
	err = s.undertake(ctx, effort{
		piece:   work,
		begin:   func(ctx context.Context) (int64, error) { return s.write().BeginDelivery(ctx, d.ID) },
		forgive: func(ctx context.Context) error { return s.write().ForgiveDelivery(ctx, d.ID) },
		do: func(ctx context.Context) (err error) {
			next, err = s.post(ctx, d, to)
			return err
		},
		fail: func(ctx context.Context, cause error) error {
			if errors.Is(cause, errGaveUp) {
				return s.endDelivery(ctx, d, deliveryGivenUp)
			}
			return errors.Join(cause, s.write().ForgiveDelivery(detached(ctx), d.ID))
		},
	})
	return cmp.Or(err, next)
}

// post posts a callback; next is when it is to be posted again, nil for never.
func (s *Service) post(ctx context.Context, d gen.Delivery, to gen.FindReceiverRow) (next, err error) {
	body, err := s.callbackBody(ctx, d, to)
	if err != nil {
		if f, ok := errors.AsType[*failure](err); ok && f.status == http.StatusNotFound {
			return nil, nil // deleted
		}
		return nil, err
	}
	status, answer, err := s.hooks.Post(ctx, to.CallbackUrl, "application/json", body.reader(ctx, s.read()), body.bytes, int64(len(callbackAnswer))+1)
	s.moment("posted")
	switch {
	case err == nil && status/100 == 2 && string(answer) == callbackAnswer:
		return nil, s.endDelivery(ctx, d, deliveryDone)
	case interrupted(ctx):
		return nil, err // not the receiver's answer: it is posted again at the next start
	}
	attempts, cerr := s.write().RefuseDelivery(detached(ctx), d.ID)
	if errors.Is(cerr, sql.ErrNoRows) {
		return nil, nil // deleted
	}
	if cerr != nil {
		return nil, fmt.Errorf("count a callback: %w", cerr)
	}
	s.cfg.Logger.Info("callback not taken", "execution", to.ID, "attempt", attempts, "status", status, "error", err)
	if attempts >= callbackPosts {
		return nil, s.endDelivery(ctx, d, deliveryGivenUp)
	}
	return river.JobSnooze(s.cfg.CallbackRetries[attempts-1]), nil
}

// nextDelivery finds a delivery whose turn it is, and whom it tells; errGone when it has ended or others go before.
func (s *Service) nextDelivery(ctx context.Context, id string) (d gen.Delivery, to gen.FindReceiverRow, err error) {
	err = s.look(ctx, "", func(v view) error {
		if d, err = v.q.FindDelivery(ctx, id); err != nil {
			return gone(err)
		}
		first, err := v.q.FirstWaitingDelivery(ctx, d.ExecutionID)
		if err != nil {
			return gone(err)
		}
		if first != id {
			return errGone
		}
		to, err = v.q.FindReceiver(ctx, d.ExecutionID)
		return gone(err)
	})
	if err != nil {
		return d, to, fmt.Errorf("find a callback: %w", err)
	}
	return d, to, nil
}

// endDelivery ends a delivery and lets the next one of its execution begin.
func (s *Service) endDelivery(ctx context.Context, d gen.Delivery, state string) error {
	ctx, cancel := context.WithTimeout(detached(ctx), 5*time.Second)
	defer cancel()
	err := s.tx(ctx, func(q *gen.Queries, j inserter) error {
		if _, err := q.EndDelivery(ctx, gen.EndDeliveryParams{ID: d.ID, State: state, EndedAt: s.now()}); err != nil {
			return err
		}
		next, err := q.FirstWaitingDelivery(ctx, d.ExecutionID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return j(ctx, deliveryJob{ID: next})
	})
	if err != nil {
		return fmt.Errorf("end a callback: %w", err)
	}
	return nil
}

// callbackBody is what a callback says.
// ASSUMED [Body]: the whole envelope of the surface the execution was started on, as a query answered it at the moment of the change,
// so that a receiver hears every status once and in order, however late a retry comes.
func (s *Service) callbackBody(ctx context.Context, d gen.Delivery, to gen.FindReceiverRow) (body outgoing, err error) {
	err = s.look(ctx, to.BaseUrl, func(v view) error {
		task, err := v.taskHead(ctx, to.AccountID, to.TaskID)
		if err != nil {
			return err
		}
		e, err := v.executionHead(ctx, to.AccountID, to.ID, math.MaxInt64) // it may still be hidden from queries
		if err != nil {
			return err
		}
		e.Status = d.Status
		data, err := v.describe(ctx, task, []executionHead{e})
		if err != nil {
			return err
		}
		if err := v.tellThen(&data.Executions[0], task, e.Makes, d.Items); err != nil {
			return err
		}
		form := taskEnvelope
		if task.Surface == string(catalog.Run) {
			form = runEnvelope
		}
		body, err = encodeAnswer(form(s, reply{data: data, meta: &upstream.RunMeta{ExecutionID: e.ID}}, nil), v.long)
		return err
	})
	return body, err
}

// tellThen puts the items as they were at the change into an answer. Deliveries of earlier versions did not keep them.
func (v view) tellThen(a *executionAnswer, task taskHead, makes, kept string) error {
	if kept == "" {
		return nil
	}
	var told []toldItem
	if err := json.Unmarshal([]byte(kept), &told); err != nil {
		return fmt.Errorf("read the items of a callback: %w", err)
	}
	agent, _ := v.s.agents.Find(task.Agent, task.Version)
	results := make([]itemAnswer, len(told))
	for n, it := range told {
		results[n] = v.describeItem(agent, makes, gen.Item{
			ExecutionID: a.ExecutionID, N: int64(n), Status: it.Status, Error: it.Error,
			FileID: it.File, PosterFile: it.Poster, LastFrameFile: it.Last,
		})
	}
	if a.Results != nil {
		a.Results = results
	} else {
		a.Result = results
	}
	return nil
}

// Posts wait for strangers' servers: many are made at once, but few of them to one host and not many for one account, so that
// slow receivers keep nobody else's callbacks waiting.
const (
	callbackWorkers = 32
	postsPerHost    = 4
	postsPerAccount = 8
	laneWait        = time.Second // until who found its lane full looks again
)

// lanes counts the posts under way. The zero value is ready.
type lanes struct {
	mu   sync.Mutex
	busy map[string]int
}

// enter takes a place for a post to a receiver, until leave; ok is false when its host or account has its share.
func (l *lanes) enter(to gen.FindReceiverRow) (leave func(), ok bool) {
	host := to.CallbackUrl
	if u, err := url.Parse(to.CallbackUrl); err == nil {
		host = u.Host
	}
	shares := map[string]int{"host " + host: postsPerHost, "account " + to.AccountID: postsPerAccount}
	l.mu.Lock()
	defer l.mu.Unlock()
	for lane, most := range shares {
		if l.busy[lane] >= most {
			return nil, false
		}
	}
	if l.busy == nil {
		l.busy = map[string]int{}
	}
	for lane := range shares {
		l.busy[lane]++
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for lane := range shares {
			if l.busy[lane]--; l.busy[lane] == 0 {
				delete(l.busy, lane)
			}
		}
	}, true
}
