package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"path"
	"strings"
)

// Surface names one of the two APIs of the service; its values are those of the catalog and of atelier.
type Surface string

// The surfaces.
const (
	TaskSurface Surface = "task" // /openapi/v1
	RunSurface  Surface = "run"  // /openapi/agent
)

// Upload is a file on its way to the service.
type Upload struct {
	Name        string    // file name; only its last part goes out
	ContentType string    // image/jpeg, image/png, image/webp; video/…, audio/…
	Size        int64     // exact length of Body in bytes
	Body        io.Reader // read once, not closed
}

// UploadImage streams a picture to the service and gives the URL it is used by (Task API, "Upload image"; Run API, "Upload
// a local image"). Body is never held in memory. The request goes out with an exact Content-Length; a Body that is longer
// or shorter than Size ends it.
func (c *Client) UploadImage(ctx context.Context, s Surface, u Upload) (Uploaded, error) {
	place := PathUploadImage
	if s == RunSurface {
		place = PathRunUpload
	}
	url, err := c.upload(ctx, "upload image", place, "image", u)
	return Uploaded{Image: url}, err
}

// UploadVideo is UploadImage for an MP4 or MOV (an extra of the run surface that the documents do not mention).
func (c *Client) UploadVideo(ctx context.Context, u Upload) (url string, err error) {
	return c.upload(ctx, "upload video", PathRunVideos, "video", u)
}

// UploadAudio is UploadImage for an MP3, WAV or M4A (an extra of the run surface that the documents do not mention).
func (c *Client) UploadAudio(ctx context.Context, u Upload) (url string, err error) {
	return c.upload(ctx, "upload audio", PathRunAudios, "audio", u)
}

// upload sends a file in the form field of that name, under which the answer also holds its URL.
func (c *Client) upload(ctx context.Context, op, place, field string, u Upload) (url string, err error) {
	if u.Size <= 0 {
		return "", fmt.Errorf("%s: the file's size must be known, it is %d", op, u.Size)
	}
	head, tail, kind, err := frame(field, u)
	if err != nil {
		return "", fmt.Errorf("%s: %w", op, err)
	}
	e, err := c.do(ctx, call{
		op: op, method: "POST", path: place, kind: kind, timeout: c.uploadTimeout,
		body:   io.MultiReader(bytes.NewReader(head), &measured{from: u.Body, left: u.Size}, bytes.NewReader(tail)),
		length: int64(len(head)) + u.Size + int64(len(tail)),
	})
	if err != nil {
		return "", err
	}
	h, err := e.handle()
	if url = string(map[string]looseString{"image": h.Image, "video": h.Video, "audio": h.Audio}[field]); err == nil && url == "" {
		err = errors.New("the answer names no file")
	}
	if err != nil {
		return "", e.missing(c, err)
	}
	return url, nil
}

// frame writes what stands before and after the file in a multipart body with one field.
func frame(field string, u Upload) (head, tail []byte, kind string, err error) {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", `form-data; name="`+field+`"; filename="`+fileName(u.Name)+`"`)
	h.Set("Content-Type", contentType(u.ContentType))
	if _, err := m.CreatePart(h); err != nil {
		return nil, nil, "", fmt.Errorf("begin the form: %w", err)
	}
	n := b.Len()
	if err := m.Close(); err != nil {
		return nil, nil, "", fmt.Errorf("end the form: %w", err)
	}
	return b.Bytes()[:n:n], b.Bytes()[n:], m.FormDataContentType(), nil
}

// fileName makes a name that stands between quotes in a header without surprises: ASCII, no path, at most 100 bytes.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"%;`, r) {
			return '_'
		}
		return r
	}, name)
	if len(name) > 100 {
		name = name[len(name)-100:]
	}
	if strings.Trim(name, "._/ ") == "" {
		return "image"
	}
	return name
}

func contentType(t string) string {
	for _, r := range t {
		if r < ' ' || r > '~' {
			return "application/octet-stream"
		}
	}
	if t == "" {
		return "application/octet-stream"
	}
	return t
}

// measured reads exactly left bytes: fewer or more are an error.
type measured struct {
	from io.Reader
	left int64
}

func (m *measured) Read(p []byte) (int, error) {
	if m.left == 0 {
		var one [1]byte
		switch n, err := io.ReadFull(m.from, one[:]); {
		case n > 0:
			return 0, errors.New("the file is longer than it was said to be")
		case errors.Is(err, io.EOF):
			return 0, io.EOF
		default:
			return 0, err
		}
	}
	if int64(len(p)) > m.left {
		p = p[:m.left]
	}
	n, err := m.from.Read(p)
	m.left -= int64(n)
	if m.left > 0 && errors.Is(err, io.EOF) {
		return n, fmt.Errorf("the file is %d bytes shorter than it was said to be: %w", m.left, io.ErrUnexpectedEOF)
	}
	if errors.Is(err, io.EOF) {
		err = nil // the end is told by the next read
	}
	return n, err
}

// StartPSD asks for the layered export of an execution (Task API, "Start PSD download"). It gives what the service says
// about having started it; an answer without that is a yes.
func (c *Client) StartPSD(ctx context.Context, executionID string) (bool, error) {
	k, err := post("start psd", PathPSDCreate, map[string]string{"executionId": executionID})
	if err != nil {
		return false, err
	}
	k.download = true
	e, err := c.do(ctx, k)
	if err != nil {
		return false, err
	}
	var started looseBool
	if e.Data != nil && !object(e.Data) {
		if err := json.Unmarshal(e.Data, &started); err != nil {
			return false, e.missing(c, err)
		}
	}
	return started != looseFalse, nil
}

// QueryPSD gives the state of the layered export of an execution (Task API, "Query PSD download result").
func (c *Client) QueryPSD(ctx context.Context, executionID string) (PSDJob, error) {
	k, err := post("query psd", PathPSDQuery, map[string]string{"executionId": executionID})
	if err != nil {
		return PSDJob{}, err
	}
	k.download, k.reads = true, true
	return ask[PSDJob](ctx, c, k)
}
