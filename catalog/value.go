package catalog

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// exact is the largest whole number that a JSON number carries without loss everywhere.
const exact = 1 << 53

// given says whether v is more than nothing: null, blank text and empty lists count as absent.
// ASSUMED ["" and]: clients that send "" or [] mean "not given".
func given(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case string:
		return strings.TrimSpace(v) != ""
	case []any:
		return len(v) > 0
	case []string:
		return len(v) > 0
	case []int:
		return len(v) > 0
	case []int64:
		return len(v) > 0
	case []float64:
		return len(v) > 0
	}
	return true
}

// whole reads a whole number: a JSON number, any Go integer, or a string of digits.
func whole(v any) (float64, bool) {
	var n float64
	switch v := v.(type) {
	case float64:
		n = v
	case float32:
		n = float64(v)
	case int:
		n = float64(v)
	case int32:
		n = float64(v)
	case int64:
		n = float64(v)
	case uint32:
		n = float64(v)
	case uint64:
		n = float64(v)
	case json.Number:
		return whole(v.String())
	case string:
		i, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		if err != nil {
			return 0, false
		}
		n = float64(i)
	default:
		return 0, false
	}
	return n, n == math.Trunc(n) && math.Abs(n) <= exact
}

// number reads any number, also one written as text or too large to be held.
func number(v any) (float64, bool) {
	if n, ok := v.(json.Number); ok {
		v = n.String()
	}
	if s, ok := v.(string); ok {
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		return n, (err == nil || errors.Is(err, strconv.ErrRange)) && strings.Trim(s, "+-.0123456789eE \t\r\n") == ""
	}
	if n, ok := v.(float64); ok {
		return n, true
	}
	return whole(v)
}

// replaces says whether a lenient param takes its default for v: a number that is not a whole one within the range
// (Task API, "Shared mask and execution parameters": batchCount). What is no number is refused like that of any param.
func (p Param) replaces(v any) bool {
	n, ok := number(v)
	return p.Lenient && ok && (n != math.Trunc(n) || !p.inRange(n))
}

// truth reads a boolean, also as the text "true" or "false".
func truth(v any) (value, ok bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	}
	return false, false
}

// items reads a list.
func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []string:
		return boxed(v), true
	case []int:
		return boxed(v), true
	case []int64:
		return boxed(v), true
	case []float64:
		return boxed(v), true
	}
	return nil, false
}

func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// seconds reads "<n>s" (Run API, "Family E").
func seconds(s string) (int, bool) {
	digits, ok := strings.CutSuffix(s, "s")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == digits
}

// Lasts says whether a length, such as 5s, is one that the param takes.
func (p Param) Lasts(length string) bool {
	if p.offers(length) {
		return true
	}
	n, ok := seconds(length)
	return ok && n > 0 && (len(p.Options) == 0 || p.Min != nil || p.Max != nil) && p.inRange(float64(n))
}

// hex says whether s is #RRGGBB.
func hex(s string) bool {
	digits, ok := strings.CutPrefix(s, "#")
	if !ok || len(digits) != 6 {
		return false
	}
	return strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// webAddress says whether s has the form of an http or https address with a host.
func webAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || (!strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http")) || len(s) > maxAddress || !utf8.ValidString(s) {
		return false
	}
	for _, c := range s {
		if c <= ' ' || c == 0x7f || c == '\\' {
			return false
		}
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	host, _, _ = strings.Cut(host, "#")
	return host != "" && host[0] != ':' && !strings.Contains(host, "@")
}

// maxAddress bounds an address in bytes. ASSUMED [Length of an address]: the documents give no limit; signed addresses reach about 2 kB.
const maxAddress = 8192

// pngBase64 is how every base64 PNG begins.
const pngBase64 = "iVBORw0KGgo"

// base64PNG says what is wrong with a base64 PNG, "" when it looks right.
func base64PNG(s string) string {
	if strings.HasPrefix(s, "data:") {
		return maskPrefixed
	}
	if !strings.HasPrefix(s, pngBase64) {
		return maskNoPNG
	}
	n, pad := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n' || c == '\r': // encoders that break lines
			continue
		case c == '=':
			pad++
		case pad == 0 && ('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/'):
		default:
			return maskCharacters
		}
		n++
	}
	if pad > 2 || (pad > 0 && n%4 != 0) || (pad == 0 && n%4 == 1) {
		return maskCut
	}
	return ""
}

// canonical gives v as Values hold it after Fill: float64, string, bool or []any. ok is false when v is not of the kind;
// then v is as it came.
func (p Param) canonical(v any) (out any, ok bool) {
	switch p.Kind {
	case Int, Preset:
		if n, ok := whole(v); ok {
			return n, true
		}
	case Bool:
		if b, ok := truth(v); ok {
			return b, true
		}
	case Enum:
		if b, ok := v.(bool); ok && p.offers(strconv.FormatBool(b)) {
			// Booleans that the documents send as text (Run API, "Family E": generateAudio).
			return strconv.FormatBool(b), true
		}
		if s, ok := v.(string); ok {
			return p.optionOf(s), true
		}
	case Tags:
		if list, ok := items(v); ok {
			return canonicalList(list, func(v any) (any, bool) {
				n, ok := whole(v)
				return n, ok
			})
		}
	case Strings:
		if list, ok := items(v); ok {
			return canonicalList(list, func(v any) (any, bool) {
				s, ok := v.(string)
				return p.optionOf(s), ok
			})
		}
	case Duration:
		if s, ok := v.(string); ok {
			return p.optionOf(s), true
		}
	case Text, Colour, MaskPNG, MaskURL:
		if s, ok := v.(string); ok {
			return s, true
		}
	}
	return v, false
}

// Plain gives a value as the catalog writes it: numbers and options as other clients and the image service write them become those of the
// catalog. What is not of the param's kind comes back as it is.
func (p Param) Plain(v any) any {
	plain, _ := p.canonical(v)
	return plain
}

func canonicalList(list []any, each func(any) (any, bool)) (any, bool) {
	out := make([]any, len(list))
	for i, v := range list {
		c, ok := each(v)
		if !ok {
			return list, false
		}
		out[i] = c
	}
	return out, true
}

// optionOf gives the catalog's value for what was sent: the option whose wire form or alias it is, else the text itself.
func (p Param) optionOf(s string) string {
	for _, o := range p.Options {
		if o.Wire != "" && o.Wire == s {
			return o.Value
		}
	}
	if p.offers(s) {
		return s
	}
	for _, o := range p.Options {
		if o.Alias != "" && o.Alias == s {
			return o.Value
		}
	}
	return s
}

// wireOf is optionOf turned round.
func (p Param) wireOf(s string) string {
	for _, o := range p.Options {
		if o.Value == s && o.Wire != "" {
			return o.Wire
		}
	}
	return s
}

func (p Param) offers(s string) bool {
	for _, o := range p.Options {
		if o.Value == s {
			return true
		}
	}
	return false
}
