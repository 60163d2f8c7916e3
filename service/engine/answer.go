package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Codes of refusals, as OpenAI and those who follow it give them (OpenAI's openapi.yaml, and reports of clients).
var (
	moderationCodes = []string{"moderation_blocked", "content_policy_violation", "content_filter"}
	paymentCodes    = []string{"insufficient_quota", "billing_hard_limit_reached"}
)

// outOfMemory finds the name of the exception and the sentence of it.
var outOfMemory = regexp.MustCompile(`(?i)out ?of ?memory`)

// complaint is what an answer that is no success says: a sentence, and the name of the kind of error.
type complaint struct{ detail, code string }

// Refusal makes the error of an answer that is no success, of a server that answers as OpenAI, FastAPI, AUTOMATIC1111
// or stable-diffusion.cpp do. A 500 with a sentence in it is Failed: the server works, and the same request would
// fail again. secrets are words of the user's that must not be repeated.
func (c *Client) Refusal(a *Answer, secrets ...string) *Error {
	said := readComplaint(a.Body)
	e := c.Failure(a, said.detail, secrets...)
	switch {
	case slices.Contains(moderationCodes, said.code):
		e.Reason = Declined
	case slices.Contains(paymentCodes, said.code):
		e.Reason = Unpaid
	case outOfMemory.MatchString(said.code), outOfMemory.MatchString(said.detail):
		e.Reason = OutOfMemory
	case a.Status == http.StatusInternalServerError && said.detail != "":
		e.Reason = Failed
	}
	if e.Reason != Unreachable {
		e.MaybeMade = false // the server says itself that there is no picture
	}
	return e
}

// readComplaint reads {"error":{"message","type","code"}} of OpenAI, {"error":text,"message":text} of
// stable-diffusion.cpp, {"detail":text or list} of FastAPI and {"error":name,"detail":text,"errors":text} of
// AUTOMATIC1111.
func readComplaint(body []byte) complaint {
	var top struct {
		Error, Detail   json.RawMessage
		Message, Errors string
	}
	if json.Unmarshal(body, &top) != nil {
		return complaint{}
	}
	var inner struct {
		Message, Type string
		Code          any // a number at LocalAI and vLLM-omni
	}
	var said complaint
	switch {
	case json.Unmarshal(top.Error, &said.code) == nil:
	case json.Unmarshal(top.Error, &inner) == nil:
		said = complaint{detail: inner.Message, code: inner.Type}
		if code, ok := inner.Code.(string); ok {
			said.code = code
		}
	}
	for _, text := range []string{top.Message, detailOf(top.Detail), top.Errors, said.code} {
		if said.detail == "" {
			said.detail = text
		}
	}
	return said
}

// detailOf reads FastAPI's detail: a sentence, or a list of fields and what is wrong with each. The list repeats the
// values sent, which are left out.
func detailOf(detail json.RawMessage) string {
	var text string
	if json.Unmarshal(detail, &text) == nil {
		return text
	}
	var list []struct {
		Loc []any
		Msg string
	}
	if json.Unmarshal(detail, &list) != nil {
		return ""
	}
	var out []string
	for _, item := range list {
		where := ""
		if len(item.Loc) > 0 {
			where = fmt.Sprint(item.Loc[len(item.Loc)-1], ": ")
		}
		out = append(out, where+item.Msg)
	}
	return strings.Join(out, "; ")
}
