package model

import (
	"strconv"
	"strings"

	"atelier/app/words"
	"atelier/atelier"
)

// What is open above the pages stands in the fragment of the address: a result with its run, or the results on the desk.
const (
	resultPrefix = "result="
	deskPrefix   = "desk="
)

// Opened is what an address says is open: results, and which of them is looked at, the first is 0.
type Opened struct {
	Desk    bool
	Results []OpenedResult
	At      int
}

// OpenedResult names a result and the run it is of.
type OpenedResult struct {
	Run    atelier.RunID
	Result atelier.ResultID
}

// OpenedShots names results.
func OpenedShots(shots []Shot) []OpenedResult {
	out := make([]OpenedResult, len(shots))
	for i, s := range shots {
		out[i] = OpenedResult{s.Run.ID, s.Result.ID}
	}
	return out
}

// Fragment writes what is open as the fragment of an address, "" for nothing. Results of one run that follow each other share its name.
func (o Opened) Fragment() string {
	if len(o.Results) == 0 {
		return ""
	}
	if !o.Desk {
		return resultPrefix + string(o.Results[0].Run) + "/" + string(o.Results[0].Result)
	}
	text := deskPrefix + words.Number(o.At+1) + ":"
	for i, r := range o.Results {
		switch {
		case i > 0 && r.Run == o.Results[i-1].Run:
			text += ","
		case i > 0:
			text += ";" + string(r.Run) + "/"
		default:
			text += string(r.Run) + "/"
		}
		text += string(r.Result)
	}
	return text
}

// ReadOpened reads a fragment; one that says nothing of what is open gives nothing.
func ReadOpened(fragment string) Opened {
	if one, ok := strings.CutPrefix(fragment, resultPrefix); ok {
		run, result, named := strings.Cut(one, "/")
		if !named || run == "" || result == "" {
			return Opened{}
		}
		return Opened{Results: []OpenedResult{{atelier.RunID(run), atelier.ResultID(result)}}}
	}
	many, ok := strings.CutPrefix(fragment, deskPrefix)
	at, list, parted := strings.Cut(many, ":")
	n, err := strconv.Atoi(at)
	if !ok || !parted || err != nil {
		return Opened{}
	}
	o := Opened{Desk: true}
	for group := range strings.SplitSeq(list, ";") {
		run, results, _ := strings.Cut(group, "/")
		for result := range strings.SplitSeq(results, ",") {
			if run != "" && result != "" && len(o.Results) < DeskLimit {
				o.Results = append(o.Results, OpenedResult{atelier.RunID(run), atelier.ResultID(result)})
			}
		}
	}
	if len(o.Results) == 0 {
		return Opened{}
	}
	o.At = min(max(n-1, 0), len(o.Results)-1)
	return o
}
