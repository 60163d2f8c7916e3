package words

import "atelier/atelier"

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

// CreditsLeft says what the account had left.
func CreditsLeft(n float64) string { return Credits(n) + " left on the account" }

// RunCost says what a run cost and what the account had left after it. What is nil is not known and not mentioned.
func RunCost(power, left *float64) string {
	switch {
	case power == nil && left == nil:
		return ""
	case power == nil:
		return CreditsLeft(*left)
	case left == nil:
		return Credits(*power)
	}
	return Credits(*power) + " · " + CreditsLeft(*left)
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

// CostMonth is a line of the months in the settings. month is 2026-11.
func CostMonth(m atelier.MonthCost) string { return m.Month + ": " + CostSum(m.Cost) }
