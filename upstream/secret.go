package upstream

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// redacted stands wherever a secret would show.
const redacted = "[secret]"

// Secret is an API key. It shows itself nowhere: not when printed, logged or written as JSON. Only Reveal gives it.
type Secret string

// Reveal gives the key itself, for the Authorization header and nothing else.
func (s Secret) Reveal() string { return string(s) }

// String hides the key; "" stays "", so that a missing key can be seen.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString hides the key from %#v.
func (s Secret) GoString() string { return `upstream.Secret("` + s.String() + `")` }

// Format hides the key from every verb, %x and %q included.
func (s Secret) Format(f fmt.State, verb rune) {
	text := s.String()
	switch {
	case verb == 'v' && f.Flag('#'):
		text = s.GoString()
	case verb == 'q':
		text = `"` + text + `"`
	}
	if _, err := io.WriteString(f, text); err != nil {
		return // whoever prints hears of it from the writer itself
	}
}

// MarshalJSON hides the key.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// MarshalText hides the key from every other encoder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue hides the key from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// scrub takes the key out of a text that came from the other side.
func (s Secret) scrub(text string) string {
	if len(s) < minScrub {
		return text
	}
	return strings.ReplaceAll(text, string(s), redacted)
}

// minScrub keeps a very short key, as tests have, from eating letters out of messages.
const minScrub = 6
