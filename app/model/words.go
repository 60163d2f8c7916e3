package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/catalog"
	"atelier/imaging/probe"
)

// Tone says how a status is meant: the icon beside the word follows it.
type Tone string

// The tones.
const (
	Waiting Tone = "waiting"
	Busy    Tone = "busy"
	Good    Tone = "good"
	Bad     Tone = "bad"
	Unsure  Tone = "unsure"
)

// RunTone is how a run is doing.
func RunTone(r atelier.Run) Tone {
	switch {
	case r.State == atelier.StateFailed || r.Status == atelier.Failed:
		return Bad
	case r.State == atelier.StateUnconfirmed, r.State == atelier.StateAmbiguous:
		return Unsure
	case r.State == atelier.StateDone:
		return Good
	case r.Status == atelier.Running || r.Status == atelier.Segmenting:
		return Busy
	}
	return Waiting
}

// RunWords says in a few words where a run is.
func RunWords(r atelier.Run) string {
	ready, failed := Tally(r)
	total := len(r.Results)
	switch r.State {
	case atelier.StateRecorded:
		if r.Queue != nil && *r.Queue > 0 {
			return "Waiting to be sent, " + Number(*r.Queue) + " before it"
		}
		return "Waiting to be sent"
	case atelier.StateSubmitting:
		return "Sending"
	case atelier.StateAmbiguous:
		return "Checking whether it arrived"
	case atelier.StateUnconfirmed:
		return "Unconfirmed"
	case atelier.StateFailed:
		return "Failed"
	case atelier.StateDone:
		if failed > 0 {
			return fmt.Sprintf("%d of %d, %d failed", ready, total, failed)
		}
		return Plural(ready, "result", "results")
	}
	switch r.Status {
	case atelier.Failed:
		return "Failed"
	case atelier.Success:
		return "Saving the results"
	case atelier.Segmenting:
		return "Finding what to keep"
	case atelier.Running:
		words := "Running"
		if done := Progress(r); done > 0 {
			words += " " + Percent(done)
		}
		if ready > 0 {
			words = fmt.Sprintf("%d of %d ready", ready, total)
		}
		return words + left(r)
	case atelier.Pending, "":
		if r.Queue != nil && *r.Queue > 0 {
			return "Queued, " + Number(*r.Queue) + " before it"
		}
		return "Queued" + left(r)
	}
	return string(r.Status) // a word the documents do not list is shown as it came
}

func left(r atelier.Run) string {
	if r.ETA == nil {
		return ", no estimate yet"
	}
	if *r.ETA <= 0 {
		return ", longer than usual"
	}
	return ", about " + Span(time.Duration(*r.ETA)*time.Second) + " left"
}

// ResultWords says where one result is.
func ResultWords(r atelier.Result) string {
	switch {
	case r.Status == atelier.Failed:
		return "Failed"
	case r.Stored:
		return "Ready"
	case r.Status == atelier.Success:
		return "Saving"
	case r.Status == atelier.Running && r.Progress > 0:
		return Percent(r.Progress)
	case r.Status == atelier.Running:
		return "Running"
	case r.Status == atelier.Segmenting:
		return "Finding what to keep"
	case r.Status == atelier.Pending, r.Status == "":
		return "Queued"
	}
	return string(r.Status)
}

// ResultTone is how one result is doing.
func ResultTone(r atelier.Result) Tone {
	switch {
	case r.Status == atelier.Failed:
		return Bad
	case r.Stored:
		return Good
	case r.Status == atelier.Running, r.Status == atelier.Segmenting, r.Status == atelier.Success:
		return Busy
	}
	return Waiting
}

// FidelityWords says how well the kept part was kept.
func FidelityWords(f atelier.Fidelity) string {
	if f.Changed {
		return "Product changed, " + Percent(f.Score) + " as it was"
	}
	return "Product kept, " + Percent(f.Score) + " as it was"
}

// Tally counts the results that are stored and those that failed.
func Tally(r atelier.Run) (ready, failed int) {
	for _, result := range r.Results {
		switch {
		case result.Stored:
			ready++
		case result.Status == atelier.Failed:
			failed++
		}
	}
	return ready, failed
}

// Progress is how much of a run is done, 0 to 1: the mean over its results.
func Progress(r atelier.Run) float64 {
	if len(r.Results) == 0 {
		return 0
	}
	sum := 0.0
	for _, result := range r.Results {
		if result.Status.Terminal() || result.Stored {
			sum++
		} else {
			sum += min(max(result.Progress, 0), 1)
		}
	}
	return sum / float64(len(r.Results))
}

// Percent writes a share; it never claims 100 before the end.
func Percent(share float64) string {
	return Number(int(math.Floor(min(max(share, 0), 1)*100))) + " %"
}

// Plural writes a count with its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Generate is what the primary button says.
func Generate(n int, makes catalog.Makes) string {
	if makes == catalog.MakesVideo {
		return "Generate " + Plural(n, "video", "videos")
	}
	return "Generate " + Plural(n, "image", "images")
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

// Renamed is the name of a file that was saved in another format.
func Renamed(name string, f probe.Format) string {
	stem := name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		stem = name[:i]
	}
	return stem + f.Extension()
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

// Line is one value of a run in words.
type Line struct{ Name, Value, Wire string }

// InWords tells what a run was made with, in the words of its form. nameOf gives the name of a preset, "" when it is not
// known here.
func InWords(a catalog.Agent, values map[string]any, nameOf func(kind string, id int64) string) []Line {
	var lines []Line
	for _, p := range a.Params {
		v, ok := values[p.Name]
		if !ok || empty(v) || p.Kind == catalog.MaskPNG {
			continue
		}
		text := valueInWords(p, v)
		if id, ok := v.(float64); ok && p.Kind == catalog.Preset {
			if name := nameOf(p.PresetKind, int64(id)); name != "" {
				text = name
			}
		}
		lines = append(lines, Line{Name: p.Title, Value: text, Wire: p.Name})
	}
	return lines
}

func valueInWords(p catalog.Param, v any) string {
	switch v := v.(type) {
	case string:
		for _, o := range p.Options {
			if o.Value == v {
				return o.Title
			}
		}
		return v
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if p.Kind == catalog.Preset {
			return "No. " + text
		}
		if p.Unit != "" {
			text += " " + p.Unit
		}
		return text
	case []any:
		words := make([]string, len(v))
		for i, entry := range v {
			words[i] = valueInWords(p, entry)
		}
		return strings.Join(words, ", ")
	}
	return fmt.Sprint(v)
}

// Number writes a whole number. It is called from a hundred places, each of which would hold a copy of it.
//
//go:noinline
func Number(n int) string { return strconv.Itoa(n) }

// Decimal writes a number with so many decimals, -1 for as many as it has. Like Number it is no copy in every caller.
//
//go:noinline
func Decimal(n float64, decimals int) string { return strconv.FormatFloat(n, 'f', decimals, 64) }
