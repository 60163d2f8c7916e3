package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
	"atelier/catalog/catalogtest"
)

func address(field string, n int, f catalogtest.File) string {
	return fmt.Sprintf("https://pictures.example/%s/%d.%s", field, n, f.Media)
}

// TestEveryRequestIsJudgedByItsData runs the generated requests of all agents: what Check refuses is what the data refuse,
// and what is accepted reaches the other side of the wire unchanged.
func TestEveryRequestIsJudgedByItsData(t *testing.T) {
	for _, c := range catalogtest.Cases(catalog.All()) {
		a, _ := catalog.Find(c.Agent, c.Version)
		in := c.Input(address)
		problems := catalog.Check(a, c.Surface, in)
		if diff := cmp.Diff(c.Refused, fields(catalog.Refusals(problems))); diff != "" {
			t.Errorf("%s: refused fields (-want +got):\n%s%v", c.Name, diff, problems)
		}
		for _, p := range problems {
			if p.Message == "" {
				t.Errorf("%s: a problem of %s says nothing", c.Name, p.Field)
			}
		}
		if len(c.Refused) > 0 {
			wire := ""
			for _, p := range catalog.Refusals(problems) {
				wire += p.Wire + " "
			}
			for _, part := range c.Says {
				if !strings.Contains(wire, part) {
					t.Errorf("%s: the refusal does not say %q: %s", c.Name, part, wire)
				}
			}
			continue
		}
		init, params := catalog.Encode(a, c.Surface, in)
		back, wrong := catalog.Decode(a, c.Surface, overJSON(t, init), overJSON(t, params))
		if len(wrong) > 0 {
			t.Errorf("%s: what was sent cannot be read: %v", c.Name, wrong)
		}
		want := catalog.Fill(a, c.Surface, in)
		// The wire carries no facts: who reads it looks into the files.
		want.Media, want.SourceWidth, want.SourceHeight = nil, 0, 0
		if diff := cmp.Diff(want, back); diff != "" {
			t.Errorf("%s: (-sent +read):\n%s", c.Name, diff)
		}
		back.Media, back.SourceWidth, back.SourceHeight = in.Media, in.SourceWidth, in.SourceHeight
		if refused := catalog.Refusals(catalog.Check(a, c.Surface, back)); refused != nil {
			t.Errorf("%s: accepted, and refused once it was sent: %v", c.Name, refused)
		}
	}
}
