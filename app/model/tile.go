package model

import (
	"time"

	"atelier/app/words"
	"atelier/atelier"
)

// Tile is what a tile of the gallery shows: plain values, so that it is quickly seen whether anything is different.
type Tile struct {
	Key, RunID, ResultID string
	Place                Place
	Status               string // the image service's word
	Tone                 Tone
	Words                string // where it is, while there is no picture
	Progress             float64
	Stored, Video        bool
	Thumb, File, Preview string
	Length               string // of a video
	Starred              bool
	Rating               int
	Pick                 string
	Changed              bool   // the product is not what it was
	Doubt                string // where the edge of the kept part is in doubt, "" where it is not
	Score                string // how unchanged the kept part is
	Reason               string // why the kept part cannot be compared, "" where it can
	Count                int    // results of the run it stands for, 0 for a single result
	Title, When, Exact   string
	Note                 string // of a run in the trash which is there only in part, how much; instead of title and stars
	Label                string // everything for those who do not see it
	Chosen, Cursor       bool
	Cancels              bool // its run can be cancelled
	Trashed              bool // it is in the trash: nothing is done with it but to take it back
	Index, Total         int  // place in the list, and its length where known
}

// TileOf makes the tile of a shot. agent is the title of its agent.
func TileOf(s Shot, agent string, now time.Time, zone *time.Location) Tile {
	r := s.Result
	t := Tile{
		Key: s.Key(), RunID: string(s.Run.ID), ResultID: string(r.ID), Status: string(r.Status), Tone: ResultTone(r), Words: ResultWords(r), Progress: r.Progress,
		Stored: r.Stored, Video: IsVideo(r), Thumb: r.Thumb, File: r.File, Preview: r.Preview, Starred: r.Starred, Rating: r.Rating, Pick: r.Pick,
		Trashed: s.Trashed(), Title: agent, When: words.Ago(now, s.Run.CreatedAt), Exact: words.Exact(s.Run.CreatedAt, zone),
	}
	if r.Seconds > 0 {
		t.Length = words.Seconds(r.Seconds)
	}
	if f := r.Fidelity; f != nil && f.Comparable {
		t.Changed, t.Score = f.Changed, words.TileScore(*f)
		if f.Doubtful() {
			t.Doubt = words.FidelityVerdict(*f)
		}
	} else if f != nil {
		t.Reason = words.ApartReason(*f)
	}
	if s.Stack {
		t.Count = len(s.Run.Results)
	}
	if s.Stack && s.Trashed() && !s.Run.Trashed {
		t.Note = words.TrashPart(t.Count, agent)
	}
	if s.Run.Cancelled && r.Status == atelier.Failed {
		t.Tone, t.Words = Off, words.RunCancelled
	}
	if r.ID == "" || s.Stack && !r.Stored {
		t.Tone, t.Words, t.Status = RunTone(s.Run), RunWords(s.Run), string(s.Run.Status)
	}
	t.Label = t.label(s)
	return t
}

// label says a tile in words.
func (t Tile) label(s Shot) string {
	text := words.TileResult(t.Title, s.Result.Index+1, t.Words)
	if s.Stack {
		text = words.TileRun(t.Title, t.Count, t.Words)
		if s.Trashed() && !s.Run.Trashed {
			text = t.Note
		}
	}
	if s.Result.Status == atelier.Failed && s.Result.Error != "" {
		text = words.TileError(text, s.Result.Error)
	}
	return words.TileWhen(text, words.Judged(s.Result), t.When)
}

// shape is the width of a result's picture divided by its height, from what is stored of it; 1 while it is not known.
func shape(r *atelier.Result, source *atelier.Asset) float64 {
	switch {
	case r.Width > 0 && r.Height > 0:
		return float64(r.Width) / float64(r.Height)
	case source != nil && source.Height > 0:
		return float64(source.Width) / float64(source.Height)
	}
	return 1
}
