package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/sony/gobreaker/v2"
)

// maxAnswer bounds every JSON answer, in bytes; of those that tell of executions the longest texts do not count.
const maxAnswer = 8 << 20

// call is one request to the service.
type call struct {
	op       string
	method   string
	path     string // below the base address
	query    url.Values
	download bool // goes to the download host
	// starts says that the request brings something into being: never send it twice by accident.
	starts bool
	// reads says that the request changes nothing: what is not a definite no may simply be asked again.
	reads bool
	// tells says that the answer tells of executions, which repeat their masks.
	tells bool
	// observed says that OnAnswer hears the answer.
	observed bool
	header   http.Header
	body     io.Reader
	length   int64 // of body; -1 with no body
	kind     string
	timeout  time.Duration
}

// get is a call that reads.
func get(op, path string, query url.Values) call {
	return call{op: op, method: http.MethodGet, path: path, query: query, length: -1, reads: true}
}

// telling is get for what tells of executions.
func telling(op, path string, query url.Values) call {
	k := get(op, path, query)
	k.tells = true
	return k
}

// post is a call with a JSON body.
func post(op, path string, v any) (call, error) {
	b, err := body(op, v)
	if err != nil {
		return call{}, err
	}
	return send(op, path, b), nil
}

// body writes a JSON body.
func body(op string, v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%s: write the request: %w", op, err)
	}
	return b, nil
}

// send is a call with a JSON body that is written already.
func send(op, path string, b []byte) call {
	return call{op: op, method: http.MethodPost, path: path, body: bytes.NewReader(b), length: int64(len(b)), kind: "application/json"}
}

// do sends the call and gives the service's successful answer. Every error about the service is an *Error.
func (c *Client) do(ctx context.Context, k call) (e envelope, err error) {
	began := time.Now()
	defer func() { c.observe(k.op, time.Since(began), err) }()
	status, header, body, err := c.exchange(ctx, k)
	if err != nil {
		return envelope{}, err
	}
	return c.interpret(k, status, header, body)
}

// observe tells OnCall about a call.
func (c *Client) observe(op string, took time.Duration, err error) {
	if c.onCall == nil {
		return
	}
	e, _ := errors.AsType[*Error](err)
	c.onCall(op, took, e)
}

// exchange sends the call once and gives the answer's bytes, whatever they say.
func (c *Client) exchange(ctx context.Context, k call) (status int, header http.Header, body []byte, err error) {
	timeout := k.timeout
	if timeout == 0 {
		timeout = c.timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	var p passage
	req, err := c.request(p.trace(ctx), k)
	if err != nil {
		return 0, nil, nil, err
	}
	outcome, err := c.wire.admit(ctx)
	if err != nil {
		return 0, nil, nil, c.held(k, err)
	}
	defer func() {
		failed := err
		if failed == nil && trouble(status, body) {
			failed = &Error{HTTPStatus: status}
		}
		outcome(failed)
		if c.wire.budget != nil && status != 0 {
			c.wire.budget.learn(status, retryAfter(header, time.Now()))
		}
	}()

	res, err := c.wire.transport.RoundTrip(req)
	if err != nil {
		return 0, nil, nil, c.lost(ctx, k, &p, 0, nil, err)
	}
	defer res.Body.Close()
	answer := io.Reader(res.Body)
	if k.tells {
		answer = newLean(answer)
	}
	body, err = io.ReadAll(io.LimitReader(answer, maxAnswer+1))
	if k.observed && c.onAnswer != nil && len(body) > 0 {
		c.onAnswer(context.WithoutCancel(ctx), k.op, c.raw(body))
	}
	if err != nil {
		p.left.Store(true)
		return res.StatusCode, res.Header, body, c.lost(ctx, k, &p, res.StatusCode, body, err)
	}
	return res.StatusCode, res.Header, body, nil
}

// request builds the one form in which the key leaves: to the configured hosts, below /openapi/.
func (c *Client) request(ctx context.Context, k call) (*http.Request, error) {
	base := c.base
	if k.download {
		base = c.download
	}
	u := *base
	u.RawPath = base.EscapedPath() + k.path
	path, err := url.PathUnescape(u.RawPath)
	if err != nil {
		return nil, fmt.Errorf("%s: address of the call: %w", k.op, err)
	}
	u.Path = path
	u.RawQuery = k.query.Encode()
	req, err := http.NewRequestWithContext(ctx, k.method, u.String(), k.body)
	if err != nil {
		return nil, fmt.Errorf("%s: make the request: %w", k.op, err)
	}
	if k.length >= 0 {
		req.ContentLength = k.length
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "atelier")
	if k.kind != "" {
		req.Header.Set("Content-Type", k.kind)
	}
	maps.Copy(req.Header, k.header)
	req.Header.Set("Authorization", c.key.Reveal()) // raw, no "Bearer" (Task API, "Authentication")
	return req, nil
}

// held makes the error of a request that never left.
func (c *Client) held(k call, err error) error {
	e := &Error{Op: k.op, Kind: NotSent, Retryable: true, Message: saidNotSent, Err: err}
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		e.Kind, e.RetryAfter, e.Message = Busy, breakerOpen, saidLeftAlone
	}
	if errors.Is(err, errAsked) {
		e.Kind, e.RetryAfter, e.Message = Busy, c.wire.budget.pause(), saidAsked
	}
	return e
}

// lost makes the error of a request without a whole answer.
func (c *Client) lost(ctx context.Context, k call, p *passage, status int, body []byte, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	e := &Error{Op: k.op, HTTPStatus: status, Sent: p.sent(), Raw: c.raw(body), Err: scrubbedError{c.key, err}}
	switch {
	case !e.Sent:
		e.Kind, e.Retryable, e.Message = NotSent, true, saidUnreached
	case k.starts:
		e.Kind, e.Message = Ambiguous, saidUnanswered
	default:
		e.Kind, e.Retryable, e.Message = Broken, true, saidHalf
	}
	return e
}

// raw is what an Error and OnAnswer carry of an answer.
func (c *Client) raw(body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	cut := body[:min(len(body), maxRaw)]
	if len(c.key) < minScrub {
		return bytes.Clone(cut)
	}
	return bytes.ReplaceAll(cut, []byte(c.key.Reveal()), []byte(redacted))
}

// scrubbedError is an error whose text may quote the other side.
type scrubbedError struct {
	key Secret
	err error
}

func (s scrubbedError) Error() string { return s.key.scrub(s.err.Error()) }
func (s scrubbedError) Unwrap() error { return s.err }

// retryAfter reads the header of that name, seconds or a date; nonsense is 0, an hour at most.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if v == "" {
		return 0
	}
	var wait time.Duration
	if n, err := strconv.Atoi(v); err == nil {
		wait = time.Duration(min(n, 3600)) * time.Second
	} else if at, err := http.ParseTime(v); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), time.Hour)
}
