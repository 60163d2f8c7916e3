package engine

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"strings"

	"atelier/imaging"
)

// MaxPicture is the most bytes of a picture's file.
const MaxPicture = 64 << 20

// Tolerance is how far two ratios of sides may differ and still count as the same shape.
const Tolerance = 0.01

// CheckJob fails with Refused for a job that no server can be sent: a mode without its pictures, or a mask of another
// size.
func (c *Client) CheckJob(job Job) error {
	switch {
	case job.Mode != Text && len(job.Pictures) == 0:
		return c.Fail(Refused, "there is no picture to begin with")
	case job.Mode == Inpaint && (job.Mask.Rect().Max != job.Size || job.Size.X < 1 || job.Size.Y < 1):
		return c.Fail(Refused, fmt.Sprintf("the mask is %v, the picture %v", job.Mask.Rect().Max, job.Size))
	}
	return nil
}

// CheckSize fails with Refused where a server that was found to do a does not make pictures of a size.
func (c *Client) CheckSize(a Abilities, size image.Point) error {
	ok := len(a.Sizes) == 0 && size.X%a.Multiple == 0 && size.Y%a.Multiple == 0 &&
		min(size.X, size.Y) >= a.Least && max(size.X, size.Y) <= a.Most
	for _, s := range a.Sizes {
		ok = ok || s == size
	}
	if !ok {
		return c.Fail(Refused, fmt.Sprintf("it makes no pictures of %d × %d pixels", size.X, size.Y))
	}
	return nil
}

// Picture reads a picture's file in base64, perhaps as a data URL, and checks it as CheckPicture does.
func (c *Client) Picture(ctx context.Context, text string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		_, text, _ = strings.Cut(rest, ",")
	}
	if base64.StdEncoding.DecodedLen(len(text)) > MaxPicture {
		return nil, c.Fail(Unusable, "the picture is too large")
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, c.fail(Unusable, "the picture is not in base64", err)
	}
	return c.CheckPicture(ctx, data)
}

// CheckPicture gives a picture's file back that Decode takes, and fails as Decode does.
func (c *Client) CheckPicture(ctx context.Context, data []byte) ([]byte, error) {
	_, err := c.Decode(ctx, data)
	return data, err
}

// Decode decodes a picture's file under imaging's guard. It fails with Unusable for anything
// else than a PNG, JPEG or WebP picture within imaging's limits, and with Declined for one that is wholly black,
// which is how Stable Diffusion's safety checker answers.
func (c *Client) Decode(ctx context.Context, data []byte) (*image.NRGBA, error) {
	if len(data) > MaxPicture {
		return nil, c.Fail(Unusable, "the picture is too large")
	}
	img, _, err := imaging.Decode(ctx, data, imaging.Limits{})
	if err != nil {
		if refused, ok := errors.AsType[*imaging.Error](err); ok {
			return nil, c.fail(Unusable, refused.Message, err)
		}
		return nil, fmt.Errorf("decode the image engine's picture: %w", err)
	}
	if black(img) {
		return nil, c.Fail(Declined, "the picture is black")
	}
	return img, nil
}

// nearlyBlack is the highest channel, of 255, of a picture that a filter blacked out: JPEG does not keep 0.
const nearlyBlack = 3

func black(img *image.NRGBA) bool {
	for i := 0; i < len(img.Pix); i += 4 {
		if p := img.Pix[i : i+4]; max(p[0], p[1], p[2]) > nearlyBlack || p[3] == 0 {
			return false
		}
	}
	return true
}

// FitShape pads a picture's file to the shape of a size by repeating its edge pixels, equally at both ends, for
// servers that would crop or stretch it. A file of that shape comes back as it is.
func FitShape(ctx context.Context, file []byte, size image.Point) ([]byte, error) {
	img, _, err := imaging.Decode(ctx, file, imaging.Limits{})
	if err != nil {
		return nil, fmt.Errorf("read a picture for the engine: %w", err)
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.Pt(max(w, (h*size.X+size.Y/2)/size.Y), max(h, (w*size.Y+size.X/2)/size.X))
	if float64(out.X) <= float64(w)*(1+Tolerance) && float64(out.Y) <= float64(h)*(1+Tolerance) {
		return file, nil
	}
	padded := image.NewNRGBA(image.Rectangle{Max: out})
	left, top := (out.X-w)/2, (out.Y-h)/2
	for y := range out.Y {
		from := img.Pix[min(max(y-top, 0), h-1)*img.Stride:]
		row := padded.Pix[y*padded.Stride:]
		for x := range out.X {
			copy(row[4*x:4*x+4], from[4*min(max(x-left, 0), w-1):])
		}
	}
	return encode(padded)
}
