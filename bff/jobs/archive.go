package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/internal/outbound"
)

const (
	// maxDownloads is how often a result or a layered file is fetched before it is given up, where its server answers and what it says
	// is of no use; the waits in between add up to about an hour.
	maxDownloads = 12
	// mostDownloads is how often where nobody answers, or somebody in trouble: about a day.
	mostDownloads = 150
	// oversized is how often where it is larger than the studio keeps, or says so.
	oversized = 2
)

const (
	// keptFor is for how long after it was made a picture that could not be fetched is tried again when the studio is started.
	keptFor = 30 * 24 * time.Hour
	// mostTakenUp is how many pictures a start tries again.
	mostTakenUp = 1000
)

// takeUpGivenUp has what could not be fetched fetched again: it is paid for, and whoever runs the studio may have put right what was in the
// way. What the image service said no to stays given up.
func (e *Engine) takeUpGivenUp(ctx context.Context) error {
	n, err := e.o.DB.TakeUpGivenUp(ctx, e.o.Now().Add(-keptFor), mostTakenUp)
	if n > 0 {
		e.log.InfoContext(ctx, "results that could not be fetched are tried again", "results", n)
	}
	return err
}

// workArchive brings one result here: the URL the image service gave for it may expire.
func (e *Engine) workArchive(ctx context.Context, args ArchiveArgs) error {
	r, err := e.o.DB.LoadResult(ctx, args.Result)
	if err != nil {
		return err
	}
	if r.Stored || r.Status != atelier.Success {
		return e.finish(ctx, r.RunID)
	}
	run, err := e.o.DB.LoadRun(ctx, r.RunID)
	if err != nil {
		return err
	}
	ctx = e.forRun(ctx, run)
	f, err := e.download(ctx, r.URL, e.expectedKind(r, run))
	if err != nil {
		return e.downloadFailed(ctx, r, err)
	}
	stored := db.Stored{
		Blob: db.Blob{SHA256: f.SHA256, Format: string(f.Format), Bytes: f.Bytes}, Kind: r.Kind, Width: f.Width, Height: f.Height,
		Preview: f.Preview, Seconds: f.Seconds,
	}
	if slices.Contains(media.Video.Formats, f.Format) {
		stored.Kind = "video"
		e.addStills(ctx, r, &stored)
	}
	if err := e.o.DB.SetStored(ctx, r.ID, stored, e.insert(ScoreArgs{r.ID})); err != nil {
		return err
	}
	fresh, err := e.o.DB.LoadResult(ctx, r.ID)
	if err != nil {
		return err
	}
	e.o.Publish(fresh.UserID, atelier.EventResult, string(fresh.ID), fresh.Result)
	return e.finish(ctx, r.RunID)
}

// expectedKind is what a result must turn out to be. Agents that are documented to give a video where pictures stand may
// give either (Run API, "Family G").
func (e *Engine) expectedKind(r db.Result, run db.Run) media.Kind {
	if r.Kind == "video" {
		return media.Video
	}
	if agent, ok := e.o.Agents(run.Agent, run.Version); ok && (agent.MakesBy != "" || agent.Makes == catalog.MakesVideo) {
		return media.Made
	}
	return media.Image
}

// addStills gives a video the pictures that belong to it: those the image service made, else ones taken out of the video here. They
// are a convenience: a video without them is still a video.
func (e *Engine) addStills(ctx context.Context, r db.Result, stored *db.Stored) {
	if p, ok := e.fetchStill(ctx, r, r.PosterURL, "poster"); ok {
		stored.PosterSHA, stored.Preview = p.SHA256, p.Preview
		if stored.Width == 0 {
			stored.Width, stored.Height = p.Width, p.Height
		}
	}
	if f, ok := e.fetchStill(ctx, r, r.LastURL, "last frame"); ok {
		stored.LastSHA = f.SHA256
	}
	e.noStill(ctx, r, "poster", e.takePoster(ctx, stored))
	e.noStill(ctx, r, "last frame", e.takeLastFrame(ctx, stored))
}

func (e *Engine) fetchStill(ctx context.Context, r db.Result, url, what string) (media.File, bool) {
	if url == "" {
		return media.File{}, false
	}
	f, err := e.download(ctx, url, media.Image)
	e.noStill(ctx, r, what, err)
	return f, err == nil
}

// noStill says in the log why a video goes without a picture.
func (e *Engine) noStill(ctx context.Context, r db.Result, what string, err error) {
	if err != nil {
		e.log.WarnContext(ctx, "a picture of a video cannot be had", "result", r.ID, "which", what, "error", err)
	}
}

func (e *Engine) download(ctx context.Context, url string, kind media.Kind) (f media.File, err error) {
	resp, err := e.Account(ctx).Outbound.Get(ctx, url, kind.MaxBytes)
	if err != nil {
		return f, fmt.Errorf("fetch a %s: %w", kind.Name, err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	return e.o.Store.Keep(ctx, resp.Body, resp.Length, kind)
}

// downloadFailed tries again later, with a fresh URL where the old one may have expired, and gives up in the end.
func (e *Engine) downloadFailed(ctx context.Context, r db.Result, cause error) error {
	ctx = context.WithoutCancel(ctx)
	if atelier.CodeOf(cause) == atelier.DiskFull {
		return cause
	}
	attempts, err := e.o.DB.CountAttempt(ctx, r.ID)
	if err != nil {
		return err
	}
	e.log.WarnContext(ctx, "a result cannot be fetched", "result", r.ID, "run", r.RunID, "attempt", attempts, "error", cause)
	s, ok := errors.AsType[*outbound.StatusError](cause)
	refused := ok && s.Status >= http.StatusBadRequest && s.Status < http.StatusInternalServerError
	if refused || errors.Is(cause, outbound.ErrRefused) {
		renewed, err := e.refresh(ctx, r)
		if err != nil {
			e.log.WarnContext(ctx, "a fresh address of a result cannot be had", "result", r.ID, "error", err)
		}
		if (renewed || away(err)) && attempts < mostDownloads {
			return e.tryDownloadLater(attempts)
		}
	}
	if spent(attempts, cause) {
		sentence, unfetched := words.LostFetch, false
		switch {
		case refused && !unreachable(cause):
			sentence = words.LostGone
		case tooLarge(cause):
			sentence = words.LostLarge
		default:
			unfetched = true
		}
		if err := e.o.DB.SetResultError(ctx, r.ID, sentence, unfetched); err != nil {
			return err
		}
		e.publishRun(ctx, r.RunID)
		return e.finish(ctx, r.RunID)
	}
	return e.tryDownloadLater(attempts)
}

// tryDownloadLater is what a job answers after so many attempts in vain.
func (e *Engine) tryDownloadLater(attempts int) error {
	return river.JobSnooze(jitter(min(e.o.RetryMin<<min(attempts, 10), 10*time.Minute)))
}

// spent says whether a file that cannot be fetched has been asked for often enough.
func spent(attempts int, cause error) bool {
	return attempts >= mostDownloads || attempts >= maxDownloads && !unreachable(cause) || attempts >= oversized && tooLarge(cause)
}

// tooLarge says whether a download was ended because there is more of it than is taken.
func tooLarge(err error) bool {
	return errors.Is(err, outbound.ErrTooLarge) || atelier.CodeOf(err) == atelier.TooLarge
}

// unreachable says whether a download failed because nobody answered, or the answer broke off, or whoever answered was in trouble: which
// passes, unlike an answer that is no picture.
func unreachable(err error) bool {
	if s, ok := errors.AsType[*outbound.StatusError](err); ok {
		return s.Status >= http.StatusInternalServerError || s.Status == http.StatusTooManyRequests || s.Status == http.StatusRequestTimeout
	}
	_, lost := errors.AsType[net.Error](err)
	return lost || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// refresh asks for the results of a result's run again, and says whether the service gives it by another address now.
func (e *Engine) refresh(ctx context.Context, r db.Result) (renewed bool, err error) {
	run, err := e.o.DB.LoadRun(ctx, r.RunID)
	if err != nil {
		return false, err
	}
	x, err := e.fetch(ctx, run)
	if err != nil {
		return false, err
	}
	if _, err = e.o.DB.ApplyStatus(ctx, r.RunID, run.Status, e.itemsOf(run, x), nothingToStore); err != nil {
		return false, err
	}
	fresh, err := e.o.DB.LoadResult(ctx, r.ID)
	return err == nil && fresh.URL != r.URL, err
}

func surface(s atelier.Surface) catalog.Surface { return catalog.Surface(s) }
