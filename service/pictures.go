package service

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/probe"
	"atelier/internal/outbound"
	"atelier/service/gen"
	"atelier/upstream"
)

// maxSourceBytes bounds a picture read from a foreign URL. ASSUMED [Pictures at foreign addresses]: the documents give no limit.
const maxSourceBytes = 64 << 20

// checkFiles refuses URLs that could never be read: files of ours that are not there, hosts we do not go to.
func (s *Service) checkFiles(ctx context.Context, base string, a catalog.Agent, in catalog.Input) error {
	for _, field := range a.Files {
		for _, u := range in.Files[field.Name] {
			if err := s.checkURL(ctx, base, field, u); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) checkURL(ctx context.Context, base string, field catalog.File, rawURL string) error {
	id, own := s.ownFile(rawURL, base)
	if !own {
		if err := s.assets.Check(rawURL); err != nil {
			return refuse("%s: %v.", field.Name, err)
		}
		return nil
	}
	if _, ok := previewName(id); ok && field.Media == catalog.Image {
		return nil
	}
	f, err := s.read().FindFile(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return refuse("%s: there is no file at this address any more. Upload it again.", field.Name)
	}
	if err != nil {
		return fmt.Errorf("find the file of %s: %w", field.Name, err)
	}
	if s.expired(f.Kind, f.CreatedAt) {
		return refuse("%s: this link has expired. Upload the file again.", field.Name)
	}
	return rightMedia(field, f)
}

// ownFiles are the files of ours that an order names, previews left out.
func (s *Service) ownFiles(base string, in catalog.Input) []string {
	var urls []string
	for _, list := range in.Files {
		urls = append(urls, list...)
	}
	if u := maskAddress(in.Values); u != "" {
		urls = append(urls, u)
	}
	return s.ownFilesOf(base, urls)
}

func (s *Service) ownFilesOf(base string, urls []string) []string {
	var ids []string
	for _, u := range urls {
		id, own := s.ownFile(u, base)
		if _, preview := previewName(id); own && !preview {
			ids = append(ids, id)
		}
	}
	return ids
}

// storeTask stores a task together with the files of ours it is made from, which stay as long as it does.
func (s *Service) storeTask(ctx context.Context, base string, agent catalog.Agent, task gen.CreateTaskParams) error {
	input, err := parseObject(task.Input)
	if err != nil {
		return err
	}
	in, _ := readOrder(agent, catalog.Surface(task.Surface), input, nil) // checked before
	files := s.ownFiles(base, in)
	return s.tx(ctx, func(q *gen.Queries, _ inserter) error {
		if err := q.CreateTask(ctx, task); err != nil {
			return err
		}
		return useFiles(ctx, q, task.ID, files)
	})
}

// useFiles records, within a transaction, which files of ours a task is made from. One that has gone since the request was
// checked refuses it.
func useFiles(ctx context.Context, q *gen.Queries, task string, files []string) error {
	for _, id := range files {
		if err := stillThere(ctx, q, id); err != nil {
			return err
		}
		if err := q.UseFileInTask(ctx, gen.UseFileInTaskParams{TaskID: task, FileID: id}); err != nil {
			return fmt.Errorf("record the use of a file: %w", err)
		}
	}
	return nil
}

func stillThere(ctx context.Context, q *gen.Queries, file string) error {
	_, err := q.FindFile(ctx, file)
	if errors.Is(err, sql.ErrNoRows) {
		return refuse("There is no file at %s%s any more. Upload the picture again.", pathFiles, clip(file))
	}
	if err != nil {
		return fmt.Errorf("find a file that is used: %w", err)
	}
	return nil
}

// fetch reads the picture behind a URL for an execution: from our own files, from the copy made for this execution, or from
// the network, keeping a copy. Failures are sentences naming the field.
func (s *Service) fetch(ctx context.Context, e gen.Execution, field, rawURL string) ([]byte, error) {
	if id, own := s.ownFile(rawURL, e.BaseUrl); own {
		return s.readOwn(ctx, field, id)
	}
	f, err := s.sourcePicture(ctx, e, field, rawURL)
	if err != nil {
		return nil, err
	}
	return s.readFile(f)
}

// sourcePicture finds the copy of a picture from elsewhere that belongs to an execution, or makes it.
func (s *Service) sourcePicture(ctx context.Context, e gen.Execution, field, rawURL string) (gen.File, error) {
	return s.copyOf(ctx, e, field, rawURL, maxSourceBytes, func() error { return s.downloadPicture(ctx, e, field, rawURL) })
}

// copyOf finds the copy of a file from elsewhere that belongs to an execution, or has it fetched.
func (s *Service) copyOf(ctx context.Context, e gen.Execution, field, rawURL string, limit int64, fetch func() error) (gen.File, error) {
	find := func() (gen.File, error) {
		return s.read().FindSource(ctx, gen.FindSourceParams{ExecutionID: e.ID, Origin: rawURL})
	}
	f, err := find()
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return f, fmt.Errorf("look for a copy of %s: %w", field, err)
	}
	if err := s.persist(ctx, field, rawURL, limit, fetch); err != nil {
		return f, err
	}
	if f, err = find(); err != nil {
		return f, fmt.Errorf("find the copy of %s: %w", field, err)
	}
	return f, nil
}

func (s *Service) readOwn(ctx context.Context, field, id string) ([]byte, error) {
	if name, ok := previewName(id); ok {
		return readPreview(name)
	}
	f, err := s.read().FindFile(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, refuse("%s: there is no file at this address any more.", field)
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", field, err)
	}
	return s.readFile(f)
}

// fetchWaits lie between the attempts to read a foreign URL.
var fetchWaits = []time.Duration{time.Second, 3 * time.Second}

// persist tries a fetch of at most limit bytes again where that may help, and says in words why it failed.
func (s *Service) persist(ctx context.Context, field, rawURL string, limit int64, fetch func() error) error {
	for attempt := 0; ; attempt++ {
		err := fetch()
		if err == nil || attempt >= len(fetchWaits) || !passing(err) || ctx.Err() != nil {
			return inFetchWords(field, rawURL, limit, err)
		}
		if err := wait(ctx, fetchWaits[attempt]); err != nil {
			return inFetchWords(field, rawURL, limit, err)
		}
	}
}

// passing says whether a fetch may succeed a moment later.
func passing(err error) bool {
	if answered, ok := errors.AsType[*outbound.StatusError](err); ok {
		return answered.Status >= 500 || answered.Status == 429
	}
	if _, ok := errors.AsType[*failure](err); ok {
		return false
	}
	return !errors.Is(err, outbound.ErrRefused) && !errors.Is(err, outbound.ErrTooLarge) && !errors.Is(err, context.Canceled)
}

func inFetchWords(field, rawURL string, limit int64, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	host := "its server"
	if u, perr := url.Parse(rawURL); perr == nil && u.Host != "" {
		host = u.Host
	}
	reason := "it could not be reached"
	if answered, ok := errors.AsType[*outbound.StatusError](err); ok {
		reason = answered.Error()
	}
	if errors.Is(err, outbound.ErrTooLarge) {
		reason = fmt.Sprintf("it is larger than %d MB", limit>>20)
	}
	if errors.Is(err, outbound.ErrRefused) {
		reason = err.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		reason = "it took too long"
	}
	return &failure{status: http.StatusBadRequest, code: upstream.CodeParameter, message: fmt.Sprintf("%s could not be read from %s: %s.", field, host, reason), err: err}
}

func (s *Service) downloadPicture(ctx context.Context, e gen.Execution, field, rawURL string) error {
	return s.download(ctx, field, rawURL, maxSourceBytes, func(d *draft) error {
		facts, err := d.picture()
		if err != nil {
			return badPicture(field, err)
		}
		_, err = s.keep(ctx, d, gen.CreateFileParams{
			AccountID: e.AccountID, Kind: kindSource, ExecutionID: e.ID, Origin: rawURL,
			MediaType: facts.Format.MediaType(), Width: int64(facts.Width), Height: int64(facts.Height),
		}, facts.Format.Extension(), nil)
		return err
	})
}

// download fetches what lies at an address, at most limit bytes, into a draft; it is never in memory.
func (s *Service) download(ctx context.Context, field, rawURL string, limit int64, use func(*draft) error) (err error) {
	resp, err := s.assets.Get(ctx, rawURL, limit)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", field, err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	d, err := s.files.draft()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	if _, err := io.Copy(d, resp.Body); err != nil {
		return fmt.Errorf("fetch %s: %w", field, err)
	}
	return use(d)
}

// pictureHead is how much of a picture is read to know what it is; of a few more is needed.
const pictureHead = 1 << 20

// picture says what picture was written.
func (d *draft) picture() (probe.Facts, error) {
	head := make([]byte, min(d.size, pictureHead))
	if _, err := d.file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return probe.Facts{}, fmt.Errorf("read back a picture: %w", err)
	}
	facts, err := probe.Read(head, d.size)
	if !errors.Is(err, probe.ErrNeedMore) || int64(len(head)) == d.size {
		return facts, err
	}
	whole, err := d.content()
	if err != nil {
		return facts, err
	}
	return probe.Read(whole, d.size)
}

// picture fetches and decodes, EXIF turn applied.
func (s *Service) picture(ctx context.Context, e gen.Execution, field, rawURL string) (*image.NRGBA, error) {
	data, err := s.fetch(ctx, e, field, rawURL)
	if err != nil {
		return nil, err
	}
	return decodePicture(ctx, field, data)
}

func decodePicture(ctx context.Context, field string, data []byte) (*image.NRGBA, error) {
	img, _, err := imaging.Decode(ctx, data, imaging.DefaultLimits)
	if err != nil {
		if cerr := ctx.Err(); cerr != nil {
			return nil, fmt.Errorf("decode %s: %w", field, cerr)
		}
		return nil, badPicture(field, err)
	}
	return img, nil
}

// badPicture is a file the decoder refused, in its words.
func badPicture(field string, err error) error {
	message := field + " is not a PNG, JPEG or WebP picture that can be read."
	if refused, ok := errors.AsType[*imaging.Error](err); ok {
		message = field + ": " + refused.Message
	}
	return &failure{status: http.StatusBadRequest, code: upstream.CodeParameter, message: message, err: err}
}

// checkMask checks a custom mask against the source before the execution is accepted, where both are at hand. What must be
// fetched first is checked by the work itself, in the same words.
func (s *Service) checkMask(ctx context.Context, base string, in catalog.Input) error {
	if in.Values["maskType"] != "custom" {
		return nil
	}
	var data []byte
	var err error
	field := "customMask"
	inline, _ := in.Values[field].(string)
	if inline != "" {
		data, err = inlineMask(field, inline)
	} else {
		field = "customMaskUrl"
		u, _ := in.Values[field].(string)
		if err := s.checkURL(ctx, base, catalog.File{Name: field, Media: catalog.Image}, u); err != nil {
			return err
		}
		id, own := s.ownFile(u, base)
		if _, preview := previewName(id); !own || preview {
			return nil
		}
		data, err = s.readOwn(ctx, field, id)
	}
	if err != nil {
		return err
	}
	size := image.Pt(in.SourceWidth, in.SourceHeight)
	pixels, err := maskPixels(field, data, size)
	if err != nil {
		return err
	}
	leave, ok := s.bench.sitAtOnce(&seat{memory: pixels * perMaskPixel})
	if !ok {
		return nil // nobody is kept waiting for what the work looks at in any case
	}
	defer leave()
	m, err := parseMask(ctx, field, data)
	if err != nil || size == (image.Point{}) {
		return err
	}
	return fitMask(field, m, size)
}

// perMaskPixel is what a pixel of a mask takes in bytes while it is read.
const perMaskPixel = 8

// maskPixels gives the pixels of a mask from its header, and refuses one of another size than the picture, where that is known,
// before it is decoded.
func maskPixels(field string, data []byte, size image.Point) (int64, error) {
	facts, err := probe.Read(data, int64(len(data)))
	if err != nil {
		return 0, nil // the decoder says it better
	}
	if size != (image.Point{}) && image.Pt(facts.Width, facts.Height) != size && facts.Pixels() > 0 {
		return 0, fitMask(field, mask.Plane{W: facts.Width, H: facts.Height}, size)
	}
	return facts.Pixels(), nil
}

// inlineMask reads customMask: base64 without a data-URI prefix.
func inlineMask(field, inline string) ([]byte, error) {
	if strings.HasPrefix(inline, "data:") {
		return nil, refuse("%s must be base64 alone, without the data: prefix.", field)
	}
	data, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(inline))
	if err != nil {
		return nil, refuse("%s is not valid base64.", field)
	}
	return data, nil
}

// parseMask reads a mask's alpha. A file without any transparency says nothing about what may be redrawn: it is refused.
// ASSUMED [Masks without transparency]: black-and-white masks are not read, since the documents ask for transparency outside the region.
func parseMask(ctx context.Context, field string, data []byte) (mask.Plane, error) {
	m, fromAlpha, err := imaging.DecodeMask(ctx, data, imaging.DefaultLimits)
	if err != nil {
		if cerr := ctx.Err(); cerr != nil {
			return mask.Plane{}, fmt.Errorf("decode %s: %w", field, cerr)
		}
		return mask.Plane{}, badPicture(field, err)
	}
	if !fromAlpha {
		return mask.Plane{}, refuse("%s has no transparent pixels. What may be redrawn must be transparent, what is kept must be painted.", field)
	}
	return m, nil
}

// fitMask refuses a mask of another size than the picture (EXIF turn applied), and one that keeps nothing or everything.
func fitMask(field string, m mask.Plane, size image.Point) error {
	if err := m.Validate(size.X, size.Y); err != nil {
		return refuse("%s: %v", field, err)
	}
	return nil
}

// customMask is the mask an execution was given, checked against the picture; nil when it has none.
func (s *Service) customMask(ctx context.Context, e gen.Execution, v catalog.Values, size image.Point) (*mask.Plane, error) {
	if v["maskType"] != "custom" {
		return nil, nil //nolint:nilnil // no mask is an ordinary case, as in render.Request
	}
	var data []byte
	var err error
	field := "customMask"
	if inline, _ := v[field].(string); inline != "" {
		data, err = inlineMask(field, inline)
	} else {
		field = "customMaskUrl"
		u, _ := v[field].(string)
		data, err = s.fetch(ctx, e, field, u)
	}
	if err != nil {
		return nil, err
	}
	if _, err := maskPixels(field, data, size); err != nil {
		return nil, err
	}
	m, err := parseMask(ctx, field, data)
	if err != nil {
		return nil, err
	}
	return &m, fitMask(field, m, size)
}

// encodeResult writes a result in the format that was asked for and gives its ending and media type.
func encodeResult(w io.Writer, img *image.NRGBA, v catalog.Values) (ending, mediaType string, err error) {
	opt := imaging.EncodeOptions{Format: probe.PNG, Speed: imaging.Fast}
	if v["resultImageFormat"] == "jpg" || v["outputFormat"] == "jpeg" {
		opt = imaging.EncodeOptions{Format: probe.JPEG, Quality: 92}
	}
	if err := imaging.Encode(w, img, opt); err != nil {
		return "", "", fmt.Errorf("encode the result: %w", err)
	}
	return opt.Format.Extension(), opt.Format.MediaType(), nil
}

// wait is a pause that the end of ctx cuts short.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
