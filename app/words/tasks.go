package words

// The page of the image service's tasks.
const (
	TasksAllDays     = "All days"
	TasksDeleteTitle = "Delete this task?"
	TasksBroken      = "The list could not be loaded"
	TasksEmptyTitle  = "No tasks"
	TasksEmpty       = "Tasks of the five fashion and product agents appear here, from this studio and from other programs that use the account."
	TasksEmptyDays   = "No tasks on these days."
	TasksIntro       = "The tasks the image service keeps for this account, newest first. Import those from other programs into the gallery."
	TasksOlder       = "Show older tasks"
	TaskNoExecution  = "Never executed"
	TaskSource       = "Source"
	TasksRefresh     = "Refresh"
	TaskShow         = "Show in the gallery"
	TaskBring        = "Import into the gallery"
	TaskBringing     = "Importing…"
	TaskDeleteKeeps  = "Results in the gallery stay, with their files. Layered PSDs are no longer available."
	TaskDeleteNow    = "Delete the task"
)

// TaskDeleted says that a task is gone.
func TaskDeleted(title string) string { return "The task “" + title + "” is deleted." }

// TasksBrought says how many runs an import brought.
func TasksBrought(runs int) string {
	return plural(runs, "run", "runs") + " imported into the gallery. The pictures follow one by one."
}

// TaskDelete names the button that deletes a task.
func TaskDelete(title string) string { return "Delete the task “" + title + "”" }

// TaskResult names a result of an execution, the first is 1.
func TaskResult(n int) string { return "Result " + number(n) }

// TaskOpenResult names the link to a result on a page of its own.
func TaskOpenResult(n int) string { return TaskResult(n) + ", in a new tab" }

// TaskMoreResults shows the results that are not shown yet, TaskMoreResultsLabel says so aloud.
func TaskMoreResults(n int) string { return "+" + number(n) }

func TaskMoreResultsLabel(n int) string {
	return "Show " + plural(n, "more result", "more results")
}

// ExecutionDone is an execution of the image service that succeeded.
const ExecutionDone = "Done"

// TaskDeleteForgets says what the image service forgets with a task.
func TaskDeleteForgets(executions int) string {
	if executions == 0 {
		return "This deletes the task from the image service. You can undo it for a moment, then it is final."
	}
	return "This deletes the task from the image service, with its " + plural(executions, "execution", "executions") + ". You can undo it for a moment, then it is final."
}

// TaskDeleteStops says how many executions have not ended.
func TaskDeleteStops(executions int) string {
	return plural(executions, "execution is", "executions are") + " still running: the results would be lost and may be billed."
}

// TaskDeleteLoses says how many executions would be lost.
func TaskDeleteLoses(executions int) string {
	return plural(executions, "execution is", "executions are") + " not in the gallery. Import them first to keep the pictures."
}
