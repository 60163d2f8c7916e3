package bff

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
)

// headerClient must be on every request that changes something: no page of another origin can set it without asking first.
const headerClient = "X-Atelier"

// policy is the Content-Security-Policy of the whole studio: everything from here, the client's WebAssembly, nothing else.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
	"img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"

const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"

// Handler answers everything: the contract's routes itself, and every other path with pages.
func (s *Server) Handler(pages http.Handler) http.Handler {
	all := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := r.URL.Path; {
		case strings.HasPrefix(p, "/api/"), strings.HasPrefix(p, "/callbacks/"), strings.HasPrefix(p, "/media/"), strings.HasPrefix(p, "/review/"), p == "/healthz", p == "/readyz", p == "/api":
			s.api(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
	return s.observe(s.guard(all))
}

// api answers routes of the contract; unknown ones in the contract's own form.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	h, pattern := s.mux.Handler(r)
	if pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	probe := &bare{header: http.Header{}}
	h.ServeHTTP(probe, r)
	if probe.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", probe.header.Get("Allow"))
		e := &atelier.Error{Code: atelier.Invalid, Message: words.RequestMethod(r.Method), RequestID: requestID(r.Context())}
		drain(r.Body)
		if err := writeJSON(w, http.StatusMethodNotAllowed, atelier.ErrorBody{Error: e}); err != nil {
			s.log.DebugContext(r.Context(), "an error was not delivered", "error", err)
		}
		return
	}
	s.refuse(w, r, atelier.Refuse(atelier.NotFound, words.RequestNothing))
}

// bare takes an answer that is only looked at.
type bare struct {
	header http.Header
	status int
}

func (b *bare) Header() http.Header         { return b.header }
func (b *bare) Write(p []byte) (int, error) { return len(p), nil }
func (b *bare) WriteHeader(status int)      { b.status = status }

// guard lets through what comes from the studio's own pages, and callbacks, which carry their own proof.
func (s *Server) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	hosts := s.hosts()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", permissions)
		if s.c.TLS {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if len(r.TransferEncoding) > 0 {
			// Whoever stands before us may have read another length: nothing that follows on this connection is believed
			// (RFC 9112, 6.1).
			h.Set("Connection", "close")
		}
		if !slices.Contains(hosts, strings.ToLower(r.Host)) {
			// Before everything else: a page of another name that resolves to us must learn nothing (DNS rebinding).
			s.misdirected(w, r)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/callbacks/") {
			next.ServeHTTP(w, r)
			return
		}
		if err := cross.Check(r); err != nil {
			s.refuse(w, r, atelier.Wrap(atelier.Forbidden, err, words.RequestElsewhere))
			return
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
				s.refuse(w, r, atelier.Refuse(atelier.Forbidden, words.RequestElsewhere))
				return
			}
		}
		if !safe(r.Method) && r.Header.Get(headerClient) == "" && (strings.HasPrefix(r.URL.Path, "/api/") || strings.HasPrefix(r.URL.Path, "/review/")) {
			s.refuse(w, r, atelier.Refuse(atelier.Forbidden, words.RequestHeader(headerClient)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hosts are the Host headers that are answered.
func (s *Server) hosts() []string {
	var hosts []string
	for _, h := range s.c.Hosts {
		hosts = append(hosts, strings.ToLower(h))
	}
	if u, err := url.Parse(s.c.PublicURL); err == nil && u.Host != "" {
		hosts = append(hosts, strings.ToLower(u.Host))
	}
	return hosts
}

func (s *Server) misdirected(w http.ResponseWriter, r *http.Request) {
	e := &atelier.Error{Code: atelier.Forbidden, Message: words.RequestHost, RequestID: requestID(r.Context())}
	s.log.WarnContext(r.Context(), "a request for another host was refused", "host", r.Host, "ip", s.ip(r))
	drain(r.Body)
	if err := writeJSON(w, http.StatusMisdirectedRequest, atelier.ErrorBody{Error: e}); err != nil {
		s.log.DebugContext(r.Context(), "an error was not delivered", "error", err)
	}
}

// origin is the only Origin a page of the studio has when it is reached as the request says.
func (s *Server) origin(r *http.Request) string {
	if u, err := url.Parse(s.c.PublicURL); err == nil && strings.EqualFold(u.Host, r.Host) {
		return u.Scheme + "://" + r.Host
	}
	if s.c.TLS {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// ip is the client's address: the peer's, or what a trusted proxy says it is. Of a chain only the last part that no trusted
// proxy wrote is believed; the rest anybody can make up.
func (s *Server) ip(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return address.String()
}

// network is what of a client's address wrong attempts are counted by: anybody who has one address of IPv6 has a whole /64.
func (s *Server) network(r *http.Request) string {
	ip := s.ip(r)
	if a, err := netip.ParseAddr(ip); err == nil && a.Is6() {
		return netip.PrefixFrom(a.WithZone(""), 64).Masked().String()
	}
	return ip
}

func (s *Server) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(s.c.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// observe numbers requests, survives panics and writes the log.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		id, seen := rand.Text()[:12], &seen{bodies: &s.bodies}
		r = r.WithContext(context.WithValue(context.WithValue(r.Context(), requestKey{}, id), seenKey{}, seen))
		rec := &recorder{ResponseWriter: w}
		rec.Header().Set("X-Request-Id", id)
		defer func() {
			if seen.release != nil {
				seen.release()
			}
			p := recover()
			broken := p == http.ErrAbortHandler //nolint:errorlint // the documented sentinel is compared as a value
			if p != nil && !broken {
				s.panics.Add(1)
				s.log.ErrorContext(r.Context(), "a handler panicked", "path", loggedPath(r), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				if rec.status == 0 {
					s.refuse(rec, r, fmt.Errorf("panic: %v", p))
				}
			}
			s.log.InfoContext(r.Context(), "request", "method", r.Method, "path", loggedPath(r), "status", rec.status, "bytes", rec.bytes,
				"ms", time.Since(began).Milliseconds(), "ip", s.ip(r), "user", seen.user)
			if broken { // an answer that is not whole: whoever reads it must not take its end for the end
				panic(p)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// survive keeps a panic of work in the background from ending the process.
func (s *Server) survive(what string) {
	if p := recover(); p != nil {
		s.panics.Add(1)
		s.log.Error("background work panicked", "work", what, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}

// seen is what the handlers learn about a request, for its line in the log, and what they hold until it is answered.
type seen struct {
	user    atelier.UserID
	bodies  *bodies
	release func() // gives back the memory of a large body; nil = it has none
}

type seenKey struct{}

// proofPaths are those that are followed by something that lets in who knows it.
var proofPaths = []string{"/callbacks/", "/media/", "/review/", "/api/images/", filesPath}

// Files of the image service let in who knows their names; those of presets are everybody's.
const (
	filesPath   = "/openapi/files/"
	presetsPath = filesPath + "presets/"
)

// loggedPath is the path without what is secret in it.
func loggedPath(r *http.Request) string {
	for _, p := range proofPaths {
		if strings.HasPrefix(r.URL.Path, p) && !strings.HasPrefix(r.URL.Path, presetsPath) {
			return p + "…"
		}
	}
	return r.URL.Path
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader remembers the status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write counts.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Hijack is for websockets.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	r.status = http.StatusSwitchingProtocols
	return http.NewResponseController(r.ResponseWriter).Hijack()
}
