package service

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/internal/sqldb"
	"atelier/service/gen"
	"atelier/service/render"
)

const (
	maxMyPresets  = 1000 // per account and kind (Task API, "Limits")
	maxPresetName = 100  // ASSUMED [Names of custom models]: "Maximum length of custom model or location names: not shown"
)

// customPreset is what the two kinds of custom presets differ in.
type customPreset struct {
	kind  string
	what  string // in sentences
	id    string // the field that carries the id
	rule  probe.Rule
	field string // the field that carries the images
	// agents are those that the preset may be created for.
	agents []string
}

var (
	customFashionModel = customPreset{kindFashionModel, "fashion model", "fashionModelId", probe.FashionModel, "images", []string{"aimodel"}}
	// ASSUMED [Create my location for aiproduct]: a location serves both agents that have a locationId, whichever it was created for.
	customLocation = customPreset{kindLocation, "location", "locationId", probe.Location, "image", []string{"aimodel", "aiproduct"}}
)

// createPreset stores a custom preset and the job that prepares it.
func (s *Service) createPreset(r *http.Request, c caller, p customPreset, name, agent, version string, images []string) (id int64, err error) {
	ctx := r.Context()
	for _, field := range []struct {
		name, is string
		may      []string
	}{{"agentName", agent, p.agents}, {"agentVersion", version, []string{"v1.0"}}} {
		must := strings.Join(field.may, " or ")
		switch {
		case slices.Contains(field.may, field.is):
		case field.is == "":
			return 0, refuse("%s is missing; it must be %s.", field.name, must)
		default:
			return 0, refuse("%s must be %s; it is %q.", field.name, must, clip(field.is))
		}
	}
	switch {
	case strings.TrimSpace(name) == "":
		return 0, refuse("name is missing.")
	case utf8.RuneCountInString(name) > maxPresetName:
		return 0, refuse("name has %d characters; at most %d are allowed.", utf8.RuneCountInString(name), maxPresetName)
	}
	for _, u := range images {
		if err := s.checkPresetImage(ctx, c.base, p, u); err != nil {
			return 0, err
		}
	}
	given, err := json.Marshal(images)
	if err != nil {
		return 0, fmt.Errorf("store the images: %w", err)
	}
	ctx = detached(ctx)
	err = s.tx(ctx, func(q *gen.Queries, j inserter) error {
		have, err := q.CountPresets(ctx, gen.CountPresetsParams{AccountID: c.account, Kind: p.kind})
		if err != nil {
			return err
		}
		if have >= maxMyPresets {
			return refuse("There are %d %ss already, which is the limit of an account. Delete one first.", have, p.what)
		}
		if id, err = q.NextPresetID(ctx); err != nil {
			return err
		}
		if err := q.CreatePreset(ctx, gen.CreatePresetParams{
			ID: id, AccountID: c.account, Kind: p.kind, Name: name,
			Images: string(given), BaseUrl: c.base, CreatedAt: s.now(),
		}); err != nil {
			return err
		}
		for _, file := range s.ownFilesOf(c.base, images) {
			if err := stillThere(ctx, q, file); err != nil {
				return err
			}
			if err := q.UseFileInPreset(ctx, gen.UseFileInPresetParams{PresetID: id, FileID: file}); err != nil {
				return fmt.Errorf("record the use of a file: %w", err)
			}
		}
		return j(ctx, presetJob{ID: id})
	})
	if err != nil {
		return 0, fmt.Errorf("store the %s: %w", p.what, err)
	}
	return id, nil
}

// checkPresetImage refuses what can be judged before the job fetches it: addresses, and the size of files of ours.
func (s *Service) checkPresetImage(ctx context.Context, base string, p customPreset, rawURL string) error {
	if err := s.checkURL(ctx, base, catalog.File{Name: p.field, Media: catalog.Image}, rawURL); err != nil {
		return err
	}
	id, own := s.ownFile(rawURL, base)
	if _, preview := previewName(id); !own || preview {
		return nil
	}
	data, err := s.readOwn(ctx, p.field, id)
	if err != nil {
		return err
	}
	return inspectPresetImage(p, data)
}

func inspectPresetImage(p customPreset, data []byte) error {
	_, problems, err := p.rule.Inspect(data, int64(len(data)))
	if err != nil {
		return badPicture(p.field, err)
	}
	if len(problems) > 0 {
		return refuse("%s: %s", p.field, problems[0].Sentence())
	}
	return nil
}

// preset finds the caller's custom preset by the id in a query or body.
func (s *Service) preset(ctx context.Context, c caller, p customPreset, id int64) (gen.MyPreset, error) {
	if id <= 0 {
		return gen.MyPreset{}, refuse("%s must be a whole number of at least 1; it is %d.", p.id, id)
	}
	row, err := s.findMyPreset(ctx, c.account, p.kind, id)
	if errors.Is(err, sql.ErrNoRows) {
		return gen.MyPreset{}, unknown(p.what, strconv.FormatInt(id, 10))
	}
	return row, err
}

// presetImages are the addresses a custom preset was made from, at least one.
func presetImages(row gen.MyPreset) ([]string, error) {
	var images []string
	if err := json.Unmarshal([]byte(row.Images), &images); err != nil {
		return nil, fmt.Errorf("read the images of custom preset %d: %w", row.ID, err)
	}
	if len(images) == 0 {
		return nil, fmt.Errorf("custom preset %d has no image", row.ID)
	}
	return images, nil
}

// presetPicture is the picture that stands for a custom preset: until there is a cover, the first it was made from.
func presetPicture(base string, row gen.MyPreset, images []string) string {
	if row.CoverFile == "" {
		return images[0]
	}
	return fileURL(base, row.CoverFile)
}

// findMyPreset gives sql.ErrNoRows when the account has no such preset.
func (s *Service) findMyPreset(ctx context.Context, account, kind string, id int64) (gen.MyPreset, error) {
	row, err := s.read().FindPresetOf(ctx, gen.FindPresetOfParams{ID: id, AccountID: account, Kind: kind})
	if err != nil {
		return gen.MyPreset{}, fmt.Errorf("find a custom preset: %w", err)
	}
	return row, nil
}

// bodyID is an id in a body. ASSUMED [Numbers sent as text]: one that was taken out of an address is still a text.
type bodyID int64

// UnmarshalJSON is part of json.Unmarshaler.
func (id *bodyID) UnmarshalJSON(raw []byte) error {
	if text, err := strconv.Unquote(string(raw)); err == nil {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return &json.UnmarshalTypeError{Value: "string", Type: reflect.TypeFor[int64]()}
		}
		*id = bodyID(n)
		return nil
	}
	return json.Unmarshal(raw, (*int64)(id))
}

// queryID reads the id out of the query string.
func queryID(r *http.Request, p customPreset) (int64, error) {
	v := r.URL.Query().Get(p.id)
	if v == "" {
		return 0, refuse("%s is missing.", p.id)
	}
	id, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return 0, refuse("%s must be a whole number; it is %q.", p.id, clip(v))
	}
	return id, nil
}

// deletePreset removes a custom preset and its pictures.
func (s *Service) deletePreset(r *http.Request, c caller, p customPreset, id int64) error {
	if id == 0 {
		return refuse("%s is missing.", p.id)
	}
	ctx := detached(r.Context())
	var files []gen.File
	err := s.tx(ctx, func(q *gen.Queries, _ inserter) error {
		files = nil
		row, err := q.FindPresetOf(ctx, gen.FindPresetOfParams{ID: id, AccountID: c.account, Kind: p.kind})
		if errors.Is(err, sql.ErrNoRows) {
			return unknown(p.what, strconv.FormatInt(id, 10))
		}
		if err != nil {
			return err
		}
		for _, fileID := range []string{row.CoverFile, row.ImageFile} {
			f, err := q.FindFile(ctx, fileID)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			files = append(files, f)
			if err := q.DeleteFile(ctx, fileID); err != nil {
				return err
			}
		}
		_, err = q.DeletePreset(ctx, gen.DeletePresetParams{ID: id, AccountID: c.account, Kind: p.kind})
		return err
	})
	if err != nil {
		return fmt.Errorf("delete the %s: %w", p.what, err)
	}
	if err := s.forget(ctx, files); err != nil {
		s.cfg.Logger.Error("remove the pictures of a deleted preset", "id", id, "error", err)
	}
	return nil
}

// The shape of covers, px.
const (
	coverWidth  = 640
	coverHeight = 800
)

// preparePreset fetches and checks the pictures of a custom preset, cuts its cover and makes it complete, or failed, unless
// somebody does.
func (s *Service) preparePreset(ctx context.Context, job presetJob) error {
	work := piece{kind: job.Kind(), id: strconv.FormatInt(job.ID, 10)}
	ctx, release, ok := s.bench.claim(ctx, work)
	if !ok {
		return nil
	}
	defer release()
	row, err := s.read().FindPreset(ctx, job.ID)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && row.Status != "prepare") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find a custom preset: %w", err)
	}
	fail := func(ctx context.Context, cause error) error {
		s.cfg.Logger.Info("custom preset refused", "id", row.ID, "error", cause)
		_, err := s.write().FailPreset(detached(ctx), gen.FailPresetParams{ID: row.ID, Error: asFailure(cause).message})
		return err
	}
	p := customFashionModel
	if row.Kind == kindLocation {
		p = customLocation
	}
	pictures, leave, err := s.seatedToPrepare(ctx, p, row)
	switch {
	case err == nil:
	case abandoned(ctx, err):
		return nil
	case interrupted(ctx) || sqldb.IsDiskFull(err):
		return err // tried again later
	default:
		return fail(ctx, err)
	}
	defer leave()
	return s.undertake(ctx, effort{
		piece:   work,
		begin:   func(ctx context.Context) (int64, error) { return s.write().BeginPreset(ctx, row.ID) },
		forgive: func(ctx context.Context) error { return s.write().ForgivePreset(ctx, row.ID) },
		do:      func(ctx context.Context) error { return s.completePreset(ctx, p, row, pictures) },
		fail:    fail,
	})
}

// seatedToPrepare fetches the pictures of a custom preset and waits for a place and the memory to look at them.
func (s *Service) seatedToPrepare(ctx context.Context, p customPreset, row gen.MyPreset) (pictures [][]byte, leave func(), err error) {
	var memory int64
	err = s.guarded(func() error {
		images, err := presetImages(row)
		if err != nil {
			return err
		}
		for _, u := range images {
			data, err := s.fetchPresetImage(ctx, p, row.BaseUrl, u)
			if err != nil {
				return err
			}
			pictures = append(pictures, data)
		}
		memory, err = studyCost(p, pictures)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	leave, err = s.bench.sit(ctx, &seat{at: pictureAt, turn: s.line.now(), memory: memory, patient: true, alone: row.Beginnings >= trusted})
	return pictures, leave, err
}

// studyCost estimates the memory of looking at the pictures of a preset, one after the other, in bytes: what the largest takes decoded,
// and the portraits that are kept of a fashion model's.
func studyCost(p customPreset, pictures [][]byte) (bytes int64, err error) {
	var portraits, portrait int64
	for _, data := range pictures {
		if err := inspectPresetImage(p, data); err != nil {
			return 0, err
		}
		facts, err := probe.Read(data, int64(len(data)))
		if err != nil {
			return 0, badPicture(p.field, err)
		}
		size := int64(facts.Width) * int64(facts.Height)
		bytes = max(bytes, size*perDecoded)
		small := min(size, render.HeadSide*render.HeadSide)
		portrait, portraits = max(portrait, small), portraits+4*small
	}
	if p.kind == kindFashionModel {
		bytes = max(bytes, portrait*perPixel) + portraits
	}
	return bytes, nil
}

// completePreset makes a custom preset of its pictures; the caller is seated.
func (s *Service) completePreset(ctx context.Context, p customPreset, row gen.MyPreset, pictures [][]byte) (err error) {
	var photos []presetPhoto
	for _, data := range pictures {
		photo, err := studyPhoto(ctx, p, data)
		if err != nil {
			return err
		}
		photos = append(photos, photo)
	}
	if row.Kind == kindLocation {
		return s.keepPreset(ctx, row, photos[0].original, photos[0].cover)
	}
	// ASSUMED [Several photos of a custom fashion model]: of several photos of a model the one that shows the face best is used; of equals the first.
	slices.SortStableFunc(photos, func(a, b presetPhoto) int { return cmp.Compare(b.score, a.score) })
	for _, photo := range photos {
		usable, err := render.ShowsHead(ctx, photo.small)
		if err != nil {
			return fmt.Errorf("look for a face: %w", err)
		}
		if usable {
			return s.keepPreset(ctx, row, photo.original, photo.cover)
		}
	}
	// ASSUMED [Photos without a face]: photos that show no face which could be put on somebody make no model, since it would have no effect.
	return refuse("%s: no face can be found. Use a photo that shows the whole face from the front, large and well lit.", p.field)
}

// presetPhoto is a picture that a custom preset may be made of.
type presetPhoto struct {
	original []byte
	cover    *image.NRGBA
	small    *image.NRGBA // of a fashion model: large enough to take the head from
	score    float64      // of a fashion model: how well it shows the face
}

// studyPhoto decodes a photo and keeps what a preset needs of it.
func studyPhoto(ctx context.Context, p customPreset, data []byte) (photo presetPhoto, err error) {
	img, err := decodePicture(ctx, p.field, data)
	if err != nil {
		return photo, err
	}
	photo = presetPhoto{original: data, cover: coverOf(img, p.kind)}
	if p.kind != kindFashionModel {
		return photo, nil
	}
	if photo.small = img; max(img.Rect.Dx(), img.Rect.Dy()) > render.HeadSide {
		photo.small = imaging.Fit(img, render.HeadSide, render.HeadSide)
	}
	if photo.score, err = frontality(photo.small); err != nil {
		return photo, fmt.Errorf("judge a photo: %w", err)
	}
	return photo, nil
}

// keepPreset stores our copy of the chosen picture and the cover, and makes the preset complete, all in one moment.
func (s *Service) keepPreset(ctx context.Context, row gen.MyPreset, original []byte, cover *image.NRGBA) (err error) {
	facts, err := probe.Read(original, int64(len(original)))
	if err != nil {
		return fmt.Errorf("read a picture: %w", err)
	}
	var jpeg bytes.Buffer
	if err := imaging.Encode(&jpeg, cover, imaging.EncodeOptions{Format: probe.JPEG, Quality: 88}); err != nil {
		return fmt.Errorf("encode the cover: %w", err)
	}
	files := []content{
		{ending: facts.Format.Extension(), row: gen.CreateFileParams{
			AccountID: row.AccountID, Kind: kindPreset,
			MediaType: facts.Format.MediaType(), Width: int64(facts.Width), Height: int64(facts.Height),
		}},
		{ending: probe.JPEG.Extension(), row: gen.CreateFileParams{
			AccountID: row.AccountID, Kind: kindPreset,
			MediaType: probe.JPEG.MediaType(), Width: coverWidth, Height: coverHeight,
		}},
	}
	for i, data := range [][]byte{original, jpeg.Bytes()} {
		d, derr := s.files.draftOf(data)
		if derr != nil {
			return derr
		}
		defer func() { err = errors.Join(err, d.discard()) }()
		files[i].draft = d
	}
	ctx = detached(ctx)
	_, err = s.keepAll(ctx, files, func(q *gen.Queries, ids []string, _ inserter) error {
		n, err := q.CompletePreset(ctx, gen.CompletePresetParams{ID: row.ID, ImageFile: ids[0], CoverFile: ids[1]})
		if err == nil && n == 0 {
			return errGone
		}
		return err
	})
	return err
}

// coverOf cuts the cover out of a picture: from the top for a person, whose face is there, out of the middle for a place.
func coverOf(img *image.NRGBA, kind string) *image.NRGBA {
	if kind == kindFashionModel {
		if w, h := img.Rect.Dx(), img.Rect.Dy(); h*coverWidth > w*coverHeight {
			top, ok := img.SubImage(image.Rect(0, 0, w, max(w*coverHeight/coverWidth, 1))).(*image.NRGBA)
			if ok {
				img = top
			}
		}
	}
	return imaging.Cover(img, coverWidth, coverHeight)
}

// fetchPresetImage reads a picture from our own files or from the network. No copy is kept of the answer.
func (s *Service) fetchPresetImage(ctx context.Context, p customPreset, base, rawURL string) (data []byte, err error) {
	if id, own := s.ownFile(rawURL, base); own {
		return s.readOwn(ctx, p.field, id)
	}
	resp, err := s.assets.Get(ctx, rawURL, p.rule.MaxBytes)
	if err != nil {
		return nil, inFetchWords(p.field, rawURL, p.rule.MaxBytes, err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if data, err = io.ReadAll(resp.Body); err != nil {
		return nil, inFetchWords(p.field, rawURL, p.rule.MaxBytes, err)
	}
	return data, nil
}
