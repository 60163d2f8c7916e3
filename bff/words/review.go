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
	Nothing: "Nothing here", Ask: "Ask whoever sent it to you.",
	NoScript: "Answers need JavaScript. Without it you can look.",
	Yes:      "Yes", No: "No",
	CountYes: "yes", CountNo: "no", CountOpen: "to go",
	NoPicture: "No picture is here at the moment.",
	Film:      "Video", Comment: "Comment", Download: "Download",
	Pictures: "Pictures", All: "All pictures", Previous: "Previous", Next: "Next",
	Done: "Done?", DoneText: "Your answers are there already. This tells whoever sent the link that you are through.", DoneButton: "I am done",
	Told: "Thank you: they have been told", ToldButton: "Tell them again", YourName: "Your name", LastSay: "Anything else",

	Kept: "Kept", NotKept: "Not kept. Press again.", NoConnection: "Not kept: there is no connection. Press again in a moment.",
}

// How says what can be done on the sheet, and until when.
func (ReviewWords) How(until string) string {
	return "Say yes or no to each picture, and comment where you like. Every answer is kept at once; you can change it until " + until + "."
}

// StillOpen says what a client who is done can do yet.
func (ReviewWords) StillOpen(until string) string {
	return "You can still change answers until " + until + ", and tell them again."
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

// What a client reads where something is not there, or cannot be taken.
const (
	ReviewEnded     = "This link has ended, or it never was one."
	ReviewNoPicture = "This picture is not here any more."
	ReviewLooksOnly = "This link shows pictures and does not hand them over."
	ReviewOften     = "That was a lot of answers at once. Wait a minute, then go on."
)

// ReviewCommentLong is a comment of too many characters.
func ReviewCommentLong(most int) string {
	return "A comment has at most " + number(most) + " characters."
}

// ReviewNameLong is a client's name of too many characters.
func ReviewNameLong(most int) string {
	return "A name has at most " + number(most) + " characters."
}

// ReviewLastLong is what a client who is done says, of too many characters.
func ReviewLastLong(most int) string {
	return "A last word has at most " + number(most) + " characters."
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
