package words

import "time"

// ReviewWords are the words of the pages behind a review link, and of their script. The pages hold none of their own.
type ReviewWords struct {
	Lang                                string
	Nothing, Ask                        string
	NoScript                            string
	Yes, No                             string
	CountYes, CountNo, CountOpen        string
	NoPicture                           string
	Film, Comment, Download             string
	Pictures, All, Previous, Next       string
	Done, DoneText, DoneButton          string
	Told, ToldButton, YourName, LastSay string

	// The script says these.
	Kept, NotKept, NoConnection string
}

// Review is what the pages behind a review link say.
var Review = ReviewWords{
	Lang:    "en",
	Nothing: "Nothing here", Ask: "Ask the sender for a new link.",
	NoScript: "Turn on JavaScript to answer. You can look without it.",
	Yes:      "Yes", No: "No",
	CountYes: "yes", CountNo: "no", CountOpen: "to go",
	NoPicture: "No picture to show at the moment.",
	Film:      "Video", Comment: "Comment", Download: "Download",
	Pictures: "Pictures", All: "All pictures", Previous: "Previous", Next: "Next",
	Done: "All set?", DoneText: "Your answers are saved. Let the designer know you have finished.", DoneButton: "Finish review",
	Told: "Thank you. The designer has been notified", ToldButton: "Notify again", YourName: "Your name", LastSay: "Other comments",

	Kept: "Saved", NotKept: "Not saved. Press again.", NoConnection: "Not saved: no connection. Press again in a moment.",
}

// How explains the sheet and names the moment it ends.
func (ReviewWords) How(until string) string {
	return "Answer yes or no to each picture and comment where you like. Answers are saved as you go; you can change them until " + until + "."
}

// StillOpen says what a client can still do after finishing.
func (ReviewWords) StillOpen(until string) string {
	return "You can change your answers until " + until + " and notify the designer again."
}

// To says what a button answers, after its word.
func (ReviewWords) To(picture string) string { return "to " + picture }

// CommentOn names the field for a comment.
func (ReviewWords) CommentOn(picture string) string { return "Comment on " + picture }

// Larger names the link to the page of a picture.
func (ReviewWords) Larger(picture string) string { return picture + ", larger" }

// Of says how many pictures there are, after the number of one.
func (ReviewWords) Of(n int) string { return "of " + number(n) }

// ReviewPicture says which picture one is, for those who do not see it.
func ReviewPicture(n int, video bool) string {
	if video {
		return "Video " + number(n)
	}
	return "Picture " + number(n)
}

// ReviewUntil is the moment a link ends, for people in any zone.
func ReviewUntil(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// Refusals that a client reads.
const (
	ReviewEnded     = "This link has ended or does not exist."
	ReviewNoPicture = "This picture is no longer available."
	ReviewLooksOnly = "This link does not allow downloads."
	ReviewOften     = "Too many answers at once. Wait a minute, then continue."
)

// ReviewCommentLong is a comment of too many characters.
func ReviewCommentLong(most int) string {
	return "A comment has at most " + number(most) + " characters."
}

// ReviewNameLong is a client's name of too many characters.
func ReviewNameLong(most int) string {
	return "A name has at most " + number(most) + " characters."
}

// ReviewLastLong refuses a closing comment of too many characters.
func ReviewLastLong(most int) string {
	return "A closing comment has at most " + number(most) + " characters."
}

// ReviewTitle is a title of a link that is missing or too long.
func ReviewTitle(most int) string {
	return "A review link needs a title of at most " + number(most) + " characters."
}

// ReviewNoteLong is a note of too many characters.
func ReviewNoteLong(most int) string {
	return "The note has at most " + number(most) + " characters."
}

// ReviewDays is a time that no link works for.
func ReviewDays(most int) string {
	return "A review link works for 1 to " + number(most) + " days."
}

// ReviewDaysMore is a time that no link works for from now on.
func ReviewDaysMore(most int) string {
	return "A review link works for at most " + number(most) + " days more; 0 ends it."
}
