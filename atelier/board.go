package atelier

import "time"

// Board is a named collection of results.
type Board struct {
	ID        BoardID   `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
}

// CreateBoard is the body of POST /api/boards.
type CreateBoard struct {
	Name string `json:"name"`
}

// BoardList answers GET /api/boards.
type BoardList struct {
	Boards []Board `json:"boards"`
}
