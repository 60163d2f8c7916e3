package bff

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"atelier/upstream"
)

// Meter counts the calls of the image service. OnCall belongs into upstream.Options.
type Meter struct {
	seconds  *prometheus.HistogramVec
	failures *prometheus.CounterVec
}

// NewMeter makes a Meter, which is a prometheus.Collector.
func NewMeter() *Meter {
	return &Meter{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "atelier_upstream_seconds", Help: "How long calls of the image service took.", Buckets: []float64{.01, .03, .1, .3, 1, 3, 10, 30, 60, 180},
		}, []string{"op", "outcome"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "atelier_upstream_failures_total", Help: "Calls of the image service that failed, by what it said.",
		}, []string{"op", "kind", "code"}),
	}
}

// OnCall takes in one call.
func (m *Meter) OnCall(op string, took time.Duration, failure *upstream.Error) {
	if failure == nil {
		m.seconds.WithLabelValues(op, "ok").Observe(took.Seconds())
		return
	}
	m.seconds.WithLabelValues(op, string(failure.Kind)).Observe(took.Seconds())
	m.failures.WithLabelValues(op, string(failure.Kind), codeLabel(failure.Code)).Inc()
}

// codeLabel bounds what the other side can make us remember.
func codeLabel(code string) string {
	if len(code) > 6 || strings.Trim(code, "0123456789") != "" {
		return "other"
	}
	return code
}

// Describe implements prometheus.Collector.
func (m *Meter) Describe(ch chan<- *prometheus.Desc) {
	m.seconds.Describe(ch)
	m.failures.Describe(ch)
}

// Collect implements prometheus.Collector.
func (m *Meter) Collect(ch chan<- prometheus.Metric) {
	m.seconds.Collect(ch)
	m.failures.Collect(ch)
}

// Collector gives the studio's numbers for /metrics.
func (s *Server) Collector() prometheus.Collector {
	gauge := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("atelier_"+name, help, labels, nil)
	}
	return &collector{
		s:         s,
		sockets:   gauge("sockets", "Browsers that listen for events."),
		runs:      gauge("runs", "Runs that are not done or failed.", "state"),
		jobs:      gauge("jobs", "Jobs that are not finished.", "kind", "state"),
		age:       gauge("jobs_oldest_seconds", "How long the oldest job that is due has waited.", "kind"),
		files:     gauge("store_files", "Files in the content store, when it was last looked through."),
		bytes:     gauge("store_bytes", "Bytes in the content store, when it was last looked through."),
		missing:   gauge("store_missing_files", "Files that rows speak of and that are not in the content store."),
		looked:    gauge("store_looked_timestamp_seconds", "When the content store was last looked through."),
		reachable: gauge("callbacks_reachable", "Whether the public address leads to this studio."),
		calls:     gauge("callbacks_total", "Callbacks since the start, by what became of them.", "verdict"),
		panics:    gauge("panics_total", "Panics since the start; each ended only the request or the work it was in."),
	}
}

type collector struct {
	s                             *Server
	sockets, runs, jobs, age      *prometheus.Desc
	files, bytes, missing, looked *prometheus.Desc
	reachable, calls, panics      *prometheus.Desc
}

// Describe names the numbers.
func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.sockets, c.runs, c.jobs, c.age, c.files, c.bytes, c.missing, c.looked, c.reachable, c.calls, c.panics} {
		ch <- d
	}
}

// Collect reads the numbers. What cannot be read is told as an invalid metric, so that a scrape fails and somebody looks.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	gauge(c.sockets, float64(c.s.hub.Count()))
	if runs, err := c.s.c.DB.CountOpenRuns(ctx); err != nil {
		ch <- prometheus.NewInvalidMetric(c.runs, err)
	} else {
		for state, n := range runs {
			gauge(c.runs, float64(n), string(state))
		}
	}
	if depth, err := c.s.jobs.Depth(ctx); err != nil {
		ch <- prometheus.NewInvalidMetric(c.jobs, err)
	} else {
		oldest := map[string]time.Duration{}
		for _, d := range depth {
			gauge(c.jobs, float64(d.Jobs), d.Kind, d.State)
			oldest[d.Kind] = max(oldest[d.Kind], d.Waited)
		}
		for kind, waited := range oldest {
			gauge(c.age, waited.Seconds(), kind)
		}
	}
	if stock := c.s.jobs.Stock(); !stock.At.IsZero() {
		gauge(c.files, float64(stock.Files))
		gauge(c.bytes, float64(stock.Bytes))
		gauge(c.missing, float64(stock.Missing))
		gauge(c.looked, float64(stock.At.Unix()))
	}
	if found := c.s.reach.found.Load(); found != nil {
		v := 0.0
		if *found {
			v = 1
		}
		gauge(c.reachable, v)
	}
	ch <- prometheus.MustNewConstMetric(c.panics, prometheus.CounterValue, float64(c.s.panics.Load()))
	for verdict, n := range map[string]int64{"taken": c.s.calls.taken.Load(), "refused": c.s.calls.refused.Load()} {
		ch <- prometheus.MustNewConstMetric(c.calls, prometheus.CounterValue, float64(n), verdict)
	}
}
