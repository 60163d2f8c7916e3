package main

import (
	"context"
	"log/slog"
	"time"

	"atelier/imaging/video"
	"atelier/service"
)

// findFFmpeg looks for the program that reads and writes videos, once; nil when there is none, which the log is told.
func findFFmpeg(ctx context.Context, logger *slog.Logger) *video.Tool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	tool, err := video.Find(ctx, video.Limits{Time: service.FilmTime})
	if err != nil {
		logger.InfoContext(ctx, video.ErrMissing.Error(), "error", err)
		return nil
	}
	return tool
}
