package db

import (
	"context"
	"time"

	"atelier/atelier"
)

// Request is what is kept of the call that was last made to have a run made, and that costs money.
type Request struct {
	Digest string // SHA-256 of the body, in hexadecimal digits; it stays
	Sealed string // the body, readable for the studio alone; "" once it is known what became of the call
}

// BeginPaid is BeginStep for the call that costs money: what it sends is kept with it.
func (d *DB) BeginPaid(ctx context.Context, id atelier.RunID, at time.Time, sent Request) (changed bool, err error) {
	return d.begin(ctx, id, StepExecuting, at, &sent)
}

// FindRequest gives what is kept of the last call that costs money made for a run, NotFound when nothing is: earlier versions kept
// nothing.
func (d *DB) FindRequest(ctx context.Context, id atelier.RunID) (Request, error) {
	row, err := d.read.Request(ctx, string(id))
	if err != nil {
		return Request{}, missing(err, "find what was sent", noRequest)
	}
	return Request{Digest: row.Digest, Sealed: row.Sealed}, nil
}
