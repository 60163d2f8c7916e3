package words

import (
	"strings"
	"time"

	"atelier/atelier"
)

// What the gallery shows, where it is not the whole history.
const (
	DuplicatesKeep        = "Keep one"
	DuplicatesKeepTip     = "Keeps the best rated or oldest copy and moves the others to the trash"
	GalleryDuplicatesHead = "Results with identical files. Deleting one leaves the others."
)

// GalleryTrashHead says how long the trash keeps what is in it.
func GalleryTrashHead(days int) string {
	return "Items in the trash are deleted for good after " + plural(days, "day", "days") + ". Select what to restore."
}

// Deleting for good.
const (
	TrashPurge    = "Delete for good"
	TrashPurgeAll = "Delete all for good"
	PurgeTitle    = "Delete for good?"
	PurgeAllGoes  = "Everything in the trash is deleted now, with its files. This cannot be undone."
	PurgeStays    = "Your downloads stay. The image service may still have its own copy."
	PurgeNot      = "Keep it in the trash"
)

// PurgeGoes says what is deleted for good: runs whole, and single results.
func PurgeGoes(runs, results int) string {
	return runsAndResults(runs, results) + " deleted now, with the files. This cannot be undone."
}

// Purged says what was deleted for good.
func Purged(runs, results int) string { return runsAndResults(runs, results) + " deleted for good." }

// runsAndResults counts both, as the beginning of what is done to them.
func runsAndResults(runs, results int) string {
	switch {
	case runs == 0:
		return plural(results, "result is", "results are")
	case results == 0:
		return plural(runs, "run is", "runs are")
	}
	return plural(runs, "run", "runs") + " and " + plural(results, "result", "results") + " are"
}

// The filter bar of the gallery.
const (
	FilterSearch         = "Search prompts, titles, agents, files"
	FilterView           = "View"
	FilterViewResults    = "Results"
	FilterViewRuns       = "Runs"
	FilterViewDuplicates = "Duplicates"
	FilterViewTrash      = "Trash"
	FilterOrder          = "Order"
	FilterNewest         = "Newest first"
	FilterOldest         = "Oldest first"
	FilterBestRated      = "Best rated first"
	FilterLeastChanged   = "Closest to the source first"
	FilterMore           = "Filters"
	FilterShowAll        = "Show all"
	FilterTileSize       = "Size of the tiles"
	FilterTileSmall      = "S"
	FilterTileSmallTip   = "Small tiles"
	FilterTileMedium     = "M"
	FilterTileMediumTip  = "Medium tiles"
	FilterTileLarge      = "L"
	FilterTileLargeTip   = "Large tiles"
	FilterWhole          = "Whole pictures instead of squares"
)

// The filters.
const (
	FilterAgent       = "Agent"
	FilterAnyAgent    = "Any agent"
	FilterStatus      = "Status"
	FilterAnyStatus   = "Any status"
	FilterDone        = "Done"
	FilterRunning     = "Running"
	FilterSegmenting  = "Finding what to keep"
	FilterQueued      = "Queued"
	FilterUnconfirmed = "Unconfirmed"
	FilterFailed      = "Failed"
	FilterRating      = "Rating"
	FilterAnyRating   = "Any rating"
	FilterPick        = "Pick"
	FilterPickedOrNot = "Any pick"
	FilterPicked      = "Picked"
	FilterRejected    = "Rejected"
	FilterNotDecided  = "Undecided"
	FilterBoard       = "Board"
	FilterPerson      = "Person"
	FilterMine        = "Mine"
	FilterAnyBoard    = "Any board"
	FilterStarred     = "Favourites"
	FilterMonth       = "Month"
	ProductChanged    = "Kept area changed"
)

// The wall of results.
const (
	GalleryBroken           = "The gallery could not be loaded"
	GalleryWall             = "Results"
	GalleryMonths           = "Months"
	GalleryTrashEmpty       = "The trash is empty"
	GalleryNoDuplicates     = "No duplicates"
	GalleryNoDuplicatesText = "Results with identical files appear here in groups, so that you can keep one."
	GalleryEmpty            = "No results yet"
	GalleryEmptyText        = "Every result you generate is kept here, with its settings and sources."
	GalleryOpenStudio       = "Open the studio"
	GalleryBoardEmpty       = "Nothing on this board"
	GalleryOpen             = "Open the gallery"
	GalleryNothingFits      = "Nothing matches"
	GalleryShowEverything   = "Show everything"
	GalleryStale            = "This list may be out of date. Reload it"
)

// The bar of what can be done with chosen results.
const (
	ChosenBar     = "Selected results"
	ChosenNothing = "Clear selection"
	ChosenRestore = "Restore"
	ChosenCompare = "Compare"
	ChosenBoard   = "Board"
	ChosenDeliver = "Export"
	ChosenUnboard = "Remove from the board"
	ChosenCover   = "Use as cover"
)

// A tile.
const (
	TilePicked   = "Picked"
	TileRejected = "Rejected"

	GalleryMoreGroups = "Show more groups"
)

// FilterStars is the choice of at least so many stars.
func FilterStars(n int) string {
	stars := strings.Repeat("★", n)
	if n == 5 {
		return stars
	}
	return stars + " or more"
}

// GalleryGroups and the two below it count what is listed; more says that there is more than is counted.
func GalleryGroups(n int, more bool) string { return andMore(plural(n, "group", "groups"), more) }

func GalleryRuns(n int, more bool) string { return andMore(plural(n, "run", "runs"), more) }

func GalleryResults(n int, more bool) string { return andMore(ResultCount(n), more) }

func andMore(count string, more bool) string {
	if more {
		return count + " and more"
	}
	return count
}

// GalleryTrashEmptyText says how long the trash keeps what is deleted.
func GalleryTrashEmptyText(days int) string {
	return "Deleted items are kept here for " + plural(days, "day", "days") + " and can be restored until then."
}

// GalleryCopies says how many files are the same, and how large each is.
func GalleryCopies(n int, bytes int64) string {
	return plural(n, "copy", "copies") + ", " + Bytes(bytes) + " each"
}

// GalleryFresh says how many results are new above what is looked at.
func GalleryFresh(n int) string { return number(n) + " new" }

// GalleryMonth names a month of the scrubber with what was made in it.
func GalleryMonth(t time.Time, results int) string {
	return t.Format("January 2006") + ", " + ResultCount(results)
}

// GalleryMonthShort is a month on the scrubber, below its year.
func GalleryMonthShort(t time.Time) string { return t.Format("Jan") }

// ChosenCount says how many results are chosen.
func ChosenCount(n int) string { return number(n) + " selected" }

// ChosenLoaded says that all are chosen of a long list that were loaded so far; of is how many it has, 0 where that is not known.
func ChosenLoaded(n, of int) string { return ChosenCount(n) + ": " + allLoaded(of) }

// GalleryLastLoaded says that the end of what was loaded so far is not the end of the list.
func GalleryLastLoaded(n, of int) string {
	return "The last of " + ResultCount(n) + ", " + allLoaded(of) + ". More load as you continue."
}

func allLoaded(of int) string {
	if of == 0 {
		return "all that are loaded so far"
	}
	return "all that are loaded of " + number(of)
}

// RunsRestored says how many runs were taken out of the trash.
func RunsRestored(n int) string { return plural(n, "run is", "runs are") + " back in the gallery." }

// ResultsRestored says how many single results were taken out of the trash.
func ResultsRestored(n int) string {
	return plural(n, "result is", "results are") + " back in the gallery."
}

// TrashCount says how many things are in the trash: runs, and single results of others.
func TrashCount(n int, more bool) string { return andMore(number(n)+" in the trash", more) }

// TrashPart says how many results of a run are in the trash, not the run itself.
func TrashPart(n int, agent string) string { return plural(n, "result", "results") + " of " + agent }

// BoardTakenOff says how many results were taken off a board.
func BoardTakenOff(n int) string {
	return plural(n, "result was", "results were") + " removed from the board."
}

// TileChoose names the mark that chooses a tile, or takes it from the chosen.
func TileChoose(label string, chosen bool) string {
	if chosen {
		return "Deselect " + label
	}
	return "Select " + label
}

// TileResult says a result in words: whose it is, which of its run (the first is 1), where it is.
func TileResult(agent string, n int, state string) string {
	return agent + ", result " + number(n) + ", " + state
}

// TileRun says a run in words.
func TileRun(agent string, results int, state string) string {
	return agent + ", run of " + ResultCount(results) + ", " + state
}

// TileError adds what went wrong.
func TileError(text, problem string) string { return text + ": " + problem }

// TileWhen adds what was thought of it, as Judged says it, and when it was made.
func TileWhen(text, judged, when string) string { return text + judged + ", " + when }

// TileKept says how much of the kept part is as it was, with the mark the desk has for it too where that is enough.
func TileKept(share float64, changed bool) string {
	if changed {
		return Percent(share)
	}
	return "✓ " + Percent(share)
}

// Judged says what was thought of a result, with a comma before each part; "" for nothing.
func Judged(r atelier.Result) string {
	text := ""
	switch r.Pick {
	case atelier.PickYes:
		text += ", picked"
	case atelier.PickNo:
		text += ", rejected"
	}
	if r.Rating > 0 {
		text += ", " + Stars(r.Rating)
	}
	if r.Starred {
		text += ", favourite"
	}
	switch f := r.Fidelity; {
	case f == nil:
	case !f.Comparable:
		text += ", not comparable: " + ApartReason(*f)
	case f.Changed:
		text += ", kept area changed"
	}
	return text + edgeJudged(r.Fidelity)
}

// Seconds is how long a video is.
func Seconds(s float64) string { return decimal(s, 0) + " s" }

// GalleryBoardEmptyText says how results come to a board: by a key, too.
func GalleryBoardEmptyText(key string) string {
	return "Select results in the gallery and press " + key + ", or “Board”, to add them here."
}
