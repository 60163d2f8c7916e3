package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"atelier/upstream"
)

func TestMain(m *testing.M) {
	code := m.Run()
	// On a busy machine the last goroutines take longer to end than goleak waits.
	err := goleak.Find()
	for end := time.Now().Add(5 * time.Minute); err != nil && time.Now().Before(end); {
		err = goleak.Find()
	}
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func ask(t *testing.T, ctx context.Context, h http.HandlerFunc, method string, body io.Reader) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, "http://service/openapi/x?q=1", body)
	if err != nil {
		t.Fatal(err)
	}
	return upstream.InProcess(h).RoundTrip(req)
}

func all(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInProcessHandlersSeeWhatAServerShows(t *testing.T) {
	res, err := ask(t, t.Context(), func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Method != http.MethodPost || r.URL.String() != "/openapi/x?q=1" || r.RequestURI != "/openapi/x?q=1" || r.Host != "service" ||
			string(body) != "in" || r.ContentLength != 2 || r.RemoteAddr == "" || r.Proto != "HTTP/1.1" {
			t.Errorf("the handler sees %s %s (%s) for %s from %s by %s, %d bytes: %q", r.Method, r.URL, r.RequestURI, r.Host, r.RemoteAddr, r.Proto, r.ContentLength, body)
		}
		w.Header().Set("X-Answer", "yes")
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK)
		w.Header().Set("X-Late", "no")
		if _, err := io.WriteString(w, "out"); err != nil {
			t.Error(err)
		}
	}, http.MethodPost, strings.NewReader("in"))
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, res); got != "out" || res.StatusCode != http.StatusTeapot || res.Header.Get("X-Answer") != "yes" || res.Header.Get("X-Late") != "" {
		t.Errorf("answered %d %q %v", res.StatusCode, got, res.Header)
	}
}

func TestInProcessAnswersWithoutABody(t *testing.T) {
	tests := []struct {
		name, method string
		handler      http.HandlerFunc
		status       int
	}{
		{"nothing written", "GET", func(http.ResponseWriter, *http.Request) {}, 200},
		{"no content", "GET", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, 204},
		{"no content with one", "GET", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			if _, err := io.WriteString(w, "x"); err != nil {
				t.Error(err)
			}
		}, 204},
		{"head", "HEAD", func(w http.ResponseWriter, _ *http.Request) {
			if _, err := io.WriteString(w, "x"); err != nil {
				t.Error(err)
			}
		}, 200},
		{"early hints", "GET", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNotFound)
		}, 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := ask(t, t.Context(), tt.handler, tt.method, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := all(t, res); got != "" || res.StatusCode != tt.status {
				t.Errorf("answered %d %q, want %d and nothing", res.StatusCode, got, tt.status)
			}
		})
	}
}

func TestInProcessBodiesStreamBothWays(t *testing.T) {
	in, feed := io.Pipe()
	res, err := ask(t, t.Context(), func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		if _, err := io.Copy(w, r.Body); err != nil { // an echo: it ends only if both directions flow
			t.Error(err)
		}
	}, http.MethodPost, in)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4)
	for _, word := range []string{"one.", "two.", "six."} {
		go func() {
			if _, err := io.WriteString(feed, word); err != nil {
				t.Error(err)
			}
		}()
		if _, err := io.ReadFull(res.Body, buf); err != nil || string(buf) != word {
			t.Fatalf("got %q, %v, want %q", buf, err, word)
		}
	}
	if err := feed.Close(); err != nil {
		t.Fatal(err)
	}
	if rest := all(t, res); rest != "" {
		t.Errorf("%q more", rest)
	}
}

func TestInProcessPanicsAreErrors(t *testing.T) {
	if _, err := ask(t, t.Context(), func(http.ResponseWriter, *http.Request) { panic("the ceiling fell") }, "GET", nil); err == nil || !strings.Contains(err.Error(), "the ceiling fell") {
		t.Errorf("got %v, want the panic", err)
	}
	if _, err := ask(t, t.Context(), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "GET", nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want an unexpected end", err)
	}
	res, err := ask(t, t.Context(), func(w http.ResponseWriter, _ *http.Request) {
		if _, err := io.WriteString(w, "half"); err != nil {
			t.Error(err)
		}
		panic("half-way")
	}, "GET", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(res.Body)
	if err == nil || !strings.Contains(err.Error(), "half-way") || string(got) != "half" {
		t.Errorf("got %q, %v, want half of the answer and the panic", got, err)
	}
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
}

func TestCancellingAnInProcessRequestEndsTheHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 3)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		// before an answer
		_, err := ask(t, ctx, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			ended <- r.Context().Err()
		}, "GET", nil)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		// within the answer
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		res, err := ask(t, ctx, func(w http.ResponseWriter, r *http.Request) {
			_, err := io.WriteString(w, "x")
			for err == nil {
				_, err = w.Write(make([]byte, 100))
			}
			ended <- err
		}, "GET", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(res.Body, make([]byte, 50)); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		synctest.Wait()
		if _, err := io.ReadAll(res.Body); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("reading on: %v, want the deadline", err)
		}
		if err := res.Body.Close(); err != nil {
			t.Error(err)
		}
		// while the handler waits for the request's body
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		body, feed := io.Pipe()
		_, err = ask(t, ctx, func(_ http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			ended <- err
		}, "POST", body)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		if err := feed.Close(); err != nil {
			t.Error(err)
		}
		for range 3 {
			if err := <-ended; err == nil {
				t.Error("a handler did not notice that nobody waits")
			}
		}
	})
}

func TestClosingAnInProcessAnswerEndsTheHandler(t *testing.T) {
	ended := make(chan error, 1)
	res, err := ask(t, t.Context(), func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
		_, err := w.Write([]byte("too late"))
		ended <- err
	}, "GET", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("writing into a closed answer worked")
	}
}
