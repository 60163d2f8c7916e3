package bff

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector gives the studio's numbers for /metrics: sockets, runs that are not over, jobs that wait or run.
func (s *Server) Collector() prometheus.Collector {
	return &collector{
		s:       s,
		sockets: prometheus.NewDesc("atelier_sockets", "Browsers that listen for events.", nil, nil),
		runs:    prometheus.NewDesc("atelier_runs", "Runs that are not done or failed.", []string{"state"}, nil),
		jobs:    prometheus.NewDesc("atelier_jobs", "Jobs that are not finished.", []string{"kind", "state"}, nil),
	}
}

type collector struct {
	s                   *Server
	sockets, runs, jobs *prometheus.Desc
}

// Describe names the numbers.
func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.sockets, c.runs, c.jobs} {
		ch <- d
	}
}

// Collect reads the numbers. What cannot be read is told as an invalid metric, so that a scrape fails and somebody looks.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	ch <- prometheus.MustNewConstMetric(c.sockets, prometheus.GaugeValue, float64(c.s.hub.Count()))
	runs, err := c.s.c.DB.CountOpenRuns(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(c.runs, err)
		return
	}
	for state, n := range runs {
		ch <- prometheus.MustNewConstMetric(c.runs, prometheus.GaugeValue, float64(n), string(state))
	}
	depth, err := c.s.jobs.Depth(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(c.jobs, err)
		return
	}
	for _, d := range depth {
		ch <- prometheus.MustNewConstMetric(c.jobs, prometheus.GaugeValue, float64(d.Jobs), d.Kind, d.State)
	}
}
