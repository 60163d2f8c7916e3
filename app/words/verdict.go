package words

// What can be thought of a result.
const (
	Verdict       = "Verdict"
	VerdictPick   = "Pick"
	VerdictReject = "Reject"
)

// Stars is a rating.
func Stars(n int) string { return plural(n, "star", "stars") }
