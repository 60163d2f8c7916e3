package model

// Verdict is what is thought of results; a field they do not agree in is empty.
type Verdict struct {
	Pick   string
	Rating int
}

// VerdictOf is what some results have in common.
func VerdictOf(shots []Shot) Verdict {
	if len(shots) == 0 {
		return Verdict{}
	}
	v := Verdict{shots[0].Result.Pick, shots[0].Result.Rating}
	for _, s := range shots[1:] {
		if s.Result.Pick != v.Pick {
			v.Pick = ""
		}
		if s.Result.Rating != v.Rating {
			v.Rating = 0
		}
	}
	return v
}
