package upstream_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"testing"

	"atelier/upstream"
)

func TestSecretShowsItselfNowhere(t *testing.T) {
	s := upstream.Secret(canary)
	inside := struct {
		Key  upstream.Secret  `json:"key"`
		Ptr  *upstream.Secret `json:"ptr"`
		List []upstream.Secret
	}{s, &s, []upstream.Secret{s}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %v", "%30s"} {
		fmt.Fprintf(&out, strings.Replace(verb, "%T ", "", 1)+"\n", s)
		fmt.Fprintf(&out, strings.Replace(verb, "%T ", "", 1)+"\n", inside)
	}
	fmt.Fprintln(&out, s, &s, inside, fmt.Errorf("with %v", s))
	body, err := json.Marshal(inside)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(body)
	text, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	slog.New(slog.NewTextHandler(&out, nil)).Info("text", "key", s, "inside", inside)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "key", s, "inside", inside)
	hexed := fmt.Sprintf("%x", canary)
	for _, leak := range []string{canary, hexed, strings.ToUpper(hexed), fmt.Sprintf("%d", []byte(canary))} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("the key shows as %q in:\n%s", leak, out.String())
		}
	}
	if s.Reveal() != canary {
		t.Error("Reveal does not give the key")
	}
	if upstream.Secret("").String() != "" {
		t.Error("a missing key cannot be told from a hidden one")
	}
}

// TestR4D2TheKeyStaysWithTheService answers every endpoint with every kind of redirect, towards a second host and a second
// scheme, and looks for the key everywhere.
func TestR4D2TheKeyStaysWithTheService(t *testing.T) {
	var strayed atomic.Int64
	thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		strayed.Add(1)
		says(http.StatusOK, `{"success":true,"code":0,"data":{"taskId":"t","executionId":"e"}}`).ServeHTTP(w, r)
	}))
	t.Cleanup(thief.Close)
	locations := []string{
		thief.URL + "/openapi/v1/x", strings.Replace(thief.URL, "http://", "//", 1), "/elsewhere", "../../up", "", "://", "ftp://a/b", "https://" + canary + ".example/",
	}
	statuses := []int{300, 301, 302, 303, 304, 305, 307, 308}
	var n, outside atomic.Int64
	var status, place atomic.Int64
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(r.URL.Path, "/openapi/") || strings.Contains(r.URL.String(), canary) || bytes.Contains(body, []byte(canary)) {
			outside.Add(1)
		}
		if at := locations[place.Load()]; at != "" {
			w.Header()["Location"] = []string{at}
		}
		w.WriteHeader(int(status.Load()))
	}), func(o *upstream.Options) { o.OnAnswer = nil })
	calls := int64(0)
	for i := range statuses {
		for j := range locations {
			status.Store(int64(statuses[i]))
			place.Store(int64(j))
			for _, op := range operations() {
				calls++
				e := failure(t, op.call(t.Context(), c))
				if e.Kind != upstream.Redirected || e.Retryable || e.HTTPStatus != statuses[i] {
					t.Fatalf("%s answered %d to %q: %s, retryable %v, HTTP %d", op.name, statuses[i], locations[j], e.Kind, e.Retryable, e.HTTPStatus)
				}
			}
		}
	}
	if strayed.Load() != 0 || outside.Load() != 0 || n.Load() != calls {
		t.Errorf("%d requests for %d calls, %d strayed, %d outside /openapi/ or with the key in plain sight", n.Load(), calls, strayed.Load(), outside.Load())
	}
}

// tollgate is a network of many hosts that notes where the key was shown.
type tollgate struct {
	answers []http.Handler
	dice    *rand.Rand
	seen    map[string]int // host and first part of the path to requests that carried the key
}

func (g *tollgate) RoundTrip(r *http.Request) (*http.Response, error) {
	dump, err := httputil.DumpRequestOut(r, true)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(dump, []byte(canary)) {
		g.seen[r.URL.Host+r.URL.Path[:min(len(r.URL.Path), len("/openapi/"))]]++
	}
	if bytes.Count(dump, []byte(canary)) != 1 || !bytes.Contains(dump, []byte("\r\nAuthorization: "+canary+"\r\n")) {
		g.seen["elsewhere in the request"]++
	}
	return upstream.InProcess(g.answers[g.dice.IntN(len(g.answers))]).RoundTrip(r)
}

func TestR4TenThousandMixedCallsShowTheKeyToTheServiceAlone(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	gate := &tollgate{dice: dice, seen: map[string]int{}, answers: []http.Handler{
		says(200, `{"success":true,"code":0,"data":{"taskId":"t","executionId":"e","image":"https://cdn.example/a.png"}}`),
		says(200, `{"success":true,"code":0,"data":true}`),
		says(200, `{"success":false,"code":40000,"msg":"no"}`),
		says(404, `<html>`),
		says(302, ``, "Location", "https://cdn.example/openapi/v1/x"),
		says(308, ``, "Location", "http://api.example/openapi/v1/x"),
	}}
	c, err := upstream.New(upstream.Options{
		BaseURL: "https://api.example", DownloadURL: "https://files.example", Key: canary, Transport: gate, Estimates: true, Idempotency: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	const calls = 10_000
	all := operations()
	for range calls {
		if err := all[dice.IntN(len(all))].call(t.Context(), c); err != nil {
			failure(t, err)
		}
	}
	total := gate.seen["api.example/openapi/"] + gate.seen["files.example/openapi/"]
	if total != calls || len(gate.seen) != 2 {
		t.Errorf("the key was shown in %v; want %d requests to the two hosts below /openapi/", gate.seen, calls)
	}
}

func TestAnEchoedKeyIsTakenOutOfErrors(t *testing.T) {
	for _, body := range []string{
		`{"success":false,"code":"` + canary + `","message":"` + canary + `"}`,
		`{"success":false,"error":{"code":"` + canary + `","message":"key ` + canary + ` unknown"}}`,
		`<html>` + canary + `</html>`,
		`{"success":true,"data":"` + canary + `"}`,
		canary,
	} {
		for _, op := range operations() {
			if op.name == "openapi" || op.name == "start psd" || strings.HasPrefix(op.name, "delete") {
				continue // may succeed with such an answer
			}
			failure(t, op.call(t.Context(), client(t, says(http.StatusOK, body))))
		}
	}
}
