package pace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections live in memory, where time is the test's.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

// talk serves h and gives what was answered to what speak sends, and how long the connection lived.
func talk(t *testing.T, h http.HandlerFunc, speak func(net.Conn)) (answer string, lived time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{make(chan net.Conn), make(chan struct{})}
		s := &http.Server{Handler: Ordinary.Handler(h), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
		served := make(chan error, 1)
		go func() { served <- s.Serve(p) }()
		client, server := net.Pipe()
		p.dialled <- server
		began := time.Now()
		var speaking sync.WaitGroup
		speaking.Go(func() { speak(client) })
		all, err := io.ReadAll(bufio.NewReader(client))
		if err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
		answer, lived = string(all), time.Since(began)
		if err := errors.Join(client.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		speaking.Wait()
	})
	return answer, lived
}

const (
	announced = "POST / HTTP/1.1\r\nHost: studio\r\nContent-Length: 100000\r\n\r\n"
	endless   = "POST / HTTP/1.1\r\nHost: studio\r\nTransfer-Encoding: chunked\r\n\r\n"
)

// say sends a request and then piece, every so often, until nobody listens.
func say(request, piece string, every time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, request)
		for err == nil && piece != "" {
			<-time.After(every)
			_, err = io.WriteString(c, piece)
		}
	}
}

func ignoring(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

func reading(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	_, _ = fmt.Fprint(w, n, " bytes, whole: ", err == nil)
}

// F10, R15: bodies that do not come, or come a byte at a time, end their connection, whether anybody reads them or not.
func TestR15BodiesThatDoNotComeEndTheirConnection(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		speak   func(net.Conn)
		status  string
		most    time.Duration
	}{
		{"nothing comes, nobody reads", ignoring, say(announced, "", 0), "204", 2 * time.Second},
		{"bytes drip, nobody reads", ignoring, say(announced, "x", time.Second), "204", 2 * time.Second},
		{"chunks drip, nobody reads", ignoring, say(endless, "1\r\nx\r\n", time.Second), "204", 2 * time.Second},
		{"nobody answers either", func(http.ResponseWriter, *http.Request) {}, say(announced, "", 0), "200", 2 * time.Second},
		{"nothing comes", reading, say(announced, "", 0), "whole: false", 10 * time.Second},
		{"bytes drip", reading, say(announced, "x", time.Second), "whole: false", 11 * time.Second},
		{"chunks drip", reading, say(endless, "1\r\nx\r\n", time.Second), "whole: false", 11 * time.Second},
		{"it is asked for and does not come", reading, say(strings.Replace(announced, "\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n", 1), "", 0), "whole: false", 10 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer, lived := talk(t, tt.handler, tt.speak)
			if !strings.Contains(answer, tt.status) || lived > tt.most {
				t.Errorf("the connection lived for %v, want at most %v; the answer is %q, want %s in it", lived, tt.most, answer, tt.status)
			}
		})
	}
}

// A connection that is as slow as it may be is served to the end, and what a handler then does takes as long as it takes.
func TestWhoIsJustQuickEnoughIsServed(t *testing.T) {
	const pieces = 120
	slow := func(c net.Conn) {
		_, err := fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: studio\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", pieces*Ordinary.Rate)
		for range pieces {
			<-time.After(time.Second)
			if err == nil {
				_, err = io.WriteString(c, strings.Repeat("x", Ordinary.Rate))
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
	answer, lived := talk(t, func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		select {
		case <-time.After(10 * time.Minute):
		case <-r.Context().Done():
			t.Error("the request ended while it was worked on")
		}
		_, _ = fmt.Fprint(w, n, " bytes, ", err)
	}, slow)
	if want := fmt.Sprint(pieces*Ordinary.Rate, " bytes, <nil>"); !strings.HasSuffix(answer, want) || lived < 12*time.Minute {
		t.Errorf("after %v: %q, want %s", lived, answer, want)
	}
}

// Who takes nothing of an answer is cut off.
func TestR15AnAnswerThatNobodyTakesIsBrokenOff(t *testing.T) {
	var took time.Duration
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{make(chan net.Conn), make(chan struct{})}
		ended := make(chan struct{})
		s := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: Ordinary.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			defer close(ended)
			for began := time.Now(); ; took = time.Since(began) {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					took = time.Since(began)
					return
				}
			}
		}))}
		served := make(chan error, 1)
		go func() { served <- s.Serve(p) }()
		client, server := net.Pipe()
		p.dialled <- server
		if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: studio\r\n\r\n"); err != nil {
			t.Error(err)
		}
		<-ended
		if err := errors.Join(client.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		<-served
	})
	if took != Ordinary.Take {
		t.Errorf("the answer was broken off after %v, want %v", took, Ordinary.Take)
	}
}
