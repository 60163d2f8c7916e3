package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"golang.org/x/time/rate"
)

// Options say where the service is and how to speak with it. BaseURL and Key are needed, the rest has useful zero values.
type Options struct {
	BaseURL     string // https, or http on this machine or through an own Transport; no path is needed
	DownloadURL string // host of the PSD endpoints; "" = BaseURL
	Key         Secret
	// Transport carries the requests; nil = an own one that trusts no proxy and asks for no compression. The embedded
	// service gives an in-process one (see InProcess). It must not follow redirects.
	Transport http.RoundTripper
	// Control refuses addresses before they are dialled, after names are resolved; nil = none is refused. It counts without Transport.
	Control       func(ctx context.Context, network, address string, conn syscall.RawConn) error
	Timeout       time.Duration // of a whole call; 0 = 60 s
	UploadTimeout time.Duration // of a whole upload; 0 = 180 s
	// Idempotency sends the key given to StartRun as Idempotency-Key. Only for services that honour it.
	Idempotency bool
	// Estimates allows EstimatePower. Only for services that offer it.
	Estimates bool
	// Rate is how many requests a second may leave; 0 = no limit. While the service answers that there are too many it is
	// less.
	Rate rate.Limit
	// OnCall hears how long each call took and its failure, nil when it succeeded. It may be nil.
	OnCall func(op string, took time.Duration, failure *Error)
	// OnAnswer hears the answer to each call that starts something (create task, execute task, start run) before it is
	// interpreted, with the context of that call: at most 64 KiB. It may be nil.
	OnAnswer func(ctx context.Context, op string, raw []byte)
}

// The defaults of Options.
const (
	defaultTimeout       = 60 * time.Second
	defaultUploadTimeout = 180 * time.Second
)

// Client speaks with one account of the image service. It is safe for concurrent use.
type Client struct {
	base, download *url.URL
	key            Secret
	wire           *wire
	timeout        time.Duration
	uploadTimeout  time.Duration
	idempotency    bool
	estimates      bool
	onAnswer       func(ctx context.Context, op string, raw []byte)
	onCall         func(op string, took time.Duration, failure *Error)
}

// Serves says whether a host is the image service's, or that of its downloads.
func (c *Client) Serves(host string) bool { return host == c.base.Host || host == c.download.Host }

// New checks the options and makes a client. It sends nothing.
func New(o Options) (*Client, error) {
	base, err := origin(o.BaseURL, o.Transport != nil)
	if err != nil {
		return nil, fmt.Errorf("address of the image service: %w", err)
	}
	download := base
	if o.DownloadURL != "" {
		if download, err = origin(o.DownloadURL, o.Transport != nil); err != nil {
			return nil, fmt.Errorf("address of the image service's downloads: %w", err)
		}
	}
	if err := checkKey(o.Key); err != nil {
		return nil, err
	}
	c := &Client{
		base: base, download: download, key: o.Key, timeout: o.Timeout, uploadTimeout: o.UploadTimeout,
		idempotency: o.Idempotency, estimates: o.Estimates, onAnswer: o.OnAnswer, onCall: o.OnCall, wire: newWire(o.Transport, o.Control, o.Rate),
	}
	if c.timeout <= 0 {
		c.timeout = defaultTimeout
	}
	if c.uploadTimeout <= 0 {
		c.uploadTimeout = defaultUploadTimeout
	}
	return c, nil
}

// CloseIdle closes connections that wait for work.
func (c *Client) CloseIdle() { c.wire.closeIdle() }

func checkKey(k Secret) error {
	if k == "" {
		return errors.New("the API key is empty")
	}
	for _, r := range string(k) {
		if r <= ' ' || r > '~' {
			return errors.New("the API key holds characters that no key has (blanks, line breaks or letters outside ASCII)")
		}
	}
	return nil
}

// origin reads an address the key may go to. Plain http is for this machine, and for a transport that is not a network.
func origin(address string, ownTransport bool) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it cannot be read as an address")
	}
	switch {
	case u.Host == "" || u.Hostname() == "":
		return nil, fmt.Errorf("%q names no host", address)
	case u.User != nil:
		return nil, errors.New("it holds a user name or password")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q holds a query or fragment", address)
	case u.Scheme == "https":
	case u.Scheme == "http" && (ownTransport || loopback(u.Hostname())):
	case u.Scheme == "http":
		return nil, fmt.Errorf("%q is not https: the API key would travel in the clear", address)
	default:
		return nil, fmt.Errorf("%q is neither https nor http", address)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	return u, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
