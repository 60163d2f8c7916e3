package upstream

import (
	"context"
	"errors"
	"net/url"
	"strconv"
)

// CreateFashionModel makes a fashion model of the caller's own; the answer names its id (Task API, "Create my fashion
// model"). Its status starts at prepare.
func (c *Client) CreateFashionModel(ctx context.Context, m MyFashionModelCreate) (MyFashionModel, error) {
	k, err := post("create fashion model", PathFashionModelCreate, m)
	if err != nil {
		return MyFashionModel{}, err
	}
	k.starts = true
	e, err := c.do(ctx, k)
	if err != nil {
		return MyFashionModel{}, err
	}
	h, err := e.handle()
	if err == nil && h.FashionModelID == 0 {
		err = errors.New("the answer names no fashion model")
	}
	if err != nil {
		return MyFashionModel{}, e.missing(c, err)
	}
	return MyFashionModel{FashionModelID: int64(h.FashionModelID), Name: m.Name}, nil
}

// FashionModel gives a fashion model of the caller's own (Task API, "Query my fashion model").
func (c *Client) FashionModel(ctx context.Context, id int64) (MyFashionModel, error) {
	q := url.Values{"fashionModelId": {strconv.FormatInt(id, 10)}}
	return ask[MyFashionModel](ctx, c, get("query fashion model", PathFashionModelQuery, q))
}

// DeleteFashionModel deletes a fashion model of the caller's own (Task API, "Delete my fashion model").
func (c *Client) DeleteFashionModel(ctx context.Context, id int64) error {
	return c.tell(ctx, "delete fashion model", PathFashionModelDelete, map[string]int64{"fashionModelId": id})
}

// CreateLocation makes a location of the caller's own; the answer names its id (Task API, "Create my location"). Its
// status starts at prepare.
func (c *Client) CreateLocation(ctx context.Context, l MyLocationCreate) (MyLocation, error) {
	k, err := post("create location", PathLocationCreate, l)
	if err != nil {
		return MyLocation{}, err
	}
	k.starts = true
	e, err := c.do(ctx, k)
	if err != nil {
		return MyLocation{}, err
	}
	h, err := e.handle()
	if err == nil && h.LocationID == 0 {
		err = errors.New("the answer names no location")
	}
	if err != nil {
		return MyLocation{}, e.missing(c, err)
	}
	return MyLocation{LocationID: int64(h.LocationID), Name: l.Name}, nil
}

// Location gives a location of the caller's own (Task API, "Query my location").
func (c *Client) Location(ctx context.Context, id int64) (MyLocation, error) {
	q := url.Values{"locationId": {strconv.FormatInt(id, 10)}}
	return ask[MyLocation](ctx, c, get("query location", PathLocationQuery, q))
}

// DeleteLocation deletes a location of the caller's own (Task API, "Delete my location").
func (c *Client) DeleteLocation(ctx context.Context, id int64) error {
	return c.tell(ctx, "delete location", PathLocationDelete, map[string]int64{"locationId": id})
}
