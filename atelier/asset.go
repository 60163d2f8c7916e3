package atelier

import (
	"strconv"
	"strings"
	"time"
)

// Ids are UUIDv7 in text: they sort by creation time, so they are also the cursor of every list.
type (
	UserID   string
	RunID    string
	ResultID string
	AssetID  string
	MaskID   string
	BoardID  string
)

// Time is when what has the id was made, to the millisecond (RFC 9562, section 5.7); zero where it is no UUIDv7.
func (id RunID) Time() time.Time {
	digits := strings.ReplaceAll(string(id), "-", "")
	if len(digits) != 32 || digits[12] != '7' {
		return time.Time{}
	}
	ms, err := strconv.ParseInt(digits[:12], 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// Asset is an image, a video or a sound the user brought.
type Asset struct {
	ID        AssetID   `json:"id"`
	Kind      string    `json:"kind"` // image, video, audio
	Name      string    `json:"name"`
	Width     int       `json:"width"`             // px, EXIF turn applied
	Height    int       `json:"height"`            // px, EXIF turn applied
	Format    string    `json:"format"`            // png, jpeg, webp, heic, tiff; mp4, mov; mp3, wav, m4a
	Seconds   float64   `json:"seconds,omitempty"` // of a video or a sound
	Bytes     int64     `json:"bytes"`
	Turned    bool      `json:"turned,omitempty"` // stored turned, as EXIF says: what goes to the image service is packed anew, upright
	SHA256    string    `json:"sha256"`           // of the file as it was brought
	Pixels    string    `json:"-"`                // SHA-256 of the file to open and to show: of the converted copy where browsers do not take the format
	CreatedAt time.Time `json:"createdAt"`
	File      string    `json:"file"`              // path of the file as browsers can show it, same origin; ?download=true gives the one that was brought
	Thumb     string    `json:"thumb"`             // path of its thumbnail; ?w= chooses the width
	Preview   string    `json:"preview,omitempty"` // a data: URI of a few hundred bytes, shown while the thumbnail loads
}

// AssetPage is one page of assets, newest first.
type AssetPage struct {
	Assets     []Asset `json:"assets"`
	NextCursor string  `json:"nextCursor,omitempty"`
}

// AssetFaces answers GET /api/assets/{id}/faces: how many faces are found in a picture. One that is turned away or covered is not.
type AssetFaces struct {
	Faces int `json:"faces"`
}

// AssetFilter asks for a list of assets.
type AssetFilter struct {
	Kind   string // image, video, audio; "" = all
	Query  string // words, each anywhere in the name
	Cursor string // NextCursor of the page before
	Limit  int    // 1 to 200, default 50
}

// Mask is a named protected region of one asset: painted = kept, transparent = redrawn.
type Mask struct {
	ID        MaskID    `json:"id"`
	AssetID   AssetID   `json:"assetId"`
	Name      string    `json:"name"`
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	Kept      float64   `json:"kept"` // share of the picture that is kept, 0 to 1
	CreatedAt time.Time `json:"createdAt"`
	File      string    `json:"file"`  // path of the PNG
	Thumb     string    `json:"thumb"` // path of a small picture of it; takes ?w=
}

// PreviewMask is the body of POST /api/masks/preview, which answers with a PNG mask of the asset's size: painted is kept.
// The answer's headers ConfidenceHeader (0 to 1, two decimals) and, when something was not as expected, NoteHeader tell how
// much to trust it.
type PreviewMask struct {
	AssetID  AssetID `json:"assetId"`
	MaskType string  `json:"maskType"`         // one of the automatic mask types (Run API, "Mask and enum semantics")
	Agent    string  `json:"agent,omitempty"`  // the agent that is to work on it: a product is looked for otherwise than a person
	Engine   string  `json:"engine,omitempty"` // its generateVersion: a stronger one finds edges more finely
}

// The headers of a previewed mask.
const (
	ConfidenceHeader = "Atelier-Confidence"
	NoteHeader       = "Atelier-Note"
)

// RenameMask is the body of PATCH /api/masks/{id}.
type RenameMask struct {
	Name string `json:"name"`
}

// CreateMask is the body of POST /api/masks.
type CreateMask struct {
	AssetID AssetID `json:"assetId"`
	Name    string  `json:"name"`
	PNG     string  `json:"png"` // base64, no data-URI prefix, exactly the asset's size
}
