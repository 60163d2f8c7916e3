package browser

import (
	"encoding/binary"
	"time"
)

const (
	// zoneYears is how far back the offsets of a zone are looked up; what is older has the first of them.
	zoneYears = 10
	// zoneStep is how long no zone changes its offset twice in.
	zoneStep = 14 * 24 * time.Hour
)

// zoneOf makes a time zone of a function that gives its offset at a moment, seconds east of UTC, which may change on any whole minute from
// zoneYears ago until a year from now. A browser knows the rules of its zone, and only answers for one moment at a time.
func zoneOf(name string, now time.Time, east func(time.Time) int) *time.Location {
	at, end := now.AddDate(-zoneYears, 0, 0).Truncate(time.Minute), now.AddDate(1, 0, 0)
	var times []time.Time
	offsets := []int{east(at)} // one more than times: the first is in force before all of them
	for at.Before(end) {
		next := at.Add(zoneStep)
		if offset, before := east(next), offsets[len(offsets)-1]; offset != before {
			low, high := at, next
			for high.Sub(low) > time.Minute {
				if middle := low.Add(high.Sub(low) / 2).Truncate(time.Minute); east(middle) == before {
					low = middle
				} else {
					high = middle
				}
			}
			times, offsets = append(times, high), append(offsets, offset)
		}
		at = next
	}
	zone, err := time.LoadLocationFromTZData(name, zoneFile(times, offsets))
	if err != nil {
		return time.FixedZone(name, east(now))
	}
	return zone
}

// zoneFile writes a time zone in the form of RFC 8536, version 2, whose first half is empty.
func zoneFile(times []time.Time, offsets []int) []byte {
	head := func(times, offsets, letters int) []byte {
		b := append([]byte("TZif2"), make([]byte, 15+3*4)...)
		for _, n := range []int{times, offsets, letters} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	b := append(head(0, 0, 0), head(len(times), len(offsets), 1)...)
	for _, t := range times {
		b = binary.BigEndian.AppendUint64(b, uint64(t.Unix()))
	}
	for i := range times {
		b = append(b, byte(i+1))
	}
	for _, east := range offsets {
		b = append(binary.BigEndian.AppendUint32(b, uint32(int32(east))), 0, 0)
	}
	return append(b, 0, '\n', '\n') // no abbreviations, no rule for what comes later
}
