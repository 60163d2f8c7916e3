package upstreamtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// What the tests of the suite say that a service can fetch.
const testFilm, testSound = "https://films.example/a.mp4", "https://sounds.example/a.mp3"

// judge runs every case against a handler and gives the names of those that pass.
func judge(t *testing.T, h http.Handler) (passed map[string]bool, all int) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s := newSuite(Target{
		BaseURL: server.URL, Key: "a key of the suite", OtherKey: "another key", SecondKey: "a second key", VideoAgent: "advanced-video", PersonAgent: "portrait-motion", Film: testFilm, Sound: testSound, Paid: true, Costly: true, Wait: 20 * time.Millisecond, Poll: 5 * time.Millisecond,
		Callbacks: func(*testing.T, http.Handler) string { return "https://receiver.example" },
	})
	defer s.client.CloseIdleConnections()
	passed = map[string]bool{}
	for _, c := range scenarios() {
		if len(s.try(t.Context(), t, c)) == 0 {
			passed[c.name] = true
		}
	}
	return passed, len(scenarios())
}

func answering(status int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			return
		}
	})
}

func TestNoCasePassesAServiceThatSaysNothing(t *testing.T) {
	for _, body := range []string{`{}`, `<html>`, `{"success":"maybe"}`} {
		passed, all := judge(t, answering(200, body))
		if len(passed) > 0 || all < 150 {
			t.Errorf("%d of %d cases pass a service that answers %q: %v", len(passed), all, body, passed)
		}
	}
}

func TestCasesThatWantSuccessFailAServiceThatRefusesEverything(t *testing.T) {
	refusal := `{"success":false,"code":40000,"msg":"no","error":{"code":"40000","message":"no","retryable":false}}`
	passed, all := judge(t, answering(400, refusal))
	if len(passed) == 0 || len(passed) == all {
		t.Fatalf("%d of %d cases pass", len(passed), all)
	}
	for name := range passed {
		for _, word := range []string{"is taken", "reaches", "is allowed", "offers", "is listed", "transparent", "calls back", "becomes a layered"} {
			if strings.Contains(name, word) {
				t.Errorf("%q passes a service that refuses everything", name)
			}
		}
	}
}

func TestCasesThatWantARefusalFailAServiceThatTakesEverything(t *testing.T) {
	success := `{"success":true,"code":0,"msg":"ok","meta":{"executionId":"e"},"data":{"taskId":"t","executionId":"e","image":"https://a/b.png","tasks":[],"executions":[]}}`
	passed, _ := judge(t, answering(200, success))
	for name := range passed {
		for _, word := range []string{"refuse", "needs", "knows its keys", "raw key", "unknown", "is gone", "is not answered"} {
			if strings.Contains(name, word) {
				t.Errorf("%q passes a service that takes everything", name)
			}
		}
	}
}

// A refusal is about what its case names only when nothing else is wrong with the request: files in it are where the service has put
// them, or where the target says that it can fetch them.
func TestRequestsNameNoFileThatNobodyCanFetch(t *testing.T) {
	const uploaded = "https://a/b.png"
	var mu sync.Mutex
	strange := map[string]bool{}
	answer := answering(200, `{"success":true,"code":0,"msg":"ok","meta":{"executionId":"e"},"data":{"taskId":"t","executionId":"e","image":"`+uploaded+`","tasks":[],"executions":[]}}`)
	judge(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var asked any
		if strings.Contains(r.Header.Get("Content-Type"), "json") && json.Unmarshal(body, &asked) == nil {
			mu.Lock()
			addresses(asked, "", func(field, address string) {
				switch {
				case address == uploaded, address == testFilm, address == testSound, field == "callbackUrl":
				case address == "https://conformance.invalid/mask.png" && field == "customMaskUrl": // which is to fail
				default:
					strange[field+" "+address] = true
				}
			})
			mu.Unlock()
		}
		answer.ServeHTTP(w, r)
	}))
	for what := range strange {
		t.Errorf("a request names a file that nobody can fetch: %s", what)
	}
}

// addresses visits every http and https address in a JSON value, with the field it stands in.
func addresses(v any, field string, visit func(field, address string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, inside := range v {
			addresses(inside, name, visit)
		}
	case []any:
		for _, inside := range v {
			addresses(inside, field, visit)
		}
	case string:
		if strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://") {
			visit(field, v)
		}
	}
}

func TestNamesOfCasesAreUniqueAndNameTheirDocument(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range scenarios() {
		if seen[c.name] {
			t.Errorf("two cases are called %q", c.name)
		}
		seen[c.name] = true
		if wrong := misquoted(c.from); wrong != "" {
			t.Errorf("%q comes from %s, which names no document and section: %s", c.name, c.from, wrong)
		}
	}
	for _, from := range []string{`Task API`, `Task API, "virtualtryon"`, `Run API, "List tasks"`, `"Limits"`, `Run API, "Family B and C"`, `Task API, "Limits"; and more`} {
		if misquoted(from) == "" {
			t.Errorf("%s passes for a document and section", from)
		}
	}
}

// headings are those of the documents, transcribed.
var headings = map[string][]string{
	"Task API": {
		"What the service does", "Resources and their fields", "Task", "Execution", "ResultItem", "Location", "FashionModel", "Tag",
		"Background (agent removeBG)", "Dimension (agent expandimage)", "MyFashionModel", "MyLocation", "PsdJob", "States and transitions",
		"Execution status values", "PSD job", "Custom fashion model and custom location", "Endpoints", "Create task", "Execute task",
		"Query task execution", "List tasks", "Delete task", "Agent info", "Upload image", "Start PSD download", "Query PSD download result",
		"Create my fashion model", "Query my fashion model", "Delete my fashion model", "Create my location", "Query my location", "Delete my location",
		"Agent parameters (v1 surface)", "Shared mask and execution parameters", "aimodel v1.0", "aiproduct v1.0", "aipose v1.0", "expandimage v1.0",
		"removeBG v1.0", "Authentication", "Events", "Errors", "Limits", "Versioning",
	},
	"Run API": {
		"What the service does", "Resources and their fields", "Success envelope", "Error envelope", "Run status payload (data of the poll response)",
		"States and transitions", "Endpoints", "Upload a local image", "Start a run", "Poll a run", "Machine-readable description",
		"Agent info (shared with the first document)", "File placement in requests", "Mask and enum semantics", "Original agents as run agents",
		"Catalog of further agents", "Family A: one person or object image in, images out", "Family B: several images in, image out",
		"Family C: text-driven or poster image agents", "Family D: general image generation and editing with a model selector",
		"Family E: image(s) to video", "Family F: video in, video out", "Family G: person-photo transformation agents with optional video output",
		"Authentication", "Events", "Errors", "Limits", "Versioning",
	},
}

// misquoted gives the part of a scenario's origin that names no heading, "" when all do. Parts are set apart by semicolons and
// each is a document with a heading in quotes, or a heading of the document before it; what follows a colon or stands in
// brackets may be left out of a heading. A part may also say that the documents do not show it.
func misquoted(from string) string {
	document := ""
	for i, part := range strings.Split(from, "; ") {
		if i > 0 && strings.HasPrefix(part, "not shown") {
			continue
		}
		name, heading, found := strings.Cut(part, `, "`)
		switch {
		case found:
			document = name
		case i > 0 && strings.HasPrefix(part, `"`):
			heading = part[1:]
		}
		heading, closed := strings.CutSuffix(heading, `"`)
		for _, d := range strings.Split(document, " and ") {
			if !closed || !slices.ContainsFunc(headings[d], func(h string) bool {
				return h == heading || strings.HasPrefix(h, heading+":") || strings.HasPrefix(h, heading+" (")
			}) {
				return part
			}
		}
	}
	return ""
}

func TestFreeTargetsAreNeverAskedToPay(t *testing.T) {
	for _, c := range scenarios() {
		if (c.paid || c.costly || c.callbacks) && c.runs(Target{Costly: true, Callbacks: func(*testing.T, http.Handler) string { return "" }}) {
			t.Errorf("%q runs without leave to pay", c.name)
		}
		if c.costly && c.runs(Target{Paid: true}) {
			t.Errorf("%q runs without leave to pay much", c.name)
		}
		if (c.two || c.same) && c.runs(Target{Paid: true, Costly: true}) {
			t.Errorf("%q runs without a second key", c.name)
		}
	}
}

func TestPartsHoldEveryCaseOnce(t *testing.T) {
	whole := Target{OtherKey: "b", SecondKey: "c", VideoAgent: "v", PersonAgent: "p", Paid: true, Costly: true, Callbacks: func(*testing.T, http.Handler) string { return "" }}
	short, long := whole, whole
	short.Part, long.Part = Short, Long
	for _, c := range scenarios() {
		if !c.runs(whole) || c.runs(short) == c.runs(long) {
			t.Errorf("%q is in both parts or in none", c.name)
		}
	}
}

func TestPicturesAreWhatTheyAreCalled(t *testing.T) {
	if n := len(padded(pngOf(flat(600, 700)), 100_000)); n != 100_000 {
		t.Errorf("padded to %d bytes, want 100000", n)
	}
	for name, file := range map[string][]byte{
		"png": padded(pngOf(flat(600, 700)), 100_000), "jpeg": jpegOf(person(60, 80)), "webp": webpOf(person(60, 80)), "gif": gifOf(flat(60, 80)), "mask": upperHalf(60, 80),
	} {
		p := &probe{suite: newSuite(Target{}), ctx: t.Context(), t: t}
		server := httptest.NewServer(answering(200, string(file)))
		func() {
			defer server.Close()
			defer func() {
				if r := recover(); r != nil && r != any(errStop) {
					panic(r)
				}
			}()
			p.picture(server.URL)
		}()
		if len(p.complaints) > 0 {
			t.Errorf("%s: %v", name, p.complaints)
		}
	}
}
