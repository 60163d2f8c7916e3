package browser

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// Wherever the designer is, a moment has the hour it had there then: in summer and in winter, to the minute around each change.
func TestTheOffsetIsTheOneInForceAtEachMoment(t *testing.T) {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	from, to := now.AddDate(-zoneYears, 0, 0), now.AddDate(1, 0, 0)
	for _, name := range []string{
		"UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca",
		"America/Sao_Paulo", "Pacific/Kiritimati", "Pacific/Apia", "Asia/Kathmandu",
	} {
		real, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zone := zoneOf(name, now, func(at time.Time) int {
			_, east := at.In(real).Zone()
			return east
		})
		if zone.String() != name {
			t.Errorf("%s is called %s", name, zone)
		}
		for half := from.Truncate(30 * time.Minute).Add(30 * time.Minute); half.Before(to); half = half.Add(30 * time.Minute) {
			for _, at := range []time.Time{half.Add(-time.Minute), half} {
				_, got := at.In(zone).Zone()
				if _, want := at.In(real).Zone(); got != want {
					t.Fatalf("%s: %v is %d s east, want %d", name, at, got, want)
				}
			}
		}
		if _, first := from.In(real).Zone(); from.AddDate(-5, 0, 0).In(zone).Format("-07") != from.In(time.FixedZone("", first)).Format("-07") {
			t.Errorf("%s: what is older has not the first offset", name)
		}
	}
}
