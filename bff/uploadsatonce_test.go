package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
)

// heap is the bytes of all that lives in memory, and of what has died since it was last looked for.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// offered is a file that was uploaded, and what came of it.
type offered struct {
	name   string
	data   []byte
	status int
	words  string // of a refusal
	took   time.Duration
}

// offerAtOnce uploads files, so many at a time, tells each answer to seen, one after the other, and gives the most bytes of memory that
// were used meanwhile beside those used before. A refusal without words fails the test.
func (s *studio) offerAtOnce(atOnce int, files iter.Seq2[string, []byte], seen func(offered)) (most uint64) {
	s.t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	before, peak, done := heap(), uint64(0), make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				peak = max(peak, heap())
			}
		}
	})
	waiting := make(chan offered)
	var mu sync.Mutex
	var sending sync.WaitGroup
	for range atOnce {
		sending.Go(func() {
			for f := range waiting {
				began := time.Now()
				var err error
				f.status, f.words, err = s.offer(f.name, f.data)
				f.took = time.Since(began)
				if err != nil {
					s.t.Errorf("%s: %v", f.name, err)
				}
				mu.Lock()
				seen(f)
				mu.Unlock()
			}
		})
	}
	for name, data := range files {
		waiting <- offered{name: name, data: data}
	}
	close(waiting)
	sending.Wait()
	close(done)
	watching.Wait()
	return peak - min(before, peak)
}

// offer uploads a file and gives the words of a refusal; the error is that of one without words.
func (s *studio) offer(name string, data []byte) (status int, words string, err error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/api/assets?name="+url.QueryEscape(name), bytes.NewReader(data))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("X-Atelier", "1")
	req.Header.Set("Content-Type", "application/octet-stream")
	resp, err := s.browser.Do(req)
	if err != nil {
		return 0, "", err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode == http.StatusCreated {
		return resp.StatusCode, "", err
	}
	var b atelier.ErrorBody
	if err := json.Unmarshal(raw, &b); err != nil || b.Error == nil || b.Error.Message == "" {
		return resp.StatusCode, "", errors.New("refused without a word: " + string(raw))
	}
	return resp.StatusCode, b.Error.Message, nil
}

// F1, over HTTP: eight at a time upload pictures that are broken, after eight of the largest. Each is taken or refused in words,
// none is a failure of the server, and no more of them are open at a time than there are processors. ATELIER_TEST_ROUNDS asks
// for more that are broken, and the largest are then as large as the studio takes.
func TestUploadsAtOnceHurtNobody(t *testing.T) { // not in parallel: it looks at the memory of the whole process
	const atOnce = 8
	side, most := 3000, uint64(0)
	rounds := killable.Rounds(120)
	if os.Getenv("ATELIER_TEST_ROUNDS") != "" {
		side, most = 7000, 768<<20
	}
	s := newIdleStudio(t, nil)
	large := testpics.BlackPNG(side, side, 8, 2)
	small := testpics.Flat(513, 520, testpics.Photo(1, 1, 1).NRGBAAt(0, 0))
	whole := [][]byte{testpics.PNG(small), testpics.JPEG(small), testpics.WebP(small)}
	rng := rand.New(rand.NewPCG(killable.Seed(), 2026))
	files := func(yield func(string, []byte) bool) {
		for range atOnce {
			if !yield("large", large) {
				return
			}
		}
		for i := range rounds {
			if !yield("broken", testpics.Damaged(rng, whole[i%len(whole)], whole[(i+1)%len(whole)])) {
				return
			}
		}
	}
	statuses := map[int]int{}
	var times []time.Duration
	peak := s.offerAtOnce(atOnce, files, func(f offered) {
		statuses[f.status]++
		if f.name == "broken" {
			times = append(times, f.took)
		}
	})
	slices.Sort(times)
	t.Logf("%v; p99 of those that are broken %v; %d MiB of memory at most", statuses, times[len(times)*99/100].Round(time.Millisecond), peak>>20)
	for status, n := range statuses {
		if status >= 500 {
			t.Errorf("%d uploads are answered with %d", n, status)
		}
	}
	if n := statuses[http.StatusCreated]; n < atOnce {
		t.Errorf("%d pictures are taken, want at least the %d large ones", n, atOnce)
	}
	if most == 0 {
		// A picture, and as much again for what is made of it, on each processor.
		most = uint64(min(atOnce, runtime.GOMAXPROCS(0))*side*side*4*2 + 64<<20)
	}
	if peak > most {
		t.Errorf("%d MiB of memory are used, want at most %d", peak>>20, most>>20)
	}
}
