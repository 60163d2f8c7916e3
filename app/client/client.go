// Package client speaks the studio's HTTP contract with the server the page came from: typed calls that answer with the
// product's own types and with *atelier.Error for everything that went wrong, and the stream of events.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"atelier/app/browser"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// Offline is the code of an error that means no answer came: the request may or may not have arrived.
const Offline atelier.Code = "offline"

// header marks a request as made by this page: other sites cannot send it (design, "Configuration").
const header = "X-Atelier"

// Sender sends one request; browser.Fetch in the studio.
type Sender func(context.Context, browser.Request) (browser.Response, error)

// Uploader sends a file with progress; browser.Upload in the studio.
type Uploader func(ctx context.Context, url string, header map[string]string, f browser.File, progress func(sent, total int64)) (browser.Response, error)

// API is the studio's server.
type API struct {
	send   Sender
	upload Uploader

	mu       sync.Mutex
	bringing map[string]*bringing // files on their way, by hash
}

// New makes an API over the given transport.
func New(send Sender, upload Uploader) *API { return &API{send: send, upload: upload} }

// timeout bounds every call but the upload and those that work on many pixels, which have slow; a layered file of gigabytes has slowest.
const (
	timeout = 30 * time.Second
	slow    = 3 * time.Minute
	slowest = 20 * time.Minute
)

// call sends in as JSON and reads the answer into out; either may be nil.
func (a *API) call(ctx context.Context, method, path string, in, out any) error {
	return a.callWithin(ctx, timeout, method, path, in, out)
}

// slowCall is call for what takes the server a while.
func (a *API) slowCall(ctx context.Context, method, path string, in, out any) error {
	return a.callWithin(ctx, slow, method, path, in, out)
}

func (a *API) callWithin(ctx context.Context, limit time.Duration, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request := browser.Request{Method: method, URL: path, Header: map[string]string{"Accept": "application/json"}}
	if method != "GET" {
		request.Header[header] = "1"
	}
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("encode %s %s: %w", method, path, err)
		}
		request.Body = body
		request.Header["Content-Type"] = "application/json"
	}
	response, err := a.send(ctx, request)
	if err != nil {
		return noAnswer(err)
	}
	return decode(response, out)
}

// ErrElsewhere is the cause of errors that do not come from the studio's server: what it thinks of the request is not known.
var ErrElsewhere = errors.New("answered by something else")

func noAnswer(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &atelier.Error{
		Code: Offline, Retryable: true, Err: err,
		Message: words.ServerSilent,
	}
}

// decode reads a 2xx answer into out, and any other as the error it carries.
func decode(r browser.Response, out any) error {
	if r.Status >= 200 && r.Status < 300 {
		if out == nil || len(r.Body) == 0 {
			return nil
		}
		if raw, ok := out.(*json.RawMessage); ok { // to be read in turns: not gone through at once here
			*raw = r.Body
			return nil
		}
		if err := json.Unmarshal(r.Body, out); err != nil {
			return &atelier.Error{Code: atelier.Internal, Message: words.ServerUnreadable, Err: err}
		}
		return nil
	}
	var body atelier.ErrorBody
	if err := json.Unmarshal(r.Body, &body); err == nil && body.Error != nil && body.Error.Message != "" {
		return body.Error
	}
	// Something between the page and the server answered: a proxy, a sign-in page of the network.
	return &atelier.Error{
		Code: codeOf(r.Status), Retryable: r.Status >= 500, Err: ErrElsewhere,
		Message: words.ServerStatus(r.Status),
	}
}

func codeOf(status int) atelier.Code {
	switch status {
	case 400:
		return atelier.Invalid
	case 401:
		return atelier.Unauthorized
	case 403:
		return atelier.Forbidden
	case 404:
		return atelier.NotFound
	case 409:
		return atelier.Conflict
	case 413:
		return atelier.TooLarge
	case 415:
		return atelier.WrongType
	case 422:
		return atelier.Refused
	case 429:
		return atelier.TooMany
	case 502:
		return atelier.UpstreamBad
	case 503, 504:
		return atelier.UpstreamBusy
	case 507:
		return atelier.DiskFull
	}
	return atelier.Internal
}

// Session answers who is working; an error with code Unauthorized means nobody is.
func (a *API) Session(ctx context.Context) (atelier.Session, error) {
	var s atelier.Session
	err := a.call(ctx, "GET", "/api/session", nil, &s)
	return s, err
}

// Login exchanges a launch code for a session.
func (a *API) Login(ctx context.Context, token string) (atelier.Session, error) {
	var s atelier.Session
	err := a.call(ctx, "POST", "/api/session", atelier.Login{Token: token}, &s)
	return s, err
}

// PrintLink has a fresh launch code printed where the server runs.
func (a *API) PrintLink(ctx context.Context) error {
	return a.call(ctx, "POST", "/api/session/link", nil, nil)
}

// Logout ends the session.
func (a *API) Logout(ctx context.Context) error {
	return a.call(ctx, "DELETE", "/api/session", nil, nil)
}

// Agents lists the catalog.
func (a *API) Agents(ctx context.Context) ([]catalog.Agent, error) {
	var body agentList
	err := a.call(ctx, "GET", "/api/agents", nil, &body)
	return body, err
}

// Presets reads one page of what an agent offers.
func (a *API) Presets(ctx context.Context, agent, kind string, page, pageSize int) (atelier.PresetPage, error) {
	query := url.Values{"kind": {kind}, "page": {strconv.Itoa(page)}, "pageSize": {strconv.Itoa(pageSize)}}
	var body atelier.PresetPage
	err := a.call(ctx, "GET", "/api/agents/"+url.PathEscape(agent)+"/presets?"+query.Encode(), nil, &body)
	return body, err
}

// agentList reads {"agents":[…]}, and a bare list.
type agentList []catalog.Agent

// UnmarshalJSON implements json.Unmarshaler.
func (l *agentList) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, (*[]catalog.Agent)(l))
	}
	var body struct {
		Agents []catalog.Agent `json:"agents"`
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return err
	}
	*l = body.Agents
	return nil
}
