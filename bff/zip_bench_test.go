package bff

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/provenance"
	"atelier/imaging/testpics"
)

// BenchmarkZipRoute downloads 200 results of about 2 MB as one archive, over a connection, from where the browser gets it. times-copying
// is how much longer that takes than to send the stored files one behind the other over such a connection; peak-MB is the most that was
// held of them at once, of what is in use after a collection.
func BenchmarkZipRoute(b *testing.B) {
	const files = 200
	folder := b.TempDir()
	store, err := media.OpenStore(filepath.Join(folder, "media"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	d, err := db.Open(b.Context(), filepath.Join(folder, "studio.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if err := d.EnsureUser(b.Context(), localUser); err != nil {
		b.Fatal(err)
	}
	s := &Server{c: Config{DB: d, Store: store, Now: time.Now}, log: slog.New(slog.DiscardHandler)}
	plan := zipPlan{At: time.Now()}
	var all int64
	noise := rand.New(rand.NewPCG(1, 2)) // a picture that does not get smaller
	img := image.NewNRGBA(image.Rect(0, 0, 820, 820))
	for at := range img.Pix {
		if img.Pix[at] = 255; at%4 < 3 {
			img.Pix[at] = byte(noise.Uint32())
		}
	}
	picture := testpics.PNG(img)
	for i := range files {
		w, err := store.Writer()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fprintf(w, "%s%d", picture, i); err != nil { // what follows the end of a PNG is nobody's business
			b.Fatal(err)
		}
		sha, n, err := w.Commit()
		if err != nil {
			b.Fatal(err)
		}
		e := zipEntry{SHA256: sha, CRC: -1, Origin: provenance.Origin{Source: provenance.Composite, Agent: "removeBG v1.0", Parent: sha}}
		if e.Bytes, err = s.sizeOf(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		all += n
		plan.Records = append(plan.Records, zipRecord{File: fmt.Sprintf("Look %03d.png", i+1)})
		plan.Entries = append(plan.Entries, e)
	}
	raw, err := json.Marshal(plan)
	if err != nil {
		b.Fatal(err)
	}
	e, err := d.CreateExport(b.Context(), db.Export{UserID: localUser.ID, Kind: db.ExportZip, Name: "Looks", Plan: string(raw)})
	if err != nil {
		b.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /zips/{id}/file", func(w http.ResponseWriter, r *http.Request) {
		if err := s.zipFile(w, r, visitor{User: atelier.User{ID: localUser.ID}}); err != nil {
			b.Error(err)
		}
	})
	mux.HandleFunc("GET /plain", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.FormatInt(all, 10))
		for _, e := range plan.Entries {
			f, err := store.Open(e.SHA256)
			if err != nil {
				b.Error(err)
				return
			}
			if _, err := io.Copy(w, f); err != nil {
				b.Error(err)
			}
			_ = f.Close()
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	buffer := make([]byte, 64<<10)
	// get reads an answer, and looks after each of so many parts of it what is held; 0 = never.
	get := func(path string, looks int64) (took time.Duration, peak uint64) {
		begun := time.Now()
		resp, err := http.Get(server.URL + path)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		var n, next int64
		for {
			got, err := resp.Body.Read(buffer)
			n += int64(got)
			if looks > 0 && n >= next {
				next += all / looks
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		if n < all {
			b.Fatalf("%d bytes of %d came", n, all)
		}
		return time.Since(begun), peak
	}
	path := "/zips/" + e.ID + "/file"
	get(path, 0) // the checksums are known from now on
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, peak := get(path, 50)
	b.SetBytes(all)
	var sending, copying time.Duration
	for b.Loop() {
		took, _ := get("/plain", 0)
		copying += took
		took, _ = get(path, 0)
		sending += took
	}
	b.ReportMetric(sending.Seconds()/copying.Seconds(), "times-copying")
	b.ReportMetric(float64(peak-min(peak, before.HeapAlloc))/1e6, "peak-MB")
}
