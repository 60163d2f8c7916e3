// Package outbound is the only way this product fetches a URL that a user, a client or the image service gave: the address
// is checked when it is dialled, on every redirect, whatever the name resolved to before.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// ErrTooLarge is what a body's Read gives past the limit of the call.
var ErrTooLarge = errors.New("the file is larger than allowed")

// ErrRefused is in the chain of every error that means "we will not go there".
var ErrRefused = errors.New("this address may not be fetched")

// StatusError is an answer other than 200.
type StatusError struct{ Status int }

// Error names the status.
func (e *StatusError) Error() string { return fmt.Sprintf("the server answered %d", e.Status) }

// Policy says where a Client may go.
type Policy struct {
	// Hosts lists the only hosts that may be fetched, as host or host:port; a listed one may be private or loopback and
	// speak http. Empty means any public host over https.
	Hosts []string
	// Origins lists addresses the operator chose, as scheme://host or scheme://host:port, that may be fetched beside the public ones
	// wherever they lie, while Hosts is empty.
	Origins []string
	// Public lets nothing off: what Hosts lists must be on the public internet and spoken to over https, too.
	Public bool
	// AnyScheme lets public hosts be reached over http and on any port too (callbacks: Task API, "Execute task").
	AnyScheme bool
	// InProcess maps a host to a server that lives in this process; nothing is dialled for it.
	InProcess map[string]http.RoundTripper
	// Timeout bounds a whole exchange, body included; 0 means 5 minutes, and half an hour where more than Quick bytes are allowed.
	Timeout time.Duration
	// Idle is how long a body may send nothing; 0 means 30 seconds. It is also how long a body in all may be behind one that comes
	// at 16 KiB a second.
	Idle time.Duration
}

// Client fetches and posts under a Policy. It sends no credentials, no cookies and no referrer, uses no proxy and asks for
// no compression. It is safe for concurrent use.
type Client struct {
	policy Policy
	http   *http.Client
}

const maxRedirects = 3

// Quick is the most bytes that must come within five minutes. Pictures are of this size at most, videos and layered files larger.
const Quick = 192 << 20

// What an exchange may take when the policy does not say.
const (
	timeout      = 5 * time.Minute
	largeTimeout = 30 * time.Minute
	idle         = 30 * time.Second
	slowest      = 16 << 10 // bytes a second
)

// New makes a client.
func New(p Policy) *Client {
	return newClient(p, &net.Dialer{Timeout: 5 * time.Second, KeepAlive: -1, ControlContext: control})
}

func newClient(p Policy, dialer *net.Dialer) *Client {
	if p.Idle == 0 {
		p.Idle = idle
	}
	c := &Client{policy: p}
	c.http = &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // a proxy would dial another address than the one that was checked
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			ResponseHeaderTimeout:  15 * time.Second,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true,
			DisableKeepAlives:      true, // a kept connection could be reused under another policy decision
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// HTTP gives the client under the policy's rule about addresses, for libraries that make their own requests. It follows no
// redirects; of the policy's other rules the caller must take care.
func (c *Client) HTTP() *http.Client {
	client := *c.http
	client.Timeout = c.timeout(0)
	return &client
}

// timeout bounds an exchange that brings at most so many bytes.
func (c *Client) timeout(maxBytes int64) time.Duration {
	switch {
	case c.policy.Timeout > 0:
		return c.policy.Timeout
	case maxBytes > Quick:
		return largeTimeout
	}
	return timeout
}

type listedKey struct{}

// ControlPublic is for the dialers of other clients that may reach nothing but the public internet.
func ControlPublic(ctx context.Context, network, address string, conn syscall.RawConn) error {
	return control(context.WithValue(ctx, listedKey{}, false), network, address, conn)
}

// control runs after name resolution, with the address that is about to be dialled.
func control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	if listed, ok := ctx.Value(listedKey{}).(bool); ok && listed {
		return nil
	}
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %q is not an address", ErrRefused, address)
	}
	if !public(ap.Addr()) {
		return fmt.Errorf("%w: it is not on the public internet", ErrRefused)
	}
	return nil
}

// Check says whether the URL may be fetched as far as its text tells: scheme, host, port, literal address, no user name.
func (c *Client) Check(rawURL string) error {
	_, _, err := c.parse(rawURL)
	return err
}

// Inside says whether a host is a server in this process.
func (c *Client) Inside(host string) bool {
	_, ok := c.policy.InProcess[host]
	return ok
}

// parse gives the URL and whether its host is listed by the policy.
func (c *Client) parse(rawURL string) (u *url.URL, listed bool, err error) {
	if strings.ContainsAny(rawURL, "\r\n\t\\ ") {
		return nil, false, fmt.Errorf("%w: the URL contains characters that do not belong there", ErrRefused)
	}
	u, err = url.Parse(rawURL)
	if err != nil {
		return nil, false, fmt.Errorf("%w: it is not a URL", ErrRefused)
	}
	host := u.Hostname()
	if u.Opaque != "" || host == "" || u.User != nil {
		return nil, false, fmt.Errorf("%w: it is not a plain http or https URL", ErrRefused)
	}
	for _, r := range host {
		if r > 0x7f {
			return nil, false, fmt.Errorf("%w: host names are written in ASCII", ErrRefused)
		}
	}
	if _, ok := c.policy.InProcess[u.Host]; ok && (u.Scheme == "http" || u.Scheme == "https") {
		return u, false, nil
	}
	listed = slices.Contains(c.policy.Hosts, u.Host) || slices.Contains(c.policy.Hosts, host) ||
		len(c.policy.Hosts) == 0 && slices.ContainsFunc(c.policy.Origins, func(o string) bool { return origin(o) == origin(rawURL) })
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, false, fmt.Errorf("%w: only http and https URLs are fetched", ErrRefused)
	case listed && !c.policy.Public:
		return u, true, nil
	case !listed && len(c.policy.Hosts) > 0:
		return nil, false, fmt.Errorf("%w: its host is not on the list of allowed hosts", ErrRefused)
	case !c.policy.AnyScheme && u.Scheme != "https":
		return nil, false, fmt.Errorf("%w: only https URLs are fetched", ErrRefused)
	case !c.policy.AnyScheme && u.Port() != "" && u.Port() != "443":
		return nil, false, fmt.Errorf("%w: only port 443 is fetched", ErrRefused)
	}
	if a, err := netip.ParseAddr(host); err == nil {
		if !public(a) {
			return nil, false, fmt.Errorf("%w: it is not on the public internet", ErrRefused)
		}
	} else if name := strings.TrimSuffix(strings.ToLower(host), "."); name == "localhost" || strings.HasSuffix(name, ".localhost") || !strings.Contains(name, ".") || lastLabelNumeric(name) {
		return nil, false, fmt.Errorf("%w: it is not on the public internet", ErrRefused)
	}
	return u, false, nil
}

// origin is the scheme, host and port of a URL, "" where they are not told.
func origin(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Scheme + "://" + net.JoinHostPort(u.Hostname(), port))
}

// lastLabelNumeric spots the old forms of IPv4 addresses (0x7f.1, 2130706433, 0177.0.0.1) that some resolvers still read.
func lastLabelNumeric(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return true
	}
	if strings.HasPrefix(last, "0x") {
		return true
	}
	return strings.Trim(last, "0123456789") == ""
}

// Response is a fetched file. The caller closes Body; reading past the limit gives ErrTooLarge.
type Response struct {
	Body        io.ReadCloser
	ContentType string
	Length      int64 // -1 when the server did not say
}

// Get fetches a URL, following at most three redirects, each checked like the first. Only a 200 answer is a success; other
// statuses are a *StatusError.
func (c *Client) Get(ctx context.Context, rawURL string, maxBytes int64) (_ *Response, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout(maxBytes))
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	for range maxRedirects + 1 {
		resp, err := c.do(ctx, http.MethodGet, rawURL, "", http.NoBody, 0)
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case http.StatusOK:
			if resp.ContentLength > maxBytes {
				return nil, errors.Join(ErrTooLarge, resp.Body.Close())
			}
			return &Response{
				Body:        &limited{ReadCloser: within(ctx, c.policy.Idle, resp.Body, cancel), left: maxBytes},
				ContentType: resp.Header.Get("Content-Type"), Length: resp.ContentLength,
			}, nil
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
			next, err := resp.Location()
			if cerr := resp.Body.Close(); err != nil || cerr != nil {
				return nil, fmt.Errorf("%w: it is redirected to no URL: %w", ErrRefused, errors.Join(nameless(err), cerr))
			}
			rawURL = next.String()
		default:
			return nil, errors.Join(&StatusError{resp.StatusCode}, resp.Body.Close())
		}
	}
	return nil, fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
}

// Post sends the size bytes of body and gives the status and the first maxAnswer bytes of the answer. Redirects are not followed.
func (c *Client) Post(ctx context.Context, rawURL, contentType string, body io.Reader, size, maxAnswer int64) (status int, answer []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout(maxAnswer))
	defer cancel()
	resp, err := c.do(ctx, http.MethodPost, rawURL, contentType, body, size)
	if err != nil {
		return 0, nil, err
	}
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return resp.StatusCode, answer, fmt.Errorf("read the answer: %w", err)
	}
	return resp.StatusCode, answer, nil
}

func (c *Client) do(ctx context.Context, method, rawURL, contentType string, body io.Reader, size int64) (*http.Response, error) {
	u, listed, err := c.parse(rawURL)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(context.WithValue(ctx, listedKey{}, listed), method, u.String(), body)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", nameless(err))
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.ContentLength = size
	req.Header.Set("User-Agent", "atelier")
	if rt, ok := c.policy.InProcess[u.Host]; ok {
		resp, err := rt.RoundTrip(req)
		if err != nil {
			return nil, fmt.Errorf("fetch from %s: %w", u.Host, nameless(err))
		}
		return resp, nil
	}
	// Not Do, which reads the address of a redirect that is not followed, and names it when it is none.
	resp, err := c.http.Transport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("reach %s: %w", u.Host, nameless(err))
	}
	return resp, nil
}

// nameless takes the address out of an error: addresses may hold a signature or a proof, and errors are logged.
func nameless(err error) error {
	if named, ok := errors.AsType[*url.Error](err); ok {
		return named.Err
	}
	return err
}

// ErrSlow is what a body's Read gives when nothing came, or next to nothing, for longer than the policy allows.
var ErrSlow = errors.New("the server stopped sending, or sends too slowly")

// patient is a body that is given up when it does not come on.
type patient struct {
	io.ReadCloser
	idle   time.Duration
	timer  *time.Timer
	gaveUp atomic.Bool
	ctx    context.Context // of the exchange
	cancel context.CancelFunc
	n      int64
	waited time.Duration // for all that came; what the reader does in between does not count
}

func within(ctx context.Context, idle time.Duration, body io.ReadCloser, cancel context.CancelFunc) *patient {
	p := &patient{ReadCloser: body, idle: idle, ctx: ctx, cancel: cancel}
	p.timer = time.AfterFunc(idle, func() {
		p.gaveUp.Store(true)
		cancel()
	})
	return p
}

// Read waits for the next bytes, but not for long.
func (p *patient) Read(b []byte) (int, error) {
	earned := p.idle + time.Duration(p.n)*time.Second/slowest
	began := time.Now()
	p.timer.Reset(min(p.idle, earned-p.waited))
	n, err := p.ReadCloser.Read(b)
	p.timer.Stop()
	p.n += int64(n)
	p.waited += time.Since(began)
	if err != nil && (p.gaveUp.Load() || errors.Is(p.ctx.Err(), context.DeadlineExceeded)) {
		err = ErrSlow
	}
	return n, err
}

// Close ends the exchange.
func (p *patient) Close() error {
	p.timer.Stop()
	p.cancel()
	return p.ReadCloser.Close()
}

// limited gives ErrTooLarge instead of the byte past its limit.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}
