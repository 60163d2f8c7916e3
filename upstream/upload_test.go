package upstream_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"atelier/upstream"
)

func TestUploadIsOneImageFieldOfExactLength(t *testing.T) {
	noise := make([]byte, 3<<20+17)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	for _, size := range []int{1, 511, 4096, 1 << 20, len(noise)} {
		for _, s := range []upstream.Surface{upstream.TaskSurface, upstream.RunSurface} {
			c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if len(r.TransferEncoding) > 0 || r.ContentLength <= int64(size) {
					t.Errorf("%d bytes: length %d, encoding %v, want an exact length", size, r.ContentLength, r.TransferEncoding)
				}
				whole, err := io.ReadAll(r.Body)
				if err != nil || int64(len(whole)) != r.ContentLength {
					t.Errorf("%d bytes of body, %v; Content-Length says %d", len(whole), err, r.ContentLength)
				}
				r.Body = io.NopCloser(bytes.NewReader(whole))
				form, err := r.MultipartReader()
				if err != nil {
					t.Error(err)
					return
				}
				part, err := form.NextPart()
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(part)
				if err != nil || sha256.Sum256(got) != sha256.Sum256(noise[:size]) {
					t.Errorf("the picture of %d bytes arrives changed, with %d bytes (%v)", size, len(got), err)
				}
				if part.FormName() != "image" || part.FileName() != "dress.jpg" || part.Header.Get("Content-Type") != "image/jpeg" {
					t.Errorf("field %q, file %q, type %q", part.FormName(), part.FileName(), part.Header.Get("Content-Type"))
				}
				if _, err := form.NextPart(); !errors.Is(err, io.EOF) {
					t.Errorf("a second part: %v", err)
				}
				says(http.StatusOK, `{"success":true,"code":0,"data":{"image":"https://a/u.jpg"}}`).ServeHTTP(w, r)
			}))
			got, err := c.UploadImage(t.Context(), s, upstream.Upload{
				Name: "/home/me/dress.jpg", ContentType: "image/jpeg", Size: int64(size), Body: bytes.NewReader(noise[:size]),
			})
			if err != nil || got.Image != "https://a/u.jpg" {
				t.Errorf("%d bytes: %+v, %v", size, got, err)
			}
		}
	}
}

func TestUploadOfAnotherLengthThanSaidIsNotTaken(t *testing.T) {
	broken := errors.New("the disk is gone")
	tests := []struct {
		name string
		size int64
		body io.Reader
		want error
	}{
		{"shorter", 100, strings.NewReader(strings.Repeat("x", 99)), io.ErrUnexpectedEOF},
		{"longer", 100, strings.NewReader(strings.Repeat("x", 101)), nil},
		{"breaking", 100, io.MultiReader(strings.NewReader("x"), failingReader{broken}), broken},
		{"breaking at the end", 1, io.MultiReader(strings.NewReader("x"), failingReader{broken}), broken},
		{"empty", 0, strings.NewReader(""), nil},
		{"of unknown length", -1, strings.NewReader("x"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, inside := range []bool{false, true} {
				h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.Copy(io.Discard, r.Body); err != nil {
						panic(http.ErrAbortHandler)
					}
					says(http.StatusOK, `{"success":true,"data":{"image":"u"}}`).ServeHTTP(w, r)
				})
				c := client(t, h, func(o *upstream.Options) {
					if inside {
						o.Transport = upstream.InProcess(h)
					}
				})
				_, err := c.UploadImage(t.Context(), upstream.RunSurface, upstream.Upload{Name: "a.png", Size: tt.size, Body: tt.body})
				if err == nil {
					t.Fatal("it was taken")
				}
				if tt.want != nil && !inside && !errors.Is(err, tt.want) {
					t.Errorf("the cause is %v, want %v", err, tt.want)
				}
				if s, ok := tt.body.(io.Seeker); ok {
					if _, err := s.Seek(0, io.SeekStart); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// TestUploadStreams: the service has the first bytes while the last ones do not exist yet.
func TestUploadStreams(t *testing.T) {
	arrived := make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form, err := r.MultipartReader()
		if err != nil {
			t.Error(err)
			return
		}
		part, err := form.NextPart()
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := io.ReadFull(part, make([]byte, 1000)); err != nil {
			t.Error(err)
		}
		close(arrived)
		says(http.StatusOK, `{"success":true,"data":{"image":"u"}}`).ServeHTTP(w, r)
	})
	for name, change := range map[string]func(*upstream.Options){
		"over HTTP":  func(*upstream.Options) {},
		"in process": func(o *upstream.Options) { o.Transport = upstream.InProcess(h) },
	} {
		t.Run(name, func(t *testing.T) {
			arrived = make(chan struct{})
			const size = 1 << 20
			pr, pw := io.Pipe()
			go func() {
				_, err := pw.Write(make([]byte, size/2))
				if err == nil {
					select {
					case <-arrived:
						_, err = pw.Write(make([]byte, size/2))
					case <-t.Context().Done():
						err = context.Cause(t.Context())
					}
				}
				pw.CloseWithError(err)
			}()
			if _, err := client(t, h, change).UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "a.png", Size: size, Body: pr}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFileNamesBringNoSurprises(t *testing.T) {
	tests := map[string]string{
		"dress.jpg":              "dress.jpg",
		"/etc/passwd":            "passwd",
		`C:\Users\me\dress.jpg`:  "dress.jpg",
		"..":                     "image",
		"":                       "image",
		"a\"; filename=\"b.php":  "a__ filename=_b.php",
		"a\r\nX-Evil: 1.jpg":     "a__X-Evil: 1.jpg",
		"kjole æøå.png":          "kjole ___.png",
		strings.Repeat("n", 300): strings.Repeat("n", 100),
	}
	for name, want := range tests {
		var got string
		c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			f, h, err := r.FormFile("image")
			if err != nil {
				t.Error(err)
				return
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			got = h.Filename
			says(http.StatusOK, `{"success":true,"data":{"image":"u"}}`).ServeHTTP(w, r)
		}))
		if _, err := c.UploadImage(t.Context(), upstream.RunSurface, upstream.Upload{Name: name, Size: 1, Body: strings.NewReader("x"), ContentType: "image/png\r\nX: y"}); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q arrives as %q, want %q", name, got, want)
		}
	}
}

func BenchmarkUpload10MiB(b *testing.B) {
	body := make([]byte, 10<<20)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			b.Error(err)
		}
		says(http.StatusOK, `{"success":true,"data":{"image":"u"}}`).ServeHTTP(w, r)
	})
	c, err := upstream.New(upstream.Options{BaseURL: "http://service", Key: canary, Transport: upstream.InProcess(h)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.UploadImage(b.Context(), upstream.RunSurface, upstream.Upload{Name: "a.png", Size: int64(len(body)), Body: bytes.NewReader(body)}); err != nil {
			b.Fatal(err)
		}
	}
}
