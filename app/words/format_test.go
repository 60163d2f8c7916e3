package words

import (
	"testing"
	"time"

	"atelier/atelier"
)

func TestTimesAndSizesInWords(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		10 * time.Second: "just now", 2 * time.Minute: "2 min ago", 59*time.Minute + 40*time.Second: "1 h ago", 3 * time.Hour: "3 h ago", 72 * time.Hour: "3 days ago",
	} {
		if got := Ago(noon, noon.Add(-d)); got != want {
			t.Errorf("Ago(%v) = %q, want %q", d, got, want)
		}
	}
	for want, u := range map[string]atelier.Usual{
		"About 12 s": {Half: 12, Most: 12}, "About 12 s, up to 40 s": {Half: 12, Most: 40}, "About 3 min": {Half: 170, Most: 200},
	} {
		if got := UsualTime(u, 1); got != want {
			t.Errorf("UsualTime(%v, 1) = %q, want %q", u, got, want)
		}
	}
	if got := UsualTime(atelier.Usual{Half: 12, Most: 40}, 100); got != "About 12 s per run, up to 40 s" {
		t.Errorf("of several runs: %q", got)
	}
	if got := Bytes(8_100_000); got != "8.1 MB" {
		t.Errorf("Bytes = %q", got)
	}
	if got := Percent(.999); got != "99 %" {
		t.Errorf("Percent(.999) = %q: nothing is done before it is done", got)
	}
}
