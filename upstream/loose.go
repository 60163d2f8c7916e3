package upstream

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// The service's JSON is not always of the type its documents name. The types here read what occurs and never fail: a
// surprise in one field must not lose the answer to a paid run.

// looseString reads a text, a number, a boolean; null is "". Anything else is kept as its JSON.
type looseString string

func (s *looseString) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		*s = looseString(text)
	case 'n':
		*s = ""
	default:
		*s = looseString(b)
	}
	return nil
}

// looseInt reads a whole number, also written as text or with a fraction of 0; anything else is 0.
type looseInt int64

func (n *looseInt) UnmarshalJSON(b []byte) error {
	text := strings.TrimSpace(strings.Trim(string(b), `"`))
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		*n = looseInt(v)
		return nil
	}
	*n = 0
	if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		*n = looseInt(f)
	}
	return nil
}

// looseFloat reads a number, also written as text; anything else is 0.
type looseFloat float64

func (n *looseFloat) UnmarshalJSON(b []byte) error {
	*n = 0
	f, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(b), `"`)), 64)
	if err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		*n = looseFloat(f)
	}
	return nil
}

// looseBool reads true, "true" and 1, false, "false" and 0, and remembers when it was none of them.
type looseBool int

const (
	looseAbsent looseBool = iota
	looseTrue
	looseFalse
)

func (v *looseBool) UnmarshalJSON(b []byte) error {
	switch strings.ToLower(strings.Trim(string(b), `"`)) {
	case "true", "1":
		*v = looseTrue
	case "false", "0":
		*v = looseFalse
	default:
		*v = looseAbsent
	}
	return nil
}

// looseObject reads an object; an empty list, a text or null in its place is nil.
type looseObject map[string]any

func (o *looseObject) UnmarshalJSON(b []byte) error {
	*o = nil
	if b[0] != '{' {
		return nil
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*o = m
	return nil
}

// looseTime reads RFC 3339; anything else is nil.
type looseTime struct{ at *time.Time }

func (t *looseTime) UnmarshalJSON(b []byte) error {
	t.at = nil
	if at, err := time.Parse(time.RFC3339Nano, strings.Trim(string(b), `"`)); err == nil {
		at = at.UTC()
		t.at = &at
	}
	return nil
}

// looseList reads a list; null, an object or a text in its place is an empty one.
type looseList[T any] []T

func (l *looseList[T]) UnmarshalJSON(b []byte) error {
	*l = nil
	if b[0] != '[' {
		return nil
	}
	var list []T
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	*l = list
	return nil
}

// looseStrings reads a list of texts, or one text.
type looseStrings []string

func (l *looseStrings) UnmarshalJSON(b []byte) error {
	*l = nil
	switch b[0] {
	case '[':
		var list []looseString
		if err := json.Unmarshal(b, &list); err != nil {
			return err
		}
		for _, s := range list {
			*l = append(*l, string(s))
		}
	case '"':
		var s looseString
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		if s != "" {
			*l = looseStrings{string(s)}
		}
	}
	return nil
}

// looseMeta reads the meta of a run envelope, whatever stands in its place.
type looseMeta RunMeta

func (m *looseMeta) UnmarshalJSON(b []byte) error {
	*m = looseMeta{}
	if b[0] != '{' {
		return nil
	}
	var v struct {
		ExecutionID looseString `json:"executionId"`
		looseCharge
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	m.ExecutionID, m.Charge = string(v.ExecutionID), v.charge()
	return nil
}

// looseCharge reads a Charge.
type looseCharge struct {
	PowerConsumption   loosePower `json:"powerConsumption"`
	PowerBalanceAmount loosePower `json:"powerBalanceAmount"`
}

func (c looseCharge) charge() Charge {
	return Charge{PowerConsumption: c.PowerConsumption.is, PowerBalanceAmount: c.PowerBalanceAmount.is}
}

// loosePower reads an amount of at least 0, also written as text; anything else is nil, which is not 0.
type loosePower struct{ is *float64 }

func (p *loosePower) UnmarshalJSON(b []byte) error {
	p.is = nil
	f, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(b), `"`)), 64)
	if err == nil && f >= 0 && !math.IsInf(f, 0) {
		p.is = &f
	}
	return nil
}

// looseError reads the error of a run envelope, or a mere text in its place; false is an empty one.
type looseError struct {
	Code      looseString
	Message   looseString
	Retryable looseBool
}

func (e *looseError) UnmarshalJSON(b []byte) error {
	*e = looseError{}
	switch b[0] {
	case '{':
	case 'f':
		return nil
	default:
		return e.Message.UnmarshalJSON(b)
	}
	var v struct {
		Code      looseString `json:"code"`
		Message   looseString `json:"message"`
		Msg       looseString `json:"msg"`
		Retryable looseBool   `json:"retryable"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	e.Code, e.Message, e.Retryable = v.Code, v.Message, v.Retryable
	if e.Message == "" {
		e.Message = v.Msg
	}
	return nil
}

// UnmarshalJSON reads a progress written as number or text.
func (p *Progress) UnmarshalJSON(b []byte) error {
	var s looseString
	if err := s.UnmarshalJSON(b); err != nil {
		return err
	}
	*p = Progress(s)
	return nil
}

// Fraction gives the progress as a number from 0 to 1; what is not a number is 0. Above 1 it is read as per cent.
// ASSUMED [progress]: the documents show a decimal between 0 and 1 and say "for example".
func (p Progress) Fraction() float64 {
	text := strings.TrimSpace(string(p))
	number, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0
	}
	if percent || f > 1 {
		f /= 100
	}
	return min(f, 1)
}

// object says whether b is a JSON object.
func object(b []byte) bool { return len(bytes.TrimSpace(b)) > 0 && bytes.TrimSpace(b)[0] == '{' }
