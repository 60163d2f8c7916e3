package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
)

// FuzzCheck gives the rules anything a browser or a client could send: they never panic, always say the same, and say it in
// words.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"aimodel", "removeBG", "aipose", "expandimage", "aiproduct", "image-to-video", "virtualtryon"} {
		f.Add(name, []byte(`{"batchCount":4,"textDescription":"a","imageSize":"4K","maskType":"custom"}`), []byte(`{"originalImage":["https://a/b"]}`), 800, 600, true)
	}
	f.Add("aimodel", []byte(`{"batchCount":1e400,"locationTagIds":[null,{},[],"x"],"textDescription":{"a":[]}}`), []byte(`{"":[""]}`), -1, 1<<30, false)
	f.Add("expandimage", []byte(`{"":"0"}`), []byte(`{}`), 800, 600, true) // a note is about the name as it came
	f.Fuzz(func(t *testing.T, agent string, valuesJSON, filesJSON []byte, width, height int, draft bool) {
		a, ok := catalog.Find(agent, "")
		if !ok {
			return
		}
		in := catalog.Input{SourceWidth: width, SourceHeight: height, Draft: draft}
		if json.Unmarshal(valuesJSON, &in.Values) != nil || json.Unmarshal(filesJSON, &in.Files) != nil {
			return
		}
		for _, s := range a.Surfaces {
			first := catalog.Check(a, s, in)
			if diff := cmp.Diff(first, catalog.Check(a, s, in)); diff != "" {
				t.Fatalf("the same wish is judged differently:\n%s", diff)
			}
			for _, p := range first {
				if p.Field == "" && !p.Note || strings.TrimSpace(p.Message) == "" {
					t.Errorf("a problem without words: %+v", p)
				}
			}
		}
	})
}
