package model

import (
	"net/url"
	"time"
)

// Days is a span of days, both included, each as 2026-01-31; "" is open. It is a value.
type Days struct{ From, To string }

// ReadDays reads what Query wrote; what is no date is left out.
func ReadDays(q url.Values) Days {
	day := func(name string) string {
		if _, err := time.Parse(time.DateOnly, q.Get(name)); err != nil {
			return ""
		}
		return q.Get(name)
	}
	return Days{From: day("from"), To: day("to")}
}

// Query is the span as the query of an address, with its question mark; "" for all days.
func (d Days) Query() string {
	q := url.Values{}
	if d.From != "" {
		q.Set("from", d.From)
	}
	if d.To != "" {
		q.Set("to", d.To)
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// Bounds gives the moments the span begins and ends at in a time zone: inclusive, exclusive, zero where it is open. Days
// given the wrong way round are turned.
func (d Days) Bounds(zone *time.Location) (from, to time.Time) {
	if d.From != "" && d.To != "" && d.To < d.From {
		d.From, d.To = d.To, d.From
	}
	midnight := func(day string, later int) time.Time {
		t, err := time.ParseInLocation(time.DateOnly, day, zone)
		if err != nil {
			return time.Time{}
		}
		return time.Date(t.Year(), t.Month(), t.Day()+later, 0, 0, 0, 0, zone)
	}
	return midnight(d.From, 0), midnight(d.To, 1)
}
