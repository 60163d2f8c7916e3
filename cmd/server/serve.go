package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/time/rate"

	"atelier/app/routes"
	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/video"
	"atelier/internal/folder"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/upstream"
	"atelier/web"
)

// garbagePercent is how much garbage may lie beside what is in use, in percent of that (debug.SetGCPercent): with 100, the usual, 40 photos
// of 24 megapixels that are uploaded at once took 686 MiB, with 50 they took 552. Pictures hold no pointers, so that a collection is cheap.
const garbagePercent = 50

// halves says which parts of the product one process serves.
type halves struct{ studio, service bool }

// closers are undone in the reverse order of their making.
type closers []func() error

func (c *closers) add(f func() error) { *c = append(*c, f) }

func (c *closers) close() error {
	var err error
	for _, f := range slices.Backward(*c) {
		err = errors.Join(err, f())
	}
	return err
}

// serve builds the parts, listens, prints where to go and works until ctx ends.
func serve(ctx context.Context, cfg config, logger *slog.Logger, stdout io.Writer, parts halves) (err error) {
	var undo closers
	open := false
	defer func() {
		if err != nil && !open && ctx.Err() != nil { // whatever was under way was broken off
			logger.Info("told to end before the start was over", "error", err)
			err = nil
		}
		err = errors.Join(err, undo.close())
	}()
	unlock, err := lockFolder(cfg.Data)
	if err != nil {
		return err
	}
	undo.add(unlock)
	if err := wholeFolder(cfg.Data); err != nil {
		return err
	}
	if err := keepReserve(cfg.Data, logger); err != nil {
		return err
	}
	undo.add(func() error { return keepReserve(cfg.Data, logger) }) // the databases are closed then, and their logs are gone
	if os.Getenv("GOMEMLIMIT") == "" {                              // an operator's own limit stands
		debug.SetMemoryLimit(service.SoftMemory)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}

	if cfg.PublicURL != "" && !cfg.tls() && len(cfg.TrustedProxies) == 0 {
		logger.Warn("what leads from the public address to this machine is not named in ATELIER_TRUSTED_PROXIES: whoever comes that way counts as somebody at this machine")
	}
	mux, panics := http.NewServeMux(), new(atomic.Int64)
	tool := findFFmpeg(ctx, logger)
	var images *service.Service
	all := http.Handler(mux)
	if parts.service {
		if images, err = startService(ctx, cfg, tool, panics, logger, &undo); err != nil {
			return err
		}
		all = withService(images.Handler(), mux)
	}
	metrics := prometheus.NewRegistry()
	meter := bff.NewMeter()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), meter)
	handler := onlyHosts(allowedHosts(cfg), all)
	leave := func() {}
	ready := "The image service answers at " + linkBase(cfg) + "/openapi/"
	if parts.studio {
		studio, err := startStudio(ctx, cfg, tool, panics, logger, stdout, images, meter, &undo)
		if err != nil {
			return err
		}
		mux.Handle("GET "+samplesPath, servePictures(samplesPath, samplePicture, logger))
		mux.Handle("GET "+examplesPath, servePictures(examplesPath, examplePicture(cfg.Agents), logger))
		mux.Handle("/", studio.site)
		metrics.MustRegister(studio.Collector())
		handler = studio.Handler(all)
		leave = func() {
			defer survive(logger, panics, "telling windows that the studio ends")
			studio.Leave()
		}
		if ready, err = welcome(ctx, cfg, studio.Server); err != nil {
			return err
		}
	}
	if images != nil {
		handler = alsoDownloads(cfg, images.Handler(), handler)
	}
	listeners, err := listeners(ctx, cfg, handler, metrics, logger, &undo)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, ready); err != nil {
		return fmt.Errorf("say where to go: %w", err)
	}
	open = true
	return serveAll(ctx, listeners, cfg.Granted, leave, logger)
}

// startService opens the embedded image service and sets it to work.
func startService(ctx context.Context, cfg config, tool *video.Tool, panics *atomic.Int64, logger *slog.Logger, undo *closers) (*service.Service, error) {
	images, err := openService(ctx, cfg, tool, panics, logger)
	if err != nil {
		return nil, err
	}
	undo.add(images.Close)
	// Work goes on while requests in flight finish; Close ends it.
	return images, startWithRoom(context.WithoutCancel(ctx), "image service", images.Start, logger, panics, undo)
}

type studio struct {
	*bff.Server
	site *web.Site
}

// startStudio connects the studio to its image service: the embedded one when images is given, else the configured account.
func startStudio(ctx context.Context, cfg config, tool *video.Tool, panics *atomic.Int64, logger *slog.Logger, stdout io.Writer, images *service.Service, meter *bff.Meter, undo *closers) (*studio, error) {
	site, err := web.Load(routes.Paths())
	if err != nil {
		return nil, err
	}
	if !site.Built() {
		logger.Warn("the browser client is not part of this build; run `make build`")
	}
	store, err := media.OpenStore(filepath.Join(cfg.Data, "media"))
	if err != nil {
		return nil, err
	}
	undo.add(store.Close)
	data, err := db.Open(ctx, filepath.Join(cfg.Data, "studio.db"))
	if err != nil {
		return nil, err
	}
	undo.add(data.Close)
	callbackKey, err := secretFile(filepath.Join(cfg.Data, callbackKeyFile))
	if err != nil {
		return nil, err
	}
	c := bff.Config{
		DB: data, Store: store, CallbackKey: []byte(callbackKey), PublicURL: cfg.PublicURL, Hosts: allowedHosts(cfg), TLS: cfg.tls(), Team: cfg.team(),
		Version: version, Build: site.Build(), LaunchToken: string(cfg.LaunchToken), LinkBase: linkBase(cfg), Surface: cfg.Surface,
		Agents: cfg.Agents, MaskRoute: cfg.MaskRoute, MaskPNG: cfg.MaskPNG, TrustedProxies: cfg.TrustedProxies, CallbackAllow: cfg.CallbackAllow, Logger: logger, Terminal: stdout,
		Video: tool, MediaRoute: cfg.MediaRoute, MediaBytes: cfg.MediaBytes, TrashDays: cfg.TrashDays, Panics: panics,
	}
	if images != nil && tool == nil {
		c.NoVideo = atelier.VideosNeedFFmpeg
	}
	if err := connect(ctx, &c, cfg, images, meter); err != nil {
		return nil, err
	}
	server, err := bff.New(c)
	if err != nil {
		return nil, err
	}
	undo.add(server.Close)
	if err := startWithRoom(context.WithoutCancel(ctx), "studio", server.Start, logger, panics, undo); err != nil {
		return nil, err
	}
	return &studio{server, site}, nil
}

// connect gives the studio its client of the image service and its way to the files that service names. The two kinds
// differ in configuration alone.
func connect(ctx context.Context, c *bff.Config, cfg config, images *service.Service, meter *bff.Meter) error {
	o := upstream.Options{
		BaseURL: cfg.UpstreamURL, DownloadURL: cfg.DownloadURL, Key: cfg.APIKey, Idempotency: cfg.RunIdempotency, Estimates: cfg.Estimates, OnAnswer: bff.OnAnswer,
		OnCall: meter.OnCall, Rate: rate.Limit(cfg.RequestRate),
	}
	// Watching runs gets half of it; the rest is for what people wait for.
	c.PollRate = o.Rate / 2
	policy := outbound.Policy{Hosts: cfg.AssetHosts}
	if !cfg.embedded() {
		// The service that the operator chose may lie in the operator's own network, and what it makes with it.
		policy.Origins = []string{cfg.UpstreamURL, cfg.DownloadURL}
	}
	c.AccountFile, c.AccountFixed, c.Connect = filepath.Join(cfg.Data, accountFile), !cfg.embedded(), entered(cfg, meter)
	c.UpstreamKind, c.UpstreamID = "remote", cfg.UpstreamURL
	c.Idempotency, c.Estimates = cfg.RunIdempotency, cfg.Estimates
	if images != nil {
		key, err := studioKey(serviceFolder(cfg))
		if err != nil {
			return err
		}
		if err := images.EnsureKey(ctx, string(key), studioAccount, "studio"); err != nil {
			return fmt.Errorf("enter the studio's key: %w", err)
		}
		inside := upstream.InProcess(images.Handler())
		o.BaseURL, o.DownloadURL, o.Key, o.Transport = "http://"+service.EmbeddedHost, "", key, inside
		o.Idempotency, o.Estimates = true, true
		o.Rate, c.PollRate = 0, 0 // nothing to be polite to
		// A task that another program started names its files by the address that program reached the service at.
		policy.InProcess = map[string]http.RoundTripper{service.EmbeddedHost: inside}
		for _, host := range allowedHosts(cfg) {
			policy.InProcess[host] = inside
		}
		if host := downloadHost(cfg); host != "" {
			policy.InProcess[host] = inside
		}
		c.UpstreamKind, c.UpstreamID = "embedded", "embedded"
		c.Idempotency, c.Estimates, c.NoCallbacks = true, true, true
		c.Stop = func(ctx context.Context, execution string) error { return images.Stop(ctx, string(key), execution) }
	}
	client, err := upstream.New(o)
	if err != nil {
		return err
	}
	c.Upstream, c.Outbound = client, outbound.New(policy)
	return nil
}

// entered makes the client of an account that is entered in the settings. Where people have accounts, who enters it need not be the
// operator, whose network it must not open: then the service, and the hosts entered with it, lie on the public internet.
func entered(cfg config, meter *bff.Meter) func(bff.Connection) (bff.Remote, error) {
	return func(a bff.Connection) (bff.Remote, error) {
		r := bff.Remote{Idempotency: cfg.RunIdempotency, Estimates: cfg.Estimates, PollRate: rate.Limit(cfg.RequestRate) / 2}
		o := upstream.Options{
			BaseURL: a.Address, DownloadURL: a.Downloads, Key: a.Key, Idempotency: r.Idempotency, Estimates: r.Estimates, OnAnswer: bff.OnAnswer,
			OnCall: meter.OnCall, Rate: rate.Limit(cfg.RequestRate),
		}
		policy := outbound.Policy{Hosts: cfg.AssetHosts}
		if len(a.Hosts) > 0 {
			policy.Hosts, policy.Public = a.Hosts, cfg.team()
		}
		if cfg.team() {
			o.Control = outbound.ControlPublic
		} else {
			policy.Origins = []string{a.Address, cmp.Or(a.Downloads, a.Address)}
		}
		client, err := upstream.New(o)
		if err != nil {
			return r, err
		}
		r.Client, r.Outbound = client, outbound.New(policy)
		return r, nil
	}
}

// listeners binds every address that is served.
func listeners(ctx context.Context, cfg config, handler http.Handler, metrics prometheus.Gatherer, logger *slog.Logger, undo *closers) ([]*listener, error) {
	secure, err := certificates(cfg, logger)
	if err != nil {
		return nil, err
	}
	list := []*listener{{address: cfg.Listen, handler: handler, tls: secure}}
	if cfg.CallbackListen != "" {
		list = append(list, &listener{address: cfg.CallbackListen, handler: onlyCallbacks(handler), tls: secure})
	}
	if cfg.DebugListen != "" {
		list = append(list, &listener{address: cfg.DebugListen, handler: debugHandler(metrics)})
	}
	for _, l := range list {
		if err := l.open(ctx); err != nil {
			return nil, err
		}
		undo.add(func() error {
			if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
				return err
			}
			return nil
		})
	}
	return list, nil
}

// onlyCallbacks serves nothing but the callback routes. From where they are taken the studio decides (ATELIER_CALLBACK_ALLOW).
func onlyCallbacks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/callbacks/") {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// onlyHosts refuses requests for other names (DNS rebinding).
func onlyHosts(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(hosts, strings.ToLower(r.Host)) {
			http.Error(w, "The image service is not served under this name.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// allowedHosts are the Host headers that are answered: the names of this machine when we listen on loopback, and the
// public name.
func allowedHosts(cfg config) []string {
	var hosts []string
	if _, port, err := net.SplitHostPort(cfg.Listen); err == nil && loopback(cfg.Listen) {
		for _, name := range []string{"127.0.0.1", "localhost", "::1"} {
			hosts = append(hosts, net.JoinHostPort(name, port))
		}
	}
	if u, err := url.Parse(cfg.PublicURL); err == nil && u.Host != "" {
		hosts = append(hosts, strings.ToLower(u.Host))
	}
	return hosts
}

// downloadHost is the host that the embedded service puts into the links of layered files, "" when it is none of its own.
func downloadHost(cfg config) string {
	u, err := url.Parse(cfg.DownloadURL)
	if err != nil || !cfg.embedded() {
		return ""
	}
	return u.Host
}

// withService hands the paths of the image service to it, those too that are not in their plain form: a mux would lead clients on from
// them, without their bodies, and in no envelope.
func withService(images, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(path.Clean(r.URL.Path)+"/", "/openapi/") {
			images.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// alsoDownloads answers under the host of layered files, which is a name of the image service and none of the studio: below
// /openapi/ and nowhere else.
func alsoDownloads(cfg config, images, next http.Handler) http.Handler {
	host := strings.ToLower(downloadHost(cfg))
	if host == "" || slices.Contains(allowedHosts(cfg), host) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.ToLower(r.Host) == host && strings.HasPrefix(r.URL.Path, "/openapi/") {
			images.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// linkBase is how a person reaches us.
func linkBase(cfg config) string {
	switch {
	case cfg.PublicURL != "":
		return cfg.PublicURL
	case cfg.tls():
		return "https://" + cfg.Listen
	}
	return "http://" + cfg.Listen
}

// secretFile reads a secret of our own, or makes it at the first start; only this user can read it.
func secretFile(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	// An empty one is no secret, however it came to be.
	if secret := strings.TrimSpace(string(b)); secret != "" {
		return secret, nil
	}
	if err := folder.Make(filepath.Dir(path)); err != nil {
		return "", fmt.Errorf("create the data folder: %w", err)
	}
	secret := rand.Text() + rand.Text()
	if err := folder.Write(path, []byte(secret+"\n")); err != nil {
		return "", fmt.Errorf("keep %s: %w", filepath.Base(path), err)
	}
	return secret, nil
}
