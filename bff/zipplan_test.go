package bff

import (
	"strings"
	"testing"

	"atelier/atelier"
)

func TestThePlanOfAnArchiveIsOnlySoLarge(t *testing.T) {
	t.Parallel()
	var plan zipPlan
	rec := zipRecord{Values: map[string]any{"x": strings.Repeat("x", maxValues-len(`{"x":""}`))}}
	for n := range maxPlan / maxValues {
		if err := plan.add(rec, zipEntry{}); err != nil {
			t.Fatalf("picture %d: %v", n, err)
		}
	}
	if err := plan.add(zipRecord{Values: map[string]any{}}, zipEntry{}); atelier.CodeOf(err) != atelier.Invalid || !strings.Contains(err.Error(), "32 MiB") {
		t.Errorf("one more: %v", err)
	}
	if n := len(plan.Records); n != maxPlan/maxValues || n != len(plan.Entries) {
		t.Errorf("%d records, %d entries", n, len(plan.Entries))
	}
}
