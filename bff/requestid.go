package bff

import (
	"context"
	"log/slog"
)

type requestKey struct{}

// requestID is the number of the request that is worked on; "" outside of requests.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// numbered writes the number of the request into every line of the log that belongs to one.
type numbered struct{ slog.Handler }

// Handle adds the number.
func (n numbered) Handle(ctx context.Context, r slog.Record) error {
	if id := requestID(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("request", id))
	}
	return n.Handler.Handle(ctx, r)
}

// WithAttrs keeps numbering.
func (n numbered) WithAttrs(attrs []slog.Attr) slog.Handler {
	return numbered{n.Handler.WithAttrs(attrs)}
}

// WithGroup keeps numbering.
func (n numbered) WithGroup(name string) slog.Handler { return numbered{n.Handler.WithGroup(name)} }
