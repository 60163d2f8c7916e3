package words

import (
	"math"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/catalog"
)

// Count writes a whole number that stands alone on the page.
func Count(n int) string { return number(n) }

// number writes a whole number within a sentence.
func number(n int) string { return Number(n) }

// decimal writes a number with so many decimals within a sentence, -1 for as many as it has.
func decimal(n float64, decimals int) string { return Decimal(n, decimals) }

// Percent writes a share; it never claims 100 before the end.
func Percent(share float64) string {
	return number(int(math.Floor(min(max(share, 0), 1)*100))) + " %"
}

// plural writes a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return number(n) + " " + one
	}
	return number(n) + " " + many
}

// Bytes writes a file size.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return number(int(n)) + " B"
	case n < 1_000_000:
		return number(int((n+500)/1000)) + " kB"
	}
	return decimal(float64(n)/1e6, 1) + " MB"
}

// Dimensions writes a size in pixels.
func Dimensions(w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	return number(w) + " × " + number(h)
}

// MediaFacts says what a file is, in a line: "6.4 s, 1280 × 720, MP4".
func MediaFacts(a atelier.Asset) string {
	var parts []string
	if a.Seconds > 0 {
		parts = append(parts, decimal(math.Round(a.Seconds*10)/10, -1)+" s")
	}
	if size := Dimensions(a.Width, a.Height); size != "" {
		parts = append(parts, size)
	}
	if a.Format != "" {
		parts = append(parts, strings.ToUpper(a.Format))
	}
	return strings.Join(parts, ", ")
}

// Span writes a duration roughly: "40 s", "3 min", "2 h".
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return number(int(d/time.Second)) + " s"
	case d < time.Hour-30*time.Second:
		return number(int((d+30*time.Second)/time.Minute)) + " min"
	case d < 48*time.Hour:
		return number(max(int(d/time.Hour), 1)) + " h"
	}
	return number(int(d/(24*time.Hour))) + " days"
}

// Ago writes how long ago something was.
func Ago(now, then time.Time) string {
	if d := now.Sub(then); d >= 45*time.Second {
		return Span(d) + " ago"
	}
	return "just now"
}

// Exact writes a moment for the tooltip.
func Exact(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2 January 2006, 15:04:05")
}

// Cost is what runs of so many photos would cost, each as much as the estimate says, in the unit of the image service.
func Cost(e atelier.Estimate, photos int) string {
	power := e.TotalPower * float64(photos)
	text := "About " + decimal(math.Round(power*10)/10, -1) + " credits"
	if power == 1 {
		text = "About 1 credit"
	}
	if e.NotEnough {
		text += ", more than the account has"
	}
	return text
}

// farLonger is from how many times the usual time on the time of the slowest runs is worth a word.
const farLonger = 2

// UsualTime is the median time of a run, of each where there are several, and the time of the slowest where that is much longer.
func UsualTime(u atelier.Usual, runs int) string {
	text := "About " + Span(time.Duration(u.Half)*time.Second)
	if runs > 1 {
		text += " per run"
	}
	if u.Most >= farLonger*u.Half {
		text += ", up to " + Span(time.Duration(u.Most)*time.Second)
	}
	return text
}

// Generate is what the primary button says: each results of each of so many photos in so many settings.
func Generate(each int, makes catalog.Makes, photos, settings int) string {
	n := each * photos * settings
	text := "Generate " + plural(n, "image", "images")
	if makes == catalog.MakesVideo {
		text = "Generate " + plural(n, "video", "videos")
	}
	if photos > 1 {
		text += " from " + number(photos) + " photos"
	}
	if settings > 1 {
		text += " in " + number(settings) + " settings"
	}
	return text
}

// GenerateMany says that more runs are asked for than are made at once.
func GenerateMany(runs, most int) string {
	return "That makes " + plural(runs, "run", "runs") + "; at most " + number(most) + " can start at once. Choose fewer photos or presets."
}

// GenerateSending says that runs are asked for, and how many of all are.
func GenerateSending(n, runs int) string {
	if runs > 1 {
		return "Sending " + CountOf(n, runs) + "…"
	}
	return "Sending…"
}

// Fidelity reports how much of the kept area is unchanged.
func Fidelity(f atelier.Fidelity) string {
	if f.Changed {
		return "Kept area changed: only " + unchanged(f.Score)
	}
	return "Kept area unchanged: " + Percent(f.Score)
}

// unchanged is the share of the kept area that is unchanged.
func unchanged(score float64) string { return Percent(score) + " unchanged" }
