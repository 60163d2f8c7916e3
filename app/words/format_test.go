package words

import (
	"testing"
	"time"
)

func TestTimesAndSizesInWords(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		10 * time.Second: "just now", 2 * time.Minute: "2 min ago", 3 * time.Hour: "3 h ago", 72 * time.Hour: "3 days ago",
	} {
		if got := Ago(noon, noon.Add(-d)); got != want {
			t.Errorf("Ago(%v) = %q, want %q", d, got, want)
		}
	}
	if got := Bytes(8_100_000); got != "8.1 MB" {
		t.Errorf("Bytes = %q", got)
	}
	if got := Percent(.999); got != "99 %" {
		t.Errorf("Percent(.999) = %q: nothing is done before it is done", got)
	}
}
