package jobs

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/catalog"
	"atelier/db"
	"atelier/internal/outbound"
	"atelier/upstream"
)

func FuzzIdsAreFoundInAnyBody(f *testing.F) {
	for _, body := range []string{`{"data":{"executionId":"e1"}}`, `{"executions":[{"executionId":"a"},{"executionId":"b"}]}`, `[[[[[[[[[[]]]]]]]]]]`, `{"executionId":7}`, `null`, `{`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		ids := executionIDs(body)
		if len(ids) > 5 {
			t.Errorf("%d ids in %q", len(ids), body)
		}
		for _, id := range ids {
			if id == "" || len(id) > 128 {
				t.Errorf("the id %q in %q", id, body)
			}
		}
	})
}

func TestTheStatusOfARunIsReadOffItsItemsWhereItDoesNotSay(t *testing.T) {
	t.Parallel()
	e := &Engine{o: Options{Agents: catalog.Find}}
	run := db.Run{Run: atelier.Run{Agent: "removeBG", Version: "v1.0", Values: map[string]any{"batchCount": float64(2)}}}
	item := func(s atelier.Status) db.Item { return db.Item{Status: s} }
	tests := []struct {
		name   string
		status atelier.Status
		items  []db.Item
		want   atelier.Status
	}{
		{"it says so", atelier.Success, nil, atelier.Success},
		{"nothing yet", atelier.Pending, nil, atelier.Pending},
		{"half of them", atelier.Running, []db.Item{item(atelier.Success)}, atelier.Running},
		{"one still runs", atelier.Running, []db.Item{item(atelier.Success), item(atelier.Running)}, atelier.Running},
		{"all there", atelier.Running, []db.Item{item(atelier.Success), item(atelier.Success)}, atelier.Success},
		{"one failed", atelier.Running, []db.Item{item(atelier.Success), item(atelier.Failed)}, atelier.Success},
		{"all failed", atelier.Running, []db.Item{item(atelier.Failed), item(atelier.Failed)}, atelier.Failed},
		{"a word nobody knows", "Uploading", []db.Item{item("Uploading"), item("Uploading")}, "Uploading"},
	}
	for _, tt := range tests {
		if got := e.statusOf(run, tt.status, tt.items); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestItemsAreReadAsTheDocumentsShowThem(t *testing.T) {
	t.Parallel()
	x := upstream.Execution{Status: "Running", Result: []upstream.ResultItem{
		{Status: "Running", Progress: "0.25"},
		{Status: "Success", Image: "https://cdn.example/1.png", Progress: "0.5"},
		{Status: "Success", Video: "https://cdn.example/1.mp4", VideoPoster: "https://cdn.example/1.jpg"},
		{Status: "Success"},
		{Status: "Failed"},
		{},
	}}
	want := []db.Item{
		{Kind: "image", Status: atelier.Running, Progress: .25},
		{Kind: "image", Status: atelier.Success, Progress: 1, URL: "https://cdn.example/1.png"},
		{Kind: "video", Status: atelier.Success, Progress: 1, URL: "https://cdn.example/1.mp4", PosterURL: "https://cdn.example/1.jpg"},
		{Kind: "image", Status: atelier.Running},
		{Kind: "image", Status: atelier.Failed, Error: "The image service gave no reason."},
		{Kind: "image", Status: atelier.Running},
	}
	e := &Engine{o: Options{Agents: catalog.Find}}
	if diff := cmp.Diff(want, e.itemsOf(db.Run{Run: atelier.Run{Agent: "removeBG", Version: "v1.0"}}, x)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	// What a run that makes videos has no address of is a video all the same: one to come, or one that failed.
	films := slices.IndexFunc(catalog.All(), func(a catalog.Agent) bool { return a.Makes == catalog.MakesVideo && a.MakesBy == "" })
	agent := catalog.All()[films]
	for i := range want {
		if want[i].URL == "" {
			want[i].Kind = "video"
		}
	}
	if diff := cmp.Diff(want, e.itemsOf(db.Run{Run: atelier.Run{Agent: agent.Name, Version: agent.Version, Surface: atelier.RunSurface}}, x)); diff != "" {
		t.Errorf("items of %s (-want +got):\n%s", agent.Name, diff)
	}
}

// R1: a picture has five minutes to come, a video and a layered file half an hour.
func TestR1WhatKindAFileIsSaysHowLongItMayTake(t *testing.T) {
	t.Parallel()
	for kind, quick := range map[*media.Kind]bool{&media.Image: true, &media.Video: false, &media.Made: false, &media.PSD: false} {
		if got := kind.MaxBytes <= outbound.Quick; got != quick {
			t.Errorf("a %s of %d bytes must come quickly: %t, want %t", kind.Name, kind.MaxBytes, got, quick)
		}
	}
}

func TestWaitsGrowWithTheTimeItTakesAndStayWithinBounds(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	e := &Engine{o: Options{Now: func() time.Time { return now }, RetryMin: time.Second, RetryMax: time.Minute}}
	tests := []struct {
		since   time.Duration
		atLeast time.Duration
		low     time.Duration
		high    time.Duration
	}{
		{0, 0, 800 * time.Millisecond, 1200 * time.Millisecond},
		{40 * time.Second, 0, 8 * time.Second, 12 * time.Second},
		{time.Hour, 0, 48 * time.Second, 72 * time.Second},
		{time.Hour, 10 * time.Minute, 8 * time.Minute, 12 * time.Minute},
	}
	for _, tt := range tests {
		for range 100 {
			if got := e.retryIn(now.Add(-tt.since), tt.atLeast); got < tt.low || got > tt.high {
				t.Errorf("after %v, at least %v: %v, want %v to %v", tt.since, tt.atLeast, got, tt.low, tt.high)
			}
		}
	}
}
