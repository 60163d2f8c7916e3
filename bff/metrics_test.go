package bff_test

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"atelier/atelier"
	"atelier/bff"
	"atelier/service"
	"atelier/upstream"
)

// measured adds up the values of a metric whose labels include those given, as name=value; of a histogram it counts what was observed.
func measured(t *testing.T, from prometheus.Gatherer, name string, labels ...string) (sum float64, found bool) {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
	metrics:
		for _, m := range f.GetMetric() {
			has := map[string]bool{}
			for _, l := range m.GetLabel() {
				has[l.GetName()+"="+l.GetValue()] = true
			}
			for _, l := range labels {
				if !has[l] {
					continue metrics
				}
			}
			found = true
			sum += m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return sum, found
}

// What whoever runs the studio watches: calls of the image service with how they ended and by which code, what waits, what is stored,
// who listens.
func TestR22WhoeverRunsTheStudioSeesItsNumbers(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	meter := bff.NewMeter()
	s.change = func(c *bff.Config) {
		var err error
		c.Upstream, err = upstream.New(upstream.Options{
			BaseURL: "http://" + service.EmbeddedHost, Key: testKey, OnAnswer: bff.OnAnswer, OnCall: meter.OnCall,
			Transport: upstream.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.service.Handler().ServeHTTP(w, r) })),
		})
		s.check(err)
	}
	s.open()
	registry := prometheus.NewPedanticRegistry()
	s.check(registry.Register(meter))
	s.check(registry.Register(s.bff.Collector()))
	if _, found := measured(t, registry, "atelier_store_bytes"); found {
		t.Error("the store has a size before anybody looked")
	}
	waiting := s.startRun(removal("numbers", s.upload(photo(94))))
	if n, _ := measured(t, registry, "atelier_runs", "state=recorded"); n != 1 {
		t.Errorf("%v runs are recorded, want 1", n)
	}
	if n, _ := measured(t, registry, "atelier_jobs", "kind=submit"); n != 1 {
		t.Errorf("%v runs wait to be sent, want 1", n)
	}
	s.start()
	socket := s.listen("")
	s.event(socket)
	done := s.untilState(waiting.ID, atelier.StateDone)
	s.json("GET", "/api/tasks/none", nil, http.StatusUnprocessableEntity, nil)
	s.check(s.bff.Jobs().Tidy(t.Context()))
	for _, want := range []struct {
		name   string
		labels []string
		least  float64
	}{
		{"atelier_upstream_seconds", []string{"op=create task", "outcome=ok"}, 1},
		{"atelier_upstream_seconds", []string{"op=execute task", "outcome=ok"}, 1},
		{"atelier_upstream_seconds", []string{"op=query task", "outcome=refused"}, 1},
		{"atelier_upstream_failures_total", []string{"op=query task", "kind=refused", "code=40000"}, 1},
		{"atelier_store_files", nil, 3},
		{"atelier_store_bytes", nil, float64(done.Results[0].Bytes)},
		{"atelier_store_looked_timestamp_seconds", nil, 1},
		{"atelier_sockets", nil, 1},
		{"atelier_callbacks_total", []string{"verdict=taken"}, 0},
	} {
		if got, found := measured(t, registry, want.name, want.labels...); !found || got < want.least {
			t.Errorf("%s%v = %v, found %t, want at least %v", want.name, want.labels, got, found, want.least)
		}
	}
	if n, _ := measured(t, registry, "atelier_store_missing_files"); n != 0 {
		t.Errorf("%v files are missing", n)
	}
}

// What the operator is told to watch is what there is.
func TestEveryNumberIsExplainedToTheOperator(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	text, err := os.ReadFile("../docs/operations.md")
	s.check(err)
	explained, there := map[string]bool{}, map[string]bool{}
	for _, name := range regexp.MustCompile(`\batelier_[a-z_]+`).FindAllString(string(text), -1) {
		explained[name] = true
	}
	descriptions := make(chan *prometheus.Desc, 100)
	bff.NewMeter().Describe(descriptions)
	s.bff.Collector().Describe(descriptions)
	close(descriptions)
	for d := range descriptions {
		there[regexp.MustCompile(`atelier_[a-z_]+`).FindString(d.String())] = true
	}
	delete(there, "atelier_store_looked_timestamp_seconds") // says how old the others of the store are
	if diff := cmp.Diff(explained, there); diff != "" {
		t.Errorf("docs/operations.md and the numbers there are (-docs +there):\n%s", diff)
	}
}
