package bff

import (
	"fmt"
	"image"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/testpics"
)

// BenchmarkFiftyLayers makes a layered file of 50 results of 4096 × 4096, which comes to more than 2 GB and is a Large Document. peakMiB is
// the most memory this process held, where the system tells. ATELIER_LAYERS keeps the file under that name, for other readers.
func BenchmarkFiftyLayers(b *testing.B) {
	const results, side = 50, 4096
	store, err := media.OpenStore(filepath.Join(b.TempDir(), "media"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	noise := rand.New(rand.NewPCG(1, 2)) // as a camera's: without it rows would pack better than those of photos
	photo := testpics.Photo(side, side, 3)
	for at := range photo.Pix {
		if at%4 < 3 {
			photo.Pix[at] = uint8(min(int(photo.Pix[at])+noise.IntN(8), 255))
		}
	}
	picture := testpics.JPEG(photo)
	c := composition{size: image.Pt(side, side)}
	for i := range results {
		w, err := store.Writer()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fprintf(w, "%s%d", picture, i); err != nil { // what follows the end of a JPEG is nobody's business
			b.Fatal(err)
		}
		sha, _, err := w.Commit()
		if err != nil {
			b.Fatal(err)
		}
		run := db.Run{Run: atelier.Run{Title: "Look", Agent: "removeBG", Version: "v1.0"}}
		c.layers = append(c.layers, chosenLayer{run, db.Result{Result: atelier.Result{Index: i, Width: side, Height: side}, SHA256: sha}})
	}
	s := &Server{c: Config{Store: store, Now: time.Now}, log: slog.New(slog.DiscardHandler)}
	photo = nil
	debug.FreeOSMemory()
	told := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil // what was held until now does not count
	for b.Loop() {
		sha, n, err := s.writeLayers(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/1e6, "file-MB")
		if to := os.Getenv("ATELIER_LAYERS"); to != "" {
			f, err := store.Open(sha)
			if err != nil {
				b.Fatal(err)
			}
			if err := os.Link(f.Name(), to); err != nil {
				b.Fatal(err)
			}
			_ = f.Close()
		}
	}
	if status, err := os.ReadFile("/proc/self/status"); told && err == nil {
		var kib int
		if _, rest, found := strings.Cut(string(status), "VmHWM:"); found {
			if _, err := fmt.Sscanf(rest, "%d", &kib); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(kib)/(1<<10), "peakMiB")
		}
	}
}
