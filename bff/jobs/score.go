package jobs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/fidelity"
	"atelier/imaging/segment"
)

// ScoreArgs asks how unchanged a result left what it was to keep.
type ScoreArgs struct {
	Result atelier.ResultID `json:"result"`
}

// Kind names the job.
func (ScoreArgs) Kind() string { return "score" }

// InsertOpts chooses queue and uniqueness.
func (ScoreArgs) InsertOpts() river.InsertOpts { return once(queueScore) }

// scored says whether a run's results can be laid on its source: it protects a region, and nothing moves on purpose
// (Task API, "aimodel v1.0": with a free or reference pose the product adjusts).
func scored(run db.Run) bool {
	switch run.Values["pose"] {
	case "freePose", "referenceImagePose":
		return false
	}
	return run.Asset != nil && (run.MaskSHA256 != "" || autoMask(run) != "")
}

// autoMask is the automatic mask type of a run, "" when it has none.
func autoMask(run db.Run) segment.Kind {
	name, _ := run.Values["maskType"].(string)
	switch k := segment.Kind(name); k {
	case segment.Apparel, segment.UpperApparel, segment.LowerApparel, segment.WholeSubject, segment.Human, segment.InverseHuman:
		return k
	}
	return ""
}

// workScore compares a result with its source. A score is a help: where there can be none, the result just has none.
func (e *Engine) workScore(ctx context.Context, args ScoreArgs) error {
	res, err := e.o.DB.LoadResult(ctx, args.Result)
	if err != nil {
		return err
	}
	run, err := e.o.DB.LoadRun(ctx, res.RunID)
	if err != nil || !res.Stored || res.Kind != "image" || !scored(run) {
		return err
	}
	score, err := e.score(ctx, run, res)
	if errors.Is(err, fidelity.ErrNotComparable) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("score result %s: %w", res.ID, err)
	}
	if err := e.o.DB.SetScore(ctx, res.ID, score); err != nil {
		return err
	}
	fresh, err := e.o.DB.LoadResult(ctx, res.ID)
	if err != nil {
		return err
	}
	e.o.Publish(fresh.UserID, atelier.EventResult, string(fresh.ID), fresh.Result)
	return nil
}

func (e *Engine) score(ctx context.Context, run db.Run, res db.Result) (float64, error) {
	region, err := e.regions.of(run.Asset.SHA256+" "+run.MaskSHA256+" "+string(autoMask(run)), func() (fidelity.Region, error) {
		return e.region(ctx, run)
	})
	if err != nil {
		return 0, err
	}
	result, err := e.picture(ctx, res.SHA256)
	if err != nil {
		return 0, err
	}
	return region.Score(result)
}

// region finds what of a run's source is protected: by its own mask, or by our own reading of the automatic kinds.
func (e *Engine) region(ctx context.Context, run db.Run) (fidelity.Region, error) {
	source, err := e.picture(ctx, run.Asset.SHA256)
	if err != nil {
		return fidelity.Region{}, err
	}
	if run.MaskSHA256 == "" {
		return fidelity.Find(ctx, source, autoMask(run))
	}
	data, err := e.o.Store.Read(run.MaskSHA256)
	if err != nil {
		return fidelity.Region{}, err
	}
	keep, _, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return fidelity.Region{}, err
	}
	return fidelity.FromMask(source, keep)
}

// picture opens a stored picture, upright.
func (e *Engine) picture(ctx context.Context, sha string) (*image.NRGBA, error) {
	data, err := e.o.Store.Read(sha)
	if err != nil {
		return nil, err
	}
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	return img, err
}

// regions remembers the last regions: a run's results have theirs in common.
type regions struct {
	mu   sync.Mutex
	last []namedRegion // newest first
}

type namedRegion struct {
	name   string
	region fidelity.Region
	err    error
}

const maxRegions = 8

func (r *regions) of(name string, find func() (fidelity.Region, error)) (fidelity.Region, error) {
	r.mu.Lock()
	defer r.mu.Unlock() // one at a time: finding a region takes a processor and much memory
	for _, n := range r.last {
		if n.name == name {
			return n.region, n.err
		}
	}
	region, err := find()
	if err == nil || errors.Is(err, fidelity.ErrNotComparable) {
		r.last = append([]namedRegion{{name, region, err}}, r.last[:min(len(r.last), maxRegions-1)]...)
	}
	return region, err
}
