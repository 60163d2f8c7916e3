package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsOpenStandsInTheAddress(t *testing.T) {
	for fragment, want := range map[string]Opened{
		"":                         {},
		"launch=SECRET":            {},
		"result=r1/x1":             {Results: []OpenedResult{{"r1", "x1"}}},
		"desk=2:r1/x1,x2;r2/y1":    {Desk: true, At: 1, Results: []OpenedResult{{"r1", "x1"}, {"r1", "x2"}, {"r2", "y1"}}},
		"desk=3:r1/x1;r2/y1;r1/x2": {Desk: true, At: 2, Results: []OpenedResult{{"r1", "x1"}, {"r2", "y1"}, {"r1", "x2"}}},
	} {
		got := ReadOpened(fragment)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", fragment, diff)
		}
		if back := got.Fragment(); back != fragment && len(want.Results) > 0 {
			t.Errorf("%s is written as %s", fragment, back)
		}
	}
	for fragment, n := range map[string]int{"result=r1": 0, "result=/x": 0, "desk=x:r/x": 0, "desk=1:": 0, "desk=1:/,;": 0, "desk=99:r/x,,y;/z": 2, "desk=1:r/a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q": DeskLimit} {
		if got := ReadOpened(fragment); len(got.Results) != n || got.At >= max(n, 1) {
			t.Errorf("%s is read as %+v", fragment, got)
		}
	}
}
