package atelier

import "time"

// ReviewLinkID is a UUIDv7 in text.
type ReviewLinkID string

// What a review link may be.
const (
	MaxReviewed        = 200  // results behind one link
	MaxReviewDays      = 90   // how long a link works
	MaxReviewComment   = 1000 // characters of a comment, and of the client's last word
	MaxReviewerName    = 80   // characters
	MaxReviewLinks     = 200  // of one user, ended ones too
	DefaultReviewDays  = 14
	MaxReviewLinkTitle = 100  // characters
	MaxReviewLinkNote  = 2000 // characters
)

// ReviewLink is an address under which somebody without an account looks at results, says yes or no to each and comments, until it ends.
type ReviewLink struct {
	ID        ReviewLinkID `json:"id"`
	Title     string       `json:"title"`
	Note      string       `json:"note,omitempty"` // to the client
	URL       string       `json:"url"`
	Local     bool         `json:"local,omitempty"`     // the address leads to this studio from the server's own machine alone
	Downloads bool         `json:"downloads,omitempty"` // the client may take the files
	Thumbs    []string     `json:"thumbs,omitempty"`    // of the first results, at most four
	Results   int          `json:"results"`             // that are here and not in the trash
	Picked    int          `json:"picked"`
	Rejected  int          `json:"rejected"`
	Comments  int          `json:"comments"`
	CreatedAt time.Time    `json:"createdAt"`
	ExpiresAt time.Time    `json:"expiresAt"`
	// DoneAt is when the client last said that they are done, with their name and a last word, both as they like.
	DoneAt    *time.Time `json:"doneAt,omitempty"`
	DoneName  string     `json:"doneName,omitempty"`
	DoneWords string     `json:"doneWords,omitempty"`
}

// Ended says whether the link no longer works.
func (l ReviewLink) Ended(now time.Time) bool { return !now.Before(l.ExpiresAt) }

// CreateReviewLink is the body of POST /api/review-links.
type CreateReviewLink struct {
	IDs       []ResultID `json:"ids"` // of one's own, in the order they are shown
	Title     string     `json:"title"`
	Note      string     `json:"note,omitempty"`
	Days      int        `json:"days"` // 1 to MaxReviewDays
	Downloads bool       `json:"downloads,omitempty"`
}

// UpdateReviewLink is the body of PATCH /api/review-links/{id}: from now on it works for so many days; 0 ends it. With Until it works
// until a time to come, as it did before it was ended.
type UpdateReviewLink struct {
	Days  int        `json:"days"`
	Until *time.Time `json:"until,omitempty"`
}

// ReviewLinkList answers GET /api/review-links, the newest first.
type ReviewLinkList struct {
	Links []ReviewLink `json:"links"`
}

// ReviewAnswer is what a client says of one result.
type ReviewAnswer struct {
	Number  int          `json:"number"` // the result's place behind the link, from 1
	Pick    string       `json:"pick"`   // PickYes, PickNo or ""
	Comment string       `json:"comment,omitempty"`
	Result  ListedResult `json:"result"`
}

// ReviewAnswers answers GET /api/review-links/{id}: the link, and every result behind it that is here and not in the trash.
type ReviewAnswers struct {
	Link    ReviewLink     `json:"link"`
	Answers []ReviewAnswer `json:"answers"`
}
