package words

// Missing results and what they lack.
const (
	ResultNotHere      = "This picture is not ready yet."
	ResultOneNotHere   = "One of the pictures is not ready yet."
	ResultNotCompared  = "This picture has not been compared with its source."
	ResultNoPreview    = "This video has no preview."
	ResultNoLastFrame  = "The last frame of this video was not kept."
	ResultNoSource     = "This result has no source picture."
	ResultOneTrashed   = "One of the pictures is in the trash. Restore or deselect it."
	ResultRating       = "A rating is 0 to 5."
	ResultOthers       = "Shared results cannot be filtered by marks or text."
	ResultPurgeNothing = "Name runs or results in the trash, or all of it."
)

// SheetTooLong refuses to send so many thumbnails with one answer.
func SheetTooLong(most int) string {
	return "At most " + number(most) + " pictures are sent together."
}

// Why a result cannot be compared with its source.
const (
	ApartNoSource = "This run has no source to compare with."
	ApartFreePose = "The pose was free, so the product may move with it."
)

// Restoring original pixels.
const (
	LockTrashed = "This picture is in the trash. Restore it first."
	LockVideo   = "Original pixels can be restored in pictures, not in videos."
	LockDone    = "This picture already has its original pixels."
)

// Tasks of the image service.
const (
	TaskLookedFor = "This task belongs to a run that the studio is looking up. It appears automatically."
	TaskGone      = "This task no longer exists."
)

// Boards.
const (
	BoardName   = "A board needs a name of at most 100 characters."
	BoardNotes  = "The notes of a board have at most 5000 characters."
	BoardNobody = "This studio has no accounts to share a board with."
)

// BoardsMany is more boards than one picture is on.
func BoardsMany(most int) string { return "A picture can be on at most " + number(most) + " boards." }

// BoardsAtOnce is more places on boards than one request changes; most is how many pictures may be chosen for so many boards.
func BoardsAtOnce(pictures, boards, most int) string {
	return number(pictures) + " pictures and " + number(boards) + " boards are too many at once. Choose at most " + number(most) + " pictures for so many boards."
}
