package imaging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"atelier/imaging/heic"
	"atelier/imaging/probe"

	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"
)

// memory is shared by every decoder of the process: together they hold at most
// memoryTotal bytes of pixels.
var memory = semaphore.NewWeighted(memoryTotal)

const memoryTotal = probe.MaxMemory

// formats are the ones that can be opened.
var formats = []probe.Format{probe.PNG, probe.JPEG, probe.WebP}

// Decode opens a PNG, JPEG or WebP file: within the limits, turned upright, as
// 8-bit NRGBA in sRGB. A refused file comes back as an *Error; waiting for memory and
// decoding end with the context.
func Decode(ctx context.Context, data []byte, lim Limits) (*image.NRGBA, probe.Facts, error) {
	return decodeWith(ctx, data, lim, coloursOf)
}

// decodeValues is Decode without regard to what the file says of its colours.
func decodeValues(ctx context.Context, data []byte, lim Limits) (*image.NRGBA, probe.Facts, error) {
	return decodeWith(ctx, data, lim, func([]byte, probe.Facts) *converter { return nil })
}

func decodeWith(ctx context.Context, data []byte, lim Limits, colours func([]byte, probe.Facts) *converter) (*image.NRGBA, probe.Facts, error) {
	var out *image.NRGBA
	facts, err := open(ctx, data, lim, func(img image.Image, facts probe.Facts) {
		out = turn(colours(data, facts).inSRGB(img, facts.Format), facts.Orientation)
	})
	if err != nil {
		return nil, facts, err
	}
	return out, facts, nil
}

// Inspect does everything Decode does before it decodes: it refuses what can be
// refused by reading the structure of the file alone, in about a millisecond.
func Inspect(data []byte, lim Limits) (probe.Facts, error) {
	facts, _, err := inspect(data, lim.orDefault())
	return facts, err
}

// open runs the guard and hands the decoded picture, not yet turned, to use
// while its memory is still accounted for.
func open(ctx context.Context, data []byte, lim Limits, use func(image.Image, probe.Facts)) (probe.Facts, error) {
	lim = lim.orDefault()
	facts, plan, err := inspect(data, lim)
	if err != nil {
		return facts, err
	}
	return facts, unfold(ctx, facts, plan, lim.Deadline, use)
}

// unfold decodes a picture that passed the guard.
func unfold(ctx context.Context, facts probe.Facts, plan plan, deadline time.Duration, use func(image.Image, probe.Facts)) error {
	// What the decoder needs beside its picture is gone when ours is made of it.
	ours := 4 * facts.Pixels()
	if facts.Orientation != 1 {
		ours *= 2
	}
	weight := min(plan.pixels+max(plan.extra, ours), memoryTotal)
	if facts.Format.Converted() {
		weight = min(plan.pixels+plan.extra, memoryTotal) // decoded into ours
	}
	if err := memory.Acquire(ctx, weight); err != nil {
		return fmt.Errorf("wait for memory to decode: %w", err)
	}
	defer memory.Release(weight)

	if facts.Format.Converted() {
		img, err := convertible(ctx, facts, plan, deadline)
		if err == nil {
			use(img, facts)
		}
		return err
	}
	src := &guardedReader{ctx: ctx, src: plan.reader(), end: time.Now().Add(deadline)}
	img, err := decode(src, facts.Format)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return fmt.Errorf("decode: %w", ctx.Err())
	case errors.Is(src.err, errDeadline):
		return tooSlow(facts.Format, errDeadline)
	default:
		if _, rare := errors.AsType[jpeg.UnsupportedError](err); rare {
			return &Error{WrongType, saidRare, err}
		}
		return corrupt(facts.Format, err)
	}
	if b := img.Bounds(); b.Dx() != facts.RawWidth || b.Dy() != facts.RawHeight {
		return corrupt(facts.Format, fmt.Errorf("%d × %d pixels, %d × %d announced", b.Dx(), b.Dy(), facts.RawWidth, facts.RawHeight))
	}
	use(img, facts)
	return nil
}

// slower is how many times as long a HEIC or TIFF may take: one of 48 megapixels keeps a processor busy for five to seven seconds, and unlike
// other decoders these end when they are told to.
const slower = 4

// convertible decodes a HEIC or TIFF.
func convertible(ctx context.Context, facts probe.Facts, plan plan, deadline time.Duration) (img *image.NRGBA, err error) {
	timed, cancel := context.WithTimeout(ctx, slower*deadline)
	defer cancel()
	if facts.Format == probe.HEIC {
		img, err = decodeHEIF(timed, plan.parts[0])
	} else {
		img, err = decodeTIFF(timed, plan.parts[0])
	}
	switch {
	case err == nil && img.Rect.Dx() == facts.RawWidth && img.Rect.Dy() == facts.RawHeight:
		return img, nil
	case err == nil:
		return nil, corrupt(facts.Format, fmt.Errorf("%v pixels, %d × %d announced", img.Rect.Size(), facts.RawWidth, facts.RawHeight))
	case ctx.Err() != nil:
		return nil, fmt.Errorf("decode: %w", ctx.Err())
	case timed.Err() != nil:
		return nil, tooSlow(facts.Format, errDeadline)
	case errors.Is(err, heic.ErrMemory):
		return nil, tooLarge(memoryTotal, probe.TooMuchMemory(memoryTotal).Fix())
	}
	return nil, corrupt(facts.Format, err)
}

// plan is what a file needs to be decoded.
type plan struct {
	parts  [][]byte // the file as the decoder is to read it
	pixels int64    // bytes of the decoder's picture
	extra  int64    // bytes the decoder needs beside it, and gives back
}

func (p plan) reader() io.Reader {
	if len(p.parts) == 1 {
		return bytes.NewReader(p.parts[0])
	}
	readers := make([]io.Reader, len(p.parts))
	for i, part := range p.parts {
		readers[i] = bytes.NewReader(part)
	}
	return io.MultiReader(readers...)
}

func inspect(data []byte, lim Limits) (probe.Facts, plan, error) {
	facts, err := probe.Read(data, int64(len(data)))
	rule := probe.Rule{Formats: formats}
	if lim.Converts {
		rule.Converts = probe.Studio.Converts
	}
	if problems := rule.Check(facts); len(problems) > 0 {
		code := WrongType
		if problems[0].Code == probe.CodeAnimated {
			code = Animated
		}
		return facts, plan{}, &Error{code, problems[0].Sentence(), err}
	}
	if err != nil {
		return facts, plan{}, corrupt(facts.Format, err)
	}
	if facts.Pixels() > lim.MaxPixels {
		return facts, plan{}, tooManyPixels(facts.Width, facts.Height, lim.MaxPixels)
	}
	var p plan
	switch facts.Format {
	case probe.PNG:
		p, err = scanPNG(data, facts, lim)
	case probe.JPEG:
		p, err = scanJPEG(data, facts, lim)
	case probe.HEIC:
		p, err = heifPlan(data)
	case probe.TIFF:
		p = tiffPlan(data, facts)
	default:
		p, err = scanWebP(data, facts, lim)
	}
	switch {
	case errors.Is(err, probe.ErrWork), errors.Is(err, errChunks):
		return facts, plan{}, tooSlow(facts.Format, err)
	case err != nil:
		return facts, plan{}, corrupt(facts.Format, err)
	case p.pixels > lim.MaxBytes:
		return facts, plan{}, tooLarge(lim.MaxBytes, saidDepthFix)
	case p.pixels+p.extra > memoryTotal:
		return facts, plan{}, tooLarge(memoryTotal, probe.TooMuchMemory(memoryTotal).Fix())
	case facts.Pixels() > facts.MostPixels(lim.MaxPixels):
		return facts, plan{}, tooSlow(facts.Format, errEffort)
	}
	return facts, p, nil
}

// decode runs the decoder of one format. The decoders are called by name: no
// other format a dependency registers can get in.
func decode(r io.Reader, f probe.Format) (img image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("decoder panic: %v", p)
		}
	}()
	switch f {
	case probe.PNG:
		return png.Decode(r)
	case probe.JPEG:
		return jpeg.Decode(r)
	default:
		return webp.Decode(r)
	}
}

// guardedReader serves small pieces and stops when time is up. The decoders
// cannot be interrupted, but they all read as they go, and asking often is what
// makes the end take effect.
type guardedReader struct {
	ctx context.Context
	src io.Reader
	end time.Time
	err error // why reading stopped, as decoders do not pass it on
}

// guardedPiece is small enough that no format does much work per piece.
const guardedPiece = 512

func (r *guardedReader) Read(p []byte) (int, error) {
	if r.err == nil {
		if r.err = r.ctx.Err(); r.err == nil && !time.Now().Before(r.end) {
			r.err = errDeadline
		}
	}
	if r.err != nil {
		return 0, r.err
	}
	return r.src.Read(p[:min(len(p), guardedPiece)])
}
