package atelier

import "time"

// Board is a named collection of results.
type Board struct {
	ID        BoardID   `json:"id"`
	Name      string    `json:"name"`
	Notes     string    `json:"notes,omitempty"`
	Cover     ResultID  `json:"cover,omitempty"` // the chosen cover; "" = the newest pictures stand for it
	Count     int       `json:"count"`           // results on it that are not in the trash
	Thumbs    []string  `json:"thumbs"`          // thumbnails that stand for it, at most four, the cover first
	CreatedAt time.Time `json:"createdAt"`
}

// CreateBoard is the body of POST /api/boards.
type CreateBoard struct {
	Name  string `json:"name"`
	Notes string `json:"notes,omitempty"`
}

// UpdateBoard is the body of PATCH /api/boards/{id}; nil leaves a field as it is. An empty cover takes the chosen one away.
type UpdateBoard struct {
	Name  *string   `json:"name,omitempty"`
	Notes *string   `json:"notes,omitempty"`
	Cover *ResultID `json:"cover,omitempty"` // a result that is on the board
}

// BoardList answers GET /api/boards.
type BoardList struct {
	Boards []Board `json:"boards"`
}
