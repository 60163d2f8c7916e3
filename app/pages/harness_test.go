package pages

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/atelier"
	"atelier/catalog"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// server answers the studio's requests from what a test put into it.
type server struct {
	mu      sync.Mutex
	answers map[string]func(browser.Request) (int, any) // by method and path
	asked   []string
	bodies  map[string][][]byte
	offline bool
	uploads int
	answer  atelier.Asset // to the next upload; a picture when it has no id
	named   bool          // the id of that picture is its name
}

func newServer() *server {
	s := &server{answers: map[string]func(browser.Request) (int, any){}, bodies: map[string][][]byte{}}
	s.on("GET /api/session", 200, atelier.Session{User: atelier.User{Name: "designer"}, Upstream: "embedded"})
	s.on("GET /api/entry", 200, atelier.Entry{})
	s.on("GET /api/agents", 200, map[string]any{"agents": catalog.All()})
	s.on("GET /api/runs", 200, atelier.RunPage{})
	s.on("GET /api/assets", 200, atelier.AssetPage{})
	return s
}

func (s *server) on(what string, status int, body any) {
	s.answers[what] = func(browser.Request) (int, any) { return status, body }
}

// answering answers with what a function gives then.
func answering[T any](what func() T) func(browser.Request) (int, any) {
	return func(browser.Request) (int, any) { return 200, what() }
}

func (s *server) send(_ context.Context, r browser.Request) (browser.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, _, _ := strings.Cut(r.URL, "?")
	what := r.Method + " " + path
	s.asked = append(s.asked, r.Method+" "+r.URL)
	s.bodies[what] = append(s.bodies[what], r.Body)
	if s.offline {
		return browser.Response{}, browser.ErrOffline
	}
	answer, ok := s.answers[what]
	if !ok {
		return browser.Response{Status: 404, Body: []byte(`{"error":{"code":"not_found","message":"Not there."}}`)}, nil
	}
	status, body := answer(r)
	if raw, ok := body.([]byte); ok {
		return browser.Response{Status: status, Body: raw}, nil
	}
	data, err := json.Marshal(body)
	return browser.Response{Status: status, Body: data}, err
}

func (s *server) upload(_ context.Context, url string, _ map[string]string, f browser.File, progress func(sent, total int64)) (browser.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uploads++
	progress(f.Size, f.Size)
	asset := s.answer
	if asset.ID == "" {
		asset = atelier.Asset{ID: "new", Name: f.Name, Width: 600, Height: 800}
		if s.named {
			asset.ID = atelier.AssetID(f.Name)
		}
	}
	data, err := json.Marshal(asset)
	return browser.Response{Status: 201, Body: data}, err
}

// starts are the runs that were asked for.
func (s *server) starts(t *testing.T) []atelier.StartRun {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []atelier.StartRun
	for _, b := range s.bodies["POST /api/runs"] {
		var start atelier.StartRun
		if err := json.Unmarshal(b, &start); err != nil {
			t.Fatal(err)
		}
		out = append(out, start)
	}
	return out
}

// studioProbe is the studio page with a live context: on the host the framework calls OnPreRender in place of OnMount.
type studioProbe struct{ Studio }

func (p *studioProbe) OnPreRender(ctx app.Context) {
	p.core.ui = ctx
	p.start(ctx)
}

// bench is a page on a test bench.
type bench struct {
	*server
	engine app.TestEngine
	core   *core
	studio *studioProbe
}

// openStudio opens the studio of somebody who is signed in.
func openStudio(t *testing.T) *bench {
	t.Helper()
	s := newServer()
	c := newCore(client.New(s.send, s.upload), func() time.Time { return noon })
	b := &bench{server: s, engine: app.NewTestEngine(), core: c, studio: &studioProbe{Studio{Shown: true, core: c}}}
	if err := b.engine.Load(b.studio); err != nil {
		t.Fatal(err)
	}
	b.settle()
	c.enter(atelier.Session{Upstream: "embedded"})
	t.Cleanup(c.leave)
	b.settle()
	b.studio.settle()
	b.settle()
	return b
}

// settle lets everything that was started come to its end.
func (b *bench) settle() { b.engine.ConsumeAll() }

// do runs something on the page's thread and lets it come to its end.
func (b *bench) do(f func(app.Context)) {
	b.studio.ctx.Dispatch(f)
	b.settle()
}

// generate presses the button, and confirms where it asks first.
func (b *bench) generate() {
	b.do(func(app.Context) { b.studio.generate() })
	if b.studio.dialog == confirmID {
		b.do(func(ctx app.Context) { b.studio.onReally(ctx, app.Event{}) })
	}
}

// later moves the clock.
func (b *bench) later(d time.Duration) {
	now := b.core.now().Add(d)
	b.core.now = func() time.Time { return now }
}

// html is the page as it stands.
func (b *bench) html() string { return app.HTMLString(b.studio.Render()) }

// withPicture puts a picture of 600 × 800 on a stage of 1000 × 900.
func (b *bench) withPicture() *bench {
	b.studio.painter.resize(browser.Box{W: 1000, H: 900})
	asset := atelier.Asset{ID: "a1", Name: "dress.jpg", Width: 600, Height: 800}
	b.core.addAsset(asset)
	b.do(func(app.Context) { b.studio.choose(&asset) })
	return b
}

// drag paints, or whatever the tool does, from point to point of the picture.
func (b *bench) drag(points ...browser.Point) {
	p := b.studio.painter
	send := func(kind browser.PointerKind, at browser.Point) {
		on := browser.Point{X: p.view.X + at.X*p.view.Scale, Y: p.view.Y + at.Y*p.view.Scale}
		p.pointer(browser.Pointer{Kind: kind, ID: 1, Points: []browser.Point{on}})
	}
	send(browser.PointerDown, points[0])
	for _, at := range points[1:] {
		send(browser.PointerMove, at)
	}
	send(browser.PointerUp, points[len(points)-1])
	b.settle()
}
