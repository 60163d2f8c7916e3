package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// envelope is a successful answer of either surface.
type envelope struct {
	Data json.RawMessage // nil when absent or null
	Meta RunMeta
	raw  []byte
	at   *call
	code int // HTTP status
}

// answer is every form of envelope the two documents and their examples show (Task API, "Response envelope of this
// surface"; Run API, "Success envelope", "Error envelope").
type answer struct {
	Success looseBool       `json:"success"`
	Code    looseString     `json:"code"`    // 0 or "0" is success
	Message looseString     `json:"message"` // either spelling
	Msg     looseString     `json:"msg"`
	Data    json.RawMessage `json:"data"`
	Meta    looseMeta       `json:"meta"`
	Error   *looseError     `json:"error"`
}

// readAnswer reads the first JSON value of body; what follows it is not looked at, so that trailing garbage loses nothing.
func readAnswer(body []byte) (answer, error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	var a answer
	var first json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&first); err != nil {
		return a, fmt.Errorf("not JSON: %w", err)
	}
	if len(first) == 0 || first[0] != '{' {
		return a, errors.New("not a JSON object")
	}
	if err := json.Unmarshal(first, &a); err != nil {
		return a, fmt.Errorf("not an envelope: %w", err)
	}
	if isNull(a.Data) {
		a.Data = nil
	}
	return a, nil
}

func isNull(raw json.RawMessage) bool {
	return len(raw) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null"))
}

// errored says whether there is an error that says something; some servers send an empty one with every success.
func (a answer) errored() bool {
	return a.Error != nil && (*a.Error != looseError{} || a.Success != looseTrue)
}

// code gives the answer's error code, "" for none and for success.
func (a answer) code() string {
	if a.Error != nil && a.Error.Code != "" {
		return clean(string(a.Error.Code), 64)
	}
	if c := strings.TrimSpace(string(a.Code)); c != "0" {
		return clean(c, 64)
	}
	return ""
}

func (a answer) message() string {
	if a.Error != nil && a.Error.Message != "" {
		return string(a.Error.Message)
	}
	if a.Message != "" {
		return string(a.Message)
	}
	return string(a.Msg)
}

// verdict is what an answer says about itself.
type verdict int

const (
	unclear verdict = iota // neither success nor failure, or both: not an envelope of this API
	accepted
	declined
)

// verdict needs success=true and, where there is a code, a code of 0 (Task API, "Errors"). A no without success=false is
// believed only with a code of this API, or when no gateway can have written it: what a gateway says of a request that
// it passed on is not the service's word.
// ASSUMED [Code 0 and no success field]: an answer with the code 0 and no success field is a success.
func (a answer) verdict(status int) verdict {
	number, err := strconv.Atoi(a.code())
	own := err == nil && number >= CodeParameter && number < 60000
	gateway := status >= 500 || status == http.StatusRequestTimeout
	switch {
	case a.Success == looseFalse || own:
		return declined
	case a.Success == looseTrue && !a.errored() && a.code() == "":
		return accepted
	case a.Success == looseTrue || gateway:
		return unclear
	case a.errored() || a.code() != "":
		return declined
	case strings.TrimSpace(string(a.Code)) == "0":
		return accepted
	}
	return unclear
}

// interpret turns an answer's bytes into a success or an *Error.
func (c *Client) interpret(k call, status int, header http.Header, body []byte) (envelope, error) {
	e := &Error{Op: k.op, HTTPStatus: status, Sent: true, Raw: c.raw(body), RetryAfter: retryAfter(header, time.Now())}
	if status >= 300 && status < 400 {
		e.Kind, e.Message = Redirected, saidElsewhere
		return envelope{}, e
	}
	if len(body) > maxAnswer {
		return envelope{}, c.unusable(k, e, fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20))
	}
	a, err := readAnswer(body)
	said := unclear
	if err == nil {
		said = a.verdict(status)
	}
	switch {
	case said == declined:
		return envelope{}, c.declined(k, e, a)
	case said == accepted && status >= 200 && status < 300:
		return envelope{Data: a.Data, Meta: RunMeta(a.Meta), raw: body, at: &k, code: status}, nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Kind, e.Message = Key, saidKey
		return envelope{}, e
	case status == http.StatusTooManyRequests:
		return envelope{}, busy(e)
	case status == http.StatusServiceUnavailable && (!k.starts || e.RetryAfter > 0):
		return envelope{}, busy(e)
	case status >= 400 && status < 500 && status != http.StatusRequestTimeout && said == unclear && !k.reads:
		e.Kind, e.Message = Refused, saidNoReasonBut(statusInWords(status))
		return envelope{}, e
	case status < 200 || status >= 300:
		// Gateways answer 502, 504 and even 503 or 408 for requests that did reach the service behind them.
		return envelope{}, c.unusable(k, e, errors.New(statusInWords(status)))
	case err != nil:
		return envelope{}, c.unusable(k, e, err)
	}
	return envelope{}, c.unusable(k, e, errors.New("the answer says neither success nor failure"))
}

func statusInWords(status int) string {
	return strings.TrimSpace("HTTP " + strconv.Itoa(status) + " " + http.StatusText(status))
}

func busy(e *Error) *Error {
	e.Kind, e.Retryable = Busy, true
	if e.Message == "" {
		e.Message = saidBusy
	}
	return e
}

// unusable finishes the error of an answer that cannot be understood.
func (c *Client) unusable(k call, e *Error, err error) *Error {
	e.Err = scrubbedError{c.key, err}
	if k.starts {
		e.Kind, e.Message = Ambiguous, saidUnclear
		return e
	}
	e.Kind, e.Retryable, e.Message = Broken, true, saidUnusable
	return e
}

// keyCodes are the codes about the key (seen in public clients; the documents say "not shown").
var keyCodes = []string{strconv.Itoa(CodeKey), strconv.Itoa(CodeKeyExpired), strconv.Itoa(CodeKeyForbidden)}

// declined finishes the error of an answer that says no. A definite no may be tried again where the service says so, and
// where it says nothing, after its own faults. To a question, such a passing no is no answer: Refused is left to mean that
// what was asked for is not there.
func (c *Client) declined(k call, e *Error, a answer) *Error {
	e.Kind, e.Code = Refused, c.key.scrub(a.code())
	e.Message = clean(c.key.scrub(a.message()), 500)
	number, err := strconv.Atoi(e.Code)
	system := err == nil && number >= CodeSystem && number <= CodeSystemLast
	switch {
	case e.Code == strconv.Itoa(CodeTooMany), e.HTTPStatus == http.StatusTooManyRequests, e.HTTPStatus == http.StatusServiceUnavailable:
		return busy(e)
	case slices.Contains(keyCodes, e.Code), e.HTTPStatus == http.StatusUnauthorized,
		e.Code == "" && e.HTTPStatus == http.StatusForbidden:
		e.Kind = Key
	case a.Error != nil && a.Error.Retryable != looseAbsent:
		e.Retryable = a.Error.Retryable == looseTrue
	default:
		e.Retryable = system || e.HTTPStatus >= 500
	}
	if k.reads && e.Kind == Refused && e.Retryable {
		e.Kind = Broken
	}
	if e.Message == "" {
		e.Message = saidNoReason
	}
	return e
}

// into reads the answer's data into v, which must be an object or a list there.
func (e envelope) into(c *Client, v any) error {
	if e.Data == nil {
		return e.missing(c, errors.New("the answer carries no data"))
	}
	if err := json.Unmarshal(e.Data, v); err != nil {
		return e.missing(c, fmt.Errorf("the answer's data: %w", err))
	}
	return nil
}

// missing makes the error of a successful answer that lacks what it was asked for.
func (e envelope) missing(c *Client, err error) error {
	return c.unusable(*e.at, &Error{Op: e.at.op, HTTPStatus: e.code, Sent: true, Raw: c.raw(e.raw)}, err)
}

// clean makes one line of at most n characters out of a text from the other side.
func clean(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
