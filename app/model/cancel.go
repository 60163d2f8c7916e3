package model

import (
	"strconv"
	"strings"

	"atelier/atelier"
)

// MayCancel says whether a run can be cancelled: until it is sent, and until it ends where the image service can be made to stop.
func MayCancel(r atelier.Run, stops bool) bool {
	switch r.State {
	case atelier.StateRecorded, atelier.StateSubmitting:
		return true
	case atelier.StateAccepted:
		return stops && !r.Status.Terminal()
	}
	return false
}

// Cancellable lists the ids of those runs that can be cancelled.
func (l Runs) Cancellable(stops bool) []atelier.RunID {
	var ids []atelier.RunID
	for _, r := range l {
		if MayCancel(r, stops) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// batchMark stands between what the keys of one press share and their numbers.
const batchMark = "_"

// BatchKey is the intent key of a press's run: what the keys of one press share tells later which runs were asked for together.
func BatchKey(batch string, n int) string { return batch + batchMark + strconv.Itoa(n) }

// Batch lists the runs that were asked for at the same press as a run, itself among them.
func (l Runs) Batch(run atelier.Run) Runs {
	batch, _, several := strings.Cut(run.IntentKey, batchMark)
	if !several {
		return Runs{run}
	}
	var together Runs
	for _, r := range l {
		if other, _, several := strings.Cut(r.IntentKey, batchMark); several && other == batch {
			together = append(together, r)
		}
	}
	return together
}
