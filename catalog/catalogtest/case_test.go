package catalogtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
	"atelier/catalog/catalogtest"
)

func TestEveryAgentHasCasesThatAreAcceptedAndSomeThatAreNot(t *testing.T) {
	names := map[string]bool{}
	type key struct {
		agent   string
		surface catalog.Surface
		refused bool
	}
	seen := map[key]int{}
	cases := catalogtest.Cases(catalog.All())
	for _, c := range cases {
		if names[c.Name] {
			t.Errorf("two cases are named %s", c.Name)
		}
		names[c.Name] = true
		seen[key{c.Agent, c.Surface, len(c.Refused) > 0}]++
	}
	for _, a := range catalog.All() {
		for _, s := range a.Surfaces {
			if seen[key{a.Name, s, false}] == 0 || seen[key{a.Name, s, true}] == 0 {
				t.Errorf("%s on the %s surface: %d cases are accepted and %d refused", a.Name, s, seen[key{a.Name, s, false}], seen[key{a.Name, s, true}])
			}
		}
	}
	type field struct {
		agent   string
		surface catalog.Surface
		name    string
	}
	full, whole := map[field]bool{}, 0
	for _, c := range cases {
		if !strings.Contains(c.Name, "/everything") {
			continue
		}
		whole++
		for name := range c.Values {
			full[field{c.Agent, c.Surface, name}] = true
		}
		for name := range c.Files {
			full[field{c.Agent, c.Surface, name}] = true
		}
	}
	for _, a := range catalog.All() {
		for _, s := range a.Surfaces {
			for _, p := range a.Params {
				if (len(p.Surfaces) == 0 || slices.Contains(p.Surfaces, s)) && !full[field{a.Name, s, p.Name}] {
					t.Errorf("%s on the %s surface: no request with everything has %s", a.Name, s, p.Name)
				}
			}
			for _, f := range a.Files {
				if !full[field{a.Name, s, f.Name}] {
					t.Errorf("%s on the %s surface: no request with everything has %s", a.Name, s, f.Name)
				}
			}
		}
	}
	t.Logf("counted: %d requests with everything that may stand together", whole)
	if len(cases) < 600 {
		t.Errorf("%d cases, want 600 at least", len(cases))
	}
	t.Logf("counted: %d cases made out of the catalog", len(cases))
}

func TestCasesAreAlwaysTheSame(t *testing.T) {
	first, again := catalogtest.Cases(catalog.All()), catalogtest.Cases(catalog.All())
	for i := range first {
		if first[i].Name != again[i].Name || len(first[i].Refused) != len(again[i].Refused) {
			t.Fatalf("case %d is %s, then %s", i, first[i].Name, again[i].Name)
		}
	}
}

func TestMadeUpPresetsGiveWayToExistingOnes(t *testing.T) {
	a, _ := catalog.Find("aimodel", "")
	c := catalogtest.Case{Values: catalog.Values{"locationId": 1.0, "fashionModelId": 0.0, "locationTagIds": []any{1.0}, "batchCount": 1.0}}
	got := c.Existing(a, map[string]float64{"locations": 101, "fashionModels": 201}, map[string]float64{"locations": 11})
	want := catalog.Values{"locationId": 101.0, "fashionModelId": 0.0, "locationTagIds": []any{11.0}, "batchCount": 1.0}
	if diff := cmp.Diff(want, got.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if c.Values["locationId"] != 1.0 {
		t.Error("the case it came from was changed")
	}
}
