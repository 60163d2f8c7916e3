package client

import (
	"context"
	"net/url"

	"atelier/app/browser"
	"atelier/app/words"
	"atelier/atelier"
)

// bringing is a file on its way, for everybody who brings the same content meanwhile.
type bringing struct {
	done  chan struct{} // closed when it is over
	asset atelier.Asset
	err   error
}

// Upload stores a file, unless the same content is there already or on its way; progress is told how many of how many bytes have left.
// Where the page may not ask for a hash the file is sent: the server keeps one of the same content anyway.
func (a *API) Upload(ctx context.Context, f browser.File, progress func(sent, total int64)) (atelier.Asset, error) {
	sum, err := f.SHA256(ctx)
	if err != nil {
		return atelier.Asset{}, atelier.Wrap(atelier.Invalid, err, words.UploadUnreadable)
	}
	if sum == "" {
		return a.put(ctx, f, progress)
	}
	for {
		a.mu.Lock()
		other, ok := a.bringing[sum]
		if !ok {
			break
		}
		a.mu.Unlock()
		select {
		case <-other.done:
			if other.err == nil {
				return other.asset, nil
			}
		case <-ctx.Done():
			return atelier.Asset{}, noAnswer(ctx.Err())
		}
	}
	own := &bringing{done: make(chan struct{})}
	if a.bringing == nil {
		a.bringing = map[string]*bringing{}
	}
	a.bringing[sum] = own
	a.mu.Unlock()
	known, ok, err := a.AssetOf(ctx, sum)
	if own.asset = known; err != nil || !ok {
		own.asset, own.err = a.put(ctx, f, progress)
	}
	a.mu.Lock()
	delete(a.bringing, sum)
	a.mu.Unlock()
	close(own.done)
	return own.asset, own.err
}

// put sends a file.
func (a *API) put(ctx context.Context, f browser.File, progress func(sent, total int64)) (atelier.Asset, error) {
	mediaType := f.Type
	if mediaType == "" {
		mediaType = "application/octet-stream" // the server looks at the bytes
	}
	head := map[string]string{header: "1", "Content-Type": mediaType, "Accept": "application/json"}
	response, err := a.upload(ctx, "/api/assets?name="+url.QueryEscape(f.Name), head, f, progress)
	if err != nil {
		return atelier.Asset{}, noAnswer(err)
	}
	var asset atelier.Asset
	err = decode(response, &asset)
	return asset, err
}

// Download reads the bytes behind an address of the server.
func (a *API) Download(ctx context.Context, path string) ([]byte, error) {
	response, err := a.send(ctx, browser.Request{Method: "GET", URL: path})
	if err != nil {
		return nil, noAnswer(err)
	}
	return response.Body, decode(response, nil)
}

// Assets reads one page of files, newest first.
func (a *API) Assets(ctx context.Context, f atelier.AssetFilter) (atelier.AssetPage, error) {
	q := url.Values{}
	setIn(q, "kind", f.Kind)
	setIn(q, "q", f.Query)
	setIn(q, "cursor", f.Cursor)
	setCount(q, "limit", f.Limit)
	var page atelier.AssetPage
	err := a.call(ctx, "GET", "/api/assets"+written(q), nil, &page)
	return page, err
}

// AssetOf finds the picture of a content, given by its SHA-256 in hex; ok is false when there is none.
func (a *API) AssetOf(ctx context.Context, sha256 string) (asset atelier.Asset, ok bool, err error) {
	var page atelier.AssetPage
	if err := a.call(ctx, "GET", "/api/assets?sha256="+url.QueryEscape(sha256), nil, &page); err != nil || len(page.Assets) == 0 {
		return atelier.Asset{}, false, err
	}
	return page.Assets[0], page.Assets[0].SHA256 == sha256, nil
}

// Asset reads one picture's facts.
func (a *API) Asset(ctx context.Context, id atelier.AssetID) (atelier.Asset, error) {
	var asset atelier.Asset
	err := a.call(ctx, "GET", "/api/assets/"+url.PathEscape(string(id)), nil, &asset)
	return asset, err
}
