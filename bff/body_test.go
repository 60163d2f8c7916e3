package bff_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"atelier/atelier"
	"atelier/bff"
)

// What could only be meant to take memory is refused before any of it is decoded.
func TestABodyOfFarTooManyValuesIsRefused(t *testing.T) {
	t.Parallel()
	s := newStudio(t, func(c *bff.Config) { c.Estimates = true })
	for name, tt := range map[string]struct{ values, word string }{
		"objects": {`{"a":[` + strings.Repeat("{},", 11<<20) + `{}]}`, "values"},
		"numbers": {`{"a":[` + strings.Repeat("1,", 1<<20) + `1]}`, "values"},
		"names":   {`{"a":{` + strings.Repeat(`"b":1,`, 1<<20) + `"b":1}}`, "values"},
		"depth":   {`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, "nested"},
	} {
		for _, path := range []string{"/api/runs", "/api/estimates"} {
			r := s.send("POST", path, strings.NewReader(`{"agent":"removeBG","version":"v1.0","values":`+tt.values+`}`), func(r *http.Request) {
				r.Header.Set("Content-Type", "application/json")
			})
			if e := r.error(t); r.status != http.StatusBadRequest || !strings.Contains(e.Message, tt.word) {
				t.Errorf("%s to %s: %d %s", name, path, r.status, e.Message)
			}
		}
	}
	if left := s.spooled(); left != 0 {
		t.Errorf("%d files are left of what was refused", left)
	}
}

// spooled is how many files are on their way into the store.
func (s *studio) spooled() int {
	s.t.Helper()
	left, err := os.ReadDir(filepath.Join(s.folder, "files", "spool"))
	s.check(err)
	return len(left)
}

// Large bodies lie on disk until there is memory for them; small ones pass them.
func TestLargeBodiesWaitForMemory(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(35))
	release := s.bff.HoldBodies(t.Context())
	large := atelier.CreateMask{AssetID: asset.ID, Name: "large", PNG: halfMask(530, 560) + strings.Repeat("\n", 100_000)}
	small := large
	small.PNG = halfMask(530, 560)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if r := s.try("/api/masks", large); r.status != http.StatusCreated {
				t.Errorf("a large body: %d %s", r.status, r.body)
			}
		})
	}
	s.eventually("the large bodies lie on disk", func() bool { return s.spooled() == 3 })
	if r := s.try("/api/masks", small); r.status != http.StatusCreated {
		t.Errorf("a small one beside them: %d %s", r.status, r.body)
	}
	var list atelier.MaskList
	if s.json("GET", "/api/masks", nil, http.StatusOK, &list); len(list.Masks) != 1 {
		t.Errorf("there are %d masks where there is memory for one", len(list.Masks))
	}
	release()
	all.Wait()
	if s.json("GET", "/api/masks", nil, http.StatusOK, &list); len(list.Masks) != 4 {
		t.Errorf("there are %d masks of 4", len(list.Masks))
	}
	s.eventually("memory and disk are given back", func() bool {
		return s.spooled() == 0 && s.bff.BodiesFree()
	})
}
