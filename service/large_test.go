package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/imaging"
	"atelier/imaging/testpics"
	"atelier/upstream"
)

// peak is the most memory this process has had since it is watched: what its heap held in use, as each collection found it, and
// what was resident, as Linux counts it.
type peak struct {
	live uint64
	stop chan struct{}
	done chan struct{}
}

func watchPeak() *peak {
	debug.FreeOSMemory()                                          // what was done before is no part of it
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600) // where it cannot be reset, resident tells of the whole life
	p := &peak{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for {
			metrics.Read(sample)
			p.live = max(p.live, sample[0].Value.Uint64())
			select {
			case <-p.stop:
				return
			case <-tick.C:
			}
		}
	}()
	return p
}

// resident is the most that was resident, in bytes; ok is false where nobody counts it.
func (*peak) resident() (bytes int64, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	kib, err := strconv.ParseInt(strings.TrimSpace(strings.SplitN(rest, "kB", 2)[0]), 10, 64)
	return kib << 10, found && err == nil
}

// report ends watching and adds the peak to a benchmark's figures.
func (p *peak) report(b *testing.B) {
	close(p.stop)
	<-p.done
	b.ReportMetric(float64(p.live)/(1<<20), "liveMiB")
	if n, ok := p.resident(); ok {
		b.ReportMetric(float64(n)/(1<<20), "peakMiB")
	}
}

// wide is a photo of a person of any size, as JPEG.
func wide(w, h int) []byte {
	person, _ := testpics.Person(1024, 1280, 5)
	return testpics.JPEG(imaging.Cover(person, w, h))
}

// finish starts runs at once and waits until all have ended.
func (l *load) finish(key, agent, source string, params map[string]any, runs int) (id string) {
	ids := make([]string, runs)
	var all sync.WaitGroup
	for n := range ids {
		all.Go(func() {
			var err error
			if ids[n], err = l.start(key, agent, source, params); err == nil {
				_, err = l.ended(func() (string, error) {
					status, _, err := l.poll(key, ids[n])
					return status, err
				})
			}
			if err != nil {
				l.b.Error(err)
			}
		})
	}
	all.Wait()
	return ids[0]
}

// ended asks until the status it is told is the last.
func (*load) ended(ask func() (string, error)) (status string, err error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if status, err = ask(); err != nil || ended(status) {
			return status, err
		}
		<-tick.C
	}
}

// largeLoad is a running service of a server's memory, with a key.
func largeLoad(b *testing.B) (l *load, key string) {
	b.Helper()
	l = newLoad(b)
	if err := l.svc.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	before := debug.SetMemoryLimit(SoftMemory) // as a server sets it
	b.Cleanup(func() { debug.SetMemoryLimit(before) })
	return l, l.key("studio")
}

// The largest pictures the service takes or makes: what one of them, and two at once, cost in time and memory, from the request
// to the end.
func BenchmarkLargePictures(b *testing.B) {
	const side = 4096
	square := wide(side, side)
	person, _ := testpics.Person(1024, 1280, 5)
	subject := map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 1}
	jobs := []struct {
		agent  string
		source []byte
		params map[string]any
	}{
		{"removeBG", square, subject},
		{"expandimage", testpics.JPEG(person), map[string]any{"targetWidth": side, "targetHeight": side, "batchCount": 1}},
		{"aimodel", square, map[string]any{
			"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": 1001, "batchCount": 1,
		}},
		{"aiproduct", square, map[string]any{
			"generatedContent": "freeCreation", "maskType": "autoSubjectSegment", "textDescription": "on a beach", "batchCount": 1,
		}},
		{"aipose", square, map[string]any{"textDescription": "lean to the left", "batchCount": 1}},
	}
	for _, job := range jobs {
		for _, atOnce := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s x%d", job.agent, atOnce), func(b *testing.B) {
				l, key := largeLoad(b)
				source := l.upload(key, job.source)
				most := watchPeak()
				for b.Loop() {
					l.finish(key, job.agent, source, job.params, atOnce)
				}
				most.report(b)
			})
		}
	}
	b.Run("removeBG of 50 megapixels x2", func(b *testing.B) {
		l, key := largeLoad(b)
		source := l.upload(key, wide(8650, 5780))
		most := watchPeak()
		for b.Loop() {
			l.finish(key, "removeBG", source, subject, 2)
		}
		most.report(b)
	})
	b.Run("collage of 10", func(b *testing.B) {
		l, key := largeLoad(b)
		source := l.upload(key, square)
		most := watchPeak()
		for b.Loop() {
			l.finish(key, "ai-collage-maker", "", map[string]any{"images": slices.Repeat([]string{source}, 10), "batchCount": 1}, 2)
		}
		most.report(b)
	})
	b.Run("layered file of 4", func(b *testing.B) {
		l, key := largeLoad(b)
		batch := map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 4}
		execution := l.finish(key, "removeBG", l.upload(key, square), batch, 1)
		body := []byte(`{"executionId":"` + execution + `"}`)
		most := watchPeak()
		for b.Loop() {
			if _, err := l.svc.db.Write.ExecContext(b.Context(), `DELETE FROM psd`); err != nil {
				b.Fatal(err)
			}
			l.must(http.MethodPost, upstream.PathPSDCreate, key, "application/json", body)
			status, err := l.ended(func() (string, error) {
				var job upstream.PSDJob
				a, err := l.do(http.MethodPost, upstream.PathPSDQuery, key, "application/json", body)
				if err == nil {
					err = json.Unmarshal(a.Data, &job)
				}
				return job.Status, err
			})
			if err != nil || status != statusSuccess {
				b.Fatal(status, err)
			}
		}
		most.report(b)
	})
}

// Many requests at once that are as large as they may be.
func BenchmarkLargeRequests(b *testing.B) {
	l := newLoad(b) // not started: nothing is made of them
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(SoftMemory))
	key := l.key("studio")
	body, err := json.Marshal(upstream.RunStart{
		Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, Input: map[string]any{"originalImage": l.upload(key, testpics.JPEG(photo()))},
		Params: cutOut("x", strings.Repeat("x", largestBody-1<<20)),
	})
	if err != nil {
		b.Fatal(err)
	}
	most := watchPeak()
	for b.Loop() {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if _, err := l.do(http.MethodPost, upstream.PathRuns, key, "application/json", body); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	most.report(b)
}
