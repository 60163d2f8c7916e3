package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"atelier/app/browser"
	"atelier/atelier"
)

// Masks lists all named masks, newest first.
func (a *API) Masks(ctx context.Context) ([]atelier.Mask, error) {
	var list atelier.MaskList
	err := a.call(ctx, "GET", "/api/masks", nil, &list)
	return list.Masks, err
}

// CreateMask saves a mask under a name.
func (a *API) CreateMask(ctx context.Context, m atelier.CreateMask) (atelier.Mask, error) {
	var made atelier.Mask
	err := a.call(ctx, "POST", "/api/masks", m, &made)
	return made, err
}

// RenameMask gives a named mask another name.
func (a *API) RenameMask(ctx context.Context, id atelier.MaskID, name string) (atelier.Mask, error) {
	var now atelier.Mask
	err := a.call(ctx, "PATCH", "/api/masks/"+url.PathEscape(string(id)), atelier.RenameMask{Name: name}, &now)
	return now, err
}

// DeleteMask deletes a named mask.
func (a *API) DeleteMask(ctx context.Context, id atelier.MaskID) error {
	return a.call(ctx, "DELETE", "/api/masks/"+url.PathEscape(string(id)), nil, nil)
}

// Found is a region the server has found.
type Found struct {
	PNG        browser.File
	Confidence float64 // 0 to 1
	Note       string  // a sentence, or ""
}

// PreviewMask has the server find the region of an automatic mask type. It may take as long as ctx allows: a large picture takes
// seconds.
func (a *API) PreviewMask(ctx context.Context, m atelier.PreviewMask) (Found, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return Found{}, err
	}
	response, err := a.send(ctx, browser.Request{
		Method: "POST", URL: "/api/masks/preview", Body: body,
		Header: map[string]string{header: "1", "Content-Type": "application/json", "Accept": "image/png"},
	})
	if err != nil {
		return Found{}, noAnswer(err)
	}
	if err := decode(response, nil); err != nil {
		return Found{}, err
	}
	found := Found{PNG: browser.NewFile("mask.png", response.Body)}
	if response.Header != nil {
		found.Note = response.Header(atelier.NoteHeader)
		if c, err := strconv.ParseFloat(response.Header(atelier.ConfidenceHeader), 64); err == nil {
			found.Confidence = c
		}
	}
	return found, nil
}
