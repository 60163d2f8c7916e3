package atelier

import "time"

// Cost is what runs cost together, in the unit of the image service.
type Cost struct {
	Runs    int      `json:"runs"`            // that the image service took
	Unknown int      `json:"unknown"`         // of them, those of which it did not tell the cost
	Power   *float64 `json:"power,omitempty"` // of the others together; nil = of none is it known
}

// MonthCost is what the runs of a calendar month of the server's clock cost.
type MonthCost struct {
	Month string `json:"month"` // as 2026-11
	Cost
}

// Balance is what the account of the image service had left at a moment, in its unit.
type Balance struct {
	Power float64   `json:"power"`
	At    time.Time `json:"at"`
}

// Costs is what a user's runs cost in the last twelve months, the newest first, without months in which there were none.
type Costs struct {
	Months []MonthCost `json:"months"`
	// Balance is told to administrators and in a studio of one user; nil = the image service never told it.
	Balance *Balance `json:"balance,omitempty"`
}
