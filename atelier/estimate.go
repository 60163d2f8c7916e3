package atelier

// Estimate answers POST /api/estimates: what the image service says a run would cost, in its own unit.
type Estimate struct {
	TotalPower float64 `json:"totalPower"`
	Type       string  `json:"type,omitempty"`
	NotEnough  bool    `json:"notEnough"` // the account cannot pay it
	Estimated  bool    `json:"estimated"` // the service gives it as a guess
}

// UsualList answers GET /api/agents/{name}/usual: how long runs of the agent usually take, by how many results they make, the fewest first.
// What too few runs say anything about is not in it.
type UsualList struct {
	Usual []Usual `json:"usual"`
}

// Usual is how long runs of so many results took at the image service, in seconds: half of them at most the one, nine of ten at most the other.
type Usual struct {
	Results int `json:"results"`
	Half    int `json:"half"`
	Most    int `json:"most"`
}
