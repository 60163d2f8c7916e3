package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/db"
	"atelier/internal/outbound"
	"atelier/upstream"
)

// patience is how long a layered export, or a preset that is being made, is waited for.
const patience = 24 * time.Hour

// layersAtOnce is how many layered files come here at a time.
const layersAtOnce = 2

// workPSD has a layered export made, waits for it and brings it here. The row says that it is wanted before the image service is asked;
// to ask again changes nothing while an export is under way or done.
func (e *Engine) workPSD(ctx context.Context, args PSDArgs) error {
	began := e.o.Now()
	for {
		run, err := e.o.DB.LoadRun(ctx, args.Run)
		if err != nil || run.PSD == nil || run.PSD.Status == psdSuccess || run.PSD.Status == psdFailed {
			return err
		}
		if !run.PSDAskedAt.IsZero() && e.o.Now().Sub(run.PSDAskedAt) > patience {
			return e.setPSD(ctx, run, psdFailed, words.LayersLate, "")
		}
		ctx := e.forRun(ctx, run)
		if e.held(run) {
			return e.hold(ctx, run)
		}
		if err := e.mayAsk(ctx); err != nil {
			return err
		}
		if over, err := e.lookAtPSD(ctx, run); err != nil || over {
			return err
		}
		pace := e.Account(ctx)
		wait := jitter(min(max(e.o.Now().Sub(run.UpdatedAt)/10, pace.PollMin), pace.PollMax))
		if e.o.Now().Sub(began)+wait > e.o.Watch {
			return river.JobSnooze(wait)
		}
		if !e.pause(ctx, wait) {
			return river.JobSnooze(0)
		}
	}
}

// lookAtPSD asks once how a layered export stands; over says that there is nothing left to wait for.
func (e *Engine) lookAtPSD(ctx context.Context, run db.Run) (over bool, err error) {
	wanted := run.PSD.Status == psdNotStart
	job, err := e.Account(ctx).Client.QueryPSD(ctx, run.ExecutionID)
	switch refused := upstream.KindOf(err) == upstream.Refused; {
	case err == nil && job.Status == psdSuccess && job.Result != nil:
		return true, e.storePSD(ctx, run, job.Result.FileURL)
	case wanted && (refused || err == nil && (job.Status == psdNotStart || job.Status == psdFailed || job.Status == "")):
		return e.startPSD(ctx, run)
	case err == nil && job.Status == psdFailed:
		return true, e.setPSD(ctx, run, psdFailed, words.LayersFailed, "")
	case refused:
		return true, e.refusePSD(ctx, run, err)
	case err != nil && upstream.KindOf(err) == "":
		return false, err
	case err == nil && job.Status != run.PSD.Status && (job.Status == string(atelier.Pending) || job.Status == string(atelier.Running)):
		return false, e.setPSD(ctx, run, job.Status, "", "")
	}
	return false, nil
}

// startPSD asks for the export. What is not a definite no is asked again.
func (e *Engine) startPSD(ctx context.Context, run db.Run) (over bool, err error) {
	_, err = e.Account(ctx).Client.StartPSD(context.WithoutCancel(ctx), run.ExecutionID)
	up, ok := errors.AsType[*upstream.Error](err)
	switch {
	case err == nil:
		return false, e.setPSD(ctx, run, string(atelier.Pending), "", "")
	case !ok:
		return false, err
	case up.Kind == upstream.Refused && up.Retryable && e.o.Now().Sub(run.PSDAskedAt) < e.o.GiveUp:
	case up.Kind == upstream.Refused, up.Kind == upstream.Key:
		return true, e.refusePSD(ctx, run, err)
	}
	e.log.WarnContext(ctx, "a layered file cannot be asked for yet", "run", run.ID, "error", err)
	return false, nil
}

// refusePSD ends an export that the image service said no to.
func (e *Engine) refusePSD(ctx context.Context, run db.Run, why error) error {
	up, _ := errors.AsType[*upstream.Error](why)
	return e.setPSD(ctx, run, psdFailed, refusal(up, words.ServiceRefusedLayers).Message, "")
}

// The statuses of a layered export that is not begun, and those that end it (Task API, "PsdJob").
const (
	psdNotStart = "NotStart"
	psdSuccess  = "Success"
	psdFailed   = "Failed"
)

// storePSD brings the file here. Two come at a time, however many are waited for: they are large.
func (e *Engine) storePSD(ctx context.Context, run db.Run, url string) error {
	if !e.layers.TryAcquire(1) {
		return river.JobSnooze(jitter(min(10*e.Account(ctx).PollMin, e.Account(ctx).PollMax)))
	}
	defer e.layers.Release(1)
	f, err := e.download(ctx, url, media.PSD)
	if err == nil {
		return e.setPSD(ctx, run, psdSuccess, "", f.SHA256)
	}
	ctx = context.WithoutCancel(ctx)
	if atelier.CodeOf(err) == atelier.DiskFull {
		return err
	}
	attempts, cerr := e.o.DB.CountPSDAttempt(ctx, run.ID)
	if cerr != nil {
		return cerr
	}
	e.log.WarnContext(ctx, "a layered file cannot be fetched", "run", run.ID, "attempt", attempts, "error", err)
	if attempts >= maxDownloads || errors.Is(err, outbound.ErrRefused) || errors.Is(err, media.ErrWrongKind) {
		return e.setPSD(ctx, run, psdFailed, words.LayersLost, "")
	}
	return e.tryDownloadLater(attempts)
}

func (e *Engine) setPSD(ctx context.Context, run db.Run, status, reason, sha string) error {
	if err := e.o.DB.SetPSD(ctx, run.ID, status, reason, sha); err != nil {
		return err
	}
	fresh, err := e.o.DB.LoadRun(ctx, run.ID)
	if err != nil {
		return err
	}
	e.o.Publish(run.UserID, atelier.EventPSD, string(run.ID), fresh.Run)
	return nil
}
