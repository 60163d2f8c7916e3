package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"atelier/app/browser"
	"atelier/app/words"
	"atelier/atelier"
)

// turn is how many elements of a long list are read before the page may draw a frame.
const turn = 15

// list reads an answer that is a JSON object with a long list, a few elements at a time, so that a page that moves goes on moving.
// What else is in the object goes into rest.
func list[T any](ctx context.Context, a *API, path, name string, rest any) ([]T, error) {
	var body json.RawMessage
	if err := a.call(ctx, "GET", path, nil, &body); err != nil {
		return nil, err
	}
	got, err := inTurns[T](ctx, body, name, rest)
	if err != nil && ctx.Err() == nil {
		return nil, &atelier.Error{Code: atelier.Internal, Message: words.ServerUnreadable, Err: err}
	}
	return got, err
}

// inTurns decodes what list reads.
func inTurns[T any](ctx context.Context, body []byte, name string, rest any) (got []T, err error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	if err := expect(dec, '{'); err != nil {
		return nil, err
	}
	others := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		if key != name {
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil {
				return nil, err
			}
			others[fmt.Sprint(key)] = value
			continue
		}
		opening, err := dec.Token()
		if err != nil {
			return nil, err
		}
		if opening == nil { // null, as an empty list may be written
			continue
		}
		if opening != json.Delim('[') {
			return nil, fmt.Errorf("%v where a list begins", opening)
		}
		for dec.More() {
			var one T
			if err := dec.Decode(&one); err != nil {
				return nil, err
			}
			if got = append(got, one); len(got)%turn == 0 {
				if err := browser.Pause(ctx); err != nil {
					return nil, err
				}
			}
		}
		if err := expect(dec, ']'); err != nil {
			return nil, err
		}
	}
	remainder, err := json.Marshal(others)
	if err != nil {
		return nil, err
	}
	return got, json.Unmarshal(remainder, rest)
}

func expect(dec *json.Decoder, delim json.Delim) error {
	if t, err := dec.Token(); err != nil {
		return err
	} else if t != delim {
		return fmt.Errorf("%v where %v begins", t, delim)
	}
	return nil
}
