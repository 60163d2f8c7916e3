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
