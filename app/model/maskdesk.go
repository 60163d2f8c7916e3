package model

import (
	"encoding/json"
	"maps"

	"atelier/app/words"
)

// The tools of the mask desk.
const (
	ToolBrush   = "brush"
	ToolEraser  = "eraser"
	ToolLasso   = "lasso"
	ToolPolygon = "polygon"
	ToolRect    = "rect"
	ToolEllipse = "ellipse"
	ToolWand    = "wand"
	ToolBucket  = "bucket"
	ToolSmart   = "smart"
	ToolHand    = "hand"
)

// IsTool says whether an action of the mask desk is taking a tool.
func IsTool(action string) bool {
	switch action {
	case ToolBucket, ToolHand:
		return true
	}
	return Brushed(action) || Selects(action)
}

// Brushed says whether a tool paints with a round tip.
func Brushed(tool string) bool { return tool == ToolBrush || tool == ToolEraser }

// Selects says whether a tool makes a selection that is joined with the mask.
func Selects(tool string) bool {
	switch tool {
	case ToolLasso, ToolPolygon, ToolRect, ToolEllipse, ToolWand, ToolSmart:
		return true
	}
	return false
}

// Tip is the round end of the brush or the eraser.
type Tip struct {
	Size     int `json:"size"`     // diameter on screen, CSS px
	Hardness int `json:"hardness"` // percent: 100 is a firm edge
}

// How a selection is joined with what is painted.
const (
	JoinAdd       = "add"
	JoinSubtract  = "subtract"
	JoinIntersect = "intersect"
)

// How the mask is shown.
const (
	ShowTint   = "tint"   // the picture shines through
	ShowStrong = "strong" // high contrast: what is redrawn is hidden
	ShowMask   = "mask"   // black and white: the mask alone
)

// What a click with smart select means.
const (
	SmartBox    = "box"
	SmartKeep   = "keep"
	SmartRedraw = "redraw"
)

// MaskDesk is how a designer likes the tools; it is remembered on the machine.
type MaskDesk struct {
	Tips      map[string]Tip    `json:"tips,omitempty"` // by tool
	Join      string            `json:"join,omitempty"`
	Tolerance int               `json:"tolerance"` // of the wand, 0 to 255
	Whole     bool              `json:"whole"`     // the wand takes like colours of the whole picture, not only those that touch
	Smart     string            `json:"smart,omitempty"`
	Keep      string            `json:"keep,omitempty"` // names of tints
	Redraw    string            `json:"redraw,omitempty"`
	Opacity   int               `json:"opacity"` // of the tint, percent
	Show      string            `json:"show,omitempty"`
	NoMap     bool              `json:"noMap,omitempty"`
	Keys      map[string]string `json:"keys,omitempty"` // of the whole studio; see Keymap.Own
}

// Limits of the settings.
const (
	MaxTolerance = 128
	MinOpacity   = 10
	MaxOpacity   = 90
)

// NewMaskDesk is how the tools are at first.
func NewMaskDesk() MaskDesk {
	return MaskDesk{
		Tips: map[string]Tip{ToolBrush: {DefaultBrush, 100}, ToolEraser: {DefaultBrush, 100}},
		Join: JoinAdd, Tolerance: 24, Smart: SmartBox, Keep: "teal", Redraw: "orange", Opacity: 45, Show: ShowTint,
	}
}

// ReadMaskDesk reads remembered settings; what is missing or out of range is as at first.
func ReadMaskDesk(text string) MaskDesk {
	first, d := NewMaskDesk(), NewMaskDesk()
	if json.Unmarshal([]byte(text), &d) != nil {
		return first
	}
	for _, tool := range []string{ToolBrush, ToolEraser} {
		tip, ok := d.Tips[tool]
		if !ok {
			tip = first.Tips[tool]
		}
		d = d.WithTip(tool, tip)
	}
	d.Tolerance = min(max(d.Tolerance, 0), MaxTolerance)
	d.Opacity = min(max(d.Opacity, MinOpacity), MaxOpacity)
	d.Join = oneOf(d.Join, JoinAdd, JoinSubtract, JoinIntersect)
	d.Smart = oneOf(d.Smart, SmartBox, SmartKeep, SmartRedraw)
	d.Show = oneOf(d.Show, ShowTint, ShowStrong, ShowMask)
	if _, ok := TintNamed(d.Keep); !ok {
		d.Keep = first.Keep
	}
	if _, ok := TintNamed(d.Redraw); !ok {
		d.Redraw = first.Redraw
	}
	d.Keys = NewKeymap(d.Keys, false).Own
	return d
}

// oneOf is the value if it is one of some, or else the first of them.
func oneOf(value string, some ...string) string {
	for _, s := range some {
		if s == value {
			return value
		}
	}
	return some[0]
}

// Encode writes the settings to be remembered.
func (d MaskDesk) Encode() string {
	text, err := json.Marshal(d)
	if err != nil {
		return "" // strings and numbers can always be written
	}
	return string(text)
}

// Tip is the tip of a tool; tools without one have the brush's.
func (d MaskDesk) Tip(tool string) Tip {
	if tip, ok := d.Tips[tool]; ok {
		return tip
	}
	return d.Tips[ToolBrush]
}

// WithTip gives a tool a tip, within what tips can be.
func (d MaskDesk) WithTip(tool string, tip Tip) MaskDesk {
	if !Brushed(tool) {
		tool = ToolBrush
	}
	tip.Size = min(max(tip.Size, MinBrush), MaxBrush)
	tip.Hardness = min(max(tip.Hardness, 0), 100)
	d.Tips = maps.Clone(d.Tips)
	if d.Tips == nil {
		d.Tips = map[string]Tip{}
	}
	d.Tips[tool] = tip
	return d
}

// TintColour is a colour the mask can be shown in.
type TintColour struct {
	Name, Title string
	R, G, B     uint8
}

// TintColours are the colours to choose from. Teal and orange are told apart by all common kinds of colour blindness.
var TintColours = []TintColour{
	{"teal", words.TintTeal, 0, 164, 148},
	{"orange", words.TintOrange, 222, 92, 0},
	{"blue", words.TintBlue, 36, 112, 255},
	{"magenta", words.TintMagenta, 222, 34, 140},
	{"yellow", words.TintYellow, 240, 200, 0},
	{"red", words.TintRed, 224, 32, 32},
}

// TintNamed finds a colour.
func TintNamed(name string) (TintColour, bool) {
	for _, c := range TintColours {
		if c.Name == name {
			return c, true
		}
	}
	return TintColour{}, false
}

// CSS writes the colour with an opacity in percent.
func (c TintColour) CSS(opacity int) string {
	return "rgba(" + words.Number(int(c.R)) + "," + words.Number(int(c.G)) + "," + words.Number(int(c.B)) + "," + words.Decimal(float64(opacity)/100, 2) + ")"
}
