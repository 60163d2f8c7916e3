package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/imaging"
	"atelier/imaging/probe"
)

// Picture is a picture that was taken in: what it is, where its bytes are, and what goes to the image service instead of
// them when the photo carries an EXIF turn, other colours than those of sRGB, or is of a format the service does not take.
type Picture struct {
	Facts   probe.Facts // width and height with the turn applied
	SHA256  string
	Bytes   int64
	Sent    Sent
	Preview string // data: URI
}

// Sent is the file the image service gets.
type Sent struct {
	SHA256 string
	Format probe.Format
	Bytes  int64
}

// Take reads one picture from body, at most as much of it as the rule takes, and stores it. declared is the length the sender announced,
// -1 when it did not. Everything wrong with the picture is an *atelier.Error with a sentence, as early as the bytes tell:
// nothing is kept then.
func (s *Store) Take(ctx context.Context, body io.Reader, declared int64, rule probe.Rule) (p Picture, err error) {
	if declared > max(rule.MaxBytes, rule.MaxConvert) {
		return Picture{}, tooLarge(rule, "", declared)
	}
	w, err := s.Writer()
	if err != nil {
		return Picture{}, err
	}
	defer func() { err = errors.Join(err, w.Discard()) }()
	body = reader{ctx, body}

	var head bytes.Buffer
	n, err := io.Copy(&head, io.LimitReader(body, probe.HeadBytes))
	if err != nil {
		return Picture{}, interrupted(err)
	}
	if n == 0 {
		return Picture{}, atelier.FieldError("image", words.UploadEmpty)
	}
	if err := checkHead(head.Bytes(), declared, rule); err != nil {
		return Picture{}, err
	}
	format := probe.Sniff(head.Bytes())
	most := rule.MostBytes(format)
	if _, err := io.Copy(w, io.LimitReader(io.MultiReader(&head, body), most+1)); err != nil {
		return Picture{}, interrupted(diskFull(err))
	}
	if w.Len() > most {
		return Picture{}, tooLarge(rule, format, max(w.Len(), declared))
	}
	done, err := s.opening(ctx)
	if err != nil {
		return Picture{}, err
	}
	defer done()
	if w.Len() > rule.MaxBytes { // of the largest files one at a time is in memory
		if err := s.large.Acquire(ctx, 1); err != nil {
			return Picture{}, fmt.Errorf("wait to open a large picture: %w", err)
		}
		defer s.large.Release(1)
	}
	data, err := w.Bytes()
	if err != nil {
		return Picture{}, err
	}
	img, facts, err := open(ctx, data, rule)
	if err != nil {
		return Picture{}, err
	}
	// ASSUMED [Turns of PNG and WebP]: what readers disagree about is settled in the file itself.
	if probe.Settle(data) {
		if err := w.Rewrite(data); err != nil {
			return Picture{}, err
		}
	}
	small, err := imaging.ThumbOf(img, galleryWidth)
	if err != nil {
		return Picture{}, fmt.Errorf("look at a picture: %w", err)
	}
	sha, size, err := w.Commit()
	if err != nil {
		return Picture{}, err
	}
	p = Picture{Facts: facts, SHA256: sha, Bytes: size, Preview: small.Preview, Sent: Sent{sha, facts.Format, size}}
	if mustBePlain(facts, rule) {
		if p.Sent, err = s.upright(ctx, img, keepsAll(facts, img), rule); err != nil {
			return Picture{}, err
		}
	}
	if facts.Format.Converted() {
		sha = p.Sent.SHA256 // stands for it wherever it is shown
	}
	return p, s.keepGallery(sha, small.Data)
}

// keepsAll reports whether the copy of a picture is better a PNG: it came as one, or has what a JPEG cannot hold.
func keepsAll(facts probe.Facts, img *image.NRGBA) bool {
	switch facts.Format {
	case probe.PNG:
		return true
	case probe.TIFF:
		return facts.BitDepth > 8 || !img.Opaque()
	case probe.JPEG:
		return false
	}
	return !img.Opaque()
}

// mustBePlain reports whether the image service gets a copy of a picture that is upright, in sRGB and of three colours, since not all readers see
// what browsers see: of turned ones always, of those with other colours where it costs no more than may be.
func mustBePlain(f probe.Facts, rule probe.Rule) bool {
	inks := f.Format == probe.JPEG && f.Channels == 4
	return f.Orientation != 1 || f.Format.Converted() || (f.Profiled || inks) && f.MayBePacked(rule.MaxPixels)
}

// checkHead refuses what the first bytes already give away.
func checkHead(head []byte, declared int64, rule probe.Rule) error {
	size := declared
	if size < int64(len(head)) {
		size = int64(len(head))
		if len(head) == probe.HeadBytes {
			size++ // there may be more of it
		}
	}
	_, problems, err := rule.Inspect(head, size)
	if errors.Is(err, probe.ErrNeedMore) {
		return nil // the whole file will tell
	}
	return problemError(problems)
}

// open decodes a whole file behind the guard and checks the rule against what it really is.
func open(ctx context.Context, data []byte, rule probe.Rule) (*image.NRGBA, probe.Facts, error) {
	_, problems, err := rule.Inspect(data, int64(len(data)))
	if err != nil {
		return nil, probe.Facts{}, atelier.Wrap(atelier.Invalid, err, words.UploadDamaged)
	}
	if err := problemError(problems); err != nil {
		return nil, probe.Facts{}, err
	}
	img, facts, err := imaging.Decode(ctx, data, imaging.Limits{Converts: len(rule.Converts) > 0})
	if err != nil {
		return nil, facts, decodeError(err)
	}
	return img, facts, nil
}

// Upright stores a copy of a stored picture with its EXIF turn applied, small enough for the rule. The error wraps fs.ErrNotExist where the
// picture is not here.
func (s *Store) Upright(ctx context.Context, sha string, rule probe.Rule) (Sent, error) {
	done, err := s.opening(ctx)
	if err != nil {
		return Sent{}, err
	}
	defer done()
	data, err := s.Read(sha)
	if err != nil {
		return Sent{}, err
	}
	img, facts, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		return Sent{}, decodeError(err)
	}
	return s.upright(ctx, img, keepsAll(facts, img), rule)
}

// upright stores the picture with its turn applied, in sRGB, small enough for the rule: as PNG when that is asked for, else, or where that is too
// large, as JPEG. To write a WebP takes ten times as long.
func (s *Store) upright(ctx context.Context, img *image.NRGBA, lossless bool, rule probe.Rule) (Sent, error) {
	var tries []imaging.EncodeOptions
	for _, quality := range []int{95, 90, 80, 65, 50} { // a large file that was itself packed so far needs the last
		tries = append(tries, imaging.EncodeOptions{Format: probe.JPEG, Quality: quality})
	}
	if lossless {
		tries = append([]imaging.EncodeOptions{{Format: probe.PNG, Speed: imaging.Fast}}, tries...)
	}
	some, times := sample(img)
	for i, o := range tries {
		if i < len(tries)-1 {
			// A picture of many megapixels is not packed again and again to see that it is too large.
			b := bounded{left: rule.MaxBytes / times}
			if err := imaging.Encode(&b, some, o); errors.Is(err, errBound) {
				continue
			}
		}
		b := bounded{left: rule.MaxBytes}
		err := imaging.Encode(&b, img, o)
		if errors.Is(err, errBound) {
			continue
		}
		if err != nil {
			return Sent{}, fmt.Errorf("turn a photo upright: %w", err)
		}
		sha, n, err := s.Put(ctx, &b.Buffer)
		return Sent{sha, o.Format, n}, err
	}
	return Sent{}, atelier.FieldError("image", words.UploadTurned)
}

// sample is some of the rows of a picture, from all over it, which has so many times as many.
func sample(img *image.NRGBA) (some *image.NRGBA, times int64) {
	const band, every = 16, 16
	w, h := img.Rect.Dx(), img.Rect.Dy()
	some = &image.NRGBA{Stride: 4 * w, Rect: image.Rect(0, 0, w, h/(band*every)*band)}
	if some.Rect.Empty() {
		return img, 1
	}
	for y := 0; y < some.Rect.Dy(); y += band {
		from := (y*every + band*every/2) * img.Stride
		some.Pix = append(some.Pix, img.Pix[from:from+band*img.Stride]...)
	}
	return some, int64(h / some.Rect.Dy())
}

// bounded takes so many bytes and no more.
type bounded struct {
	bytes.Buffer
	left int64
}

var errBound = errors.New("it becomes too large")

// Write gives errBound as soon as it is clear that the whole does not fit.
func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errBound
	}
	return b.Buffer.Write(p)
}

func tooLarge(rule probe.Rule, format probe.Format, size int64) error {
	rule = probe.Rule{Formats: []probe.Format{format}, Converts: rule.Converts, MaxBytes: rule.MaxBytes, MaxConvert: rule.MaxConvert}
	return problemError(rule.Check(probe.Facts{Format: format, Bytes: size}))
}

// problemError turns what is wrong with a file into one error that names everything.
func problemError(problems []probe.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	code := atelier.Invalid
	sentences := make([]string, 0, len(problems))
	for _, p := range problems {
		switch p.Code {
		case probe.CodeFormat, probe.CodeAnimated, probe.CodeCoding, probe.CodeKind:
			code = atelier.WrongType
		case probe.CodeBytes, probe.CodePixels, probe.CodeMemory:
			code = atelier.TooLarge
		}
		sentences = append(sentences, p.Sentence())
	}
	message := strings.Join(sentences, " ")
	return &atelier.Error{Code: code, Message: message, Fields: map[string]string{"image": message}}
}

func decodeError(err error) error {
	e, ok := errors.AsType[*imaging.Error](err)
	if !ok {
		return fmt.Errorf("open a picture: %w", err)
	}
	code := atelier.Invalid
	switch e.Code {
	case imaging.WrongType, imaging.Animated:
		code = atelier.WrongType
	case imaging.TooLarge, imaging.TooManyPixels:
		code = atelier.TooLarge
	}
	return &atelier.Error{Code: code, Message: e.Message, Fields: map[string]string{"image": e.Message}, Err: err}
}

// interrupted names an upload that ended early.
func interrupted(err error) error {
	if _, ok := errors.AsType[*atelier.Error](err); ok {
		return err
	}
	return atelier.Wrap(atelier.Invalid, err, words.UploadInterrupted)
}
