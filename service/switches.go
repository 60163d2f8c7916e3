package service

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Switches turn on the other readings of what the documents leave open, and faults, so that clients can be tried against
// all of them. The zero value is the service as documented. The tags are the words of ParseSwitches.
type Switches struct {
	CodeAsString  bool `switch:"codeAsString"`  // "code":"0" instead of 0
	MessageField  bool `switch:"messageField"`  // "message" instead of "msg"
	ResultsField  bool `switch:"resultsField"`  // "results" instead of "result"
	BooleanData   bool `switch:"booleanData"`   // "data":true where the documents leave data out (deletions)
	ErrorsAs200   bool `switch:"errorsAs200"`   // refusals and faults come with HTTP status 200
	OldestFirst   bool `switch:"oldestFirst"`   // a task's executions come in the other order
	HandleInMeta  bool `switch:"handleInMeta"`  // starting a run answers meta.executionId alone, as the letter of Run API, "Start a run"
	HandleInData  bool `switch:"handleInData"`  // starting a run answers data.executionId alone
	RunsHidden    bool `switch:"runsHidden"`    // task/list leaves out what was started on the run surface
	DropCallbacks bool `switch:"dropCallbacks"` // callbacks are lost
	// The next four are what accounts were seen to do and the documents do not say.
	BackgroundNeeded bool `switch:"backgroundNeeded"` // removeBG with neither backgroundId nor backgroundHex is refused
	MasksByURL       bool `switch:"masksByURL"`       // customMask is refused; customMaskUrl is taken
	ProRecommended   bool `switch:"proRecommended"`   // generateVersion pro of aipose comes back as recommended
	PowerTold        bool `switch:"powerTold"`        // starts answer powerConsumption and powerBalanceAmount
	// Slow makes every item take at least this long.
	Slow time.Duration `switch:"slow"`
	// LateAcceptance hides a new execution from queries and lists for this long.
	LateAcceptance time.Duration `switch:"lateAcceptance"`
	// ResultExpiry makes result links answer 410 after this long; 0 = never.
	ResultExpiry time.Duration `switch:"resultExpiry"`
	// ConcurrencyLimit refuses (40005) an account's next execution while this many are open; 0 = no limit.
	ConcurrencyLimit int `switch:"concurrencyLimit"`
	// FailBefore and FailAfter cut the connection at the n-th create, execute or run start, counted from 1 since the
	// switches were set: before anything happened, or after it all did. 0 = never.
	FailBefore int `switch:"failBefore"`
	FailAfter  int `switch:"failAfter"`
}

// ParseSwitches reads switches as an operator writes them: a word alone for what is on or off ("codeAsString"), word=value
// for a length of time ("slow=2s") or a number ("concurrencyLimit=3"). The error holds every problem.
func ParseSwitches(words []string) (Switches, error) {
	var sw Switches
	var problems []error
	seen := map[string]bool{}
	for _, word := range words {
		name, value, hasValue := strings.Cut(word, "=")
		field, ok := switchField(&sw, name)
		switch {
		case !ok:
			problems = append(problems, fmt.Errorf("there is no switch %q; there are %s", name, strings.Join(switchNames(), ", ")))
		case seen[name]:
			problems = append(problems, fmt.Errorf("%s is given twice", name))
		default:
			if err := setSwitch(field, value, hasValue); err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", name, err))
			}
		}
		seen[name] = true
	}
	if sw.HandleInMeta && sw.HandleInData {
		problems = append(problems, errors.New("handleInMeta and handleInData exclude each other"))
	}
	return sw, errors.Join(problems...)
}

// switchField finds the field a word sets.
func switchField(sw *Switches, name string) (reflect.Value, bool) {
	v := reflect.ValueOf(sw).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("switch") == name {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// switchNames are all words, sorted.
func switchNames() []string {
	var names []string
	for f := range reflect.TypeFor[Switches]().Fields() {
		names = append(names, f.Tag.Get("switch"))
	}
	slices.Sort(names)
	return names
}

func setSwitch(field reflect.Value, value string, hasValue bool) error {
	switch field.Interface().(type) {
	case bool:
		if hasValue {
			return fmt.Errorf("it stands alone, without %q", value)
		}
		field.SetBool(true)
	case time.Duration:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("%q is no length of time such as 2s", value)
		}
		field.SetInt(int64(d))
	case int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no whole number of at least 1", value)
		}
		field.SetInt(int64(n))
	}
	return nil
}

// String lists what is on, as ParseSwitches reads it; "" for none.
func (sw Switches) String() string {
	var words []string
	v := reflect.ValueOf(sw)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("switch")
		switch value := v.Field(i).Interface().(type) {
		case bool:
			if value {
				words = append(words, name)
			}
		case time.Duration:
			if value > 0 {
				words = append(words, name+"="+value.String())
			}
		case int:
			if value > 0 {
				words = append(words, name+"="+strconv.Itoa(value))
			}
		}
	}
	return strings.Join(words, ",")
}
