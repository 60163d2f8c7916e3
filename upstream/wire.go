// Package upstream is the client of the image service: every endpoint of its task surface (/openapi/v1) and of its run
// surface (/openapi/agent). It is the only package that knows the wire; the service's own handlers write these same types.
// It imports nothing of ours.
package upstream

import (
	"encoding/json"
	"time"
)

// Paths of the task surface (Task API, "Endpoints").
const (
	PathTaskCreate         = "/openapi/v1/agent/task/create"
	PathTaskExecute        = "/openapi/v1/agent/task/execute"
	PathTaskQuery          = "/openapi/v1/agent/task/query"
	PathTaskList           = "/openapi/v1/agent/task/list"
	PathTaskDelete         = "/openapi/v1/agent/task/delete"
	PathAgentInfo          = "/openapi/v1/agent/info"
	PathUploadImage        = "/openapi/v1/asset/upload/image"
	PathPSDCreate          = "/openapi/v1/asset/download/psd/create"
	PathPSDQuery           = "/openapi/v1/asset/download/psd/query"
	PathFashionModelCreate = "/openapi/v1/agent/myFashionModel/create"
	PathFashionModelQuery  = "/openapi/v1/agent/myFashionModel/query"
	PathFashionModelDelete = "/openapi/v1/agent/myFashionModel/delete"
	PathLocationCreate     = "/openapi/v1/agent/myLocation/create"
	PathLocationQuery      = "/openapi/v1/agent/myLocation/query"
	PathLocationDelete     = "/openapi/v1/agent/myLocation/delete"
)

// Paths of the run surface (Run API, "Endpoints"; PathEstimates, PathRunVideos and PathRunAudios are extras that the
// documents do not mention).
const (
	PathRunUpload = "/openapi/agent/assets/images"
	PathRunVideos = "/openapi/agent/assets/videos"
	PathRunAudios = "/openapi/agent/assets/audios"
	PathRuns      = "/openapi/agent/runs"
	PathOpenAPI   = "/openapi/agent/openapi.yaml"
	PathEstimates = "/openapi/agent/power-estimates"
)

// ExecutionTimeLayout is the form of Execution.ExecutionTime. ASSUMED [executionTime time zone]: UTC.
const ExecutionTimeLayout = "2006-01-02 15:04:05"

// TaskCreate is the body of "Create task".
type TaskCreate struct {
	AgentName    string         `json:"agentName"`
	AgentVersion string         `json:"agentVersion"`
	InitParams   map[string]any `json:"initParams,omitempty"`
}

// TaskCreated is its data.
type TaskCreated struct {
	TaskID string `json:"taskId"`
}

// TaskExecute is the body of "Execute task".
type TaskExecute struct {
	TaskID      string         `json:"taskId"`
	Params      map[string]any `json:"params"`
	CallbackURL string         `json:"callbackUrl,omitempty"`
}

// TaskExecuted is its data.
type TaskExecuted struct {
	ExecutionID string `json:"executionId"`
	Charge
}

// Charge is what an account answers of the cost when it starts a run. ASSUMED [Cost of a start]: both stand in data or in meta; what is not
// there is not known.
type Charge struct {
	PowerConsumption   *float64 `json:"powerConsumption,omitempty"`   // of this run; nil = not told
	PowerBalanceAmount *float64 `json:"powerBalanceAmount,omitempty"` // of the account after it; nil = not told
}

// TaskQuery is the body of "Query task execution": ExecutionID wins when both are given.
type TaskQuery struct {
	ExecutionID string `json:"executionId,omitempty"`
	TaskID      string `json:"taskId,omitempty"`
}

// Task is a task, or the answer to a query (then without TaskID or CreatedAt on some servers).
type Task struct {
	TaskID       string         `json:"taskId,omitempty"`
	AgentName    string         `json:"agentName"`
	AgentVersion string         `json:"agentVersion"`
	InitParams   map[string]any `json:"initParams"`
	Executions   []Execution    `json:"executions"`
	CreatedAt    *time.Time     `json:"createdAt,omitempty"` // lists only; RFC 3339, UTC
}

// Execution is one batch of results (Task API, "Execution").
type Execution struct {
	ExecutionID   string         `json:"executionId"`
	ExecutionTime string         `json:"executionTime,omitempty"` // ExecutionTimeLayout
	Status        string         `json:"status"`
	Params        map[string]any `json:"params"`
	Result        []ResultItem   `json:"result"` // "results" is read too
}

// ResultItem is one generated image or video (Task API, "ResultItem"; Run API, "Result item").
type ResultItem struct {
	Status      string   `json:"status"`
	Image       string   `json:"image"` // URL
	Video       string   `json:"video,omitempty"`
	VideoPoster string   `json:"videoPoster,omitempty"`
	LastFrame   string   `json:"lastFrame,omitempty"`
	Progress    Progress `json:"progress,omitempty"`
	Error       string   `json:"error,omitempty"` // always there when Status is Failed
}

// Progress is a share of work done, 0 to 1; on the wire a string such as "0.25". Numbers are read too.
type Progress string

// TaskPage is the data of "List tasks".
type TaskPage struct {
	Tasks      []Task `json:"tasks"`
	HasMore    bool   `json:"hasMore"`
	NextCursor string `json:"nextCursor,omitempty"` // only when HasMore
}

// TaskFilter is the query of "List tasks".
type TaskFilter struct {
	Limit         int // 1 to 20; 0 = the service's default of 10
	Cursor        string
	CreatedAfter  time.Time // inclusive
	CreatedBefore time.Time // exclusive
}

// AgentInfoQuery is the query of "Agent info".
type AgentInfoQuery struct {
	AgentName    string
	AgentVersion string
	Page         int    // 0 = default 1
	PageSize     int    // 0 = default 50; at most 100
	ResourceType string // aimodel only: locations, fashionModels
}

// AgentInfo is the data of "Agent info"; which fields are there depends on the agent.
type AgentInfo struct {
	AgentVersion  string         `json:"agentVersion"`
	Locations     []Location     `json:"locations,omitempty"`
	FashionModels []FashionModel `json:"fashionModels,omitempty"`
	Backgrounds   []Background   `json:"backgrounds,omitempty"`
	Dimensions    []Dimension    `json:"dimensions,omitempty"`
	Pagination    *Pagination    `json:"pagination,omitempty"`
}

// Pagination tells where a page of agent info stands; each resource has its own total and last-page flag.
type Pagination struct {
	Page          int       `json:"page"`
	PageSize      int       `json:"pageSize"`
	Locations     *PageMeta `json:"locations,omitempty"`
	FashionModels *PageMeta `json:"fashionModels,omitempty"`
}

// PageMeta is the paging of one resource.
type PageMeta struct {
	Total      int  `json:"total"`
	IsLastPage bool `json:"isLastPage"`
}

// Location is a scene (Task API, "Location"). Usable only when Status is complete (or absent).
type Location struct {
	ID         int64    `json:"id"`
	Image      string   `json:"image"`
	Name       string   `json:"name"`
	Categories []string `json:"categories"`
	Tags       []Tag    `json:"tags,omitempty"`
	Status     string   `json:"status,omitempty"`
	Type       string   `json:"type"` // AI, Yours
}

// FashionModel is a person (Task API, "FashionModel").
type FashionModel struct {
	ID      int64    `json:"id"`
	Image   string   `json:"image"`
	Name    string   `json:"name"`
	Profile *Profile `json:"profile,omitempty"`
	Type    string   `json:"type"` // AI, Yours
	Tags    []Tag    `json:"tags,omitempty"`
	Status  string   `json:"status"`
}

// Profile describes a fashion model. Nationality is documented as int and carries text in the examples: both are read.
type Profile struct {
	Nationality      any    `json:"nationality,omitempty"`
	Style            string `json:"style,omitempty"`
	PriceDescription string `json:"priceDescription,omitempty"`
}

// Tag groups locations or fashion models.
type Tag struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Background is a backdrop of removeBG.
type Background struct {
	ID    int64  `json:"id"`
	Image string `json:"image"`
	Name  string `json:"name"`
}

// Dimension is a named target size of expandimage, px.
type Dimension struct {
	Name   string `json:"name"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Statuses of custom fashion models and locations.
const (
	PresetPrepare  = "prepare"
	PresetComplete = "complete"
	PresetFailed   = "failed"
)

// MyFashionModelCreate is the body of "Create my fashion model".
type MyFashionModelCreate struct {
	Images       []string `json:"images"` // up to 4 URLs
	Name         string   `json:"name"`
	AgentName    string   `json:"agentName"`    // aimodel
	AgentVersion string   `json:"agentVersion"` // v1.0
}

// MyFashionModel is a fashion model the caller made; create answers carry only the id.
type MyFashionModel struct {
	FashionModelID int64    `json:"fashionModelId"`
	Name           string   `json:"name,omitempty"`
	Cover          string   `json:"cover,omitempty"`
	Images         []string `json:"images,omitempty"`
	Status         string   `json:"status,omitempty"`
	Error          string   `json:"error,omitempty"` // why it failed; our service tells it, the documents do not know it
}

// MyLocationCreate is the body of "Create my location".
type MyLocationCreate struct {
	Image        string `json:"image"`
	Name         string `json:"name"`
	AgentName    string `json:"agentName"`    // aimodel or aiproduct
	AgentVersion string `json:"agentVersion"` // v1.0
}

// MyLocation is a location the caller made; create answers carry only the id.
type MyLocation struct {
	LocationID int64  `json:"locationId"`
	Name       string `json:"name,omitempty"`
	Cover      string `json:"cover,omitempty"`
	Image      string `json:"image,omitempty"`
	Status     string `json:"status,omitempty"`
	Error      string `json:"error,omitempty"` // as MyFashionModel.Error
}

// PSDJob is the state of a PSD export (Task API, "PsdJob").
type PSDJob struct {
	ExecutionID string     `json:"executionId"`
	Status      string     `json:"status"` // NotStart, Pending, Running, Success, Failed
	Result      *PSDResult `json:"result,omitempty"`
}

// PSDResult is there only when the job's status is Success.
type PSDResult struct {
	FileURL string `json:"fileUrl"`
}

// Uploaded is the data of both upload endpoints.
type Uploaded struct {
	Image string `json:"image"`
}

// RunStart is the body of "Start a run".
type RunStart struct {
	Agent       RunAgent       `json:"agent"`
	Input       map[string]any `json:"input"`
	Params      map[string]any `json:"params"`
	CallbackURL string         `json:"callbackUrl,omitempty"`
}

// RunAgent names the agent of a run.
type RunAgent struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// RunStarted is what starting a run answers, wherever the handle stood (meta.executionId or data.executionId).
type RunStarted struct {
	ExecutionID string `json:"executionId"`
	TaskID      string `json:"taskId,omitempty"`
	Charge
}

// RunStatus is the data of "Poll a run" (Run API, "Run status payload").
type RunStatus struct {
	AgentName    string         `json:"agentName"`
	AgentVersion string         `json:"agentVersion"`
	InitParams   map[string]any `json:"initParams"`
	Executions   []Execution    `json:"executions"`
}

// RunMeta is the meta of a run envelope.
type RunMeta struct {
	ExecutionID string `json:"executionId,omitempty"`
	Charge
}

// RunError is the error of a run envelope.
type RunError struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// RunEnvelope wraps every JSON answer of the run surface (Run API, "Success envelope", "Error envelope").
type RunEnvelope struct {
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data,omitempty"`
	Meta    *RunMeta        `json:"meta,omitempty"`
	Error   *RunError       `json:"error,omitempty"`
}

// TaskEnvelope wraps every JSON answer of the task surface. The client reads more forms than this one: code as string,
// message for msg.
type TaskEnvelope struct {
	Success bool            `json:"success"`
	Code    int             `json:"code"` // 0 = success
	Msg     string          `json:"msg"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Estimate answers a power estimate (an extra; see docs/spec-gaps.md).
type Estimate struct {
	TotalPower         float64 `json:"totalPower"`
	Type               string  `json:"type"`
	Exclusive          bool    `json:"exclusive"`
	PaidPowerNotEnough bool    `json:"paidPowerNotEnough"`
	IsEstimated        bool    `json:"isEstimated"`
}

// Error codes seen in public clients of this API (the documents say "not shown").
const (
	CodeParameter    = 40000
	CodeKey          = 40001
	CodeKeyExpired   = 40003
	CodeKeyForbidden = 40004
	CodeTooMany      = 40005 // too many at once: wait and queue again
	CodeSystem       = 50001 // 50001 to 50006: retry with backoff
	CodeSystemLast   = 50006
)
