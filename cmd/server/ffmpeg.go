package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"atelier/imaging/video"
	"atelier/service"
)

// findFFmpeg looks for the program that reads and writes videos, once; nil when there is none, which the log is told. One that
// is only slow to start is used: each video tries it again.
func findFFmpeg(ctx context.Context, logger *slog.Logger) *video.Tool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	tool, err := video.Find(ctx, video.Limits{Time: service.FilmTime})
	if errors.Is(err, video.ErrSlow) {
		logger.WarnContext(ctx, video.ErrSlow.Error(), "error", err)
		return tool
	}
	if err != nil {
		logger.InfoContext(ctx, video.ErrMissing.Error(), "error", err)
		return nil
	}
	return tool
}
