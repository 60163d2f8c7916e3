package atelier

import "time"

// Status is the upstream's word for where a run or a result is (Task API, "Execution status values").
// Other words may arrive; they are kept as they are and are not terminal.
type Status string

// The words both documents know.
const (
	Pending    Status = "Pending"
	Segmenting Status = "Segmenting"
	Running    Status = "Running"
	Success    Status = "Success"
	Failed     Status = "Failed"
)

// Terminal says whether nothing more will happen.
func (s Status) Terminal() bool { return s == Success || s == Failed }

// State is our own word for the life of a run, from the recorded intent to the archived results.
type State string

// The states of a run:
//
//	recorded → submitting → accepted → done | failed
//	               └→ ambiguous → accepted | recorded (not sent, retried) | unconfirmed (never resubmitted by us)
//
// A run is done when every result that succeeded is stored here.
const (
	StateRecorded    State = "recorded"
	StateSubmitting  State = "submitting"
	StateAmbiguous   State = "ambiguous"
	StateUnconfirmed State = "unconfirmed"
	StateAccepted    State = "accepted"
	StateDone        State = "done"
	StateFailed      State = "failed"
)

// Final says whether the studio has nothing left to do for the run.
func (s State) Final() bool { return s == StateDone || s == StateFailed || s == StateUnconfirmed }

// Surface names one of the two APIs of the image service.
type Surface string

// The surfaces.
const (
	TaskSurface Surface = "task" // /openapi/v1: tasks and executions
	RunSurface  Surface = "run"  // /openapi/agent: runs
)

// Run is one paid generation: an agent, its values, its inputs, its status.
type Run struct {
	ID          RunID               `json:"id"`
	IntentKey   string              `json:"intentKey,omitempty"` // made by the client: the same key gives the same run
	Agent       string              `json:"agent"`
	Version     string              `json:"version"`
	Title       string              `json:"title"`
	Status      Status              `json:"status"`
	State       State               `json:"state"`
	Values      map[string]any      `json:"values"`
	Files       map[string][]string `json:"files,omitempty"` // field to asset ids or URLs
	MaskID      MaskID              `json:"maskId,omitempty"`
	Asset       *Asset              `json:"asset,omitempty"` // the first source picture
	Results     []Result            `json:"results"`
	ExecutionID string              `json:"executionId,omitempty"`
	TaskID      string              `json:"taskId,omitempty"`
	Surface     Surface             `json:"surface,omitempty"`
	Queue       *int                `json:"queue,omitempty"` // runs that are sent before it, while it waits
	ETA         *int                `json:"eta,omitempty"`   // seconds left, where own history gives an estimate; 0 = longer than usual
	Error       *Error              `json:"error,omitempty"`
	PSD         *PSD                `json:"psd,omitempty"`
	Power       *float64            `json:"power,omitempty"`     // what it cost, in the unit of the image service; nil = not told
	PowerLeft   *float64            `json:"powerLeft,omitempty"` // what the account had after it; nil = not told
	Board       BoardID             `json:"board,omitempty"`
	CreatedAt   time.Time           `json:"createdAt"`
	UpdatedAt   time.Time           `json:"updatedAt"`
	Trashed     bool                `json:"trashed,omitempty"`
	Cancelled   bool                `json:"cancelled,omitempty"` // it failed because its owner cancelled it
	Gone        bool                `json:"gone,omitempty"`      // deleted for good: told once, in an event
	// Owner is who shows a run of another's. Of such a run only the results that are shown are here, what it was made with, and its
	// source picture, which has no id: its paths lead through a result.
	Owner *Person `json:"owner,omitempty"`
}

// Result is one image or video of a run.
type Result struct {
	ID       ResultID `json:"id"`
	RunID    RunID    `json:"runId"`
	Index    int      `json:"index"` // place in the run, from 0
	Kind     string   `json:"kind"`  // image, video
	Status   Status   `json:"status"`
	Progress float64  `json:"progress"` // 0 to 1
	Error    string   `json:"error,omitempty"`
	Stored   bool     `json:"stored"` // the bytes are here; File and Thumb work
	Format   string   `json:"format,omitempty"`
	Width    int      `json:"width,omitempty"`
	Height   int      `json:"height,omitempty"`
	Bytes    int64    `json:"bytes,omitempty"`
	File     string   `json:"file,omitempty"`
	Thumb    string   `json:"thumb,omitempty"`
	Preview  string   `json:"preview,omitempty"`
	Seconds  float64  `json:"seconds,omitempty"` // of a video
	// LastFrame is the path of a video's last picture, where it could be had; it can be an input like any other result.
	LastFrame string   `json:"lastFrame,omitempty"`
	Score     *float64 `json:"score,omitempty"` // how unchanged the protected region is, 0 to 1
	// Fidelity is how well the protected region was kept; nil while nobody has looked, or where nothing was protected.
	Fidelity *Fidelity `json:"fidelity,omitempty"`
	// LockedFrom is the result this one was made of by putting the original's protected pixels back.
	LockedFrom ResultID `json:"lockedFrom,omitempty"`
	Starred    bool     `json:"starred"`
	Rating     int      `json:"rating"`            // 0 to 5
	Pick       string   `json:"pick"`              // "", pick, reject
	Trashed    bool     `json:"trashed,omitempty"` // thrown away by itself, not with its run
	Gone       bool     `json:"gone,omitempty"`    // deleted for good: told once, in an event
}

// PSD is the state of a layered export of a run.
type PSD struct {
	Status string `json:"status"` // NotStart, Pending, Running, Success, Failed
	File   string `json:"file,omitempty"`
	Error  string `json:"error,omitempty"`
}

// MaskInput gives a run its custom mask: either the picture itself or one that was saved before.
type MaskInput struct {
	PNG    string `json:"png,omitempty"` // base64, no data-URI prefix
	MaskID MaskID `json:"maskId,omitempty"`
}

// StartRun is the body of POST /api/runs.
type StartRun struct {
	IntentKey string              `json:"intentKey"` // 16 to 64 characters; the same key twice gives the same run
	Agent     string              `json:"agent"`
	Version   string              `json:"version"`
	Values    map[string]any      `json:"values"`
	Files     map[string][]string `json:"files"` // field to asset ids or https URLs, in order
	Mask      *MaskInput          `json:"mask,omitempty"`
	Title     string              `json:"title,omitempty"`
	Board     BoardID             `json:"board,omitempty"`
	// Account is the Session.AccountStamp of the account that the user sees; another one is refused. "" = whichever is used.
	Account string `json:"account,omitempty"`
	// Unsure starts the run although the region of its automatic mask is not clear. Without it such a run is refused as
	// Unclear.
	Unsure bool `json:"unsure,omitempty"`
}

// AdoptRun is the body of POST /api/runs/{id}/adopt: the id the image service gave an unconfirmed run.
type AdoptRun struct {
	ExecutionID string `json:"executionId"`
}

// RunBody wraps one run in an answer.
type RunBody struct {
	Run Run `json:"run"`
}

// RunPage is one page of runs, newest first.
type RunPage struct {
	Runs       []Run  `json:"runs"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// RunFilter chooses runs, or results; the zero value means all. Times are when a run was asked for, inclusive below and
// exclusive above. A run is chosen by what is said of results when one of its results is.
type RunFilter struct {
	Cursor  string
	Limit   int // 1 to 200, default 50
	Agent   string
	Status  Status
	Query   string // words, each the beginning of one in the prompt, title, agent, values or file names
	Board   BoardID
	User    UserID // of results: what somebody else shows, each once
	Starred bool
	Rating  int    // at least so many stars
	Pick    string // PickYes, PickNo, PickNone; "" = all
	Changed bool   // only results whose protected region was changed
	Apart   bool   // only results that could not be compared with their source
	Fits    Fits   // only results that can be a file of the form
	Trashed bool   // only what is in the trash, with its run or by itself; else only what is not
	From    time.Time
	To      time.Time
	Zone    string // of months alone: where they begin, an IANA name; "" = UTC
	Sort    Sort
}

// Fits is a kind of file that a result can be; "" = any result.
type Fits string

// FitsImage are pictures, and videos whose last frame was kept; FitsVideo are videos.
const (
	FitsImage Fits = "image"
	FitsVideo Fits = "video"
)

// UpdateResult is the body of PATCH /api/results/{id}; nil leaves a field as it is.
type UpdateResult struct {
	Starred *bool      `json:"starred,omitempty"`
	Rating  *int       `json:"rating,omitempty"`
	Pick    *string    `json:"pick,omitempty"`
	Boards  *[]BoardID `json:"boards,omitempty"`
}
