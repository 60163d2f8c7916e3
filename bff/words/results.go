package words

// Results that are not there, or have not what is asked of them.
const (
	ResultNotHere      = "This picture is not here yet."
	ResultOneNotHere   = "One of the pictures is not here yet."
	ResultNotCompared  = "This picture has not been compared with its source."
	ResultNoPreview    = "This video has no preview."
	ResultNoLastFrame  = "The last frame of this video was not kept."
	ResultNoSource     = "This result was not made of a picture."
	ResultOneTrashed   = "One of the pictures is in the trash. Take it out, or choose without it."
	ResultRating       = "A rating is 0 to 5."
	ResultOthers       = "What others show is not chosen by marks or words: those are theirs."
	ResultPurgeNothing = "Name runs or results of the trash, or ask for all of it."
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

// Protected pixels that are to be put back.
const (
	LockTrashed = "This picture is in the trash. Take it out first."
	LockVideo   = "Pixels can be put back into pictures, not into videos."
	LockDone    = "The protected pixels are in this picture already."
)

// Tasks of the image service.
const (
	TaskLookedFor = "This task belongs to a run that is being looked for. It shows up by itself."
	TaskGone      = "This task no longer exists."
)

// Boards.
const (
	BoardName   = "A board needs a name of at most 100 characters."
	BoardNotes  = "The notes of a board have at most 5000 characters."
	BoardNobody = "This studio has no accounts: there is nobody to show a board to."
)

// BoardsMany is more boards than one picture is on.
func BoardsMany(most int) string { return "A picture is on at most " + number(most) + " boards." }

// BoardsAtOnce is more places on boards than one request changes; most is how many pictures may be chosen for so many boards.
func BoardsAtOnce(pictures, boards, most int) string {
	return number(pictures) + " pictures and " + number(boards) + " boards are too many at once. Choose at most " + number(most) + " pictures for so many boards."
}
