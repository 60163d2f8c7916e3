package words

import "time"

// Where a run is.
const (
	RunWaitingToBeSent = "Waiting to be sent"
	RunSending         = "Sending"
	RunChecking        = "Checking whether it arrived"
	RunUnconfirmed     = "Unconfirmed"
	RunFailed          = "Failed"
	RunCancelled       = "Cancelled"
	RunSaving          = "Saving the results"
	RunSegmenting      = "Finding what to keep"
	RunRunning         = "Running"
	RunQueued          = "Queued"
)

// Where one result is.
const (
	ResultFailed     = "Failed"
	ResultReady      = "Ready"
	ResultSaving     = "Saving"
	ResultRunning    = "Running"
	ResultSegmenting = "Finding what to keep"
	ResultQueued     = "Queued"
)

// RunWaitingBehind is a run of ours that others go before.
func RunWaitingBehind(n int) string { return RunWaitingToBeSent + ", " + number(n) + " ahead" }

// RunQueuedBehind is a run at the image service that others go before.
func RunQueuedBehind(n int) string { return RunQueued + ", " + number(n) + " ahead" }

// What can be done with a run that waits behind others.
const (
	RunSendNext    = "Send next"
	RunSendNextTip = "Send this run before all waiting runs"
	RunIsNext      = "This run is sent next."
)

// What can be done with a run that is not made yet.
const (
	RunCancel     = "Cancel"
	RunCancelTip  = "Cancel this run. Nothing is paid for a run that was not sent."
	RunCancelThis = "Cancel this run"
	RunUncancel   = "Put back in line"
	RunNotBack    = "The image service has this run. It cannot be taken back."
)

// RunsCancel cancels n runs that were asked for together.
func RunsCancel(n int) string { return "Cancel all " + number(n) }

// RunsCancelled says that n runs were cancelled, of which so many were not sent and can be put back in line.
func RunsCancelled(n, unsent int) string {
	text := plural(n, "run", "runs") + " cancelled."
	if unsent < n {
		text += " Undo puts back the " + number(unsent) + " that had not started."
	}
	return text
}

// RunsStopped says that the image service has stopped working on n runs.
func RunsStopped(n int) string { return plural(n, "run", "runs") + " stopped." }

// RunsNotCancelled says how many of several runs were not cancelled, and why.
func RunsNotCancelled(kept, of int, reason string) string {
	return number(kept) + " of " + number(of) + " runs not cancelled. " + reason
}

// RunDone is a finished run with all its results.
func RunDone(results int) string { return plural(results, "result", "results") }

// RunPartlyDone is a finished run of which some results failed.
func RunPartlyDone(ready, total, failed int) string {
	return number(ready) + " of " + number(total) + ", " + number(failed) + " failed"
}

// RunPartlyReady is a running run of which some results are there.
func RunPartlyReady(ready, total int) string {
	return number(ready) + " of " + number(total) + " ready"
}

// RunAt is a running run of which a share is done.
func RunAt(share float64) string { return RunRunning + " " + Percent(share) }

// RunEstimated adds to where a run is how long it will take; without an estimate it says so.
func RunEstimated(where string, seconds *int) string {
	switch {
	case seconds == nil:
		return where + ", no estimate yet"
	case *seconds <= 0:
		return where + ", longer than usual"
	}
	return where + ", about " + Span(time.Duration(*seconds)*time.Second) + " left"
}

// The values of a run, where the catalog has no words for them.
const (
	ValueYes = "Yes"
	ValueNo  = "No"
)

// ValueNumber is a preset whose name is not known here.
func ValueNumber(id string) string { return "No. " + id }

// RunsTrashed says that n runs are in the trash.
func RunsTrashed(n int) string {
	if n == 1 {
		return "The run and all its results are in the trash."
	}
	return number(n) + " runs with all their results are in the trash."
}

// ResultsTrashed says that n single results are in the trash.
func ResultsTrashed(n int) string { return plural(n, "result is", "results are") + " in the trash." }

// RunsResent reports how many unanswered runs were sent again after a reload.
func RunsResent(n int) string {
	return "Back online: " + plural(n, "run", "runs") + " sent."
}

// RunsOld says that requests for runs were never answered; title is that of the oldest, ago when it was asked for, "" where that is not known.
func RunsOld(n int, title, ago string) string {
	if ago == "" {
		ago = "more than a day ago"
	}
	if n == 1 {
		return "The run “" + title + "”, started " + ago + ", got no answer."
	}
	return Number(n) + " runs got no answer; the oldest, “" + title + "”, was started " + ago + "."
}

// RunsOldDiscarded says that they were forgotten.
func RunsOldDiscarded(n int) string { return plural(n, "run", "runs") + " discarded." }

// What becomes of them.
const (
	RunsOldSend    = "Send now"
	RunsOldDiscard = "Discard"
)
