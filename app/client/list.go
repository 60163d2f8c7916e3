package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"atelier/app/browser"
	"atelier/app/words"
	"atelier/atelier"
)

// turn is how long a list is read before the page may draw a frame. How much is read in it differs: at first the browser still compiles
// the program.
const turn = 4 * time.Millisecond

// list reads an answer that is a page of results, a few at a time, so that a page that moves goes on moving.
func (a *API) list(ctx context.Context, path string) (atelier.ResultPage, error) {
	var text json.RawMessage
	if err := a.call(ctx, "GET", path, nil, &text); err != nil {
		return atelier.ResultPage{}, err
	}
	page, err := readPage(ctx, text)
	switch {
	case err == nil || ctx.Err() != nil:
		return page, err
	default:
		return page, &atelier.Error{Code: atelier.Internal, Message: words.ServerUnreadable, Err: err}
	}
}

// readPage goes through a page from its first byte to its last, and nowhere ahead: to look for its end alone would take longer than a turn.
func readPage(ctx context.Context, text []byte) (page atelier.ResultPage, err error) {
	from := json.NewDecoder(bytes.NewReader(text))
	if err := expect(from, json.Delim('{')); err != nil {
		return page, err
	}
	rest := map[string]json.RawMessage{}
	for from.More() {
		key, err := from.Token()
		if err != nil {
			return page, err
		}
		if key == "results" {
			page.Results, err = readResults(ctx, from)
		} else {
			var value json.RawMessage
			err = from.Decode(&value)
			rest[fmt.Sprint(key)] = value
		}
		if err != nil {
			return page, err
		}
	}
	if err := expect(from, json.Delim('}')); err != nil {
		return page, err
	}
	others, err := json.Marshal(rest)
	if err != nil {
		return page, err
	}
	return page, json.Unmarshal(others, &page)
}

// readResults reads an array, or null for none.
func readResults(ctx context.Context, from *json.Decoder) (all []atelier.ListedResult, err error) {
	first, err := from.Token()
	if err != nil || first == nil {
		return nil, err
	}
	if first != json.Delim('[') {
		return nil, fmt.Errorf("%v stands where the results should", first)
	}
	for began := time.Now(); from.More(); {
		var one atelier.ListedResult
		if err := errors.Join(ctx.Err(), from.Decode(&one)); err != nil {
			return nil, err
		}
		if all = append(all, one); time.Since(began) < turn {
			continue
		}
		if err := browser.Pause(ctx); err != nil {
			return nil, err
		}
		began = time.Now()
	}
	return all, expect(from, json.Delim(']'))
}

// expect reads the next token, which is to be this one.
func expect(from *json.Decoder, want json.Delim) error {
	got, err := from.Token()
	if err == nil && got != want {
		err = fmt.Errorf("%v stands where %v should", got, want)
	}
	return err
}
