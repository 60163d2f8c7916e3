package model

import (
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/probe"
)

// OwnKind is a kind of preset designers make of photos of their own.
type OwnKind struct {
	Preset, Path, Param string // how presets, the server's addresses and the agent call it
	Words               words.OwnPreset
	MostPhotos          int
	Rule                probe.Rule
	Checks              []Check // what is looked at for each of Words.Advice
}

// Check is what a photo is looked at for.
type Check string

// The checks.
const (
	CheckFile Check = "file" // its format and length
	CheckSize Check = "size" // in pixels
	CheckFace Check = "face" // somebody is seen in it
	Unchecked Check = ""     // nobody looks
)

// Concerns says whether a broken rule of a file is what the check is about.
func (c Check) Concerns(f Fault) bool {
	size := f.Code == probe.CodeSide || f.Code == probe.CodeRatio || f.Code == probe.CodePixels
	return c == CheckSize && size || c == CheckFile && !size
}

// Intake is the rule a photo is held against before it is sent: what an upload demands, and what the preset does.
func (k OwnKind) Intake() probe.Rule {
	rule := probe.Studio
	rule.MaxBytes = min(rule.MaxBytes, k.Rule.MaxBytes)
	return rule
}

// Judge holds a picture that is on the server against the rule of the preset. One that is stored turned is packed anew, small enough, whatever
// it takes.
func (k OwnKind) Judge(a atelier.Asset) Diagnosis {
	facts := probe.Facts{Format: probe.Format(a.Format), Width: a.Width, Height: a.Height, Bytes: a.Bytes}
	if a.Turned {
		facts.Bytes = 0
	}
	if facts.Format.Converted() {
		facts.Format = probe.JPEG // its copy is that, or a PNG
	}
	return Examine(k.Rule, facts)
}

// OwnKinds are the kinds there are (Task API, "Create my fashion model", "Create my location").
var OwnKinds = []OwnKind{
	{
		Preset: "fashionModels", Path: "fashion-models", Param: "fashionModelId", Words: words.OwnFashionModel,
		MostPhotos: 4, Rule: probe.FashionModel, Checks: []Check{CheckFile, CheckSize, CheckFace, Unchecked},
	},
	{
		Preset: "locations", Path: "locations", Param: "locationId", Words: words.OwnLocation,
		MostPhotos: 1, Rule: probe.Location, Checks: []Check{CheckFile, CheckSize, CheckFace},
	},
}

// LibraryKind is a kind of preset that the library shows, with the agent that offers it and whose form it is taken into. What
// designers do not make has no Path.
type LibraryKind struct {
	OwnKind
	Agent, Title string
}

// LibraryKinds are the kinds there are (Task API, "Agent info").
var LibraryKinds = []LibraryKind{
	{OwnKinds[0], "aimodel", words.OwnFashionModel.Title},
	{OwnKinds[1], "aimodel", words.OwnLocation.Title},
	{OwnKind{Preset: "backgrounds", Param: "backgroundId"}, "removeBG", words.LibraryBackdrops},
	{OwnKind{Preset: "dimensions"}, "expandimage", words.LibrarySizes},
}

// Made says whether designers make presets of this kind themselves.
func (k LibraryKind) Made() bool { return k.Path != "" }

// Values are what taking a preset sets in the form: a size is that of the canvas, with the photo in its middle.
func (k LibraryKind) Values(p atelier.Preset) map[string]any {
	if k.Param == "" {
		return map[string]any{"targetWidth": float64(p.Width), "targetHeight": float64(p.Height), "fillLeft": nil, "fillTop": nil}
	}
	return map[string]any{k.Param: float64(p.ID)}
}

// PresetTone is how a preset of the designer's is doing, and the words for it.
func PresetTone(p atelier.Preset) (Tone, string) {
	switch p.Status {
	case "complete":
		return Good, words.OwnReady
	case "failed":
		return Bad, failedInWords(p.Kind)
	case "prepare", "":
		return Busy, words.OwnBeingMade
	}
	return Waiting, p.Status // a word the documents do not list is shown as it came
}

// failedInWords says what to do about a preset of a kind that could not be made.
func failedInWords(kind string) string {
	for _, k := range OwnKinds {
		if k.Preset == kind {
			return k.Words.Failed
		}
	}
	return words.OwnFashionModel.Failed
}
