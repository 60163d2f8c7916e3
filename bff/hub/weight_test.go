package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/internal/killable"
)

// childListen says that this process is a hub by itself, and where it is reached.
const childListen = "ATELIER_TEST_CHILD_LISTEN"

// serveAlone is the child. It tells what it weighs at /weight.
func serveAlone(address string) error {
	h := New(Options{})
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return err
	}
	fmt.Println(killable.Ready)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if r.URL.Path == "/weight" {
			_, _ = fmt.Fprint(w, resident()) // whoever asked notices
			return
		}
		j := Join{User: atelier.UserID(q.Get("user")), Session: q.Get("session"), Origin: "http://" + r.Host, Hello: atelier.HelloEvent{}}
		if err := h.Serve(w, r, j); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	})}
	return server.Serve(l)
}

// resident is how many bytes of memory this process holds, 0 where the system does not say, when all is given back that can be.
func resident() int {
	debug.FreeOSMemory()
	debug.FreeOSMemory()                        // what pools hold goes with the second
	raw, err := os.ReadFile("/proc/self/statm") // pages: all of them, and those in memory
	var all, pages int
	if _, serr := fmt.Sscan(string(raw), &all, &pages); err != nil || serr != nil {
		return 0
	}
	return pages * os.Getpagesize()
}

// F8: a server that was killed weighs as much as before when everybody has come back to the next one.
func TestACrowdWeighsTheSameAfterARestart(t *testing.T) {
	t.Parallel()
	address := killable.Address(t)
	p := killable.New(t, childListen+"="+address)
	weight := func() (n int) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/weight", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Close = true
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(string(raw), &n); err != nil {
			t.Fatalf("it weighs %q: %v", raw, err)
		}
		return n
	}
	var full [2]int
	for life := range full {
		p.Start()
		empty := weight()
		if empty == 0 {
			t.Skip("the system does not say how much memory a process holds")
		}
		for i := range crowdSize {
			next(t, dial(t, "ws://"+address, fmt.Sprintf("user=%s&session=%d", user(i), i)))
		}
		full[life] = weight()
		t.Logf("%d sockets: %d KiB each, %.1f MiB with the server", crowdSize, (full[life]-empty)/1024/crowdSize, float64(full[life])/(1<<20))
		p.Kill()
	}
	if full[1] > full[0]*11/10 {
		t.Errorf("the next server holds %d bytes, the one before %d", full[1], full[0])
	}
}
