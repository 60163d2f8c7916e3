package words

import (
	"time"

	"atelier/atelier"
)

// What runs cost, as far as the image service tells.
const (
	CostsTitle = "Cost"
	CostOfRun  = "Cost"
)

// Credits writes an amount in the unit of the image service.
func Credits(n float64) string {
	if n == 1 {
		return "1 credit"
	}
	return decimal(n, -1) + " credits"
}

// CreditsLeft says what the account has left, as far as it told.
func CreditsLeft(n float64) string { return Credits(n) + " left on the account" }

// leftAfter says what the account had left after a run, which may be long ago.
func leftAfter(n float64) string { return Credits(n) + " left afterwards" }

// RunCost says what a run cost and what the account had left after it. What is nil is not known and not mentioned.
func RunCost(power, left *float64) string {
	switch {
	case power == nil && left == nil:
		return ""
	case power == nil:
		return leftAfter(*left)
	case left == nil:
		return Credits(*power)
	}
	return Credits(*power) + " · " + leftAfter(*left)
}

// CostSum says what runs cost together, "" when of none it is known.
func CostSum(c atelier.Cost) string {
	if c.Power == nil {
		return ""
	}
	text := Credits(*c.Power) + " for " + plural(c.Runs-c.Unknown, "run", "runs")
	if c.Unknown > 0 {
		text += ", cost of " + plural(c.Unknown, "more run", "more runs") + " unknown"
	}
	return text
}

// CostMonth is a line of the months in the settings.
func CostMonth(m atelier.MonthCost) string {
	name := m.Month // 2026-11
	if t, err := time.Parse("2006-01", name); err == nil {
		name = t.Format("January 2006")
	}
	return name + ": " + CostSum(m.Cost)
}
