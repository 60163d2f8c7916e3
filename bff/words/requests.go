package words

import "fmt"

// What is wrong with a request, from the browser or another client.
const (
	RequestNotJSON       = "The body must be application/json."
	RequestManyValues    = "The body holds more than one JSON value."
	RequestBrokenOff     = "The request was broken off. Send it again."
	RequestElsewhere     = "This request came from another page."
	RequestHost          = "The studio is not served under this name."
	RequestNothing       = "There is nothing at this address."
	RequestSearchLong    = "A search has at most 500 characters."
	RequestServiceCursor = "This cursor was not given by the image service."
	RequestTimesReversed = "createdBefore must be later than createdAfter."
)

// What the studio itself lacks.
const (
	StudioFailed   = "Something went wrong in the studio. The error was logged; try again."
	StudioFiles    = "The studio cannot use its own files at the moment. Try again in a moment; if this persists, tell the operator."
	StudioDatabase = "The database of the studio cannot be written."
	StudioStore    = "The content store of the studio cannot be written."
)

// The connection that events come by.
const (
	EventsElsewhere = "This page does not belong to the studio."
	EventsNoSocket  = "This address is for websockets."
	EventsOpening   = "Too many windows of the studio are being opened."
	EventsWindows   = "Too many windows of the studio are open."
)

// RequestUnread is a body that does not read as what a route takes; why is how the decoder says it.
func RequestUnread(why string) string { return "The body is not what this route takes: " + why + "." }

// RequestDeep is a body nested deeper than any needs.
func RequestDeep(most int) string {
	return "The body is nested deeper than " + number(most) + " levels. No request needs so many."
}

// RequestValues is a body of more values than any needs.
func RequestValues(most int) string {
	return "The body holds more than " + number(most) + " values. No request needs so many."
}

// RequestLarge is a body of more than so many bytes.
func RequestLarge(most int64) string {
	if most < 1<<20 {
		return "The request is larger than " + number(most>>10) + " KiB. Send less at a time."
	}
	return "The request is larger than " + number(most>>20) + " MiB. Send less at a time."
}

// RequestMethod is a method that an address does not know.
func RequestMethod(method string) string { return "This address does not take " + method + "." }

// RequestHeader is a header that every request which changes something carries.
func RequestHeader(name string) string { return "The header " + name + " is missing." }

// RequestWhole is a parameter that is no whole number within its bounds.
func RequestWhole(name string, least, most int) string {
	return name + " must be a whole number from " + number(least) + " to " + number(most) + "."
}

// RequestFlag is a parameter that is neither yes nor no.
func RequestFlag(name string) string { return name + " must be 1 or 0." }

// RequestTime is a parameter that is no time.
func RequestTime(name string) string {
	return name + " must be a time such as 2026-01-31T12:00:00Z."
}

// RequestOneOf is a parameter that has none of its values.
func RequestOneOf[T ~string](name string, allowed []T) string {
	return fmt.Sprintf("%s must be one of %q.", name, allowed)
}

// RequestChoose is a selection of nothing, or of too much.
func RequestChoose(most int) string { return "Choose 1 to " + number(most) + "." }
