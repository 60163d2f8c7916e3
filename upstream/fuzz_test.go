package upstream_test

import (
	"errors"
	"net/http"
	"testing"

	"atelier/upstream"
)

// fuzzed checks what must hold for every answer whatever.
func fuzzed(t *testing.T, status int, body []byte, only func(op operation) bool) {
	if status < 200 || status > 999 {
		return
	}
	c, err := upstream.New(upstream.Options{BaseURL: "http://service", Key: canary, Estimates: true, Transport: upstream.InProcess(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			if _, err := w.Write(body); err != nil {
				panic(http.ErrAbortHandler)
			}
		}))})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range operations() {
		if !only(op) {
			continue
		}
		err := op.call(t.Context(), c)
		if err == nil {
			if status >= 300 {
				t.Errorf("%s succeeded with HTTP %d", op.name, status)
			}
			continue
		}
		e, ok := errors.AsType[*upstream.Error](err)
		if !ok {
			t.Fatalf("%s: %v is no *upstream.Error", op.name, err)
		}
		if e.Kind == upstream.Ambiguous && (e.Retryable || !op.starts) {
			t.Errorf("%s: ambiguous and retryable, or starts nothing: %v", op.name, e)
		}
		if e.Kind == upstream.Broken && op.starts {
			t.Errorf("%s: broken, but may have been accepted: %v", op.name, e)
		}
		if !e.Sent && e.Kind != upstream.NotSent && e.Kind != upstream.Busy {
			t.Errorf("%s: %s and not sent", op.name, e.Kind)
		}
	}
}

func FuzzTaskEnvelope(f *testing.F) {
	for _, s := range []string{
		`{"success":true,"code":0,"message":"ok","data":{"taskId":"1","executions":[{"executionId":"e","result":[{"status":"Running","progress":"0.5"}]}]}}`,
		`{"success":true,"code":"0","msg":"ok","data":true}`, `{"success":false,"code":40005}`, `{"code":0}`, `[]`, `{"data":`, "\xef\xbb\xbf{}",
		`{"success":true,"data":{"taskId":null,"tasks":{},"hasMore":"x","executions":[null,1,{"result":"x"}],"pagination":[],"locations":[{"id":"x","tags":{}}]}}`,
	} {
		f.Add(200, []byte(s))
		f.Add(500, []byte(s))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		fuzzed(t, status, body, func(op operation) bool { return op.path[:12] == "/openapi/v1/" })
	})
}

func FuzzRunEnvelope(f *testing.F) {
	for _, s := range []string{
		`{"success":true,"data":{"executionId":"d"},"meta":{"executionId":"m"}}`, `{"success":true,"meta":[]}`, `{"success":true,"meta":{"executionId":{}}}`,
		`{"success":false,"error":{"code":"X","message":"m","retryable":true}}`, `{"success":false,"error":"text"}`, `{"error":[]}`, `{"totalPower":1}`, `null`,
	} {
		f.Add(200, []byte(s))
		f.Add(503, []byte(s))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		fuzzed(t, status, body, func(op operation) bool { return op.path[:12] != "/openapi/v1/" })
	})
}
