package upstream_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/upstream"
)

// fault is a way for a service to answer that tells nothing.
type fault struct {
	name    string
	handler http.Handler
	timeout time.Duration
	harmful func(op operation) bool // nil = for every operation
}

// reset closes the connection so that the other side sees a reset.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		if err := tcp.SetLinger(0); err != nil {
			panic(err)
		}
	}
	if err := conn.Close(); err != nil {
		panic(err)
	}
}

// wire sends bytes as they are.
func wire(t *testing.T, text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, werr := io.WriteString(conn, text)
		if err := errors.Join(werr, conn.Close()); err != nil {
			t.Error(err)
		}
	})
}

func faults(t *testing.T) []fault {
	t.Helper()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 32<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	wantsJSON := func(op operation) bool { return op.name != "openapi" }
	wantsData := func(op operation) bool {
		return wantsJSON(op) && op.name != "start psd" && !strings.HasPrefix(op.name, "delete")
	}
	var list []fault
	for _, status := range []int{408, 500, 501, 502, 504, 520} {
		list = append(list,
			fault{name: fmt.Sprintf("HTTP %d as a page", status), handler: says(status, "<html><h1>Sorry</h1></html>", "Content-Type", "text/html")},
			fault{name: fmt.Sprintf("HTTP %d of a gateway in JSON", status), handler: says(status, fmt.Sprintf(`{"status":%d,"error":"Gateway","message":"upstream went away"}`, status))},
			fault{name: fmt.Sprintf("HTTP %d with success", status), handler: says(status, `{"success":true,"code":0,"data":{"taskId":"t","executionId":"e","image":"u"}}`)},
		)
	}
	return append(list,
		fault{name: "empty", handler: says(200, ""), harmful: nil},
		fault{name: "no content", handler: says(204, "")},
		fault{name: "a page", handler: says(200, "<html>Welcome</html>", "Content-Type", "text/html"), harmful: wantsJSON},
		fault{name: "cut off", handler: says(200, `{"success":true,"code":0,"data":{"taskId":"t","exec`), harmful: wantsJSON},
		fault{name: "a list", handler: says(200, `[{"success":true}]`), harmful: wantsJSON},
		fault{name: "a text", handler: says(200, `"ok"`), harmful: wantsJSON},
		fault{name: "null", handler: says(200, `null`), harmful: wantsJSON},
		fault{name: "an empty object", handler: says(200, `{}`), harmful: wantsJSON},
		fault{name: "success with a foreign code", handler: says(200, `{"success":true,"code":200,"data":{"taskId":"t"}}`), harmful: wantsJSON},
		fault{name: "bytes that are no text", handler: says(200, "\xff\xfe\x00\x01"), harmful: wantsJSON},
		fault{name: "gzip that nobody asked for", handler: says(200, bomb.String(), "Content-Encoding", "gzip", "Content-Type", "application/json"), harmful: wantsJSON},
		fault{name: "9 MiB of JSON in short texts", handler: says(200, `{"success":true,"code":0,"data":{"taskId":"t","more":["`+strings.Repeat(`t","`, 3<<20)+`"]}}`)},
		fault{name: "success without data", handler: says(200, `{"success":true,"code":0}`), harmful: wantsData},
		fault{name: "data of another kind", handler: says(200, `{"success":true,"code":0,"data":[1,2]}`), harmful: wantsData},
		fault{name: "a reset instead of an answer", handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Error(err)
			}
			reset(w)
		})},
		fault{name: "an answer shorter than said", handler: wire(t, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"success\":true,")},
		fault{name: "not HTTP", handler: wire(t, "220 mail.example ESMTP\r\n")},
		fault{name: "headers without end", handler: wire(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 300<<10))},
		// On a busy machine the caller may give up before all of its request has come.
		fault{name: "silence", timeout: 40 * time.Millisecond, handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		})},
		fault{name: "silence after the head", timeout: 40 * time.Millisecond, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})},
	)
}

// The fault table: every way of not answering, at every endpoint. What starts something is ambiguous then, the rest is broken.
func TestF4WhatTellsNothingIsAmbiguousOrBroken(t *testing.T) {
	cases := 0
	for _, f := range faults(t) {
		for _, op := range operations() {
			if f.harmful != nil && !f.harmful(op) {
				continue
			}
			cases++
			t.Run(f.name+op.path, func(t *testing.T) {
				var e *upstream.Error
				// A busy machine may need longer than that to send anything at all.
				for timeout := f.timeout; ; timeout *= 2 {
					c := client(t, f.handler, func(o *upstream.Options) { o.Timeout, o.UploadTimeout = timeout, timeout })
					if e = failure(t, op.call(t.Context(), c)); e.Sent || timeout == 0 || timeout > time.Minute {
						break
					}
				}
				if !e.Sent {
					t.Error("counts as not sent")
				}
				want := upstream.Broken
				if op.starts {
					want = upstream.Ambiguous
				}
				if e.Kind != want || e.Retryable == op.starts {
					t.Errorf("got %s, retryable %v, want %s, %v: %v", e.Kind, e.Retryable, want, !op.starts, e)
				}
				if (upstream.KindOf(e) == upstream.Ambiguous) != op.starts {
					t.Errorf("its kind is %s", upstream.KindOf(e))
				}
				if f.timeout > 0 && !errors.Is(e, context.DeadlineExceeded) {
					t.Errorf("the cause is %v, want the deadline", e.Err)
				}
				if e.Message == "" || strings.ContainsAny(e.Message, "\r\n") {
					t.Errorf("message %q is not a sentence", e.Message)
				}
			})
		}
	}
	if cases < 320 {
		t.Errorf("%d cases, want at least 320", cases)
	}
}

func TestBusyIsToldFromLost(t *testing.T) {
	tests := []struct {
		name   string
		header []string
		body   string
		starts upstream.Kind
		reads  upstream.Kind
	}{
		{"with an envelope", nil, `{"success":false,"code":50001,"msg":"busy"}`, upstream.Busy, upstream.Busy},
		{"with a time to wait", []string{"Retry-After", "5"}, `<html>`, upstream.Busy, upstream.Busy},
		// A proxy says the same of a connection that broke after the request had passed.
		{"as a page", nil, `<html>`, upstream.Ambiguous, upstream.Busy},
	}
	for _, tt := range tests {
		for _, op := range operations() {
			e := failure(t, op.call(t.Context(), client(t, says(503, tt.body, tt.header...))))
			want := tt.reads
			if op.starts {
				want = tt.starts
			}
			if e.Kind != want {
				t.Errorf("HTTP 503 %s at %s: %s, want %s", tt.name, op.name, e.Kind, want)
			}
		}
	}
}
