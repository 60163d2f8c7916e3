package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
	"atelier/service"
)

// childServer says that this process is the server itself, started by a test.
const childServer = "ATELIER_TEST_CHILD_SERVER"

// childBackup names the file that this process backs the data folder up to.
const childBackup = "ATELIER_TEST_CHILD_BACKUP"

func TestMain(m *testing.M) {
	var args []string
	if file := os.Getenv(childBackup); file != "" {
		args = []string{"backup", file}
		fmt.Println(killable.Ready)
	} else if os.Getenv(childServer) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	err := run(ctx, args, os.Getenv, greeting{}, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// greeting hears where to go, which is said when the server answers.
type greeting struct{}

// Write says that the server is ready.
func (greeting) Write(p []byte) (int, error) {
	fmt.Println(killable.Ready)
	return len(p), nil
}

// Whoever ends the server before it has come up is told of no failure, and nothing was opened.
func TestAnEndBeforeTheStartIsOverIsNoFailure(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var said, logged strings.Builder
	if err := run(gone, nil, env(map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir()}), &said, &logged); err != nil || said.Len() > 0 {
		t.Errorf("%v, said %q", err, said.String())
	}
	if !strings.Contains(logged.String(), "before the start was over") {
		t.Errorf("the log says nothing of it: %s", logged.String())
	}
}

// A run is being sent and a picture is on its way up when the operator ends the server: windows are told at once that it goes,
// what is under way is waited for and kept, the process ends well, and the next one goes on with the run, which was sent once.
func TestSlowAnOrderlyEndWaitsForWhatIsBeingSent(t *testing.T) {
	t.Parallel()
	background := context.WithoutCancel(t.Context())
	images, err := service.Open(background, service.Config{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	const key = "test-key-of-the-studio-0123456789"
	if err := errors.Join(images.EnsureKey(background, key, "studio", "studio"), images.Start(background)); err != nil {
		t.Fatal(err)
	}
	var sent atomic.Int64
	arrived, release := make(chan struct{}), make(chan struct{})
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/task/execute") && sent.Add(1) == 1 {
			close(arrived)
			<-release
		}
		images.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		far.Close()
		if err := images.Close(); err != nil {
			t.Error(err)
		}
	})
	address := killable.Address(t)
	p := killable.New(t, childServer+"=1", "ATELIER_LISTEN="+address, "ATELIER_DATA="+t.TempDir(), "ATELIER_LAUNCH_TOKEN="+testToken, "ATELIER_LOG=error",
		"ATELIER_UPSTREAM_URL="+far.URL, "ATELIER_API_KEY="+key, "ATELIER_ASSET_HOSTS="+strings.TrimPrefix(far.URL, "http://"))
	p.Start()
	v := visit(t, address)
	window, resp, err := (&websocket.Dialer{Jar: v.http.Jar}).DialContext(t.Context(), "ws://"+address+"/api/events", http.Header{"Origin": {v.base}})
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	id, err := v.start(1)
	if err != nil {
		t.Fatal(err)
	}
	<-arrived
	picture := testpics.PadTo(testpics.JPEG(testpics.Swatch(530, 560, 2)), 4<<20)
	late := len(picture) - 1000 // what has come by then earns it minutes
	body, rest := io.Pipe()
	begun, uploaded := make(chan struct{}), make(chan error, 1)
	go func() { uploaded <- v.stream("/api/assets?name=late.jpg", body, func() { close(begun) }) }()
	<-begun
	if _, err := rest.Write(picture[:late]); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Terminate() }()
	for err == nil {
		_, _, err = window.ReadMessage()
	}
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the window was told %v, want that the server goes away (1001)", err)
	}
	_ = window.Close() // it is closed already
	select {
	case err := <-ended:
		t.Errorf("the server ended with %v while a run was being sent", err)
	default:
	}
	if _, err := rest.Write(picture[late:]); err != nil {
		t.Error(err)
	}
	if err := errors.Join(rest.Close(), <-uploaded); err != nil {
		t.Errorf("the picture that was on its way up: %v", err)
	}
	close(release)
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}

	p.Start()
	v.http.CloseIdleConnections()
	var run atelier.RunBody
	tick, deadline := time.NewTicker(50*time.Millisecond), time.After(5*time.Minute)
	defer tick.Stop()
	for run.Run.State != atelier.StateDone {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("the run is %s: %+v", run.Run.State, run.Run.Error)
		}
		if err := v.send("GET", "/api/runs/"+string(id), "application/json", nil, &run); err != nil {
			t.Fatal(err)
		}
	}
	if n := sent.Load(); n != 1 {
		t.Errorf("the run was sent %d times", n)
	}
	if err := p.Terminate(); err != nil {
		t.Errorf("ending without anything to do: %v", err)
	}
}

// stream uploads what comes from a body, as it comes; begun is called when the server has begun to read.
func (v *visitor) stream(path string, body io.Reader, begun func()) error {
	ctx := httptrace.WithClientTrace(context.WithoutCancel(v.t.Context()), &httptrace.ClientTrace{Got100Continue: begun})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, v.base+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("X-Atelier", "1")
	req.Header.Set("Content-Type", "application/octet-stream")
	req.Header.Set("Expect", "100-continue")
	resp, err := v.http.Do(req)
	if err != nil {
		return err
	}
	said, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err == nil && resp.StatusCode != http.StatusCreated {
		err = fmt.Errorf("%s: %s", resp.Status, said)
	}
	return err
}
