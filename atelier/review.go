package atelier

import "time"

// Sort is the order of a list of results. Runs know SortNewest and SortOldest.
type Sort string

// The orders. Results stand together by run: newest and oldest are the order of the runs, within a run results keep their
// places. By rating, the best come first and the unrated last; by fidelity, the closest to the source come first, those whose edge is in
// doubt after all others, the least doubt first, and those that could not be compared last.
const (
	SortNewest   Sort = "newest" // also ""
	SortOldest   Sort = "oldest"
	SortRating   Sort = "rating"
	SortFidelity Sort = "fidelity"
)

// The words of RunFilter.Pick. A result's own Pick is "" where the filter says PickNone.
const (
	PickYes  = "pick"
	PickNo   = "reject"
	PickNone = "none"
)

// MaxChosen is how many results or runs one request may name.
const MaxChosen = 1000

// MaxZip is how many results one archive takes.
const MaxZip = 5000

// RunRef is what a result's card says of its run.
type RunRef struct {
	ID        RunID     `json:"id"`
	Title     string    `json:"title"`
	Agent     string    `json:"agent"`
	CreatedAt time.Time `json:"createdAt"`
	Owner     *Person   `json:"owner,omitempty"` // of what somebody else shows
}

// ListedResult is a result as it stands in a list: with the run it is of.
type ListedResult struct {
	Result
	Run RunRef `json:"run"`
}

// MaxTotal is how far a list is counted.
const MaxTotal = 1000

// ResultPage is one page of results.
type ResultPage struct {
	Results    []ListedResult `json:"results"`
	NextCursor string         `json:"nextCursor,omitempty"`
	// Total is how many there are in all, counted up to MaxTotal; told on the first page only.
	Total int `json:"total,omitempty"`
	// More says that there are more than Total.
	More bool `json:"more,omitempty"`
}

// ResultMonth is how many results of a list are of one month of the zone that was asked for, UTC without one. From and To are its ends, as a filter takes them.
type ResultMonth struct {
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Count int       `json:"count"`
}

// ResultMonths answers GET /api/results/dates: the months that have results, newest first.
type ResultMonths struct {
	Months []ResultMonth `json:"months"`
}

// UpdateResults is the body of PATCH /api/results: the same for many results; nil leaves a field as it is.
type UpdateResults struct {
	IDs          []ResultID `json:"ids"`
	Starred      *bool      `json:"starred,omitempty"`
	Rating       *int       `json:"rating,omitempty"`
	Pick         *string    `json:"pick,omitempty"`
	AddBoards    []BoardID  `json:"addBoards,omitempty"`
	RemoveBoards []BoardID  `json:"removeBoards,omitempty"`
}

// ResultList is results without a page.
type ResultList struct {
	Results []Result `json:"results"`
}

// ChosenRuns is the body of POST /api/runs/trash, /api/runs/restore, /api/runs/cancel and /api/runs/uncancel.
type ChosenRuns struct {
	IDs []RunID `json:"ids"`
}

// ChangedRuns answers them: the runs that were put into the trash or taken out.
type ChangedRuns struct {
	IDs []RunID `json:"ids"`
}

// CancelledRuns answers POST /api/runs/cancel and /api/runs/uncancel.
type CancelledRuns struct {
	IDs     []RunID `json:"ids"`               // cancelled before they were sent; or recorded again
	Stopped []RunID `json:"stopped,omitempty"` // the image service had begun and was stopped
	Kept    []RunID `json:"kept,omitempty"`    // unchanged
	Reason  string  `json:"reason,omitempty"`  // why the first of those was kept
}

// ChosenResults is the body of POST /api/results/trash and /api/results/restore.
type ChosenResults struct {
	IDs []ResultID `json:"ids"`
}

// ChangedResults answers them: the results that were thrown away or taken back.
type ChangedResults struct {
	IDs []ResultID `json:"ids"`
}

// PurgeTrash is the body of POST /api/trash/purge: what of the trash is to be deleted for good now.
type PurgeTrash struct {
	Runs    []RunID    `json:"runs,omitempty"`
	Results []ResultID `json:"results,omitempty"` // thrown away by themselves
	All     bool       `json:"all,omitempty"`     // everything that is in it
}

// PurgedTrash answers it: how many runs, and results by themselves, are deleted. A run that is still at work is when it has ended.
type PurgedTrash struct {
	Runs    int `json:"runs"`
	Results int `json:"results"`
}

// DuplicatePage answers GET /api/results/duplicates: results with exactly the same bytes, the largest files first in each page.
type DuplicatePage struct {
	Groups     []DuplicateGroup `json:"groups"`
	NextCursor string           `json:"nextCursor,omitempty"`
}

// DuplicateGroup is results with the same bytes, the oldest first.
type DuplicateGroup struct {
	SHA256  string         `json:"sha256"`
	Bytes   int64          `json:"bytes"` // of one
	Results []ListedResult `json:"results"`
}

// Fidelity is how well a result kept the protected region of its source.
type Fidelity struct {
	// Comparable says whether source and result can be laid on each other; Reason says in a sentence why not, and Code which of the
	// Apart… it is, "" for one of an earlier version.
	Comparable bool   `json:"comparable"`
	Code       string `json:"code,omitempty"`
	Reason     string `json:"reason,omitempty"`

	Score   float64 `json:"score"`          // share of the region that looks the same, 0 to 1
	DeltaE  float64 `json:"deltaE"`         // mean CIEDE2000 colour difference in the region; below about 2 nobody sees it
	SSIM    float64 `json:"ssim"`           // structural similarity in the region, 1 = the same
	Changed bool    `json:"changed"`        // so much that a designer has to look: "product changed"
	Heat    string  `json:"heat,omitempty"` // path of a PNG of the result's shape that shows where, transparent where nothing changed

	// Edge compares the protected region with an independent look at the source; nil where nobody looked, or where the region is
	// about something else than what the look found.
	Edge *FidelityEdge `json:"edge,omitempty"`
}

// Doubtful reports whether the edge of the protected region is in doubt.
func (f Fidelity) Doubtful() bool { return f.Edge != nil && f.Edge.Doubt > 0 }

// FidelityEdge says where the protected region and an independent look at the source disagree.
type FidelityEdge struct {
	Doubt float64    `json:"doubt"` // area of the parts they disagree about, as a share of the subject's, 0 to 1; 0 = they agree
	Band  float64    `json:"band"`  // share of the band along the region's edge in which they disagree, 0 to 1
	Parts []EdgePart `json:"parts"` // the largest first
}

// EdgePart is a connected part of the source about which the protected region and the independent look disagree.
type EdgePart struct {
	// Missed says that it belongs to the subject and lay outside the region; otherwise it is background that lay inside.
	Missed  bool    `json:"missed"`
	Share   float64 `json:"share"`   // of the subject's area
	Place   Place   `json:"place"`   // within the subject
	Changed float64 `json:"changed"` // share of it that looks different in the result, 0 to 1
}

// Place is in which ninth of something a thing lies.
type Place string

// The places.
const (
	PlaceTopLeft     Place = "topLeft"
	PlaceTop         Place = "top"
	PlaceTopRight    Place = "topRight"
	PlaceLeft        Place = "left"
	PlaceMiddle      Place = "middle"
	PlaceRight       Place = "right"
	PlaceBottomLeft  Place = "bottomLeft"
	PlaceBottom      Place = "bottom"
	PlaceBottomRight Place = "bottomRight"
)

// Why a result cannot be compared with its source.
const (
	ApartNoSource  = "noSource"         // the run has none
	ApartFreePose  = "freePose"         // the product may move with the pose
	ApartNothing   = "nothingProtected" // in this run
	ApartMask      = "maskSize"         // the mask has another size than the source
	ApartUnclear   = "unclear"          // our own reading of an automatic region is not sure enough
	ApartLittle    = "tooLittle"        // is protected
	ApartShape     = "shape"            // the result has another shape than the source
	ApartElsewhere = "elsewhere"        // what was kept stands at another place
)

// StartZip is the body of POST /api/zips: a download of many results.
type StartZip struct {
	IDs  []ResultID `json:"ids"`
	Name string     `json:"name,omitempty"` // of the file, without .zip
	// Template names the files in it: words with {title}, {agent}, {date} and {number}. "" is "{title} {number}".
	Template string `json:"template,omitempty"`
	Format   string `json:"format,omitempty"`  // "" as they are, jpeg, png, webp
	Quality  int    `json:"quality,omitempty"` // 1 to 100 for jpeg and webp; 0 takes 90
	Size     string `json:"size,omitempty"`    // name of a DeliverySize, "" as they are
}

// Zip answers POST /api/zips. File can be fetched, and fetched on from where it broke off, for a week.
type Zip struct {
	ID    string `json:"id"`
	File  string `json:"file"`
	Bytes int64  `json:"bytes,omitempty"` // where it is known beforehand
}

// StartLayers is the body of POST /api/psds: a layered file of a selection.
type StartLayers struct {
	IDs  []ResultID `json:"ids"`
	Name string     `json:"name,omitempty"` // of the file, without .psd or .psb
}

// Layers answers POST /api/psds.
type Layers struct {
	ID    string `json:"id"`
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// DeliverySize is a size pictures are delivered in.
type DeliverySize struct {
	Name   string `json:"name"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	// Pad says that the picture is laid whole on white of exactly Width × Height; else it is fitted within, and its own shape stays.
	Pad bool `json:"pad"`
}

// DeliverySizes are the sizes there are: what marketplaces and feeds recommend for product pictures. Nothing is ever cropped.
var DeliverySizes = []DeliverySize{
	{"web-1280", 1280, 1280, false},
	{"web-2048", 2048, 2048, false},
	{"square-1000", 1000, 1000, true},
	{"square-1600", 1600, 1600, true},
	{"square-2000", 2000, 2000, true},
	{"square-2048", 2048, 2048, true},
	{"portrait-4x5", 1080, 1350, true},
	{"portrait-2x3", 1000, 1500, true},
	{"portrait-3x4", 1500, 2000, true},
	{"story-9x16", 1080, 1920, true},
	{"landscape-4x3", 2000, 1500, true},
}

// FindDeliverySize finds a size by its name.
func FindDeliverySize(name string) (DeliverySize, bool) {
	for _, s := range DeliverySizes {
		if s.Name == name {
			return s, true
		}
	}
	return DeliverySize{}, false
}

// FileFormats are the formats pictures can be delivered in, by the names StartZip.Format and ?format= take.
var FileFormats = []string{"jpeg", "png", "webp"}
