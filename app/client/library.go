package client

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"atelier/atelier"
)

// OwnKind is a kind of preset that designers make themselves.
type OwnKind string

// The kinds, as the server's addresses call them.
const (
	OwnFashionModels OwnKind = "fashion-models"
	OwnLocations     OwnKind = "locations"
)

// OwnPresets lists the presets of a kind the user made, newest first, and how many the whole account has and takes.
func (a *API) OwnPresets(ctx context.Context, kind OwnKind) (atelier.PresetList, error) {
	var list atelier.PresetList
	err := a.call(ctx, "GET", "/api/"+string(kind), nil, &list)
	return list, err
}

// Faces says how many faces are found in a picture.
func (a *API) Faces(ctx context.Context, id atelier.AssetID) (int, error) {
	var body atelier.AssetFaces
	err := a.slowCall(ctx, "GET", "/api/assets/"+url.PathEscape(string(id))+"/faces", nil, &body)
	return body.Faces, err
}

// CreatePreset makes a preset out of pictures; it can be used once its status says complete.
func (a *API) CreatePreset(ctx context.Context, kind OwnKind, create atelier.CreatePreset) (atelier.Preset, error) {
	var p atelier.Preset
	err := a.call(ctx, "POST", "/api/"+string(kind), create, &p)
	return p, err
}

// DeletePreset deletes a preset at the image service, for good.
func (a *API) DeletePreset(ctx context.Context, kind OwnKind, id int64) error {
	return a.call(ctx, "DELETE", "/api/"+string(kind)+"/"+strconv.FormatInt(id, 10), nil, nil)
}

// Favourites lists the presets the user marked.
func (a *API) Favourites(ctx context.Context) ([]atelier.Favourite, error) {
	var list atelier.FavouriteList
	err := a.call(ctx, "GET", "/api/favourites", nil, &list)
	return list.Favourites, err
}

// ChangeFavourites marks presets and takes marks away, and gives those that are marked then.
func (a *API) ChangeFavourites(ctx context.Context, change atelier.ChangeFavourites) ([]atelier.Favourite, error) {
	var list atelier.FavouriteList
	err := a.call(ctx, "PATCH", "/api/favourites", change, &list)
	return list.Favourites, err
}

// Task reads one task as the image service has it now.
func (a *API) Task(ctx context.Context, id string) (atelier.Task, error) {
	var task atelier.Task
	err := a.call(ctx, "GET", "/api/tasks/"+url.PathEscape(id), nil, &task)
	return task, err
}

// Tasks reads one page of the image service's own list, newest first.
func (a *API) Tasks(ctx context.Context, f atelier.TaskFilter) (atelier.TaskPage, error) {
	q := url.Values{}
	if f.Cursor != "" {
		q.Set("cursor", f.Cursor)
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	if !f.CreatedAfter.IsZero() {
		q.Set("createdAfter", f.CreatedAfter.UTC().Format(time.RFC3339))
	}
	if !f.CreatedBefore.IsZero() {
		q.Set("createdBefore", f.CreatedBefore.UTC().Format(time.RFC3339))
	}
	var page atelier.TaskPage
	err := a.call(ctx, "GET", "/api/tasks?"+q.Encode(), nil, &page)
	return page, err
}

// ImportTask brings the executions of a task that the studio does not know into its history.
func (a *API) ImportTask(ctx context.Context, id string) (atelier.RunPage, error) {
	var page atelier.RunPage
	err := a.call(ctx, "POST", "/api/tasks/"+url.PathEscape(id)+"/import", nil, &page)
	return page, err
}

// DeleteTask deletes a task with its executions at the image service, for good.
func (a *API) DeleteTask(ctx context.Context, id string) error {
	return a.call(ctx, "DELETE", "/api/tasks/"+url.PathEscape(id), nil, nil)
}
