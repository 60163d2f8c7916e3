package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
)

// Result is an atelier.Result with where its bytes come from and where they are.
type Result struct {
	atelier.Result
	UserID    atelier.UserID
	URL       string // at the image service; may expire
	PosterURL string
	LastURL   string // of a video's last frame
	SHA256    string
	PosterSHA string
	LastSHA   string
	HeatSHA   string // the picture that shows where the protected region was changed
	CRC       int64  // CRC-32 of the file; -1 = not known yet
	Attempts  int    // downloads that failed
}

// Item is one result as the image service reports it.
type Item struct {
	Kind      string
	Status    atelier.Status
	Progress  float64
	Error     string
	URL       string
	PosterURL string
	LastURL   string // of a video's last frame
}

// ApplyStatus records what the image service says about an accepted run: its status and its items, in order. then is given
// the results that succeeded and are not stored here yet; changed tells whether anything a user can see is different. Nothing
// goes backwards: a terminal status stays, and so does a result that succeeded or is stored. An answer that brings nothing
// new costs no write.
func (d *DB) ApplyStatus(ctx context.Context, id atelier.RunID, status atelier.Status, items []Item, then func(tx *sql.Tx, toStore []atelier.ResultID) error) (changed bool, err error) {
	return d.apply(ctx, id, status, items, false, then)
}

// ApplyPart is ApplyStatus for an answer in which something is missing: it brings what it holds and counts as an empty one all the same.
func (d *DB) ApplyPart(ctx context.Context, id atelier.RunID, status atelier.Status, items []Item, then func(tx *sql.Tx, toStore []atelier.ResultID) error) (changed bool, err error) {
	return d.apply(ctx, id, status, items, true, then)
}

func (d *DB) apply(ctx context.Context, id atelier.RunID, status atelier.Status, items []Item, part bool, then func(tx *sql.Tx, toStore []atelier.ResultID) error) (changed bool, err error) {
	if news, err := brings(ctx, d.read, id, status, items, part); err != nil || !news {
		return false, err
	}
	now := d.millis()
	var toStore []atelier.ResultID
	err = d.change(ctx, "apply status", func(q *gen.Queries) error {
		run, have, err := standing(ctx, q, id)
		if err != nil {
			return err
		}
		for i, item := range items {
			row := have[i]
			rid, moved, err := applyItem(ctx, q, run, row, i, item, now)
			if err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
			changed = changed || moved
			if waits(row, item) {
				toStore = append(toStore, rid)
			}
		}
		changed = changed || moves(run, status)
		p := gen.SetRunStatusParams{ID: string(id), Status: string(status), At: now}
		if part {
			p.Missed = 1
		}
		_, err = q.SetRunStatus(ctx, p)
		return err
	}, []Then{func(tx *sql.Tx) error { return then(tx, toStore) }})
	return changed, err
}

// standing reads a run and its results by their places.
func standing(ctx context.Context, q *gen.Queries, id atelier.RunID) (run gen.Run, have map[int]*gen.Result, err error) {
	if run, err = q.Run(ctx, string(id)); err != nil {
		return run, nil, missing(err, "find run", noRun)
	}
	rows, err := q.ResultsOfRun(ctx, string(id))
	if err != nil {
		return run, nil, fmt.Errorf("read results: %w", err)
	}
	have = make(map[int]*gen.Result, len(rows))
	for i := range rows {
		have[int(rows[i].Idx)] = &rows[i]
	}
	return run, have, nil
}

// brings says whether an answer tells anything that is not recorded yet.
func brings(ctx context.Context, q *gen.Queries, id atelier.RunID, status atelier.Status, items []Item, part bool) (bool, error) {
	run, have, err := standing(ctx, q, id)
	if err != nil {
		return false, err
	}
	if moves(run, status) || run.Misses > 0 && !part {
		return true, nil
	}
	for i, item := range items {
		row := have[i]
		if row == nil || waits(row, item) {
			return true, nil
		}
		if _, differs := merge(*row, item); differs {
			return true, nil
		}
	}
	return false, nil
}

// moves says whether a status is news for a run.
func moves(run gen.Run, status atelier.Status) bool {
	return run.Status != string(status) && !atelier.Status(run.Status).Terminal()
}

// waits says whether a result is ready at the image service and not stored here.
func waits(row *gen.Result, item Item) bool {
	return item.Status == atelier.Success && (row == nil || row.Sha256 == "")
}

// merge lays what the image service says over what is recorded, and tells whether the two differ.
func merge(row gen.Result, item Item) (Item, bool) {
	known := atelier.Status(row.Status)
	switch {
	case row.Sha256 != "", known == atelier.Success && item.Status != atelier.Success, known == atelier.Failed && !item.Status.Terminal():
		return item, false
	case !item.Status.Terminal():
		// A result that runs never counts backwards, whatever order the answers came in.
		item.Progress = max(item.Progress, row.Progress)
	}
	same := row.Kind == item.Kind && row.Status == string(item.Status) && row.Progress == item.Progress && row.Url == item.URL && row.PosterUrl == item.PosterURL &&
		row.LastUrl == item.LastURL
	return item, !same || item.Error != "" && item.Error != row.Error
}

func applyItem(ctx context.Context, q *gen.Queries, run gen.Run, row *gen.Result, index int, item Item, now int64) (id atelier.ResultID, changed bool, err error) {
	if row == nil {
		fresh, err := newID()
		if err != nil {
			return "", false, err
		}
		err = q.InsertResult(ctx, gen.InsertResultParams{
			ID: fresh, RunID: run.ID, UserID: run.UserID, Idx: int64(index), Kind: item.Kind, Status: string(item.Status),
			Progress: item.Progress, Error: item.Error, Url: item.URL, PosterUrl: item.PosterURL, CreatedAt: now,
			LastUrl: item.LastURL,
		})
		if err == nil && run.BoardID != "" {
			err = q.JoinBoard(ctx, gen.JoinBoardParams{BoardID: run.BoardID, ResultID: fresh})
		}
		return atelier.ResultID(fresh), true, err
	}
	id = atelier.ResultID(row.ID)
	item, changed = merge(*row, item)
	if !changed {
		return id, false, nil
	}
	_, err = q.SetResult(ctx, gen.SetResultParams{
		ID: row.ID, Kind: item.Kind, Status: string(item.Status), Progress: item.Progress, Error: item.Error, Url: item.URL,
		PosterUrl: item.PosterURL, UpdatedAt: now, LastUrl: item.LastURL,
	})
	return id, true, err
}

// FindResult finds one of the user's results.
func (d *DB) FindResult(ctx context.Context, user atelier.UserID, id atelier.ResultID) (Result, error) {
	row, err := d.read.ResultOf(ctx, gen.ResultOfParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return Result{}, missing(err, "find result", noAsset)
	}
	return resultOf(row), nil
}

// LoadResult finds a result whoever owns it: for workers.
func (d *DB) LoadResult(ctx context.Context, id atelier.ResultID) (Result, error) {
	row, err := d.read.Result(ctx, string(id))
	if err != nil {
		return Result{}, missing(err, "load result", noAsset)
	}
	return resultOf(row), nil
}

// Stored describes the bytes of a result that are now here.
type Stored struct {
	Blob
	Kind          string // image, video: what it turned out to be
	Width, Height int
	Preview       string
	Seconds       float64 // of a video
	PosterSHA     string
	LastSHA       string
}

// SetStored records that the bytes of a result are in the content store.
func (d *DB) SetStored(ctx context.Context, id atelier.ResultID, s Stored, then ...Then) error {
	return d.change(ctx, "set result stored", func(q *gen.Queries) error {
		n, err := q.SetResultStored(ctx, gen.SetResultStoredParams{
			ID: string(id), Format: s.Format, Width: int64(s.Width), Height: int64(s.Height), Bytes: s.Bytes, Sha256: s.SHA256,
			PosterSha: s.PosterSHA, Preview: s.Preview, UpdatedAt: d.millis(),
			Millis: millisOf(s.Seconds), LastSha: s.LastSHA, Kind: s.Kind,
		})
		return oneRow(n, err, noAsset)
	}, then)
}

// ListWithoutStills gives the ids of at most n stored videos behind after that lack their poster or their last frame, in order.
func (d *DB) ListWithoutStills(ctx context.Context, after atelier.ResultID, n int) ([]atelier.ResultID, error) {
	rows, err := d.read.WithoutStills(ctx, gen.WithoutStillsParams{ID: string(after), Limit: int32(n)})
	if err != nil {
		return nil, fmt.Errorf("list videos without their pictures: %w", err)
	}
	ids := make([]atelier.ResultID, len(rows))
	for i, id := range rows {
		ids[i] = atelier.ResultID(id)
	}
	return ids, nil
}

// SetStills records the pictures of a stored video: s.PosterSHA, s.Preview and s.LastSHA of the video s.SHA256. When the result has other
// bytes by now, nothing changes.
func (d *DB) SetStills(ctx context.Context, id atelier.ResultID, s Stored, then ...Then) error {
	return d.change(ctx, "set the pictures of a video", func(q *gen.Queries) error {
		_, err := q.SetStills(ctx, gen.SetStillsParams{ID: string(id), Sha256: s.SHA256, PosterSha: s.PosterSHA, Preview: s.Preview, LastSha: s.LastSHA})
		return err
	}, then)
}

// Compared is what a comparison of a result with its source found, or the reason why there could be none.
type Compared struct {
	Score, DeltaE, SSIM float64
	Changed             bool
	HeatSHA             string                // the picture that shows where, in the content store
	Edge                *atelier.FidelityEdge // nil where no independent look speaks of the region
	Code, Reason        string                // why they cannot be compared, in a word and in a sentence; "" = they were
}

// notComparable is how a reason stands in its column: the word and the sentence. A row of an earlier version has the sentence alone.
func (c Compared) notComparable() string {
	if c.Reason == "" {
		return ""
	}
	return c.Code + "\t" + c.Reason
}

// edge is how an edge stands in its columns.
func (c Compared) edge() (text string, doubt float64, err error) {
	if c.Edge == nil {
		return "", 0, nil
	}
	b, err := json.Marshal(c.Edge)
	if err != nil {
		return "", 0, fmt.Errorf("write an edge: %w", err)
	}
	return string(b), c.Edge.Doubt, nil
}

// SetFidelity records how well a result kept what was protected.
func (d *DB) SetFidelity(ctx context.Context, id atelier.ResultID, c Compared) error {
	edge, doubt, err := c.edge()
	if err != nil {
		return err
	}
	return d.change(ctx, "set fidelity", func(q *gen.Queries) error {
		_, err := q.SetFidelity(ctx, gen.SetFidelityParams{
			ID: string(id), Score: sql.NullFloat64{Float64: c.Score, Valid: c.Reason == ""}, DeltaE: c.DeltaE, Ssim: c.SSIM, Changed: c.Changed,
			NotComparable: c.notComparable(), HeatSha: c.HeatSHA, Edge: edge, EdgeDoubt: doubt,
		})
		return err
	}, nil)
}

// AddLocked adds a result to a run: the original's protected pixels over another of its results. The same one again gives the one
// that is there, created false.
func (d *DB) AddLocked(ctx context.Context, from Result, s Stored, then func(atelier.ResultID) Then) (stored Result, created bool, err error) {
	fresh, err := newID()
	if err != nil {
		return Result{}, false, err
	}
	id := fresh
	err = d.change(ctx, "add a locked result", func(q *gen.Queries) error {
		row, err := q.ResultLockedFrom(ctx, gen.ResultLockedFromParams{RunID: string(from.RunID), LockedFrom: string(from.ID)})
		if err == nil {
			id = row.ID
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		created = true
		place, err := q.NextPlace(ctx, string(from.RunID))
		if err != nil {
			return err
		}
		return q.InsertLocked(ctx, gen.InsertLockedParams{
			ID: fresh, RunID: string(from.RunID), UserID: string(from.UserID), Idx: place, Format: s.Format, Width: int64(s.Width), Height: int64(s.Height),
			Bytes: s.Bytes, Sha256: s.SHA256, Preview: s.Preview, CreatedAt: d.millis(), LockedFrom: string(from.ID),
		})
	}, []Then{func(tx *sql.Tx) error {
		if !created {
			return nil
		}
		return then(atelier.ResultID(fresh))(tx)
	}})
	if err != nil {
		return Result{}, false, err
	}
	stored, err = d.FindResult(ctx, from.UserID, atelier.ResultID(id))
	return stored, created, err
}

// FindLocked finds the result that was made of another one by putting the protected pixels back; it is NotFound when there is none.
func (d *DB) FindLocked(ctx context.Context, from Result) (Result, error) {
	row, err := d.read.ResultLockedFrom(ctx, gen.ResultLockedFromParams{RunID: string(from.RunID), LockedFrom: string(from.ID)})
	if err != nil {
		return Result{}, missing(err, "find locked result", noLock)
	}
	return resultOf(row), nil
}

// CountAttempt counts a download that failed and says how many there were.
func (d *DB) CountAttempt(ctx context.Context, id atelier.ResultID) (attempts int, err error) {
	err = d.change(ctx, "count an attempt", func(q *gen.Queries) error {
		n, err := q.CountAttempt(ctx, string(id))
		attempts = int(n)
		return err
	}, nil)
	return attempts, err
}

// SetResultError records why a result that succeeded could not be stored; of one that was there and could not be fetched, TakeUpGivenUp has
// another try made.
func (d *DB) SetResultError(ctx context.Context, id atelier.ResultID, sentence string, unfetched bool) error {
	return d.change(ctx, "set result error", func(q *gen.Queries) error {
		_, err := q.SetResultError(ctx, gen.SetResultErrorParams{ID: string(id), Error: sentence, Unfetched: unfetched, UpdatedAt: d.millis()})
		return err
	}, nil)
}

// TakeUpGivenUp makes results that are made and were given up because they could not be fetched wait to be fetched again: those made after a
// moment, the last ones first, at most limit. It says how many there were.
func (d *DB) TakeUpGivenUp(ctx context.Context, after time.Time, limit int) (n int, err error) {
	err = d.change(ctx, "take up results that were given up", func(q *gen.Queries) error {
		rows, err := q.TakeUpGivenUp(ctx, gen.TakeUpGivenUpParams{ID: idAt(after), Limit: int32(limit)})
		n = int(rows)
		return err
	}, nil)
	return n, err
}

// CountUnstored says how many results of a run succeeded, are not stored here and are still being fetched.
func (d *DB) CountUnstored(ctx context.Context, id atelier.RunID) (int, error) {
	n, err := d.read.CountUnstored(ctx, string(id))
	if err != nil {
		return 0, fmt.Errorf("count results to store: %w", err)
	}
	return int(n), nil
}

// UpdateResult stars, rates, picks a result of the user's or puts it on boards; nil fields stay as they are.
func (d *DB) UpdateResult(ctx context.Context, user atelier.UserID, id atelier.ResultID, u atelier.UpdateResult) (Result, error) {
	err := d.change(ctx, "update result", func(q *gen.Queries) error {
		if err := d.mark(ctx, q, user, id, u.Starred, u.Rating, u.Pick); err != nil || u.Boards == nil {
			return err
		}
		if err := ownBoards(ctx, q, user, *u.Boards); err != nil {
			return err
		}
		if err := q.LeaveBoards(ctx, string(id)); err != nil {
			return err
		}
		if err := join(ctx, q, id, *u.Boards); err != nil {
			return err
		}
		return q.DropCovers(ctx, gen.DropCoversParams{UserID: string(user), CoverID: string(id)})
	}, nil)
	if err != nil {
		return Result{}, err
	}
	return d.FindResult(ctx, user, id)
}

// UpdateResults does the same to many of the user's results, all or none, and gives them as they are then, in the order asked for.
func (d *DB) UpdateResults(ctx context.Context, user atelier.UserID, u atelier.UpdateResults) ([]Result, error) {
	err := d.change(ctx, "update results", func(q *gen.Queries) error {
		if err := ownBoards(ctx, q, user, slices.Concat(u.AddBoards, u.RemoveBoards)); err != nil {
			return err
		}
		for _, id := range u.IDs {
			if err := d.mark(ctx, q, user, id, u.Starred, u.Rating, u.Pick); err != nil {
				return err
			}
			if err := join(ctx, q, id, u.AddBoards); err != nil {
				return err
			}
			for _, b := range u.RemoveBoards {
				if err := q.LeaveBoard(ctx, gen.LeaveBoardParams{BoardID: string(b), ResultID: string(id)}); err != nil {
					return err
				}
			}
			if len(u.RemoveBoards) > 0 {
				if err := q.DropCovers(ctx, gen.DropCoversParams{UserID: string(user), CoverID: string(id)}); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	return d.FindResults(ctx, user, u.IDs)
}

// mark stars, rates or picks one result of the user's; nil leaves a mark as it is.
func (d *DB) mark(ctx context.Context, q *gen.Queries, user atelier.UserID, id atelier.ResultID, starred *bool, rating *int, pick *string) error {
	row, err := q.ResultOf(ctx, gen.ResultOfParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return missing(err, "find result", noAsset)
	}
	p := gen.MarkResultParams{ID: row.ID, UserID: row.UserID, Starred: row.Starred, Rating: row.Rating, Pick: row.Pick, UpdatedAt: d.millis()}
	if starred != nil {
		p.Starred = *starred
	}
	if rating != nil {
		p.Rating = int64(*rating)
	}
	if pick != nil {
		p.Pick = *pick
	}
	_, err = q.MarkResult(ctx, p)
	return err
}

func join(ctx context.Context, q *gen.Queries, id atelier.ResultID, boards []atelier.BoardID) error {
	for _, b := range boards {
		if err := q.JoinBoard(ctx, gen.JoinBoardParams{BoardID: string(b), ResultID: string(id)}); err != nil {
			return err
		}
	}
	return nil
}

func ownBoards(ctx context.Context, q *gen.Queries, user atelier.UserID, boards []atelier.BoardID) error {
	for _, b := range boards {
		if _, err := q.Board(ctx, gen.BoardParams{ID: string(b), UserID: string(user)}); err != nil {
			return missing(err, "find board", noBoard)
		}
	}
	return nil
}

func resultOf(r gen.Result) Result {
	out := Result{
		Result: atelier.Result{
			ID: atelier.ResultID(r.ID), RunID: atelier.RunID(r.RunID), Index: int(r.Idx), Kind: r.Kind, Status: atelier.Status(r.Status),
			Progress: r.Progress, Error: r.Error, Format: r.Format, Width: int(r.Width), Height: int(r.Height), Bytes: r.Bytes,
			Preview: r.Preview, Starred: r.Starred, Rating: int(r.Rating), Pick: r.Pick,
			Seconds: secondsOf(r.Millis), LockedFrom: atelier.ResultID(r.LockedFrom), Trashed: r.TrashedAt > 0,
		},
		UserID: atelier.UserID(r.UserID), URL: r.Url, PosterURL: r.PosterUrl, SHA256: r.Sha256, PosterSHA: r.PosterSha, Attempts: int(r.Attempts),
		LastURL: r.LastUrl, LastSHA: r.LastSha, HeatSHA: r.HeatSha, CRC: r.Crc,
	}
	if r.Score.Valid {
		out.Score = &r.Score.Float64
	}
	out.Fidelity = fidelityOf(r)
	withResultPaths(&out)
	return out
}

// fidelityOf is what a row says of the comparison of a result with its source, nil when there was none.
func fidelityOf(r gen.Result) *atelier.Fidelity {
	switch {
	case r.NotComparable != "":
		code, reason, said := strings.Cut(r.NotComparable, "\t")
		if !said {
			code, reason = "", r.NotComparable
		}
		return &atelier.Fidelity{Code: code, Reason: reason}
	case r.HeatSha == "" || !r.Score.Valid:
		return nil
	}
	return &atelier.Fidelity{
		Comparable: true, Score: r.Score.Float64, DeltaE: r.DeltaE, SSIM: r.Ssim, Changed: r.Changed, Heat: "/api/results/" + r.ID + "/heat",
		Edge: edgeOf(r.Edge),
	}
}

// edgeOf reads an edge; what is damaged counts as never looked at.
func edgeOf(text string) *atelier.FidelityEdge {
	if text == "" {
		return nil
	}
	var e atelier.FidelityEdge
	if json.Unmarshal([]byte(text), &e) != nil {
		return nil
	}
	return &e
}

func resultPath(id string) string { return "/api/results/" + id }

// thumbEnd is the end of a thumbnail's path.
const thumbEnd = "/thumb"

func withResultPaths(r *Result) {
	if r.SHA256 == "" {
		return
	}
	path := resultPath(string(r.ID))
	r.Stored, r.File = true, path+"/file"
	if r.Kind == "image" || r.PosterSHA != "" {
		r.Thumb = path + thumbEnd
	}
	if r.LastSHA != "" {
		r.LastFrame = path + "/lastframe"
	}
}
