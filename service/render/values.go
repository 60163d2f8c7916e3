package render

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// text is the named param as a string, "" when absent.
func (r Request) text(name string) string {
	s, _ := r.Values[name].(string)
	return s
}

// flag is the named param as a boolean; Family E and its kin send booleans as strings.
func (r Request) flag(name string) bool {
	switch v := r.Values[name].(type) {
	case bool:
		return v
	case string:
		return v == "true"
	}
	return false
}

// number is the named param as a whole number and whether it was given.
func (r Request) number(name string) (int, bool) {
	switch v := r.Values[name].(type) {
	case float64:
		return int(v), true
	case int:
		return v, true
	case int64:
		return int(v), true
	}
	return 0, false
}

// hexColour reads "#RRGGBB", "RRGGBB" and "#RGB".
// ASSUMED [backgroundHex forms]: the documents show "such as #RRGGBB" only (Task API, "removeBG v1.0").
func hexColour(s string) (color.NRGBA, error) {
	h := strings.TrimPrefix(strings.TrimSpace(s), "#")
	if len(h) == 3 {
		h = string([]byte{h[0], h[0], h[1], h[1], h[2], h[2]})
	}
	v, err := strconv.ParseUint(h, 16, 32)
	if err != nil || len(h) != 6 {
		return color.NRGBA{}, fmt.Errorf("%w: the colour %q is not of the form #RRGGBB", ErrInvalid, s)
	}
	return color.NRGBA{R: uint8(v >> 16 & 255), G: uint8(v >> 8 & 255), B: uint8(v & 255), A: 255}, nil
}
