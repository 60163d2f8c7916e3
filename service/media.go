package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"atelier/catalog"
	"atelier/imaging/video/container"
	"atelier/service/gen"
	"atelier/upstream"
)

// MediaBytes is the largest video or sound that is taken.
const MediaBytes = 200 << 20

// The limits of videos and sounds that are brought.
// ASSUMED [Uploads of videos and sounds]: the documents bound only the reference films of one agent (Run API, "Family E"); these suit what one machine can
// work on.
const (
	maxMediaBytes  = MediaBytes
	maxMediaLength = 600         // s
	maxFilmPixels  = 4096 * 2304 // of one frame
)

// medium is a kind of file that is no picture.
type medium struct {
	media   catalog.Media
	formats []container.Format
	what    string
	words   string // what it has to be
}

// media are the kinds, by the form field they are uploaded in.
var media = map[string]medium{
	"video": {catalog.Video, []container.Format{container.MP4, container.MOV}, "video", "an MP4 or MOV video"},
	"audio": {catalog.Audio, []container.Format{container.MP3, container.WAV, container.M4A}, "sound", "an MP3, WAV or M4A sound"},
}

// mediaFormats are all formats of videos and sounds.
func mediaFormats() []container.Format {
	return append(slices.Clone(media["video"].formats), media["audio"].formats...)
}

// The answers of the uploads that the documents do not mention.
type (
	uploadedVideo struct {
		Video string `json:"video"`
	}
	uploadedAudio struct {
		Audio string `json:"audio"`
	}
)

// uploadVideo is an extra of the run surface: the documents know uploads of pictures alone and take videos as public URLs.
func (s *Service) uploadVideo(r *http.Request, c caller) (reply, error) {
	u, err := s.upload(r, c, "video", s.storeMedium)
	return reply{data: uploadedVideo{u}}, err
}

// uploadAudio is uploadVideo for sounds.
func (s *Service) uploadAudio(r *http.Request, c caller) (reply, error) {
	u, err := s.upload(r, c, "audio", s.storeMedium)
	return reply{data: uploadedAudio{u}}, err
}

func (s *Service) storeMedium(r *http.Request, c caller, field string, from io.Reader) (id string, err error) {
	d, err := s.files.draft()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	if _, err := io.Copy(d, io.LimitReader(from, maxMediaBytes+1)); err != nil {
		return "", brokenUpload(err)
	}
	if d.size > maxMediaBytes {
		return "", tooLarge(field, maxMediaBytes)
	}
	facts, err := inspectMedium(field, media[field], d.file, d.size)
	if err != nil {
		return "", err
	}
	return s.keep(r.Context(), d, mediumRow(facts, gen.CreateFileParams{AccountID: c.account, Kind: kindUpload}), facts.Format.Extension(), nil)
}

// mediumRow puts what is known of a video or sound into the row of its file.
func mediumRow(f container.Facts, row gen.CreateFileParams) gen.CreateFileParams {
	row.MediaType, row.Width, row.Height, row.Seconds = f.Format.MediaType(), int64(f.Width), int64(f.Height), f.Seconds
	return row
}

// inspectMedium checks what a file is, by its content, and the limits. Its refusals name the field.
func inspectMedium(field string, m medium, r io.ReaderAt, size int64) (container.Facts, error) {
	f, err := container.Read(r, size)
	switch {
	case errors.Is(err, container.ErrUnknown):
		return f, refuse("%s: this is not %s.", field, m.words)
	case errors.Is(err, container.ErrCorrupt):
		return f, &failure{status: http.StatusBadRequest, code: upstream.CodeParameter, message: field + ": the file is damaged or not complete.", err: err}
	case err != nil:
		return f, fmt.Errorf("inspect %s: %w", field, err)
	case !slices.Contains(m.formats, f.Format) || f.HasVideo() != (m.media == catalog.Video):
		return f, refuse("%s: the file has to be %s.", field, m.words)
	case f.Seconds > maxMediaLength:
		return f, refuse("%s: it lasts %.0f seconds; at most %d are allowed.", field, f.Seconds, maxMediaLength)
	case f.Width*f.Height > maxFilmPixels:
		return f, refuse("%s: it is %d × %d pixels; at most 4096 × 2304 are allowed.", field, f.Width, f.Height)
	}
	return f, nil
}

// mediaOf tells pictures, videos and sounds apart by their type.
func mediaOf(mediaType string) catalog.Media {
	kind, _, _ := strings.Cut(mediaType, "/")
	return catalog.Media(kind)
}

// inMediaWords names a kind of file.
func inMediaWords(m catalog.Media) string {
	return map[catalog.Media]string{catalog.Image: "a picture", catalog.Video: "a video", catalog.Audio: "a sound"}[m]
}

// factsOf is what is known of a file of ours.
func factsOf(f gen.File) catalog.Facts {
	facts := catalog.Facts{Width: int(f.Width), Height: int(f.Height), Seconds: f.Seconds}
	for _, format := range mediaFormats() {
		if format.MediaType() == f.MediaType {
			facts.Container = string(format)
		}
	}
	return facts
}

// measure fills in what is known of the files without fetching: of those that are ours.
func (s *Service) measure(ctx context.Context, base string, a catalog.Agent, in *catalog.Input) error {
	for _, field := range a.Files {
		for i, u := range in.Files[field.Name] {
			id, own := s.ownFile(u, base)
			if !own {
				continue
			}
			f, err := s.read().FindFile(ctx, id)
			if errors.Is(err, sql.ErrNoRows) {
				continue // checkFiles says it better
			}
			if err != nil {
				return fmt.Errorf("find the file of %s: %w", field.Name, err)
			}
			if field.Source && i == 0 {
				in.SourceWidth, in.SourceHeight = int(f.Width), int(f.Height)
			}
			if field.Media != catalog.Image {
				know(in, field.Name, i, factsOf(f))
			}
		}
	}
	return nil
}

// know notes the facts of one file.
func know(in *catalog.Input, field string, n int, f catalog.Facts) {
	if in.Media == nil {
		in.Media = map[string][]catalog.Facts{}
	}
	if in.Media[field] == nil {
		in.Media[field] = make([]catalog.Facts, len(in.Files[field]))
	}
	in.Media[field][n] = f
}

// gatherMedia finds the videos and sounds of an order on disk, fetching those that are not ours, and notes in o what they are.
func (s *Service) gatherMedia(ctx context.Context, e gen.Execution, o *accepted) (videos, audios map[string][]string, err error) {
	videos, audios = map[string][]string{}, map[string][]string{}
	for _, field := range o.agent.Files {
		to := videos
		switch field.Media {
		case catalog.Image:
			continue
		case catalog.Audio:
			to = audios
		}
		for i, u := range o.in.Files[field.Name] {
			f, err := s.fetchMedium(ctx, e, field, u)
			if err != nil {
				return nil, nil, err
			}
			know(&o.in, field.Name, i, factsOf(f))
			to[field.Name] = append(to[field.Name], s.files.path(f.Sha256))
		}
	}
	return videos, audios, nil
}

// fetchMedium finds the video or sound behind a URL for an execution, as fetch does for pictures; it is never in memory.
func (s *Service) fetchMedium(ctx context.Context, e gen.Execution, field catalog.File, rawURL string) (gen.File, error) {
	if id, own := s.ownFile(rawURL, e.BaseUrl); own {
		f, err := s.read().FindFile(ctx, id)
		if errors.Is(err, sql.ErrNoRows) {
			return f, refuse("%s: there is no file at this address any more.", field.Name)
		}
		if err != nil {
			return f, fmt.Errorf("find %s: %w", field.Name, err)
		}
		return f, rightMedia(field, f)
	}
	f, err := s.copyOf(ctx, e, field.Name, rawURL, maxMediaBytes, func() error { return s.downloadMedium(ctx, e, field, rawURL) })
	if err != nil {
		return f, err
	}
	return f, rightMedia(field, f) // the same address may stand in two fields
}

// rightMedia refuses a file of another kind than its field takes.
func rightMedia(field catalog.File, f gen.File) error {
	if got := mediaOf(f.MediaType); got != field.Media {
		return refuse("%s: this has to be %s, and the file is %s.", field.Name, inMediaWords(field.Media), inMediaWords(got))
	}
	return nil
}

func (s *Service) downloadMedium(ctx context.Context, e gen.Execution, field catalog.File, rawURL string) error {
	return s.download(ctx, field.Name, rawURL, maxMediaBytes, func(d *draft) error {
		facts, err := inspectMedium(field.Name, media[string(field.Media)], d.file, d.size)
		if err != nil {
			return err
		}
		_, err = s.keep(ctx, d, mediumRow(facts, gen.CreateFileParams{
			AccountID: e.AccountID, Kind: kindSource, ExecutionID: e.ID, Origin: rawURL,
		}), facts.Format.Extension(), nil)
		return err
	})
}

// adopt makes a draft of a file that was written elsewhere on the store's disk.
func (f *fileStore) adopt(path string) (*draft, error) {
	d, err := f.draft()
	if err != nil {
		return nil, err
	}
	err = errors.Join(d.file.Close(), os.Rename(path, d.file.Name()))
	if err == nil {
		d.file, err = os.OpenFile(d.file.Name(), os.O_RDWR, 0)
	}
	if err == nil {
		err = d.file.Chmod(0o600)
	}
	if err == nil {
		d.size, err = io.Copy(d.hash, d.file)
	}
	if err != nil {
		return nil, fmt.Errorf("take over a file: %w", errors.Join(err, d.discard()))
	}
	return d, nil
}
