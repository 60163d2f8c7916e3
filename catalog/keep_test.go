package catalog_test

import (
	"testing"

	"atelier/catalog"
)

func TestKeepOfAnExecution(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		agent  string
		values catalog.Values
		want   catalog.Keep
	}{
		{"aimodel", catalog.Values{"maskType": "autoUpperApparelSegment"}, catalog.Keep{MaskType: "autoUpperApparelSegment"}},
		{"aimodel", catalog.Values{"maskType": "custom"}, catalog.Keep{}},
		{"aimodel", catalog.Values{}, catalog.Keep{}},
		{"removeBG", catalog.Values{"maskType": "autoApparelSegment"}, catalog.Keep{}}, // it does not offer that
		{"aiproduct", catalog.Values{"maskType": "autoSubjectSegment"}, catalog.Keep{MaskType: "autoSubjectSegment", Product: true}},
		{"virtualtryon", catalog.Values{"generateVersion": "servicePro"}, catalog.Keep{MaskType: "autoSubjectSegment", Garment: true, Stronger: true}},
		{"ai-ghost-mannequin-generator", nil, catalog.Keep{MaskType: "autoApparelSegment"}},
		{"expandimage", nil, catalog.Keep{}},
		{"ai-aging", nil, catalog.Keep{}},
	} {
		a, ok := catalog.Find(tt.agent, "")
		if !ok {
			t.Fatalf("there is no %s", tt.agent)
		}
		if got := catalog.KeepOf(a, tt.values); got != tt.want {
			t.Errorf("%s with %v keeps %+v, want %+v", tt.agent, tt.values, got, tt.want)
		}
	}
}

func TestPaintsWhereMasksAreTaken(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"aimodel": true, "aiproduct": true, "removeBG": true,
		"aipose": false, "expandimage": false, "virtualtryon": false, "ai-ghost-mannequin-generator": false,
	} {
		a, ok := catalog.Find(name, "")
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		if got := catalog.Paints(a); got != want {
			t.Errorf("%s takes a painted mask: %v, want %v", name, got, want)
		}
	}
}

func TestSureFromAHalf(t *testing.T) {
	t.Parallel()
	for confidence, want := range map[float64]bool{0: false, .4999: false, .5: true, 1: true} {
		if catalog.Sure(confidence) != want {
			t.Errorf("%v is sure: %v", confidence, !want)
		}
	}
}
