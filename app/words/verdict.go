package words

import "atelier/atelier"

// What can be thought of a result.
const (
	Verdict       = "Verdict"
	VerdictPick   = "Pick"
	VerdictReject = "Reject"
)

// Stars is a rating.
func Stars(n int) string { return plural(n, "star", "stars") }

// ManyJudged says what is thought now of results that were judged at once.
func ManyJudged(n int, u atelier.UpdateResults) string {
	what := ResultCount(n)
	switch {
	case u.Rating != nil && *u.Rating > 0:
		return what + " have " + Stars(*u.Rating) + "."
	case u.Rating != nil:
		return what + " have no stars."
	case u.Pick != nil && *u.Pick == atelier.PickYes:
		return what + " are picked."
	case u.Pick != nil && *u.Pick == atelier.PickNo:
		return what + " are rejected."
	case u.Pick != nil:
		return what + " are neither picked nor rejected."
	case u.Starred != nil && *u.Starred:
		return what + " are favourites."
	}
	return what + " are no favourites."
}
