package words

import (
	"math"
	"strconv"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/catalog"
)

// Number writes a whole number. It is called from a hundred places, each of which would hold a copy of it.
//
//go:noinline
func Number(n int) string { return strconv.Itoa(n) }

// Decimal writes a number with so many decimals, -1 for as many as it has. Like Number it is no copy in every caller.
//
//go:noinline
func Decimal(n float64, decimals int) string { return strconv.FormatFloat(n, 'f', decimals, 64) }

// Percent writes a share; it never claims 100 before the end.
func Percent(share float64) string {
	return Number(int(math.Floor(min(max(share, 0), 1)*100))) + " %"
}

// plural writes a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Bytes writes a file size.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1_000_000:
		return strconv.FormatInt((n+500)/1000, 10) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
}

// Dimensions writes a size in pixels.
func Dimensions(w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	return Number(w) + " × " + Number(h)
}

// MediaFacts says what a file is, in a line: "6.4 s, 1280 × 720, MP4".
func MediaFacts(a atelier.Asset) string {
	var parts []string
	if a.Seconds > 0 {
		parts = append(parts, Decimal(math.Round(a.Seconds*10)/10, -1)+" s")
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
		return Number(int(d/time.Second)) + " s"
	case d < time.Hour:
		return Number(int((d+30*time.Second)/time.Minute)) + " min"
	case d < 48*time.Hour:
		return Number(int(d/time.Hour)) + " h"
	}
	return Number(int(d/(24*time.Hour))) + " days"
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

// Cost is what a run would cost, in the unit of the image service.
func Cost(e atelier.Estimate) string {
	words := "About " + Decimal(math.Round(e.TotalPower*10)/10, -1) + " credits"
	if e.TotalPower == 1 {
		words = "About 1 credit"
	}
	if e.NotEnough {
		words += ", more than the account has"
	}
	return words
}

// Generate is what the primary button says.
func Generate(n int, makes catalog.Makes) string {
	if makes == catalog.MakesVideo {
		return "Generate " + plural(n, "video", "videos")
	}
	return "Generate " + plural(n, "image", "images")
}

// FidelityWords says how well the kept part was kept.
func FidelityWords(f atelier.Fidelity) string {
	if f.Changed {
		return "Product changed, " + Percent(f.Score) + " as it was"
	}
	return "Product kept, " + Percent(f.Score) + " as it was"
}
