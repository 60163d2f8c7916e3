package atelier

import "time"

// Board is a named collection of results.
type Board struct {
	ID        BoardID   `json:"id"`
	Name      string    `json:"name"`
	Notes     string    `json:"notes,omitempty"`
	Cover     ResultID  `json:"cover,omitempty"`  // the chosen cover; "" = the newest pictures stand for it
	Count     int       `json:"count"`            // results on it that are not in the trash
	Thumbs    []string  `json:"thumbs"`           // thumbnails that stand for it, at most four, the cover first
	Shared    bool      `json:"shared,omitempty"` // everybody in the studio may look at it
	Owner     *Person   `json:"owner,omitempty"`  // of a board that somebody else shows
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
	// Shared shows the board to everybody in the studio, or to its owner alone again; where people have accounts.
	Shared *bool `json:"shared,omitempty"`
}

// BoardList answers GET /api/boards: one's own by name, and those that others show, by who shows them.
type BoardList struct {
	Boards []Board `json:"boards"`
	Shown  []Board `json:"shown,omitempty"`
}
