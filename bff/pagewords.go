package bff

import (
	"strconv"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
)

// pageWords are the words of the pages behind a review link, and of their script. The pages hold none of their own: a translation
// changes this file alone.
type pageWords struct {
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

var reviewWords = pageWords{
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
func (pageWords) How(until string) string {
	return "Say yes or no to each picture, and comment where you like. Every answer is kept at once; you can change it until " + until + "."
}

// StillOpen says what a client who is done can do yet.
func (pageWords) StillOpen(until string) string {
	return "You can still change answers until " + until + ", and tell them again."
}

// To says what a button answers, after its word.
func (pageWords) To(picture string) string { return "to " + picture }

// CommentOn names the field for a comment.
func (pageWords) CommentOn(picture string) string { return "Comment on " + picture }

// Larger names the link to the page of a picture.
func (pageWords) Larger(picture string) string { return picture + ", larger" }

// Of says how many pictures there are, after the number of one.
func (pageWords) Of(n int) string { return "of " + strconv.Itoa(n) }

// picture says which picture one is, for those who do not see it.
func (pageWords) picture(n int, video bool) string {
	if video {
		return "Video " + strconv.Itoa(n)
	}
	return "Picture " + strconv.Itoa(n)
}

// until is the moment a link ends, for people in any zone.
func (pageWords) until(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// What a client reads where something is not there.
var (
	errNoReview  = atelier.Errorf(atelier.NotFound, "This link has ended, or it never was one.")
	errNoPicture = atelier.Errorf(atelier.NotFound, "This picture is not here any more.")
	errNoPreview = atelier.Refuse(atelier.NotFound, words.ResultNoPreview)
	errNoTaking  = atelier.Errorf(atelier.NotFound, "This link shows pictures and does not hand them over.")
	errManySaid  = &atelier.Error{Code: atelier.TooMany, Message: "That was a lot of answers at once. Wait a minute, then go on.", Retryable: true}
)

// What of a client's is too long.
const (
	saidComment  = "A comment"
	saidName     = "A name"
	saidLastWord = "A last word"
)

// tooLong says how much there may be of a text.
func tooLong(what string, most int) string {
	return what + " has at most " + strconv.Itoa(most) + " characters."
}
