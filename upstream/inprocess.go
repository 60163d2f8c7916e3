package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"runtime/debug"
	"strconv"
	"sync"
)

// InProcess gives a transport that hands requests to h directly, without a network. Bodies stream both ways: h reads the
// request's body as it is, and what h writes waits for the reader. Cancelling the request's context ends h's context; a
// panic in h becomes an error of the call.
func InProcess(h http.Handler) http.RoundTripper { return inProcess{h} }

type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		closeBody(req)
		return nil, err
	}
	trace := httptrace.ContextClientTrace(req.Context())
	told(trace)
	ctx, cancel := context.WithCancelCause(req.Context())
	pr, pw := io.Pipe()
	w := &answerWriter{header: http.Header{}, pipe: pw, ready: make(chan struct{}), bodyless: req.Method == http.MethodHead}
	// Whoever waits on the pipe is let go when the caller gives up.
	release := context.AfterFunc(ctx, func() { pw.CloseWithError(context.Cause(ctx)) })
	go func() {
		err := t.serve(w, served(ctx, req))
		w.finish(err)
		release()
		cancel(errDone)
	}()
	select {
	case <-w.ready:
	case <-req.Context().Done():
		cancel(req.Context().Err())
		closeBody(req) // ends a read that h may be waiting in
		return nil, req.Context().Err()
	}
	if w.failed != nil {
		return nil, w.failed
	}
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	length := int64(-1)
	if n, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		length = n
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sent, ContentLength: length, Request: req,
		Body: &answerBody{PipeReader: pr, cancel: cancel},
	}, nil
}

// errDone ends the context of a handler that has returned; errHungUp of one whose answer nobody reads any more.
var (
	errDone   = errors.New("the handler has returned")
	errHungUp = errors.New("the answer is not read any more")
)

// told reports to the caller's trace, as a transport does, that the request is leaving.
func told(trace *httptrace.ClientTrace) {
	if trace == nil {
		return
	}
	if trace.GetConn != nil {
		trace.GetConn("in-process")
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // a transport closes what it was given; nobody is left to hear of it
	}
}

// served makes the request as a server sees it.
func served(ctx context.Context, req *http.Request) *http.Request {
	r := req.Clone(ctx)
	r.Header = make(http.Header, len(req.Header))
	for name, values := range req.Header {
		name = http.CanonicalHeaderKey(name)
		r.Header[name] = append(r.Header[name], values...)
	}
	if r.Host == "" {
		r.Host = req.URL.Host
	}
	r.URL.Scheme, r.URL.Host = "", ""
	r.RequestURI = req.URL.RequestURI()
	r.RemoteAddr = "127.0.0.1:0"
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.1", 1, 1
	r.GetBody = nil
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.Body = &requestBody{ctx: ctx, ReadCloser: r.Body}
	return r
}

// serve runs the handler; a panic is its error.
func (t inProcess) serve(w *answerWriter, r *http.Request) (err error) {
	defer closeBody(r)
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			err = io.ErrUnexpectedEOF
		default:
			err = fmt.Errorf("the in-process service panicked: %v\n%s", p, debug.Stack())
		}
	}()
	t.handler.ServeHTTP(w, r)
	return nil
}

// requestBody stops giving bytes when the caller has gone.
type requestBody struct {
	ctx context.Context
	io.ReadCloser
	once sync.Once
	err  error
}

func (b *requestBody) Read(p []byte) (int, error) {
	if err := context.Cause(b.ctx); err != nil {
		return 0, err
	}
	return b.ReadCloser.Read(p)
}

func (b *requestBody) Close() error {
	b.once.Do(func() { b.err = b.ReadCloser.Close() })
	return b.err
}

// answerBody is what the caller reads. Closing it ends the handler's context.
type answerBody struct {
	*io.PipeReader
	cancel context.CancelCauseFunc
}

func (b *answerBody) Close() error {
	b.cancel(errHungUp)
	return b.CloseWithError(errHungUp)
}

// answerWriter is the http.ResponseWriter of an in-process request.
type answerWriter struct {
	header   http.Header
	pipe     *io.PipeWriter
	bodyless bool

	once   sync.Once
	ready  chan struct{} // closed when sent, status and failed are final
	sent   http.Header
	status int
	failed error
}

// Header implements http.ResponseWriter.
func (w *answerWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter; informational statuses are dropped.
func (w *answerWriter) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		return
	}
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		if status == http.StatusNoContent || status == http.StatusNotModified {
			w.bodyless = true
		}
		close(w.ready)
	})
}

// Write implements http.ResponseWriter. It waits until the caller has read p.
func (w *answerWriter) Write(p []byte) (int, error) {
	if len(p) > 0 && w.header.Get("Content-Type") == "" {
		w.header.Set("Content-Type", http.DetectContentType(p)) // no effect when the head has left
	}
	w.WriteHeader(http.StatusOK)
	if w.bodyless {
		return len(p), nil
	}
	return w.pipe.Write(p)
}

// Flush implements http.Flusher.
func (w *answerWriter) Flush() { w.WriteHeader(http.StatusOK) }

// finish ends the answer: with an empty 200 when the handler wrote nothing, with err when it failed.
func (w *answerWriter) finish(err error) {
	if err != nil {
		w.once.Do(func() {
			w.failed = err
			close(w.ready)
		})
		w.pipe.CloseWithError(err)
		return
	}
	w.WriteHeader(http.StatusOK)
	_ = w.pipe.Close() // always nil
}
