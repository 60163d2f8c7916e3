package bff_test

import (
	"bytes"
	"testing"

	"atelier/bff"
)

// What made a picture is not changed by what the studio is connected to later.
func TestAPictureTellsWhatMadeItWhateverTheStudioIsConnectedToNow(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"embedded": "digitalsourcetype/compositeSynthetic<", "remote": "digitalsourcetype/compositeWithTrainedAlgorithmicMedia<"} {
		t.Run("made by "+kind, func(t *testing.T) {
			t.Parallel()
			now := kind
			s := newStudio(t, func(c *bff.Config) {
				c.UpstreamKind, c.UpstreamID = now, now
				if now == "remote" {
					c.UpstreamID = "https://images.example"
				}
			})
			res := s.results("made", 1)
			for _, now = range []string{"embedded", "remote"} {
				s.restart()
				if file := s.send("GET", res[0].File, nil, nil); !bytes.Contains(file.body, []byte(want)) {
					t.Errorf("delivered while the studio is connected to %s, it does not say %q", now, want)
				}
			}
		})
	}
}
