package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
)

// BenchmarkCallbacks tells how long a callback takes through the listener that callbacks have of their own, in a server as it is run:
// 10,000 with forged proofs (C1), and the true ones that are kept, 64 of each run, each flushed to the disk before it is answered.
func BenchmarkCallbacks(b *testing.B) {
	address, calls, data := freeAddress(b), freeAddress(b), b.TempDir()
	started(b, map[string]string{
		"ATELIER_LISTEN": address, "ATELIER_CALLBACK_LISTEN": calls, "ATELIER_DATA": data, "ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "error",
	})
	v := visit(b, address)
	const runs, kept = 20, 64
	ids := make([]atelier.RunID, runs)
	for i := range ids {
		var err error
		if ids[i], err = v.start(i); err != nil {
			b.Fatal(err)
		}
	}
	for _, id := range ids { // what they cost is not to be measured
		for ended := false; !ended; {
			var body atelier.RunBody
			if err := v.send(http.MethodGet, "/api/runs/"+string(id), "application/json", nil, &body); err != nil {
				b.Fatal(err)
			}
			ended = body.Run.State.Final()
		}
	}
	key, err := os.ReadFile(filepath.Join(data, "callback.key"))
	if err != nil {
		b.Fatal(err)
	}
	client := &http.Client{Timeout: time.Minute}
	call := func(token, body string, want int) time.Duration {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+calls+"/callbacks/v1/"+token, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		req.Host = address // as a proxy passes it on
		began := time.Now()
		resp, err := client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		raw, err := io.ReadAll(resp.Body)
		took := time.Since(began)
		if cerr := resp.Body.Close(); err != nil || cerr != nil || resp.StatusCode != want {
			b.Fatalf("a callback = %d %s, %v, %v", resp.StatusCode, raw, err, cerr)
		}
		return took
	}
	report := func(b *testing.B, took []time.Duration) {
		b.Helper()
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
		b.ReportMetric(0, "ns/op")
	}
	b.Run("forged", func(b *testing.B) {
		var took []time.Duration
		for range b.N {
			for i := range 10_000 {
				took = append(took, call(fmt.Sprintf("%s.%022d", ids[i%runs], i), "{}", http.StatusNotFound))
			}
		}
		report(b, took)
	})
	b.Run("true", func(b *testing.B) {
		var took []time.Duration
		for range b.N {
			for i := range runs * kept {
				id := ids[i%runs]
				mac := hmac.New(sha256.New, []byte(strings.TrimSpace(string(key))))
				mac.Write([]byte("cb1|" + string(id)))
				token := string(id) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:22]
				took = append(took, call(token, fmt.Sprintf(`{"data":{"executions":[{"status":"Success","n":%d}]}}`, i), http.StatusOK))
			}
		}
		report(b, took)
	})
}
