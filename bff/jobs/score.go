package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"sync"

	"github.com/riverqueue/river"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/fidelity"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
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

// Score enqueues the comparison of a result with its source.
func (e *Engine) Score(id atelier.ResultID) db.Then { return e.insert(ScoreArgs{id}) }

// unprotected says why nothing of a run's results can be laid on its source, nil when something can: the run protects a region, and
// nothing moves on purpose (Task API, "aimodel v1.0": with a free or reference pose the product adjusts).
func unprotected(run db.Run) *fidelity.NotComparableError {
	if run.Asset == nil {
		return &fidelity.NotComparableError{Code: atelier.ApartNoSource, Reason: words.ApartNoSource}
	}
	switch run.Values["pose"] {
	case "freePose", "referenceImagePose":
		return &fidelity.NotComparableError{Code: atelier.ApartFreePose, Reason: words.ApartFreePose}
	}
	if run.MaskSHA256 == "" && autoMask(run) == "" {
		return &fidelity.NotComparableError{Code: atelier.ApartNothing, Reason: fidelity.NothingProtected}
	}
	return nil
}

// RegionOf tells the regions apart that runs protect in the same source: by its mask, or by the automatic kind. It is "" where a run
// protects nothing that can be laid on its source.
func RegionOf(run db.Run) string {
	switch {
	case unprotected(run) != nil:
		return ""
	case run.MaskSHA256 != "":
		return run.MaskSHA256
	}
	return fmt.Sprintf("%s of %s, stronger %t", autoMask(run), run.Agent, catalog.Stronger(run.Values))
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

// workScore compares a result with its source, or says why that cannot be done.
func (e *Engine) workScore(ctx context.Context, args ScoreArgs) error {
	res, err := e.o.DB.LoadResult(ctx, args.Result)
	if err != nil {
		return err
	}
	run, err := e.o.DB.LoadRun(ctx, res.RunID)
	if err != nil || !res.Stored || res.Kind != "image" || run.Asset == nil {
		return err
	}
	found, err := e.compare(ctx, run, res)
	if err != nil {
		return fmt.Errorf("compare result %s with its source: %w", res.ID, err)
	}
	if err := e.o.DB.SetFidelity(ctx, res.ID, found); err != nil {
		return err
	}
	fresh, err := e.o.DB.LoadResult(ctx, res.ID)
	if err != nil {
		return err
	}
	e.o.Publish(fresh.UserID, atelier.EventResult, string(fresh.ID), fresh.Result)
	return nil
}

func (e *Engine) compare(ctx context.Context, run db.Run, res db.Result) (found db.Compared, err error) {
	if why := unprotected(run); why != nil {
		return db.Compared{Code: why.Code, Reason: why.Reason}, nil
	}
	report, err := e.report(ctx, run, res)
	if why, ok := errors.AsType[*fidelity.NotComparableError](err); ok {
		return db.Compared{Code: why.Code, Reason: why.Reason}, nil
	}
	if err != nil {
		return db.Compared{}, err
	}
	var heat bytes.Buffer
	if err := imaging.Encode(&heat, report.Heat, imaging.EncodeOptions{Format: probe.PNG}); err != nil {
		return db.Compared{}, err
	}
	sha, _, err := e.o.Store.Put(ctx, &heat)
	return db.Compared{
		Score: report.Score, DeltaE: report.DeltaE, SSIM: report.SSIM, Changed: report.Changed, HeatSHA: sha, Edge: edgeOf(report.Edge),
	}, err
}

// maxEdgeParts is how many parts of an edge in doubt are kept with a result, the largest first: more than a sentence names.
const maxEdgeParts = 6

// edgeOf is an edge as it is kept with a result.
func edgeOf(e *fidelity.Edge) *atelier.FidelityEdge {
	if e == nil {
		return nil
	}
	out := &atelier.FidelityEdge{Doubt: rounded(e.Doubt), Band: rounded(e.Band), Parts: []atelier.EdgePart{}}
	for _, p := range e.Parts[:min(len(e.Parts), maxEdgeParts)] {
		out.Parts = append(out.Parts, atelier.EdgePart{
			Missed: p.Missed, Share: rounded(p.Share), Place: edgePlaces[p.Down][p.Across], Changed: rounded(p.Changed),
		})
	}
	return out
}

// edgePlaces names the ninths of the subject, from its top left.
var edgePlaces = [3][3]atelier.Place{
	{atelier.PlaceTopLeft, atelier.PlaceTop, atelier.PlaceTopRight},
	{atelier.PlaceLeft, atelier.PlaceMiddle, atelier.PlaceRight},
	{atelier.PlaceBottomLeft, atelier.PlaceBottom, atelier.PlaceBottomRight},
}

// rounded keeps four digits of a share: what is kept with each result is short.
func rounded(share float64) float64 { return math.Round(share*1e4) / 1e4 }

func (e *Engine) report(ctx context.Context, run db.Run, res db.Result) (fidelity.Report, error) {
	region, err := e.regions.of(run.Asset.SHA256+" "+RegionOf(run), func() (fidelity.Region, error) {
		return e.region(ctx, run)
	})
	if err != nil {
		return fidelity.Report{}, err
	}
	result, err := e.picture(ctx, res.SHA256)
	if err != nil {
		return fidelity.Report{}, err
	}
	return region.Compare(result)
}

// keepOf describes what the automatic mask of a run keeps.
func (e *Engine) keepOf(run db.Run) analysis.Keep {
	keep := analysis.Keep{Kind: autoMask(run)}
	if a, ok := e.o.Agents(run.Agent, run.Version); ok {
		k := catalog.KeepOf(a, run.Values)
		keep.Product, keep.Stronger, keep.Garment = k.Product, k.Stronger, k.Garment
	}
	return keep
}

// findRegion finds a region in the file that was sent for a run.
func (e *Engine) findRegion(ctx context.Context, run db.Run, keep analysis.Keep) (segment.Result, error) {
	asset, err := e.o.DB.LoadAsset(ctx, run.Asset.ID)
	if err != nil {
		return segment.Result{}, err
	}
	return e.o.Store.Kept(ctx, asset.Sent.SHA256, keep)
}

// found finds what the automatic mask of a run keeps of the file that was sent.
func (e *Engine) found(ctx context.Context, run db.Run) (segment.Result, error) {
	return e.findRegion(ctx, run, e.keepOf(run))
}

// region finds what of a run's source is protected: by its own mask, or by our own reading of the automatic kinds.
func (e *Engine) region(ctx context.Context, run db.Run) (fidelity.Region, error) {
	source, err := e.picture(ctx, run.Asset.Pixels)
	if err != nil {
		return fidelity.Region{}, err
	}
	if run.MaskSHA256 == "" {
		found, err := e.found(ctx, run)
		if err != nil {
			return fidelity.Region{}, err
		}
		r, err := fidelity.FromFound(source, found)
		if err != nil {
			return r, err
		}
		keep := e.keepOf(run)
		return r.JudgeAutomatic(ctx, keep.KindIn(found), keep.Product)
	}
	keep, err := e.mask(ctx, run)
	if err != nil {
		return fidelity.Region{}, err
	}
	r, err := fidelity.FromMask(source, keep)
	if err != nil {
		return r, err
	}
	subject, err := e.findRegion(ctx, run, analysis.Keep{Kind: segment.WholeSubject, Product: e.keepOf(run).Product})
	if err != nil {
		return r, err
	}
	return r.JudgePainted(ctx, subject)
}

// mask opens the mask a run was started with.
func (e *Engine) mask(ctx context.Context, run db.Run) (mask.Plane, error) {
	data, err := e.o.Store.Read(run.MaskSHA256)
	if err != nil {
		return mask.Plane{}, err
	}
	keep, _, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	return keep, err
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

// Protected opens the source of a run and what of it is protected, both at the source's own size. It is a
// *fidelity.NotComparableError when nothing is.
func (e *Engine) Protected(ctx context.Context, run db.Run) (source *image.NRGBA, keep mask.Plane, err error) {
	if why := unprotected(run); why != nil {
		return nil, mask.Plane{}, why
	}
	if source, err = e.picture(ctx, run.Asset.Pixels); err != nil {
		return nil, mask.Plane{}, err
	}
	if run.MaskSHA256 != "" {
		keep, err = e.mask(ctx, run)
		return source, keep, err
	}
	found, err := e.found(ctx, run)
	return source, found.Mask, err
}

// Keep finds what of a run's source is protected, at the source's own size, without keeping the source. Its errors are those of Protected.
func (e *Engine) Keep(ctx context.Context, run db.Run) (mask.Plane, error) {
	if why := unprotected(run); why != nil {
		return mask.Plane{}, why
	}
	if run.MaskSHA256 != "" {
		return e.mask(ctx, run)
	}
	_, keep, err := e.Protected(ctx, run)
	return keep, err
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
	if _, never := errors.AsType[*fidelity.NotComparableError](err); err == nil || never {
		r.last = append([]namedRegion{{name, region, err}}, r.last[:min(len(r.last), maxRegions-1)]...)
	}
	return region, err
}
