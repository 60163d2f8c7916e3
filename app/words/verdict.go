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

// NowJudged says what is thought now of results that were judged at once.
func NowJudged(n int, u atelier.UpdateResults) string {
	is, has := plural(n, "result is", "results are"), plural(n, "result has", "results have")
	switch {
	case u.Rating != nil && *u.Rating > 0:
		return has + " " + Stars(*u.Rating) + "."
	case u.Rating != nil:
		return has + " no stars."
	case u.Pick != nil && *u.Pick == atelier.PickYes:
		return is + " picked."
	case u.Pick != nil && *u.Pick == atelier.PickNo:
		return is + " rejected."
	case u.Pick != nil:
		return is + " neither picked nor rejected."
	case u.Starred != nil && *u.Starred:
		return is + " among the favourites."
	}
	return is + " no longer among the favourites."
}
