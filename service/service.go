// Package service is our own image service: both surfaces of the API (Task API and Run API), complete, over a database and
// a folder of its own. The studio's server reaches it in-process through the same client as any remote account; outside
// clients reach it over HTTP with keys of their own.
//
// The tables are the truth. Background work (segmentation, rendering, callbacks, PSD files, custom presets) is done by jobs
// that are only hints: a sweep at start and each minute queues what has no job, and every worker may run twice.
package service

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"atelier/catalog"
	"atelier/imaging/video"
	"atelier/internal/outbound"
	"atelier/internal/sqldb"
	"atelier/service/gen"
	"atelier/service/migrations"

	"golang.org/x/sync/semaphore"
)

// SoftMemory is the memory, in bytes, at which a process with a service of the default PixelMemory should begin to collect
// its garbage eagerly (debug.SetMemoryLimit): with it the largest pictures stay within 1 GiB resident.
const SoftMemory = 832 << 20

// EmbeddedHost is the host the studio's server names when it reaches the service in-process. Nothing answers there on a
// network.
const EmbeddedHost = "embedded.atelier.internal"

// Config says how the service runs. Only Folder is required.
type Config struct {
	// Folder holds service.db and the files; it is created when missing. One process at a time may Start on it; others may
	// open it beside that one to make and revoke keys.
	Folder string
	// PublicURL is the origin clients reach the service by, such as "https://atelier.example". Links in the answers to requests
	// for its host begin with it, in answers to others with the scheme and host the request came by.
	PublicURL string
	// DownloadURL is the origin of PSD links; "" = as all links.
	DownloadURL string
	// Hosts are more names (host or host:port) under which URLs of ours may come back to us; EmbeddedHost and the host of
	// the request are always ours, and that of DownloadURL.
	Hosts []string
	// AssetHosts are the only hosts source pictures are read from, and may be private; empty = any public https host.
	AssetHosts []string
	// CallbackHosts are the only hosts callbacks are posted to, and may be private; empty = any public host.
	CallbackHosts []string
	// CallbackRetries are the waits before the second and the third post of a callback (Task API, "Events": two retries).
	// ASSUMED [What ends a delivery]: 2 s and 10 s.
	CallbackRetries [2]time.Duration
	// Workers is how many pictures and videos are worked on at once, preparations, layered files and photos of presets included;
	// 0 = GOMAXPROCS. With a single one a video has a place beside it: a video takes minutes, most of them in ffmpeg, a process
	// that GOMAXPROCS does not count, and pictures must go on meanwhile.
	Workers int
	// PixelMemory bounds the memory all renders use together, and what stays prepared for them, in bytes, as estimated from
	// their sizes; 0 = 832 MiB, which is the largest picture and a small one beside it. Anything estimated at more is done alone.
	PixelMemory int64
	// Video makes videos and reads those that are brought; nil = the runs of agents that make some fail with
	// video.ErrMissing's sentence.
	Video *video.Tool
	// SparseFilms makes each n-th frame alone of videos that are drawn; 0 = all. Tests spare time by it.
	SparseFilms int
	// Agents are those the service offers and describes; nil = those of the documents.
	Agents   []catalog.Agent
	Switches Switches
	Logger   *slog.Logger     // nil = slog.Default
	Now      func() time.Time // nil = time.Now
	Panicked func()           // is told of every panic, which ends nothing but the work it was in; nil = nobody is
}

// Service is a running image service. Its methods may be called from any goroutine.
type Service struct {
	cfg      Config
	agents   *catalog.Set
	openAPI  func() ([]byte, error) // the description of both surfaces, made once
	db       *sqldb.DB
	files    *fileStore
	secret   []byte // signs list cursors
	assets   *outbound.Client
	hooks    *outbound.Client
	jobs     *queue
	bench    *bench
	bodies   *semaphore.Weighted // bytes for large requests
	wake     chan struct{}       // asks for a sweep
	line     line
	lanes    lanes
	progress progressBoard
	switches atomic.Pointer[Switches]
	calls    atomic.Int64      // since the switches were set
	opened   time.Time         // by the wall clock
	pause    time.Duration     // firstPause, but in tests
	atMoment func(name string) // in tests that end the process at a named moment; else nil
	stop     context.CancelFunc
	loops    sync.WaitGroup
}

// Open opens or creates the service in cfg.Folder. It answers requests at once; work begins with Start.
func Open(ctx context.Context, cfg Config) (*Service, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Panicked == nil {
		cfg.Panicked = func() {}
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.PixelMemory == 0 {
		cfg.PixelMemory = 832 << 20
	}
	if cfg.CallbackRetries == ([2]time.Duration{}) {
		cfg.CallbackRetries = [2]time.Duration{2 * time.Second, 10 * time.Second}
	}
	if u, err := url.Parse(cfg.DownloadURL); err == nil && u.Host != "" {
		cfg.Hosts = append(slices.Clone(cfg.Hosts), u.Host)
	}
	db, err := sqldb.Open(ctx, filepath.Join(cfg.Folder, "service.db"), migrations.Files)
	if err != nil {
		return nil, fmt.Errorf("open the image service: %w", err)
	}
	s := &Service{
		opened: time.Now(),
		cfg:    cfg,
		agents: catalog.NewSet(cfg.Agents),
		db:     db,
		files:  &fileStore{folder: filepath.Join(cfg.Folder, "files")},
		assets: outbound.New(outbound.Policy{Hosts: cfg.AssetHosts}),
		// ASSUMED [How long a receiver may take]: 15 s.
		hooks: outbound.New(outbound.Policy{Hosts: cfg.CallbackHosts, AnyScheme: true, Timeout: 15 * time.Second}),
	}
	s.pause = firstPause
	s.openAPI = sync.OnceValues(s.writeOpenAPI)
	s.SetSwitches(cfg.Switches)
	s.bench, s.bodies, s.wake = newBench(cfg.Workers, cfg.PixelMemory), semaphore.NewWeighted(bodyMemory), make(chan struct{}, 1)
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

func (s *Service) open(ctx context.Context) error {
	if err := s.files.open(); err != nil {
		return err
	}
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return fmt.Errorf("make the cursor secret: %w", err)
	}
	q := gen.New(s.db.Write)
	if err := q.SetSetting(ctx, gen.SetSettingParams{Name: usesSince, Value: strconv.FormatInt(s.now(), 10)}); err != nil {
		return fmt.Errorf("store since when uses are recorded: %w", err)
	}
	if err := q.SetSetting(ctx, gen.SetSettingParams{Name: "cursor_secret", Value: hex.EncodeToString(fresh)}); err != nil {
		return fmt.Errorf("store the cursor secret: %w", err)
	}
	kept, err := q.FindSetting(ctx, "cursor_secret")
	if err != nil {
		return fmt.Errorf("read the cursor secret: %w", err)
	}
	if s.secret, err = hex.DecodeString(kept); err != nil {
		return fmt.Errorf("read the cursor secret: %w", err)
	}
	s.jobs, err = newQueue(s)
	return err
}

// SetSwitches replaces the switches, for the requests and jobs that begin after it.
func (s *Service) SetSwitches(sw Switches) {
	s.calls.Store(0)
	s.switches.Store(&sw)
}

// Start begins the background work. It goes on until Close; the end of ctx does not end it.
func (s *Service) Start(ctx context.Context) error {
	if err := errors.Join(s.files.tidy(s.opened), s.clearWorkshop()); err != nil {
		return err
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.jobs.start(ctx); err != nil {
		s.stop()
		return err
	}
	s.loops.Go(func() { s.sweepEachMinute(ctx) })
	s.loops.Go(func() { s.upkeepEachDay(ctx) })
	return nil
}

// Close ends the background work, interrupting what runs: it goes on at the next Start. Then it closes the database.
func (s *Service) Close() error {
	var err error
	if s.stop != nil {
		s.stop()
		err = s.jobs.close()
		s.loops.Wait()
	}
	return errors.Join(err, s.db.Close())
}

// moment names a point of the work at which a test may end the process.
func (s *Service) moment(name string) {
	if s.atMoment != nil {
		s.atMoment(name)
	}
}

// read and write are the queries on the two pools.
func (s *Service) read() *gen.Queries  { return gen.New(s.db.Read) }
func (s *Service) write() *gen.Queries { return gen.New(s.db.Write) }

func (s *Service) now() int64 { return sqldb.Millis(s.cfg.Now()) }
