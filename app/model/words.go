package model

import (
	"fmt"
	"strconv"
	"strings"

	"atelier/app/words"
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
	Off     Tone = "off" // ended by its owner
)

// RunTone is how a run is doing.
func RunTone(r atelier.Run) Tone {
	switch {
	case r.Cancelled:
		return Off
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
			return words.RunWaitingBehind(*r.Queue)
		}
		return words.RunWaitingToBeSent
	case atelier.StateSubmitting:
		return words.RunSending
	case atelier.StateAmbiguous:
		return words.RunChecking
	case atelier.StateUnconfirmed:
		return words.RunUnconfirmed
	case atelier.StateFailed:
		if r.Cancelled {
			return words.RunCancelled
		}
		return words.RunFailed
	case atelier.StateDone:
		if failed > 0 {
			return words.RunPartlyDone(ready, total, failed)
		}
		return words.RunDone(ready)
	}
	switch r.Status {
	case atelier.Failed:
		return words.RunFailed
	case atelier.Success:
		return words.RunSaving
	case atelier.Segmenting:
		return words.RunSegmenting
	case atelier.Running:
		where := words.RunRunning
		if done := Progress(r); done > 0 {
			where = words.RunAt(done)
		}
		if ready > 0 {
			where = words.RunPartlyReady(ready, total)
		}
		return words.RunEstimated(where, r.ETA)
	case atelier.Pending, "":
		if r.Queue != nil && *r.Queue > 0 {
			return words.RunQueuedBehind(*r.Queue)
		}
		return words.RunEstimated(words.RunQueued, r.ETA)
	}
	return string(r.Status) // a word the documents do not list is shown as it came
}

// ExecutionWords says how an execution of the image service is doing.
func ExecutionWords(s atelier.Status) string {
	if s == atelier.Success {
		return words.ExecutionDone
	}
	return ResultWords(atelier.Result{Status: s})
}

// ResultWords says where one result is.
func ResultWords(r atelier.Result) string {
	switch {
	case r.Status == atelier.Failed:
		return words.ResultFailed
	case r.Stored:
		return words.ResultReady
	case r.Status == atelier.Success:
		return words.ResultSaving
	case r.Status == atelier.Running && r.Progress > 0:
		return words.Percent(r.Progress)
	case r.Status == atelier.Running:
		return words.ResultRunning
	case r.Status == atelier.Segmenting:
		return words.ResultSegmenting
	case r.Status == atelier.Pending, r.Status == "":
		return words.ResultQueued
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

// Renamed is the name of a file that was saved in another format.
func Renamed(name string, f probe.Format) string {
	stem := name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		stem = name[:i]
	}
	return stem + f.Extension()
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
		text := valueInWords(p, p.Plain(v))
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
			return words.ValueYes
		}
		return words.ValueNo
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if p.Kind == catalog.Preset {
			return words.ValueNumber(text)
		}
		if p.Unit != "" {
			text += " " + p.Unit
		}
		return text
	case []any:
		texts := make([]string, len(v))
		for i, entry := range v {
			texts[i] = valueInWords(p, entry)
		}
		return strings.Join(texts, ", ")
	}
	return fmt.Sprint(v)
}
