// Package catalog describes what every agent takes and gives: fields, limits and rules as data, and the one interpreter
// of them. The form on screen, the studio's check before paying, the service's validation, docs/agents.md and the OpenAPI
// description all read it. It does no I/O, imports nothing of ours and also runs in the browser.
package catalog

import "strings"

// Surface names one of the two APIs of the image service.
type Surface string

// The surfaces: Task API (v1) and Run API.
const (
	Task Surface = "task"
	Run  Surface = "run"
)

// Makes says what an agent's results are.
type Makes string

// What agents make.
const (
	MakesImage Makes = "image"
	MakesVideo Makes = "video"
)

// Agent is everything there is to know about one agent.
type Agent struct {
	Name     string    `json:"name"`
	Like     string    `json:"like,omitempty"` // of an agent an operator added: the agent of the documents whose shape it has
	Version  string    `json:"version"`
	Title    string    `json:"title"`   // in a designer's words
	Summary  string    `json:"summary"` // one sentence: what happens to the picture
	Family   string    `json:"family"`  // original, A … G
	Makes    Makes     `json:"makes"`
	Surfaces []Surface `json:"surfaces"`
	Files    []File    `json:"files"`
	Params   []Param   `json:"params"`
	Rules    []Rule    `json:"rules"`
	// Embedded is what the embedded service does for the agent: the first line is its caveat, the text after it says how it works.
	Embedded string `json:"embedded"`
	Exact    bool   `json:"exact,omitempty"` // that is all that Summary says; else it comes near it
	// Keeps is the automatic mask type of an agent that has no maskType and cuts out a part of its source by itself; "" = it does not.
	Keeps string `json:"keeps,omitempty"`
	// MakesBy names the param whose value, image or video, decides what one run makes; "" = always Makes (see Agent.MakesIn).
	MakesBy string `json:"makesBy,omitempty"`
	// ResultIn is the field of a result item that carries the address, where it is not the one named like what is made
	// (Run API, "Family G"); "" = image for images, video for videos.
	ResultIn Makes `json:"resultIn,omitempty"`
}

// MaxCaveat is how many letters of a caveat a list of agents shows: two lines beside a picture at the width of the dialog.
const MaxCaveat = 140

// Caveat is the first line of Embedded, shown in lists of agents.
func (a Agent) Caveat() string {
	caveat, _, _ := strings.Cut(a.Embedded, "\n")
	return caveat
}

// HowItWorks is the rest of Embedded, shown on request; "" = the caveat says everything.
func (a Agent) HowItWorks() string {
	_, details, _ := strings.Cut(a.Embedded, "\n")
	return details
}

// EmbeddedText is Embedded in one line.
func (a Agent) EmbeddedText() string { return strings.ReplaceAll(a.Embedded, "\n", " ") }

// Media is the kind of a file field.
type Media string

// The media of file fields.
const (
	Image Media = "image"
	Video Media = "video"
	Audio Media = "audio"
)

// File is a file field: a URL (or a list of them) the agent takes. Where it goes on the wire is Encode's business.
type File struct {
	Name   string   `json:"name"` // originalImage, fashionModelImage, locationImage, images, videos, audios …
	Title  string   `json:"title"`
	Help   string   `json:"help,omitempty"`
	Media  Media    `json:"media"`
	Min    int      `json:"min"` // 0 = optional
	Max    int      `json:"max"`
	List   bool     `json:"list"`             // an array on the wire even when Max is 1
	Roles  []string `json:"roles,omitempty"`  // what each place means, in order: "Garment", "Person"
	Source bool     `json:"source,omitempty"` // the picture that is worked on and that masks belong to
	// ParamOnly says that the documents list the field among the params alone: it is not sent in input.
	ParamOnly bool `json:"paramOnly,omitempty"`
}

// Kind is the type of a param.
type Kind string

// The kinds of params.
const (
	Text     Kind = "text" // string
	Int      Kind = "int"  // whole number; JSON numbers and numeric strings are read
	Enum     Kind = "enum" // string out of Options
	Bool     Kind = "bool"
	Colour   Kind = "colour"   // #RRGGBB
	Preset   Kind = "preset"   // id out of PresetKind
	Tags     Kind = "tags"     // list of tag ids of PresetKind
	MaskPNG  Kind = "mask"     // base64 PNG without data-URI prefix: customMask
	MaskURL  Kind = "maskURL"  // public URL of a mask: customMaskUrl
	Duration Kind = "duration" // "<n>s" from Min to Max, or one of Options
	Strings  Kind = "strings"  // list of strings out of Options
)

// Option is one value of an Enum: what is sent, and what it means to a designer.
type Option struct {
	Value string `json:"value"`
	Title string `json:"title"`
	Help  string `json:"help,omitempty"`
	Wire  string `json:"wire,omitempty"` // what is sent where it differs from Value (the operator's overlay)
	// Alias is another word that an account answers with for Value. It is read as Value and never sent.
	Alias string `json:"alias,omitempty"`
}

// Param is one parameter of an agent. Min and Max bound an Int (the number), a Text (its length in characters) and a list
// (its length); nil = no bound.
type Param struct {
	Name       string    `json:"name"`
	Kind       Kind      `json:"kind"`
	Title      string    `json:"title"`
	Help       string    `json:"help,omitempty"`
	Required   bool      `json:"required"`
	Default    any       `json:"default,omitempty"` // what the service takes when it is absent
	Start      any       `json:"start,omitempty"`   // what a form begins with, where that is not Default
	Options    []Option  `json:"options,omitempty"`
	Min        *int      `json:"min,omitempty"`
	Max        *int      `json:"max,omitempty"`
	Unit       string    `json:"unit,omitempty"`
	PresetKind string    `json:"presetKind,omitempty"` // locations, fashionModels, backgrounds
	Lenient    bool      `json:"lenient,omitempty"`    // out of range is replaced by Default, not refused (batchCount)
	Advanced   bool      `json:"advanced,omitempty"`   // under "More" in the form
	Surfaces   []Surface `json:"surfaces,omitempty"`   // empty = every surface of the agent
	// PerSurface overrides Default and Required where the two documents differ.
	PerSurface map[Surface]Override `json:"perSurface,omitempty"`
}

// Override is what one surface says differently about a param.
type Override struct {
	Default  any   `json:"default,omitempty"`
	Required *bool `json:"required,omitempty"`
}

// RuleKind names a relation between params and files.
type RuleKind string

// The rules. Fields are names of params or files; When, where set, must hold for the rule to apply.
const (
	AtLeastOne    RuleKind = "atLeastOne"    // one of Fields is given
	ExactlyOne    RuleKind = "exactlyOne"    // one of Fields, and not two
	RequiredWhen  RuleKind = "requiredWhen"  // all Fields are given
	OnlyWhen      RuleKind = "onlyWhen"      // Fields may be given only when When holds
	ForbiddenWith RuleKind = "forbiddenWith" // none of Fields together with any of With
	NoEffectWhen  RuleKind = "noEffectWhen"  // Fields are accepted and do nothing: a note, never a refusal
	MaxItems      RuleKind = "maxItems"      // Fields together hold at most Max files
	ValuesWhen    RuleKind = "valuesWhen"    // the Values of Fields may be chosen only when When holds; other values always
	Forced        RuleKind = "forced"        // the Fields are Values[0]: taken when absent, refused when anything else
	FallsBack     RuleKind = "fallsBack"     // the Fields count as Values[1] where they are Values[0]: a note, never a refusal
	EachFile      RuleKind = "eachFile"      // each file of the Fields keeps Rule.Facts, as far as it is known
	TotalSeconds  RuleKind = "totalSeconds"  // the files of the Fields last at most Max seconds together, as far as it is known
	Relative      RuleKind = "relative"      // an Int bounded by the source's size and another param: see Rule.Bound
)

// Condition holds when the param or file Field has one of the values In (or, with In empty, when it is given at all).
// Not turns that round. Also are further conditions that must hold too; Not does not touch them.
type Condition struct {
	Field string      `json:"field"`
	In    []string    `json:"in,omitempty"`
	Not   bool        `json:"not,omitempty"`
	Also  []Condition `json:"also,omitempty"`
}

// FactLimits bound what a file is; zero values bound nothing.
type FactLimits struct {
	Containers []string `json:"containers,omitempty"` // in lower case: mp4, mov
	Lines      []int    `json:"lines,omitempty"`      // the short side in px: 480 for 480p; see lineSlack
	MinSeconds float64  `json:"minSeconds,omitempty"`
	MaxSeconds float64  `json:"maxSeconds,omitempty"`
}

// Bound limits the first of a Relative rule's Fields: from -(side of the source)+Pad to (param Target)-Pad
// (Task API, "expandimage": fillLeft and fillTop).
type Bound struct {
	Side   string `json:"side"`   // width, height: of the source picture
	Target string `json:"target"` // targetWidth, targetHeight
	Pad    int    `json:"pad"`    // 8
}

// Rule is one relation, with the sentence a designer reads when it is broken.
type Rule struct {
	Kind     RuleKind    `json:"kind"`
	Fields   []string    `json:"fields"`
	With     []string    `json:"with,omitempty"`
	When     *Condition  `json:"when,omitempty"`
	Values   []string    `json:"values,omitempty"`
	Max      int         `json:"max,omitempty"`
	Bound    *Bound      `json:"bound,omitempty"`
	Facts    *FactLimits `json:"facts,omitempty"`
	Message  string      `json:"message"`
	Surfaces []Surface   `json:"surfaces,omitempty"` // empty = every surface of the agent
}

// Values are the params of a request as JSON gives them: string, float64 (or any Go integer), bool, []any, nil.
type Values map[string]any

// Facts is what is known of one file, from its header. What is zero is not known and never held against it.
type Facts struct {
	Seconds   float64 `json:"seconds,omitempty"`
	Width     int     `json:"width,omitempty"` // px, rotation applied
	Height    int     `json:"height,omitempty"`
	Container string  `json:"container,omitempty"` // in lower case: mp4, mov, webm, jpeg …
}

// Input is a request in the catalog's terms: what the form holds, what the studio stores, what the service decodes.
type Input struct {
	Values Values              `json:"values"`
	Files  map[string][]string `json:"files"`
	// Media tells what is known of the files: Media[field][i] is of Files[field][i]. It may be shorter or missing.
	Media map[string][]Facts `json:"media,omitempty"`
	// TaskName is the optional label, at most 20 characters (Task API, "Limits").
	TaskName string `json:"taskName,omitempty"`
	// SourceWidth and SourceHeight are the size of the source picture in px, EXIF turn applied; 0 when not known yet.
	SourceWidth  int `json:"sourceWidth,omitempty"`
	SourceHeight int `json:"sourceHeight,omitempty"`
	// Draft says that files and masks are still the studio's own references (asset ids, a mask on the canvas): Check counts
	// them and does not look at their form.
	Draft bool `json:"-"`
}

// Problem is one thing wrong with an Input. Note problems refuse nothing.
type Problem struct {
	Field   string   `json:"field"`
	Or      []string `json:"-"` // fields that would do in place of Field
	Message string   `json:"message"`
	Wire    string   `json:"-"` // the same to a client of the API: fields as the wire names them; of refusals alone
	Note    bool     `json:"note,omitempty"`
}
