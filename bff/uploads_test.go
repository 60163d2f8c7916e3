package bff_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

func TestUploadsAreRefusedAtTheLimits(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	data := photo(31)
	limit := int(probe.Upload.MaxBytes)
	tests := []struct {
		name string
		data []byte
		want int
	}{
		{"at the limit", testpics.PadTo(data, limit), http.StatusCreated},
		{"above the limit", testpics.PadTo(data, limit+1), http.StatusRequestEntityTooLarge},
		{"far above the limit", testpics.PadTo(data, limit+3<<20), http.StatusRequestEntityTooLarge},
		{"another type", []byte("%PDF-1.4 …"), http.StatusUnsupportedMediaType},
		{"too small", testpics.PNG(testpics.Photo(300, 300, 1)), http.StatusBadRequest},
		{"empty", nil, http.StatusBadRequest},
	}
	for _, tt := range tests {
		for _, announced := range []bool{true, false} {
			var body io.Reader = bytes.NewReader(tt.data)
			if !announced {
				body = io.MultiReader(body) // hides the length: sent in chunks
			}
			r := s.send("POST", "/api/assets?name=x.jpg", body, func(r *http.Request) { r.Header.Set("Content-Type", "application/octet-stream") })
			if r.status != tt.want {
				t.Errorf("%s (announced %v) = %d %s, want %d", tt.name, announced, r.status, r.body, tt.want)
				continue
			}
			if tt.want >= 400 {
				if e := r.error(t); e.Fields["image"] == "" {
					t.Errorf("%s: %+v names no field", tt.name, e)
				}
			}
		}
	}
}

func TestAFormWithAPictureIsTakenToo(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	form := func(field, name string, data []byte) string {
		return "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b\r\nContent-Disposition: form-data; name=\"" + field +
			"\"; filename=\"" + name + "\"\r\nContent-Type: image/jpeg\r\n\r\n" + string(data) + "\r\n--b--\r\n"
	}
	data := photo(32)
	send := func(body, kind string) reply {
		return s.send("POST", "/api/assets", strings.NewReader(body), func(r *http.Request) { r.Header.Set("Content-Type", kind) })
	}
	var a atelier.Asset
	r := send(form("image", `../../a\b:c.jpg`, data), "multipart/form-data; boundary=b")
	if r.status != http.StatusCreated {
		t.Fatalf("a form = %d %s", r.status, r.body)
	}
	s.check(json.Unmarshal(r.body, &a))
	if a.Bytes != int64(len(data)) || strings.ContainsAny(a.Name, `/\:`) {
		t.Errorf("the asset is %+v", a)
	}
	for name, body := range map[string]string{"another field": form("picture", "a.jpg", data), "an end too early": form("image", "a.jpg", data)[:300], "nothing": ""} {
		if r := send(body, "multipart/form-data; boundary=b"); r.status != http.StatusBadRequest {
			t.Errorf("%s = %d", name, r.status)
		}
	}
	if r := send(form("image", "a.jpg", data), "multipart/form-data"); r.status != http.StatusBadRequest {
		t.Errorf("no boundary = %d", r.status)
	}
}

// Not every browser knows the turn of a PNG: the stage shows the upright copy, a download gives the file as it came.
func TestTurnedPNGIsShownUpright(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	file := testpics.Turned(testpics.Photo(640, 560, 3), "png", 6)
	asset := s.upload(file)
	shown, saved := s.send("GET", asset.File, nil, nil), s.send("GET", asset.File+"?download=true", nil, nil)
	facts, err := probe.Read(shown.body, int64(len(shown.body)))
	if err != nil || facts.RawWidth != 640 || facts.Orientation != 1 || asset.Width != 640 || asset.Height != 560 {
		t.Errorf("the stage shows %+v of an asset of %d × %d, %v", facts, asset.Width, asset.Height, err)
	}
	if !bytes.Equal(saved.body, file) {
		t.Errorf("%d bytes are saved, of %d", len(saved.body), len(file))
	}
}
