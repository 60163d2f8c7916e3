package words

import (
	"testing"

	"atelier/atelier"
)

func TestUnknownCostsAreNoPrice(t *testing.T) {
	power, left := 2.5, 97.0
	for _, tt := range []struct{ got, want string }{
		{RunCost(nil, nil), ""},
		{RunCost(&power, nil), "2.5 credits"},
		{RunCost(nil, &left), "97 credits left afterwards"},
		{RunCost(&power, &left), "2.5 credits · 97 credits left afterwards"},
		{CostSum(atelier.Cost{Runs: 3, Unknown: 3}), ""},
		{CostSum(atelier.Cost{Runs: 1, Power: &power}), "2.5 credits for 1 run"},
		{
			CostMonth(atelier.MonthCost{Month: "2026-11", Cost: atelier.Cost{Runs: 4, Unknown: 2, Power: &power}}),
			"November 2026: 2.5 credits for 2 runs, cost of 2 more runs unknown",
		},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
