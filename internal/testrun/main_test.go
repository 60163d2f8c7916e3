package main

import (
	"strings"
	"testing"
)

func TestWhatFailedIsToldInWholeAndWhatPassedInALine(t *testing.T) {
	var out strings.Builder
	if err := told(strings.NewReader(`{"Action":"output","Package":"a","Test":"TestGood","Output":"    a_test.go:1: counted: 12 cases\n"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"    a_test.go:2: talk\n"}
{"Action":"pass","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestFilm","Output":"=== RUN   TestFilm\n"}
{"Action":"output","Package":"a","Test":"TestFilm","Output":"    film_test.go:23: ffmpeg: not installed\n"}
{"Action":"output","Package":"a","Test":"TestFilm","Output":"--- SKIP: TestFilm (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestFilm"}
{"Action":"skip","Package":"a","Test":"TestFilm/mute"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}
{"Action":"pass","Package":"a"}
{"Action":"output","Package":"b","Test":"TestBad","Output":"    b_test.go:1: wrong\n"}
{"Action":"fail","Package":"b","Test":"TestBad"}
{"Action":"output","Package":"b","Test":"TestEndless","Output":"panic: test timed out\n"}
{"Action":"output","Package":"b","Output":"FAIL\tb\t9s\n"}
{"Action":"fail","Package":"b"}
{"Action":"skip","Package":"c"}
`), &out); err != nil {
		t.Fatal(err)
	}
	want := "ok  \ta\t0.1s\n    b_test.go:1: wrong\nFAIL\tb\t9s\npanic: test timed out\ncounted: 12 cases\n" +
		"skipped: a TestFilm/mute\nskipped: a TestFilm: ffmpeg: not installed\n2 tests were skipped\n"
	if out.String() != want {
		t.Errorf("it says\n%s\nwant\n%s", out.String(), want)
	}
}
