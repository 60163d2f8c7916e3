package jobs

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/imaging/video/container"
	"atelier/upstream"
)

// workSubmit brings a run to the image service. A run that is found in the middle of it was interrupted there: it is looked
// for first, because it may have been accepted.
func (e *Engine) workSubmit(ctx context.Context, args SubmitArgs) error {
	run, err := e.o.DB.LoadRun(ctx, args.Run)
	if err != nil {
		return err
	}
	ctx = e.forRun(ctx, run)
	if between(run) && e.held(run) {
		return e.hold(ctx, run)
	}
	switch run.State {
	case atelier.StateRecorded:
		return e.submit(ctx, run)
	case atelier.StateSubmitting, atelier.StateAmbiguous:
		return e.reconcile(ctx, run)
	}
	return nil
}

// submit hands a run over. Only what a crash or a lost answer leaves open is written down before each call.
func (e *Engine) submit(ctx context.Context, run db.Run) error {
	if run.Step == db.StepDoubted && !e.mayRepeat(run) {
		return e.onlyLookFor(ctx, run)
	}
	if run.Trashed {
		return e.notSent(ctx, run, &atelier.Error{Code: atelier.Conflict, Message: words.EndedDeleted, Retryable: true})
	}
	agent, ok := e.o.Agents(run.Agent, run.Version)
	if !ok {
		return e.notSent(ctx, run, &atelier.Error{Code: atelier.Invalid, Message: words.RunAgentGone})
	}
	wait, err := e.enter(ctx, run)
	if err != nil {
		return err
	}
	if wait > 0 {
		return e.standInLine(ctx, run, wait)
	}
	defer e.line.leave(run.ID)
	if _, known := e.accountOf(run); !known || run.Upstream == "" {
		if run.Upstream != "" {
			run.TaskID = "" // made by the account before
		}
		run.Upstream = e.Account(ctx).ID
		if err := e.o.DB.BindRun(ctx, run.ID, run.Upstream); err != nil {
			return err
		}
	}
	again := false
	for {
		r, err := e.request(ctx, run, agent)
		if err != nil {
			return e.submitFailed(ctx, run, err)
		}
		err = e.send(ctx, &run, r)
		// Under a key that was used already, another URL would only be another request.
		if upstream.KindOf(err) != upstream.Refused || run.Step == db.StepDoubted {
			return e.submitFailed(ctx, run, err)
		}
		step := db.StepNone
		if run.TaskID != "" {
			step = db.StepCreated // the task serves, but for the picture it was made of
		}
		switch {
		case refusesMask(err, r.params) && !run.MaskByURL:
			// A refusal is definite: nothing was started and nothing is paid. The way that is tried next is kept before it is gone.
			e.log.InfoContext(ctx, "send the mask of a run by its address: the image service refuses it in base64", "run", run.ID, "error", err)
			if _, err := e.o.DB.SetState(ctx, run.ID, atelier.StateRecorded, step, nil, e.o.DB.MaskByURL(ctx, run.ID)); err != nil {
				return err
			}
			run.MaskByURL = true
		case len(r.reused) > 0 && !again:
			// A URL the service gave us earlier may have expired: upload once more before its no is taken for an answer.
			again = true
			if _, err := e.o.DB.SetState(ctx, run.ID, atelier.StateRecorded, step, nil); err != nil {
				return err
			}
			for _, sha := range r.reused {
				if err := e.o.DB.DeleteUpload(ctx, e.Account(ctx).ID, sha); err != nil {
					return err
				}
			}
		default:
			return e.submitFailed(ctx, run, err)
		}
	}
}

// send makes the calls themselves, on a context that does not end when the job is cancelled: what has been sent is waited for.
func (e *Engine) send(ctx context.Context, run *db.Run, r request) error {
	calls := context.WithoutCancel(e.recording(ctx, run.ID))
	if run.Surface == atelier.RunSurface {
		if ok, err := e.o.DB.BeginPaid(ctx, run.ID, e.o.Now(), e.kept(run.ID, r.body)); err != nil || !ok {
			return err
		}
		e.publishRun(ctx, run.ID)
		started, err := e.Account(ctx).Client.SendRun(calls, r.body, string(run.ID))
		if err != nil {
			return err
		}
		return e.acceptAt(calls, run.ID, started.ExecutionID, started.TaskID, started.Charge)
	}
	if run.TaskID == "" {
		if ok, err := e.o.DB.BeginStep(ctx, run.ID, db.StepCreating, e.o.Now()); err != nil || !ok {
			return err
		}
		created, err := e.Account(ctx).Client.CreateTask(calls, upstream.TaskCreate{AgentName: run.Agent, AgentVersion: run.Version, InitParams: r.init})
		if err != nil {
			return err
		}
		if ok, err := e.o.DB.SetTask(calls, run.ID, created.TaskID); err != nil || !ok {
			return err
		}
		run.TaskID = created.TaskID
	}
	body, err := upstream.TaskExecute{TaskID: run.TaskID, Params: r.params, CallbackURL: e.Account(ctx).callback(run.ID)}.Body()
	if err != nil {
		return err
	}
	if ok, err := e.o.DB.BeginPaid(ctx, run.ID, e.o.Now(), e.kept(run.ID, body)); err != nil || !ok {
		return err
	}
	e.publishRun(ctx, run.ID)
	executed, err := e.Account(ctx).Client.SendExecution(calls, body)
	if err != nil {
		return err
	}
	return e.acceptAt(calls, run.ID, executed.ExecutionID, "", executed.Charge)
}

// accept records the execution of a run whose answer was lost, and begins to watch it. What it cost is known where the answer was kept.
func (e *Engine) accept(ctx context.Context, id atelier.RunID, execution, task string) error {
	answers, err := e.o.DB.ListAnswers(ctx, id)
	if err != nil {
		return err
	}
	var charge upstream.Charge
	for _, a := range answers {
		if told, ok := upstream.ChargeIn([]byte(a.Body), execution); ok {
			charge = told
		}
	}
	return e.acceptAt(ctx, id, execution, task, charge)
}

// acceptAt records the execution of a run and what it cost, and begins to watch it.
func (e *Engine) acceptAt(ctx context.Context, id atelier.RunID, execution, task string, charge upstream.Charge) error {
	cost := db.Cost{Power: charge.PowerConsumption, Left: charge.PowerBalanceAmount, Upstream: e.Account(ctx).ID}
	changed, err := e.o.DB.Accept(ctx, id, execution, task, e.o.DB.MadeBy(ctx, id, cost.Upstream), e.o.DB.Learn(ctx, id, execution, cost), e.insert(PollArgs{id}))
	if err != nil {
		return err
	}
	if changed {
		e.line.taken()
		e.publishRun(ctx, id)
	}
	return nil
}

// submitFailed decides what a failed submission means; nil means that nothing failed.
func (e *Engine) submitFailed(ctx context.Context, run db.Run, err error) error {
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	up, ok := errors.AsType[*upstream.Error](err)
	if !ok {
		if a, ok := errors.AsType[*atelier.Error](err); ok && a.Code != atelier.Internal && a.Code != atelier.DiskFull {
			return e.notSent(ctx, run, a)
		}
		return fmt.Errorf("submit run %s: %w", run.ID, err)
	}
	e.log.WarnContext(ctx, "a run was not accepted", "run", run.ID, "kind", up.Kind, "error", up)
	step := db.StepNone
	switch {
	case run.Step == db.StepDoubted:
		step = db.StepDoubted // whatever became of this request, an earlier one may have been accepted
	case run.TaskID != "":
		step = db.StepCreated
	}
	later := e.retryIn(run.CreatedAt, up.RetryAfter)
	waiting := func(sentence string) error {
		why := &atelier.Error{Code: atelier.UpstreamBusy, Message: sentence, Retryable: true}
		if _, err := e.o.DB.SetState(ctx, run.ID, atelier.StateRecorded, step, why); err != nil {
			return err
		}
		e.publishRun(ctx, run.ID)
		return river.JobSnooze(later)
	}
	inTurn := func(wait time.Duration) error {
		if err := e.o.DB.StandInLine(ctx, run.ID, step, inLine()); err != nil {
			return err
		}
		e.publishRun(ctx, run.ID)
		return river.JobSnooze(wait)
	}
	switch {
	case up.TooMany():
		wait, err := e.tooMany(ctx, up.RetryAfter)
		if err != nil {
			return err
		}
		return inTurn(wait)
	case up.Kind == upstream.NotSent:
		return waiting(words.StateAway)
	case up.Kind == upstream.Busy:
		return inTurn(later)
	case up.Kind == upstream.Refused && up.Retryable && e.o.Now().Sub(run.CreatedAt) < e.o.GiveUp:
		return waiting(words.StateTrouble)
	case up.Kind == upstream.Broken && !up.Sent:
		return waiting(words.StateAway)
	case up.Kind == upstream.Broken && strings.HasPrefix(up.Op, "upload "):
		if e.o.Now().Sub(run.CreatedAt) < e.o.GiveUp {
			return waiting(words.StateFileTried)
		}
		return e.notSent(ctx, run, &atelier.Error{Code: atelier.UpstreamBad, Message: words.EndedFile, Retryable: true})
	case up.Kind == upstream.Ambiguous, up.Kind == upstream.Broken:
		if _, err := e.o.DB.SetState(ctx, run.ID, atelier.StateAmbiguous, "", nil); err != nil {
			return err
		}
		e.publishRun(ctx, run.ID)
		return river.JobSnooze(e.Account(ctx).Settle)
	}
	return e.notSent(ctx, run, refusal(up, words.ServiceRefusedRun))
}

// notSent ends a run that will not be sent, with a reason. One that may have been accepted by an earlier request has not ended.
func (e *Engine) notSent(ctx context.Context, run db.Run, why *atelier.Error) error {
	if run.Step == db.StepDoubted {
		return e.onlyLookFor(ctx, run)
	}
	return e.fail(ctx, run, why)
}

// onlyLookFor has a run looked for that may have been accepted and cannot be sent again under its key.
func (e *Engine) onlyLookFor(ctx context.Context, run db.Run) error {
	if _, err := e.o.DB.SetState(ctx, run.ID, atelier.StateAmbiguous, db.StepRefused, nil); err != nil {
		return err
	}
	e.publishRun(ctx, run.ID)
	return river.JobSnooze(e.Account(ctx).Confirm)
}

// messageOf gives the words of a refusal.
func messageOf(err error) string {
	if up, ok := errors.AsType[*upstream.Error](err); ok {
		return up.Message
	}
	return ""
}

// Refusal puts a no of the image service into words.
func Refusal(up *upstream.Error) *atelier.Error { return refusal(up, words.ServiceRefused) }

// refusal is Refusal with the words for what was refused.
func refusal(up *upstream.Error, refused func(reason string) string) *atelier.Error {
	switch up.Kind {
	case upstream.Key:
		return &atelier.Error{Code: atelier.UpstreamBad, Message: words.ServiceKey, Retryable: true}
	case upstream.Redirected:
		return &atelier.Error{Code: atelier.UpstreamBad, Message: words.ServiceMoved, Retryable: true}
	}
	return &atelier.Error{Code: atelier.Refused, Message: refused(strings.TrimSpace(up.Message)), Retryable: up.Retryable}
}

// fail ends a run with a reason.
func (e *Engine) fail(ctx context.Context, run db.Run, why *atelier.Error) error {
	return e.endRun(ctx, run, db.StepNone, why)
}

// endRun is fail with the step that says how it ended.
func (e *Engine) endRun(ctx context.Context, run db.Run, step string, why *atelier.Error) error {
	changed, err := e.o.DB.SetState(ctx, run.ID, atelier.StateFailed, step, why)
	if err != nil {
		return err
	}
	if changed {
		e.publishRun(ctx, run.ID)
	}
	return nil
}

// input makes the request in the catalog's terms: assets and the mask have been uploaded where the service wants URLs.
// reused are the uploads that were made earlier.
func (e *Engine) input(ctx context.Context, run db.Run) (in catalog.Input, reused []string, err error) {
	in = catalog.Input{Values: catalog.Values{}, Files: map[string][]string{}, TaskName: run.Tag}
	for k, v := range run.Values {
		in.Values[k] = v
	}
	if run.Asset != nil {
		in.SourceWidth, in.SourceHeight = run.Asset.Width, run.Asset.Height
	}
	upload := func(sha, format string, size int64) (string, error) {
		url, again, err := e.upload(ctx, run.Surface, db.Blob{SHA256: sha, Format: format, Bytes: size})
		if again {
			reused = append(reused, sha)
		}
		return url, err
	}
	for field, list := range run.Files {
		for _, ref := range list {
			if strings.Contains(ref, "://") {
				in.Files[field] = append(in.Files[field], ref)
				continue
			}
			a, err := e.o.DB.FindAsset(ctx, run.UserID, atelier.AssetID(ref))
			if err != nil {
				return in, nil, err
			}
			url := ""
			if a.Kind != "image" && e.Account(ctx).MediaURL != nil {
				url = e.Account(ctx).MediaURL(a.ID)
			} else if url, err = upload(a.Sent.SHA256, a.Sent.Format, a.Sent.Bytes); err != nil {
				return in, nil, err
			}
			in.Files[field] = append(in.Files[field], url)
		}
	}
	if run.MaskSHA256 == "" {
		return in, reused, nil
	}
	png, err := e.o.Store.MaskPNG(ctx, run.MaskSHA256, e.o.MaskPalette)
	if err != nil {
		return in, nil, notHere(fmt.Errorf("read the mask: %w", err), words.EndedMaskGone)
	}
	byURL, err := e.masksByURL(ctx, run)
	if err != nil {
		return in, nil, err
	}
	if !byURL {
		in.Values["customMask"] = base64.StdEncoding.EncodeToString(png)
		return in, reused, nil
	}
	sha, size, err := e.o.Store.Put(ctx, strings.NewReader(string(png)))
	if err != nil {
		return in, nil, err
	}
	in.Values["customMaskUrl"], err = upload(sha, "png", size)
	return in, reused, err
}

// WithUploads calls use with the URLs under which the image service has files of ours, sending them there first where it
// must. When the service refuses and some of the URLs were remembered, which it may have forgotten, those files are sent
// once more and use is called again.
func (e *Engine) WithUploads(ctx context.Context, s atelier.Surface, files []db.Blob, use func(urls []string) error) error {
	for again := false; ; again = true {
		urls := make([]string, len(files))
		var reused []string
		for i, f := range files {
			url, known, err := e.upload(ctx, s, f)
			if err != nil {
				return err
			}
			if urls[i] = url; known {
				reused = append(reused, f.SHA256)
			}
		}
		err := use(urls)
		if upstream.KindOf(err) != upstream.Refused || len(reused) == 0 || again {
			return err
		}
		for _, sha := range reused {
			if err := e.o.DB.DeleteUpload(ctx, e.Account(ctx).ID, sha); err != nil {
				return err
			}
		}
	}
}

// upload also says whether the service had the file before.
func (e *Engine) upload(ctx context.Context, s atelier.Surface, b db.Blob) (url string, again bool, err error) {
	end, err := e.uploads.take(ctx, b.SHA256) // else two runs of a new photo would both send it
	if err != nil {
		return "", false, fmt.Errorf("wait for a file to be sent: %w", err)
	}
	defer end()
	url, err = e.o.DB.FindUpload(ctx, e.Account(ctx).ID, b.SHA256)
	if err != nil || url != "" {
		return url, url != "", err
	}
	f, err := e.o.Store.Open(b.SHA256)
	if err != nil {
		return "", false, notHere(fmt.Errorf("read the picture: %w", err), words.EndedFileGone)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	up := upstream.Upload{Name: b.SHA256[:16] + "." + b.Format, ContentType: container.Format(b.Format).MediaType(), Size: b.Bytes, Body: f}
	switch {
	case strings.HasPrefix(up.ContentType, "video/"):
		url, err = e.Account(ctx).Client.UploadVideo(ctx, up)
	case strings.HasPrefix(up.ContentType, "audio/"):
		url, err = e.Account(ctx).Client.UploadAudio(ctx, up)
	default:
		var done upstream.Uploaded
		up.ContentType = "image/" + b.Format
		done, err = e.Account(ctx).Client.UploadImage(ctx, upstream.Surface(s), up)
		url = done.Image
	}
	if err != nil {
		return "", false, err
	}
	return url, false, e.o.DB.SaveUpload(ctx, e.Account(ctx).ID, b.SHA256, url)
}

// notHere says in words that a file of ours is missing: to try again would not bring it back.
func notHere(err error, sentence string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &atelier.Error{Code: atelier.Conflict, Message: sentence, Err: err}
	}
	return err
}

type recorderKey struct{}

// recording makes OnAnswer keep the raw answers of the calls made with the context.
func (e *Engine) recording(ctx context.Context, id atelier.RunID) context.Context {
	return context.WithValue(ctx, recorderKey{}, func(op string, raw []byte) {
		if err := e.o.DB.SaveAnswer(context.WithoutCancel(ctx), id, op, raw); err != nil {
			e.log.ErrorContext(ctx, "an answer of the image service was not kept", "run", id, "op", op, "error", err)
		}
	})
}

// OnAnswer belongs into upstream.Options: it keeps each answer to a call that costs money before anybody interprets it.
func OnAnswer(ctx context.Context, op string, raw []byte) {
	if record, ok := ctx.Value(recorderKey{}).(func(string, []byte)); ok {
		record(op, raw)
	}
}
