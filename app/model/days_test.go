package model

import (
	"net/url"
	"testing"
	"time"
)

func TestSpanOfDaysHoldsBothOfThem(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	tests := []struct {
		days     Days
		from, to string
	}{
		{Days{"2026-01-31", "2026-02-01"}, "2026-01-31T00:00:00+02:00", "2026-02-02T00:00:00+02:00"},
		{Days{"2026-02-01", "2026-01-31"}, "2026-01-31T00:00:00+02:00", "2026-02-02T00:00:00+02:00"}, // turned
		{Days{"2026-02-28", "2026-02-28"}, "2026-02-28T00:00:00+02:00", "2026-03-01T00:00:00+02:00"},
	}
	for _, tt := range tests {
		from, to := tt.days.Bounds(zone)
		if !from.Equal(at(tt.from)) || !to.Equal(at(tt.to)) {
			t.Errorf("%v: %v to %v", tt.days, from, to)
		}
	}
	if from, to := (Days{From: "2026-01-31"}).Bounds(zone); from.IsZero() || !to.IsZero() {
		t.Errorf("an open end: %v to %v", from, to)
	}
}

func TestDaysGoThroughTheAddress(t *testing.T) {
	for _, d := range []Days{{}, {From: "2026-01-31"}, {To: "2026-01-31"}, {From: "2026-01-01", To: "2026-12-31"}} {
		u, err := url.Parse("/tasks" + d.Query())
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadDays(u.Query()); got != d {
			t.Errorf("%v came back as %v", d, got)
		}
	}
	if got := ReadDays(url.Values{"from": {"yesterday"}, "to": {"2026-13-40"}}); got != (Days{}) {
		t.Errorf("no dates at all were read as %v", got)
	}
}
