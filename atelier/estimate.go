package atelier

// Estimate answers POST /api/estimates: what the image service says a run would cost, in its own unit.
type Estimate struct {
	TotalPower float64 `json:"totalPower"`
	Type       string  `json:"type,omitempty"`
	NotEnough  bool    `json:"notEnough"` // the account cannot pay it
	Estimated  bool    `json:"estimated"` // the service gives it as a guess
}
