package atelier

import (
	"encoding/json"
	"time"
)

// User is who is working.
type User struct {
	ID   UserID `json:"id"`
	Name string `json:"name"`
	Role Role   `json:"role"`
}

// Session answers GET and POST /api/session.
type Session struct {
	User      User   `json:"user"`
	Upstream  string `json:"upstream"` // embedded, remote
	Version   string `json:"version"`  // of the server
	Build     string `json:"build"`    // hash of the browser client the server would give now
	Limits    Limits `json:"limits"`
	PublicURL string `json:"publicUrl,omitempty"`
	Estimates bool   `json:"estimates,omitempty"` // the service tells what a run would cost
	Team      bool   `json:"team,omitempty"`      // people sign in by name and password
	// AccountStamp names the account of the image service that runs go to, for StartRun.Account.
	AccountStamp string `json:"accountStamp,omitempty"`
	// ServiceHost is where a remote image service is, for administrators.
	ServiceHost string `json:"serviceHost,omitempty"`
	// NoVideo says in one sentence why videos cannot be made or brought here, and what to do about it; "" = they can.
	NoVideo string `json:"noVideo,omitempty"`
	// Allowance is what the user may ask for this month; nil = as much as they like.
	Allowance *Allowance `json:"allowance,omitempty"`
}

// Limits are the numbers the browser checks before it sends.
type Limits struct {
	UploadBytes int64 `json:"uploadBytes"` // of a picture
	MediaBytes  int64 `json:"mediaBytes"`  // of a video or a sound
	PageSize    int   `json:"pageSize"`
	TrashDays   int   `json:"trashDays"` // how long a run stays in the trash before it is deleted for good
}

// Login is the body of POST /api/session: a launch code, or name and password where people have accounts.
type Login struct {
	Token    string `json:"token,omitempty"`
	Name     string `json:"name,omitempty"`
	Password string `json:"password,omitempty"`
}

// Preset is a location, fashion model, background or dimension the service offers.
type Preset struct {
	Kind       string   `json:"kind"` // locations, fashionModels, backgrounds, dimensions
	ID         int64    `json:"id,omitempty"`
	Name       string   `json:"name"`
	Image      string   `json:"image,omitempty"` // same-origin path of the preview picture
	Categories []string `json:"categories,omitempty"`
	Tags       []Tag    `json:"tags,omitempty"`
	Type       string   `json:"type,omitempty"`   // AI, Yours
	Status     string   `json:"status,omitempty"` // prepare, complete, failed
	Price      string   `json:"price,omitempty"`
	Style      string   `json:"style,omitempty"`
	Width      int      `json:"width,omitempty"`  // dimensions only, px
	Height     int      `json:"height,omitempty"` // dimensions only, px
}

// Tag groups presets.
type Tag struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// PresetPage is one page of presets of one kind.
type PresetPage struct {
	Presets  []Preset `json:"presets"`
	Page     int      `json:"page"`
	PageSize int      `json:"pageSize"`
	Total    int      `json:"total"`
	LastPage bool     `json:"lastPage"`
}

// Event is one message of the websocket. Rev rises by one per user; Epoch changes when history cannot be replayed.
type Event struct {
	Epoch string          `json:"epoch"`
	Rev   int64           `json:"rev"`
	Type  EventType       `json:"type"`
	Data  json.RawMessage `json:"data"`
}

// EventType names what an event carries.
type EventType string

// The events. Hello is the first message of every connection (Data is a HelloEvent); Snapshot tells the client to load its
// lists again because the events since its last one are gone.
const (
	EventHello    EventType = "hello"
	EventSnapshot EventType = "snapshot"
	EventRun      EventType = "run"    // Data is a Run
	EventResult   EventType = "result" // Data is a Result
	EventPSD      EventType = "psd"    // Data is a Run
	EventPreset   EventType = "preset" // Data is a Preset
	EventAsset    EventType = "asset"  // Data is an Asset
	EventNotice   EventType = "notice" // Data is a Notice
	EventShown    EventType = "shown"  // what others show is different; Data is empty
	// EventFavourites says that other presets are marked now; Data is a FavouriteList.
	EventFavourites EventType = "favourites"
	// EventConnection says that runs go to another account of the image service now; Data is empty.
	EventConnection EventType = "connection"
	// EventReview says that a review link is new or different, or that its client said something; Data is a ReviewLink.
	EventReview EventType = "review"
	// EventAllowance says that another number of results may be asked for now; Data is an Allowance, or null for any number.
	EventAllowance EventType = "allowance"
)

// HelloEvent opens a connection.
type HelloEvent struct {
	Build string    `json:"build"` // differs from the running client's: a new version is there
	Time  time.Time `json:"time"`
}

// Notice is a sentence for the user that belongs to no run.
type Notice struct {
	Level   string `json:"level"` // info, warning, error
	Message string `json:"message"`
}
