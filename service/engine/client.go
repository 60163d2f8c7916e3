package engine

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"atelier/internal/outbound"
)

// MaxAnswer is the most bytes of one answer that are read: a picture of 64 MB in base64, and what surrounds it.
const MaxAnswer = 96 << 20

// maxRetryAfter bounds what a server may ask to wait.
const maxRetryAfter = 10 * time.Minute

// Access says where a server is and how to enter. The address is the operator's choice: it may be private or loopback.
type Access struct {
	// URL is an http or https address, perhaps with a path below which the protocol begins.
	URL string
	// Key is sent as the protocol's adapter does; "" sends none.
	Key string
	// Model is the model asked for; "" leaves it to the server.
	Model string
}

// Client speaks to one server. It follows no redirects, uses no proxy and repeats nothing.
type Client struct {
	access    Access
	base      *url.URL
	authorize func(h http.Header, key string)
	do        func(*http.Request) (*http.Response, error)
}

// NewClient makes a client. authorize puts the key, which is not empty, into a request's header; nil sends it as a
// Bearer token.
func NewClient(a Access, authorize func(h http.Header, key string)) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(a.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("the address of the image engine must be an http or https URL")
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("the address of the image engine must not contain a user name, a query or a fragment")
	}
	if authorize == nil {
		authorize = func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }
	}
	return &Client{access: a, base: base, authorize: authorize, do: outbound.Operator().Do}, nil
}

// Host is the server's host and port.
func (c *Client) Host() string { return c.base.Host }

// Model is the model that the operator asks for.
func (c *Client) Model() string { return c.access.Model }

// Remote reports whether the server is not on this machine.
func (c *Client) Remote() bool {
	host := c.base.Hostname()
	ip := net.ParseIP(host)
	return host != "localhost" && (ip == nil || !ip.IsLoopback())
}

// URL is the address of a path below the server's, which may have a query.
func (c *Client) URL(path string) string { return c.base.String() + path }

// Header is what a request outside of Do, of a websocket, has to carry.
func (c *Client) Header() http.Header {
	h := http.Header{"User-Agent": {"Atelier"}}
	if c.access.Key != "" {
		c.authorize(h, c.access.Key)
	}
	return h
}

// Answer is a server's answer, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request to a path below the server's address and reads the answer. It fails with an *Error where the
// server cannot be reached, redirects, answers 5xx of a gateway or more than MaxAnswer bytes, and with the context's
// error when it ends.
func (c *Client) Do(ctx context.Context, method, path, contentType string, body []byte) (*Answer, error) {
	return c.send(ctx, method, c.URL(path), contentType, body)
}

// Fetch reads a file that an answer names by its address, which may be relative to the server's. It fails with
// Unusable for an address of another origin, so that no answer makes us call another server, and else as Do and
// Refusal do. Its errors have MaybeMade: the picture is made, whatever keeps it from being read.
func (c *Client) Fetch(ctx context.Context, address string) (file []byte, err error) {
	defer func() {
		if failure, ok := errors.AsType[*Error](err); ok {
			failure.MaybeMade = true
		}
	}()
	u, err := c.base.Parse(address)
	if err != nil || u.Scheme != c.base.Scheme || u.Host != c.base.Host || u.User != nil {
		return nil, c.Fail(Unusable, "the picture lies at another address")
	}
	a, err := c.send(ctx, http.MethodGet, u.String(), "", nil)
	if err != nil {
		return nil, err
	}
	if a.Status != http.StatusOK {
		return nil, c.Refusal(a)
	}
	return a.Body, nil
}

func (c *Client) send(ctx context.Context, method, address, contentType string, body []byte) (*Answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, c.fail(Refused, "", err)
	}
	req.Header = c.Header()
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := c.do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("ask the image engine: %w", context.Cause(ctx))
		}
		failure := c.fail(Unreachable, "", err)
		dial, ok := errors.AsType[*net.OpError](err)
		failure.MaybeMade = !ok || dial.Op != "dial"
		return nil, failure
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("read the image engine's answer: %w", context.Cause(ctx))
	case err != nil:
		failure := c.fail(Unreachable, "", err)
		failure.MaybeMade = true
		return nil, failure
	case len(data) > MaxAnswer:
		return nil, c.fail(Unusable, "the answer is too large", nil)
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return nil, c.fail(Refused, "the address redirects to another one", nil)
	}
	return &Answer{Status: resp.StatusCode, Header: resp.Header, Body: data}, nil
}

func (c *Client) fail(reason Reason, detail string, cause error) *Error {
	e := &Error{Reason: reason, Host: c.Host(), Detail: detail}
	if cause != nil {
		e.Full = c.withoutKey(cause.Error())
	}
	return e
}

// Fail makes an error that has no answer of the server's behind it.
func (c *Client) Fail(reason Reason, detail string) *Error { return c.fail(reason, detail, nil) }

// Failure makes an error of an answer that is no success. detail is the sentence in it, read as the protocol's
// adapter does; secrets are words of the user's that must not be repeated, such as prompts.
func (c *Client) Failure(a *Answer, detail string, secrets ...string) *Error {
	e := &Error{Host: c.Host(), Reason: reasonOf(a.Status), Full: c.withoutKey(string(a.Body))}
	// A server that is not available has done nothing; a gateway that gave up waiting does not know.
	e.MaybeMade = e.Reason == Unreachable && a.Status != http.StatusServiceUnavailable
	if s, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil && s > 0 {
		e.After = min(time.Duration(s)*time.Second, maxRetryAfter)
	} else if at, err := http.ParseTime(a.Header.Get("Retry-After")); err == nil {
		e.After = min(max(time.Until(at), 0), maxRetryAfter)
	}
	e.Detail = c.Sentence(detail, secrets...)
	return e
}

// reasonOf reads a status; adapters know better where the body says more.
func reasonOf(status int) Reason {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Unauthorized
	case status == http.StatusPaymentRequired:
		return Unpaid
	case status == http.StatusTooManyRequests:
		return Busy
	case status >= 500:
		return Unreachable
	}
	return Refused
}

// path finds file names with folders, which say more of the server than its users should read.
var path = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[\\/][^\s\\/:'",]+){2,}`)

// Sentence is the first line of a server's text, without paths, its key and secrets, cut to 300 characters.
func (c *Client) Sentence(text string, secrets ...string) string {
	text = c.withoutKey(text)
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "…")
		}
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = path.ReplaceAllString(text, "…")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if runes := []rune(text); len(runes) > maxDetail {
		text = string(runes[:maxDetail-1]) + "…"
	}
	return text
}

func (c *Client) withoutKey(text string) string {
	if c.access.Key == "" {
		return text
	}
	text = strings.ReplaceAll(
		text,
		base64.StdEncoding.EncodeToString([]byte(c.access.Key)),
		"…",
	) // as HTTP Basic sends it
	return strings.ReplaceAll(text, c.access.Key, "…")
}
