package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
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
	files := make(chan []byte, atOnce+rounds)
	for range atOnce {
		files <- large
	}
	for i := range rounds {
		files <- testpics.Damaged(rng, whole[i%len(whole)], whole[(i+1)%len(whole)])
	}
	close(files)

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
	var mu sync.Mutex
	statuses := map[int]int{}
	var times []time.Duration
	var sending sync.WaitGroup
	for range atOnce {
		sending.Go(func() {
			for data := range files {
				began := time.Now()
				status, err := s.offer(data)
				mu.Lock()
				statuses[status]++
				if len(data) != len(large) {
					times = append(times, time.Since(began))
				}
				mu.Unlock()
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	sending.Wait()
	close(done)
	watching.Wait()
	slices.Sort(times)
	t.Logf("%v; p99 of those that are broken %v; %d MiB of memory at most", statuses, times[len(times)*99/100].Round(time.Millisecond), (peak-before)>>20)
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
	if got := peak - min(before, peak); got > most {
		t.Errorf("%d MiB of memory are used, want at most %d", got>>20, most>>20)
	}
}

// offer uploads a file; the error is that of a refusal without words.
func (s *studio) offer(data []byte) (status int, err error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/api/assets?name=x", bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	req.Header.Set("X-Atelier", "1")
	req.Header.Set("Content-Type", "application/octet-stream")
	resp, err := s.browser.Do(req)
	if err != nil {
		return 0, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil || resp.StatusCode == http.StatusCreated {
		return resp.StatusCode, err
	}
	var b atelier.ErrorBody
	if err := json.Unmarshal(raw, &b); err != nil || b.Error == nil || b.Error.Message == "" {
		return resp.StatusCode, errors.New("refused without a word: " + string(raw))
	}
	return resp.StatusCode, nil
}
