package client

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"atelier/app/browser"
	"atelier/atelier"
)

// The same content is sent once: not while it is on its way, and not when it is there. When the first one to send it fails, the next
// one tries.
func TestTheSameContentIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		stored, sent, leave := map[string]string{}, 0, make(chan struct{})
		answers := make(chan int, 1) // one for each upload
		send := func(_ context.Context, r browser.Request) (browser.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			_, sum, _ := strings.Cut(r.URL, "sha256=")
			return browser.Response{Status: 200, Body: []byte(`{"assets":[` + stored[sum] + `]}`)}, nil
		}
		upload := func(ctx context.Context, _ string, _ map[string]string, f browser.File, _ func(sent, total int64)) (browser.Response, error) {
			<-leave
			mu.Lock()
			defer mu.Unlock()
			sent++
			if status := <-answers; status != 201 {
				return browser.Response{Status: status}, nil
			}
			sum, err := f.SHA256(ctx)
			stored[sum] = `{"id":"` + f.Name + `","sha256":"` + sum + `"}`
			return browser.Response{Status: 201, Body: []byte(stored[sum])}, err
		}
		api := New(send, upload)
		film := make([]byte, 3000)
		var group sync.WaitGroup
		got, failed := map[atelier.AssetID]int{}, 0
		bring := func(name string) {
			group.Go(func() {
				asset, err := api.Upload(t.Context(), browser.NewFile(name, film), nil)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed++
					return
				}
				got[asset.ID]++
			})
			synctest.Wait() // it is as far as it comes
		}
		bring("first")
		bring("second")
		bring("third")
		answers <- 503
		leave <- struct{}{}
		synctest.Wait()
		answers <- 201
		leave <- struct{}{}
		group.Wait()
		bring("fourth")
		group.Wait()
		if sent != 2 || failed != 1 || len(got) != 1 || got["second"]+got["third"] != 3 {
			t.Errorf("sent %d times, %d failed, the others have %v", sent, failed, got)
		}
	})
}
