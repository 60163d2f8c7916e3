package bff

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
)

// unplugged is a server that has nothing behind it: what reaches a database panics.
func unplugged() *Server {
	c := Config{CallbackKey: []byte("0123456789abcdef"), Hosts: []string{"studio.example"}, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
	s := &Server{c: c, log: c.Logger}
	s.sessions = newSessionStore(c)
	s.routes()
	return s
}

// FuzzACallbackThatIsNotOursReachesNothing: with any path, method and body, what carries no proof of ours is refused before
// anything is looked up.
func FuzzACallbackThatIsNotOursReachesNothing(f *testing.F) {
	s := unplugged()
	h := s.Handler(http.NotFoundHandler())
	f.Add("POST", "0190a0b0-0000-7000-8000-000000000000.AAAAAAAAAAAAAAAAAAAAAA", []byte("{}"))
	f.Add("POST", "../../healthz", []byte{})
	f.Add("GET", "x%2f..%00", []byte("x"))
	f.Add("PUT", strings.Repeat("a.", 3000), []byte(nil))
	f.Fuzz(func(t *testing.T, method, token string, body []byte) {
		u, err := url.Parse("http://studio.example/callbacks/v1/" + token)
		if err != nil || u.Host != "studio.example" {
			return
		}
		if subject, ok := s.proven(callbacks, strings.TrimPrefix(u.Path, "/callbacks/v1/")); ok {
			t.Fatalf("%q proves %q", token, subject)
		}
		if !strings.HasPrefix(u.Path, "/callbacks/") || strings.HasPrefix(u.Path, "/callbacks/v1/probe/") {
			return
		}
		r := (&http.Request{
			Method: method, URL: u, Host: "studio.example", Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)),
			RemoteAddr: "192.0.2.1:1", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RequestURI: u.RequestURI(),
		}).WithContext(t.Context())
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code < 300 || w.Code >= 500 {
			t.Errorf("%s %q = %d %s", method, token, w.Code, w.Body)
		}
	})
}

// FuzzAFormIsReadOrRefused: an upload as a form gives the bytes of its file, or a refusal in words.
func FuzzAFormIsReadOrRefused(f *testing.F) {
	form := func(field, name string, data []byte) (string, []byte) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		part, err := w.CreateFormFile(field, name)
		if err == nil {
			_, err = part.Write(data)
		}
		if err := errors.Join(err, w.Close()); err != nil {
			f.Fatal(err)
		}
		return w.FormDataContentType(), b.Bytes()
	}
	kind, body := form("image", "dress.jpg", []byte("\xff\xd8\xff"))
	f.Add(kind, body)
	f.Add(kind, body[:len(body)/2])
	f.Add("multipart/form-data", body)
	f.Add("multipart/form-data; boundary=\"\r\n\"", []byte("--\r\n--"))
	f.Add("multipart/form-data; boundary=b", bytes.Repeat([]byte("--b\r\nA: b\r\n\r\nx\r\n"), 40))
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../x\x00\"\r\n\r\nx\r\n--b--"))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/assets", bytes.NewReader(body))
		r.Header.Set("Content-Type", kind)
		file, name, length, err := upload(r)
		if err != nil {
			if code := atelier.CodeOf(err); code != atelier.Invalid {
				t.Errorf("%q: %v", kind, err)
			}
			return
		}
		n, err := io.Copy(io.Discard, file)
		if n > int64(len(body)) || err == nil && length >= 0 && length != n {
			t.Errorf("%d bytes of %d, announced %d (%v)", n, len(body), length, err)
		}
		if name == "" || strings.ContainsAny(name, "/\\\x00\r\n") {
			t.Errorf("the file is called %q", name)
		}
	})
}

// FuzzAJSONBodyIsReadOrRefused: nothing a body can hold makes a route fail, and what it does not know it does not take.
func FuzzAJSONBodyIsReadOrRefused(f *testing.F) {
	f.Add([]byte(`{"name":"Spring"}`))
	f.Add([]byte(`{"intentKey":"0123456789abcdef","agent":"aimodel","values":{"batchCount":1e999}}`))
	f.Add([]byte(`{"a":` + strings.Repeat("[", 20000)))
	f.Add([]byte("{}{}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, v := range []any{&atelier.StartRun{}, &atelier.CreateMask{}, &atelier.UpdateResults{}, &atelier.Login{}, &atelier.UpdateAccount{}} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			err := readJSON(httptest.NewRecorder(), r, 1<<16, v)
			var large *http.MaxBytesError
			if err != nil && atelier.CodeOf(err) != atelier.Invalid && !errors.As(err, &large) {
				t.Errorf("%T: %v", v, err)
			}
		}
	})
}
