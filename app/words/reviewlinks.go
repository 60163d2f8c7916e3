package words

import (
	"strings"
	"time"
)

// Review links, by which clients without an account answer.
const (
	ReviewAsk        = "Review link"
	ReviewAskTitle   = "Share for review"
	ReviewAskHelp    = "Anyone with the link can see these results, answer yes or no and comment until the link ends. Prompts, agents and sources stay private. Answers arrive here immediately."
	ReviewTitle      = "Title"
	ReviewNote       = "Message"
	ReviewDays       = "Link works for"
	ReviewDownloads  = "Allow downloads"
	ReviewMake       = "Create link"
	ReviewLocal      = "This link opens on this computer only: the studio has no public address. The operator can set ATELIER_PUBLIC_URL."
	ReviewCopy       = "Copy link"
	ReviewCopied     = "Link copied."
	ReviewOpen       = "Preview"
	ReviewLinks      = "Review links"
	ReviewAll        = "All review links"
	ReviewEmptyTitle = "No review links yet"
	ReviewEmpty      = "Clients answer without an account. Select results in the gallery and press “Review link”."
	ReviewBroken     = "The review links could not be loaded"
	ReviewEnd        = "End now"
	ReviewLonger     = "Extend by 14 days"
	ReviewDelete     = "Delete"
	ReviewYes        = "Yes"
	ReviewNo         = "No"
	ReviewNothing    = "No answer"
	ReviewGone       = "Its results are in the trash or deleted."
	PaletteFindLinks = "client share link review comment"
)

// ReviewMost says that too many results are chosen for a link.
func ReviewMost(most int) string {
	return "A review link takes at most " + number(most) + " results. Choose fewer."
}

// Days writes a number of days.
func Days(n int) string { return plural(n, "day", "days") }

// ReviewCounts counts the answers of a client so far.
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

// ReviewDone reports that a client finished a review; name may be "".
func ReviewDone(name, title string) string {
	if name == "" {
		name = "A client"
	}
	return name + " finished reviewing “" + title + "”."
}

// ReviewSays is the closing comment of a client.
func ReviewSays(name, said string) string {
	if name == "" {
		name = "Client"
	}
	if said == "" {
		return name + ": finished"
	}
	return name + ": “" + said + "”"
}

// ReviewShow leads to the answers of a link.
const ReviewShow = "Show answers"

// ReviewPick is the label of the button that picks what the client marked yes.
func ReviewPick(n int) string {
	if n == 1 {
		return "Pick the one marked yes"
	}
	return "Pick the " + number(n) + " marked yes"
}

// ReviewEnded says that a link does not work any more.
func ReviewEnded(title string) string { return "The review link “" + title + "” has ended." }

// ReviewDeleted says that a link is gone.
func ReviewDeleted(title string) string {
	return "Deleted the review link “" + title + "” and its answers. The results stay."
}
