package db

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Run is an atelier.Run with what only the server needs: how far its submission came and under which name the image
// service knows it.
type Run struct {
	atelier.Run
	UserID      atelier.UserID
	RetryOf     atelier.RunID
	Tag         string // goes out as taskName; the run is found again by it
	Step        string // of the submission, one of Step…
	InLine      bool   // not accepted yet, it waits for its turn and for nothing else
	MaskSHA256  string // the run's own copy of its mask
	Search      string // lower case text that a search looks through
	Attempt     int    // calls that may have cost money
	Misses      int    // polls in a row without a usable answer
	FirstSentAt time.Time
	LastSentAt  time.Time
	PSDSHA256   string
	PSDAskedAt  time.Time // when the layered export was asked for; zero = not known
	Upstream    string    // names the account or service that made it; "" = nobody has, or it is not known
	MaskByURL   bool      // its mask was refused in base64
}

// The steps of a submission over the task surface. The run surface only knows StepExecuting.
const (
	StepNone      = ""
	StepCreating  = "creating"
	StepCreated   = "created"
	StepExecuting = "executing"
	// StepDoubted is the step of a recorded run that may have been accepted: it is sent again under its own key, or not at all.
	StepDoubted = "doubted"
	// StepRefused is the step of an ambiguous run that the image service would not take again under its key: it is only looked for.
	StepRefused = "refused"
	// StepDismissed is the step of a failed run that was given up without knowing whether it was accepted.
	StepDismissed = "dismissed"
	// StepCancelled is the step of a failed run that its owner cancelled.
	StepCancelled = "cancelled"
	// StepUnseen is the step of a failed run that was accepted and given up because the image service told nothing of it any more.
	StepUnseen = "unseen"
)

// Undecided says whether it is not known if the image service has accepted a run, and nobody waits for it any more. It comes back when it
// turns out that it has.
func (r Run) Undecided() bool {
	return r.State == atelier.StateUnconfirmed || r.State == atelier.StateFailed && (r.Step == StepDismissed || r.Step == StepCancelled && r.Misses > 0)
}

// Unseen says whether a run was accepted and then given up because nothing was seen of it any more.
func (r Run) Unseen() bool { return r.State == atelier.StateFailed && r.Step == StepUnseen }

// over says that nothing more is to be heard of a run: it has ended, and not by being given up.
func (r Run) over() bool { return r.State.Final() && !r.Undecided() && !r.Unseen() }

// CreateRun records the intent of a run, made now unless it says when. The same user and IntentKey again gives the run that is there,
// created false.
func (d *DB) CreateRun(ctx context.Context, r Run, then ...Then) (stored Run, created bool, err error) {
	if r.ID == "" {
		id, err := newID()
		if err != nil {
			return Run{}, false, err
		}
		r.ID = atelier.RunID(id)
	}
	values, err := json.Marshal(r.Values)
	if err != nil {
		return Run{}, false, fmt.Errorf("encode values: %w", err)
	}
	files, err := json.Marshal(r.Files)
	if err != nil {
		return Run{}, false, fmt.Errorf("encode files: %w", err)
	}
	var asset atelier.AssetID
	if r.Asset != nil {
		asset = r.Asset.ID
	}
	at := d.millis()
	if !r.CreatedAt.IsZero() {
		at = sqldb.Millis(r.CreatedAt)
	}
	err = d.change(ctx, "create run", func(q *gen.Queries) error {
		return q.InsertRun(ctx, gen.InsertRunParams{
			ID: string(r.ID), UserID: string(r.UserID), IntentKey: r.IntentKey, RetryOf: string(r.RetryOf), Agent: r.Agent, Version: r.Version,
			Title: r.Title, Surface: string(r.Surface), Tag: r.Tag, State: string(r.State), Status: string(r.Status),
			ValuesJson: string(values), FilesJson: string(files), AssetID: string(asset), MaskID: string(r.MaskID), MaskSha256: r.MaskSHA256,
			BoardID: string(r.Board), Search: r.Search, TaskID: r.TaskID, ExecutionID: r.ExecutionID, CreatedAt: at,
			Upstream: r.Upstream,
		})
	}, append([]Then{func(tx *sql.Tx) error {
		return addToSearch(ctx, tx, gen.Run{ID: string(r.ID), UserID: string(r.UserID), Agent: r.Agent, Search: r.Search})
	}}, then...))
	if err == nil {
		stored, err = d.FindRun(ctx, r.UserID, r.ID)
		return stored, true, err
	}
	if !sqldb.IsUnique(err) {
		return Run{}, false, err
	}
	row, ferr := d.read.RunByIntent(ctx, gen.RunByIntentParams{UserID: string(r.UserID), IntentKey: r.IntentKey})
	if ferr != nil {
		return Run{}, false, errors.Join(err, ferr)
	}
	stored, err = d.complete(ctx, row)
	return stored, false, err
}

// NewRunID makes the id of a run that is about to be created.
func NewRunID() (atelier.RunID, error) {
	id, err := newID()
	return atelier.RunID(id), err
}

// NewRunIDAt makes the id of a run that was made at a moment: lists are in the order of ids. Within its second the id stands anywhere, so
// that runs of one second differ also where only the first digits of ids count.
func NewRunIDAt(at time.Time) (atelier.RunID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	random, err := uuid.NewRandom()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	ms := at.Unix()*1000 + int64(binary.BigEndian.Uint16(random[:2]))%1000
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6], id[7] = 0x70|random[2]&0x0f, random[3]
	return atelier.RunID(id.String()), nil
}

// FindRun finds one of the user's runs with its asset and results.
func (d *DB) FindRun(ctx context.Context, user atelier.UserID, id atelier.RunID) (Run, error) {
	row, err := d.read.RunOf(ctx, gen.RunOfParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return Run{}, missing(err, "find run", noRun)
	}
	return d.complete(ctx, row)
}

// FindRunByIntent finds the run the user made with an intent key.
func (d *DB) FindRunByIntent(ctx context.Context, user atelier.UserID, key string) (Run, error) {
	row, err := d.read.RunByIntent(ctx, gen.RunByIntentParams{UserID: string(user), IntentKey: key})
	if err != nil {
		return Run{}, missing(err, "find run", noRun)
	}
	return d.complete(ctx, row)
}

// LoadRun finds a run whoever owns it: for workers.
func (d *DB) LoadRun(ctx context.Context, id atelier.RunID) (Run, error) {
	row, err := d.read.Run(ctx, string(id))
	if err != nil {
		return Run{}, missing(err, "load run", noRun)
	}
	return d.complete(ctx, row)
}

// FindRunByTag finds the run that went out under a tag.
func (d *DB) FindRunByTag(ctx context.Context, tag string) (Run, error) {
	row, err := d.read.RunByTag(ctx, tag)
	if err != nil {
		return Run{}, missing(err, "find run by tag", noRun)
	}
	return d.complete(ctx, row)
}

// KnowsExecution says whether some run already holds an execution of the image service.
func (d *DB) KnowsExecution(ctx context.Context, surface atelier.Surface, execution string) (bool, error) {
	run, err := d.RunOfExecution(ctx, surface, execution)
	return run != "", err
}

// RunOfExecution gives the run that holds an execution of the image service, "" when none does.
func (d *DB) RunOfExecution(ctx context.Context, surface atelier.Surface, execution string) (atelier.RunID, error) {
	run, err := d.read.RunByExecution(ctx, gen.RunByExecutionParams{Surface: string(surface), ExecutionID: execution})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("find run by execution: %w", err)
	}
	return atelier.RunID(run.ID), nil
}

// OpenRun is what a sweep needs to know of a run that is not final.
type OpenRun struct {
	ID    atelier.RunID
	State atelier.State
}

// ListOpenRuns gives the runs that still need work, oldest first, at most limit.
func (d *DB) ListOpenRuns(ctx context.Context, limit int) ([]OpenRun, error) {
	rows, err := d.read.OpenRuns(ctx, int32(limit))
	if err != nil {
		return nil, fmt.Errorf("list open runs: %w", err)
	}
	open := make([]OpenRun, 0, len(rows))
	for _, r := range rows {
		open = append(open, OpenRun{ID: atelier.RunID(r.ID), State: atelier.State(r.State)})
	}
	return open, nil
}

// ListLost gives the runs that are ambiguous and were last sent at a moment at the latest, and, when they were looked for before and not
// found, last looked for at another at the latest, oldest first, without results.
func (d *DB) ListLost(ctx context.Context, sent, looked time.Time, limit int) ([]Run, error) {
	rows, err := d.read.LostRuns(ctx, gen.LostRunsParams{LastSentAt: sqldb.Millis(sent), CheckedAt: sqldb.Millis(looked), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list lost runs: %w", err)
	}
	return runsOf(rows)
}

// ListUndecided gives unconfirmed and dismissed runs that were sent, or last looked for while they were ambiguous, after a moment, the last
// one sent first, without results: it is not known whether the image service has made them.
func (d *DB) ListUndecided(ctx context.Context, after time.Time, limit int) ([]Run, error) {
	rows, err := d.read.UndecidedRuns(ctx, gen.UndecidedRunsParams{LastSentAt: sqldb.Millis(after), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list undecided runs: %w", err)
	}
	return runsOf(rows)
}

// ListUnseen gives runs that were accepted and given up because nothing was seen of them any more, since a moment after the one given,
// longest ago first, without results.
func (d *DB) ListUnseen(ctx context.Context, after time.Time, limit int) ([]Run, error) {
	rows, err := d.read.UnseenRuns(ctx, gen.UnseenRunsParams{MissedSince: sqldb.Millis(after), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list unseen runs: %w", err)
	}
	return runsOf(rows)
}

// ListResent gives runs that were sent more than once over the task surface, the last time after a moment, longest ago first,
// without results. Runs that are being sent are left out.
func (d *DB) ListResent(ctx context.Context, after time.Time, limit int) ([]Run, error) {
	rows, err := d.read.ResentRuns(ctx, gen.ResentRunsParams{LastSentAt: sqldb.Millis(after), Limit: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list runs that were sent again: %w", err)
	}
	return runsOf(rows)
}

// ListOpenPSDs gives the runs whose layered export is under way.
func (d *DB) ListOpenPSDs(ctx context.Context) ([]atelier.RunID, error) {
	rows, err := d.read.OpenPSDs(ctx)
	if err != nil {
		return nil, fmt.Errorf("list open exports: %w", err)
	}
	ids := make([]atelier.RunID, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, atelier.RunID(r.ID))
	}
	return ids, nil
}

// RetryKey is the intent key under which the user's run is run again: that of the last time while that is under way, else another than all
// that are there.
func (d *DB) RetryKey(ctx context.Context, user atelier.UserID, id atelier.RunID) (string, error) {
	prefix, end := "retry:"+string(id)+":", "retry:"+string(id)+";" // ; comes after :
	rows, err := d.read.RunsByIntents(ctx, gen.RunsByIntentsParams{UserID: string(user), After: prefix, Before: end})
	if err != nil {
		return "", fmt.Errorf("list retries: %w", err)
	}
	next, last := 0, -1
	for _, r := range rows {
		n, err := strconv.Atoi(strings.TrimPrefix(r.IntentKey, prefix))
		if err != nil || n <= last {
			continue
		}
		if next, last = n, n; atelier.State(r.State).Final() {
			next++
		}
	}
	return prefix + strconv.Itoa(next), nil
}

// Took is how long a run that is done took at the image service, and what was asked for.
type Took struct {
	Version string
	Surface atelier.Surface
	Values  map[string]any
	Time    time.Duration
}

// ListTook gives how long the last runs of an agent took, newest first, at most 100.
func (d *DB) ListTook(ctx context.Context, agent string) ([]Took, error) {
	rows, err := d.read.RecentRuns(ctx, agent)
	if err != nil {
		return nil, fmt.Errorf("list durations: %w", err)
	}
	took := make([]Took, 0, len(rows))
	for _, r := range rows {
		t := Took{Version: r.Version, Surface: atelier.Surface(r.Surface), Time: time.Duration(r.Took) * time.Millisecond}
		if err := json.Unmarshal([]byte(r.ValuesJson), &t.Values); err != nil {
			return nil, fmt.Errorf("read the values of a run: %w", err)
		}
		took = append(took, t)
	}
	return took, nil
}

// CountOpenRuns says how many runs are in each state that is not done or failed.
func (d *DB) CountOpenRuns(ctx context.Context) (map[atelier.State]int, error) {
	rows, err := d.read.CountRuns(ctx)
	if err != nil {
		return nil, fmt.Errorf("count open runs: %w", err)
	}
	counts := map[atelier.State]int{}
	for _, r := range rows {
		counts[atelier.State(r.State)] = int(r.Runs)
	}
	return counts, nil
}

// CountAhead says how many runs wait to be sent, or are being sent, that come before id in its place and wait for their turn, or have not
// waited yet.
func (d *DB) CountAhead(ctx context.Context, id atelier.RunID, place int64) (int, error) {
	n, err := d.read.CountAhead(ctx, gen.CountAheadParams{ID: string(id), Place: place})
	if err != nil {
		return 0, fmt.Errorf("count the runs ahead: %w", err)
	}
	return int(n), nil
}

// Place is the place a run waits in: the higher, the earlier it is sent; 0 = in its turn.
func (d *DB) Place(ctx context.Context, id atelier.RunID) (int64, error) {
	place, err := d.read.RunPlace(ctx, string(id))
	if err != nil {
		return 0, missing(err, "find the place of a run", noRun)
	}
	return place, nil
}

// PlaceRun places a run before all others that wait, or back in its turn. waits is false, and nothing is changed, when it does not wait to be
// sent any more.
func (d *DB) PlaceRun(ctx context.Context, id atelier.RunID, first bool, then ...Then) (waits bool, err error) {
	err = d.change(ctx, "place a run", func(q *gen.Queries) error {
		place := q.PlaceRunBack
		if first {
			place = q.PlaceRunFirst
		}
		n, err := place(ctx, string(id))
		waits = n > 0
		return err
	}, then)
	return waits, err
}

// CountUnderWay says how many runs the image service has accepted and not ended.
func (d *DB) CountUnderWay(ctx context.Context) (int, error) {
	n, err := d.read.CountUnderWay(ctx)
	if err != nil {
		return 0, fmt.Errorf("count the runs under way: %w", err)
	}
	return int(n), nil
}

// complete adds asset and results to a row.
func (d *DB) complete(ctx context.Context, row gen.Run) (Run, error) {
	runs, err := d.completeAll(ctx, []gen.Run{row}, false)
	if err != nil {
		return Run{}, err
	}
	return runs[0], nil
}

// completeAll adds assets and results to rows. A run in the trash has all its results, another one only those that were not thrown
// away; in the list of the trash those that were.
func (d *DB) completeAll(ctx context.Context, rows []gen.Run, trash bool) ([]Run, error) {
	runs := make([]Run, 0, len(rows))
	var ids, assets []string
	for _, row := range rows {
		r, err := runOf(row)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
		ids = append(ids, row.ID)
		if row.AssetID != "" {
			assets = append(assets, row.AssetID)
		}
	}
	results, err := d.resultsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	pictures, err := d.assetsOf(ctx, assets)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		for _, r := range results[runs[i].ID] {
			if runs[i].Trashed || r.Trashed == trash {
				runs[i].Results = append(runs[i].Results, r)
			}
		}
		if a, ok := pictures[row.AssetID]; ok {
			runs[i].Asset = &a
		}
	}
	return runs, nil
}

// runsOf reads rows alone, without assets and results.
func runsOf(rows []gen.Run) ([]Run, error) {
	runs := make([]Run, 0, len(rows))
	for _, row := range rows {
		r, err := runOf(row)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

func runOf(row gen.Run) (Run, error) {
	r := Run{
		Run: atelier.Run{
			ID: atelier.RunID(row.ID), IntentKey: row.IntentKey, Agent: row.Agent, Version: row.Version, Title: row.Title,
			Status: atelier.Status(row.Status), State: atelier.State(row.State), MaskID: atelier.MaskID(row.MaskID), Results: []atelier.Result{},
			ExecutionID: row.ExecutionID, TaskID: row.TaskID, Surface: atelier.Surface(row.Surface), Board: atelier.BoardID(row.BoardID),
			CreatedAt: sqldb.Time(row.CreatedAt), UpdatedAt: sqldb.Time(row.UpdatedAt), Trashed: row.TrashedAt != 0,
			Cancelled: row.State == string(atelier.StateFailed) && row.Step == StepCancelled,
			Power:     told(row.Power), PowerLeft: told(row.PowerLeft),
		},
		UserID: atelier.UserID(row.UserID), RetryOf: atelier.RunID(row.RetryOf), Tag: row.Tag, Step: row.Step, MaskSHA256: row.MaskSha256,
		Search: row.Search, Attempt: int(row.Attempt), Misses: int(row.Misses), FirstSentAt: sqldb.Time(row.FirstSentAt),
		LastSentAt: sqldb.Time(row.LastSentAt), PSDSHA256: row.PsdSha256, PSDAskedAt: sqldb.Time(row.PsdAskedAt),
		Upstream: row.Upstream, InLine: row.InLine, MaskByURL: row.MaskByUrl,
	}
	if row.ErrorCode != "" {
		r.Error = &atelier.Error{Code: atelier.Code(row.ErrorCode), Message: row.ErrorMessage, Retryable: row.ErrorRetryable}
	}
	if row.PsdStatus != "" {
		r.PSD = &atelier.PSD{Status: row.PsdStatus, Error: row.PsdError}
		if row.PsdSha256 != "" {
			r.PSD.File = "/api/runs/" + row.ID + "/psd/file"
		}
	}
	if err := json.Unmarshal([]byte(row.ValuesJson), &r.Values); err != nil {
		return Run{}, fmt.Errorf("read the values of run %s: %w", row.ID, err)
	}
	if err := json.Unmarshal([]byte(row.FilesJson), &r.Files); err != nil {
		return Run{}, fmt.Errorf("read the files of run %s: %w", row.ID, err)
	}
	return r, nil
}
