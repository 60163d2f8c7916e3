package words

import (
	"strings"
	"time"
)

// Review links: what a client without an account is asked.
const (
	ReviewAsk        = "Review link"
	ReviewAskTitle   = "Ask somebody without an account"
	ReviewAskHelp    = "Whoever has the link sees these results, says yes or no to each and comments, until it ends. They see nothing else: no prompts, no agents, no sources. Answers arrive here at once."
	ReviewTitle      = "Title"
	ReviewNote       = "Note to them"
	ReviewDays       = "The link works for"
	ReviewDownloads  = "They may download the files"
	ReviewMake       = "Create link"
	ReviewLocal      = "It opens on this computer alone: the studio has no public address. Whoever runs it can set ATELIER_PUBLIC_URL."
	ReviewCopy       = "Copy link"
	ReviewCopied     = "The link is copied."
	ReviewOpen       = "Open as they see it"
	ReviewLinks      = "Review links"
	ReviewAll        = "All review links"
	ReviewEmptyTitle = "No review links yet"
	ReviewEmpty      = "Ask a client without an account: choose results in the gallery and press “Review link”."
	ReviewBroken     = "The review links could not be loaded"
	ReviewEnd        = "End now"
	ReviewLonger     = "Let it work 14 more days"
	ReviewDelete     = "Delete"
	ReviewYes        = "Yes"
	ReviewNo         = "No"
	ReviewNothing    = "No answer"
	ReviewGone       = "Its results are in the trash, or deleted."
	PaletteFindLinks = "client share link review comment"
)

// ReviewMost says that too many results are chosen for a link.
func ReviewMost(most int) string {
	return "A review link takes at most " + number(most) + " results. Choose fewer."
}

// Days writes a number of days.
func Days(n int) string { return plural(n, "day", "days") }

// ReviewCounts says what a client has said so far.
func ReviewCounts(results, picked, rejected, comments int) string {
	parts := []string{ResultCount(results)}
	if picked+rejected+comments == 0 {
		return parts[0] + ", no answer yet"
	}
	parts = append(parts, number(picked)+" yes", number(rejected)+" no")
	if comments > 0 {
		parts = append(parts, plural(comments, "comment", "comments"))
	}
	return strings.Join(parts, " · ")
}

// ReviewUntil says how long a link works, or that it no longer does.
func ReviewUntil(end time.Time, ended bool, zone *time.Location) string {
	if ended {
		return "Ended " + end.In(zone).Format("2 January 2006")
	}
	return "Until " + end.In(zone).Format("2 January 2006, 15:04")
}

// ReviewReady says that a link was made, and how long it works.
func ReviewReady(end time.Time, zone *time.Location) string {
	return "The link is ready. " + ReviewUntil(end, false, zone)
}

// ReviewDone says that a client is done; name may be "".
func ReviewDone(name, title string) string {
	if name == "" {
		name = "A client"
	}
	return name + " is done with “" + title + "”."
}

// ReviewSays is a client's last word.
func ReviewSays(name, said string) string {
	if name == "" {
		name = "They"
	}
	if said == "" {
		return name + ": done"
	}
	return name + ": “" + said + "”"
}

// ReviewShow leads to the answers of a link.
const ReviewShow = "Show answers"

// ReviewPick offers to pick what the client said yes to.
func ReviewPick(n int) string {
	if n == 1 {
		return "Pick the one they said yes to"
	}
	return "Pick the " + number(n) + " they said yes to"
}

// ReviewEnded says that a link does not work any more.
func ReviewEnded(title string) string { return "The review link “" + title + "” has ended." }

// ReviewDeleted says that a link is gone.
func ReviewDeleted(title string) string {
	return "The review link “" + title + "” is deleted, with its answers. Its results stay."
}
