package client

import (
	"context"

	"atelier/atelier"
)

// Connection tells which account of the image service is used, for administrators.
func (a *API) Connection(ctx context.Context) (atelier.Connection, error) {
	var c atelier.Connection
	err := a.call(ctx, "GET", "/api/connection", nil, &c)
	return c, err
}

// Connect tries an account and uses it for new runs. The image service may take its time.
func (a *API) Connect(ctx context.Context, in atelier.Connect) (atelier.Connection, error) {
	var c atelier.Connection
	err := a.slowCall(ctx, "PUT", "/api/connection", in, &c)
	return c, err
}

// Disconnect goes back to the embedded service.
func (a *API) Disconnect(ctx context.Context) (atelier.Connection, error) {
	var c atelier.Connection
	err := a.call(ctx, "DELETE", "/api/connection", nil, &c)
	return c, err
}
