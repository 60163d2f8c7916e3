package atelier

import "time"

// Task is the image service's own grouping of executions of one source (task surface only), also of work made elsewhere.
type Task struct {
	ID         string          `json:"id"`
	Name       string          `json:"name,omitempty"` // its taskName
	Agent      string          `json:"agent"`
	Version    string          `json:"version"`
	Source     string          `json:"source,omitempty"` // same-origin path of the source picture
	CreatedAt  *time.Time      `json:"createdAt,omitempty"`
	Executions []TaskExecution `json:"executions"`
}

// TaskExecution is one execution of a task.
type TaskExecution struct {
	ID     string     `json:"id"`
	Status Status     `json:"status"`
	Time   *time.Time `json:"time,omitempty"`
	Images []string   `json:"images"` // same-origin paths
	Error  string     `json:"error,omitempty"`
	Known  bool       `json:"known"`         // the studio's history holds it
	Run    RunID      `json:"run,omitempty"` // as this
}

// TaskFilter chooses tasks of the image service; the zero value means all. Times are inclusive below and exclusive above.
type TaskFilter struct {
	Cursor        string
	Limit         int
	CreatedAfter  time.Time
	CreatedBefore time.Time
}

// TaskPage is one page of tasks, newest first.
type TaskPage struct {
	Tasks      []Task `json:"tasks"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// MaskList answers GET /api/masks.
type MaskList struct {
	Masks []Mask `json:"masks"`
}

// CreatePreset is the body of POST /api/fashion-models and POST /api/locations: assets of the user, one for a location, up
// to four for a fashion model.
type CreatePreset struct {
	Name   string    `json:"name"`
	Assets []AssetID `json:"assets"`
}

// PresetList answers GET /api/fashion-models and GET /api/locations.
type PresetList struct {
	Presets []Preset `json:"presets"`
	// Count is how many of this kind the account of the image service has from here, whoever made them; Limit is the most it takes.
	Count int `json:"count"`
	Limit int `json:"limit"`
}
