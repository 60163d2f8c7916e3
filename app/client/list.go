package client

import (
	"context"
	"encoding/json"

	"atelier/app/browser"
	"atelier/app/words"
	"atelier/atelier"
)

// turn is how many elements of a long list are read before the page may draw a frame.
const turn = 15

// list reads an answer that is a page of results, a few at a time, so that a page that moves goes on moving.
func (a *API) list(ctx context.Context, path string) (atelier.ResultPage, error) {
	var text json.RawMessage
	if err := a.call(ctx, "GET", path, nil, &text); err != nil {
		return atelier.ResultPage{}, err
	}
	var page struct {
		atelier.ResultPage
		Results []json.RawMessage `json:"results"` // not gone into yet
	}
	err := json.Unmarshal(text, &page)
	out := page.ResultPage
	for i := 0; err == nil && i < len(page.Results); i++ {
		var one atelier.ListedResult
		err = json.Unmarshal(page.Results[i], &one)
		out.Results = append(out.Results, one)
		if i%turn == turn-1 {
			if err := browser.Pause(ctx); err != nil {
				return out, err
			}
		}
	}
	if err != nil {
		return out, &atelier.Error{Code: atelier.Internal, Message: words.ServerUnreadable, Err: err}
	}
	return out, nil
}
