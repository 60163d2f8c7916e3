package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"atelier/atelier"
)

// The queues. They share one writer connection, so what must be quick has its own.
const (
	queueSubmit  = "submit"
	queuePoll    = "poll"
	queueArchive = "archive"
	queueWatch   = "watch"
	queueSlow    = "slow"
	queueScore   = "score"
)

// SubmitArgs asks for a run to be handed to the image service, or to be found there.
type SubmitArgs struct {
	Run atelier.RunID `json:"run"`
}

// PollArgs asks for a run to be watched until it ends.
type PollArgs struct {
	Run atelier.RunID `json:"run"`
}

// HintArgs asks for one look at a run, because the image service has called about it. Call is the SHA-256 of what it said:
// the same words again are no reason to look again.
type HintArgs struct {
	Run  atelier.RunID `json:"run"`
	Call string        `json:"call"`
}

// ArchiveArgs asks for a result to be brought here.
type ArchiveArgs struct {
	Result atelier.ResultID `json:"result"`
}

// PSDArgs asks for a layered export to be watched and brought here.
type PSDArgs struct {
	Run atelier.RunID `json:"run"`
}

// PresetArgs asks for a preset that is being made to be watched.
type PresetArgs struct {
	User atelier.UserID `json:"user"`
	Of   string         `json:"of"` // KindLocations, KindFashionModels
	ID   int64          `json:"id"`
	// Account is the ID of the account that makes it; "" in jobs of earlier versions = the current one.
	Account string `json:"account,omitempty"`
}

// Kind names the job.
func (SubmitArgs) Kind() string { return "submit" }

// Kind names the job.
func (PollArgs) Kind() string { return "poll" }

// Kind names the job.
func (HintArgs) Kind() string { return "hint" }

// Kind names the job.
func (ArchiveArgs) Kind() string { return "archive" }

// Kind names the job.
func (PSDArgs) Kind() string { return "psd" }

// Kind names the job.
func (PresetArgs) Kind() string { return "preset" }

// The order of those that are to be submitted: first who may have been accepted, since what is known of them is old, then who is to be sent next.
const priorityLost, priorityNext, priorityNew = 1, 2, 3

// InsertOpts chooses queue, uniqueness and priority.
func (SubmitArgs) InsertOpts() river.InsertOpts {
	o := once(queueSubmit)
	o.Priority = priorityNew
	return o
}

// InsertOpts chooses queue and uniqueness.
func (PollArgs) InsertOpts() river.InsertOpts { return once(queuePoll) }

// InsertOpts allows one look for each thing the image service says.
func (HintArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queuePoll, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// InsertOpts chooses queue and uniqueness.
func (ArchiveArgs) InsertOpts() river.InsertOpts { return once(queueArchive) }

// InsertOpts chooses queue and uniqueness.
func (PSDArgs) InsertOpts() river.InsertOpts { return once(queueWatch) }

// InsertOpts chooses queue and uniqueness.
func (PresetArgs) InsertOpts() river.InsertOpts { return once(queueWatch) }

// once allows one job per arguments that is not finished.
func once(queue string) river.InsertOpts {
	return river.InsertOpts{Queue: queue, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	}}}
}
