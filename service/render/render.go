// Package render turns the checked parameters and pictures of one execution into pixels. It does no file or
// network I/O and keeps no state: what an agent makes depends only on the Request, its Seed and its Item.
package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"

	"atelier/imaging/mask"
	"atelier/imaging/net"
	"atelier/service/presets"
)

// Request is everything one execution needs, already decoded and checked against the catalog.
type Request struct {
	Agent, Version string
	// Values are the decoded params by their catalog names: float64, string, bool or []any.
	Values map[string]any
	// Original is input.originalImage with its orientation applied; nil for agents that take none.
	Original *image.NRGBA
	// OriginalSize is the size it was given in, before it was scaled down or cut to be worked on; zero when it was not.
	OriginalSize image.Point
	// Files are the other pictures by field name, such as "images" or "fashionModelImage".
	Files map[string][]*image.NRGBA
	// CustomMask is the decoded customMask or customMaskUrl: at least 128 means kept.
	CustomMask *mask.Plane
	// Location, FashionModel and Background are the presets named by id; nil when none was named.
	Location, FashionModel, Background *image.NRGBA
	// Place is the preset that Location was drawn from; nil when Location is a photograph.
	Place *presets.Location
	// Who is the preset that FashionModel was drawn from; nil when FashionModel is a photograph.
	Who *presets.FashionModel
	// Seed is the same for all items of an execution; Item counts from 0 below Count.
	Seed        int64
	Item, Count int
	// Progress hears the fraction done, 0 to 1, never falling. It may be nil and may be called from any goroutine.
	Progress func(float64)
}

// Segmentation is the protected region of an execution, found once and used by each of its items.
// The zero value means the agent protects nothing.
type Segmentation struct {
	// Mask is the protected region, 255 inside and 0 outside, of the original's size.
	Mask mask.Plane
	// Matte is the soft coverage 0..255 of the same region.
	Matte mask.Plane
	// Foreground holds colours free of the old background, fit to be laid over another with Matte.
	Foreground *image.NRGBA
	// Subject is the whole foreground, larger than Mask when only a part of a person is protected.
	Subject mask.Plane
	// Others are people beside the subject, roughly; empty when there are none.
	Others mask.Plane
	// Passers are where people stand or walk behind the subject, with what is around them; only where pixels are copied.
	Passers []image.Rectangle
	// Faces are the faces found in the original.
	Faces []image.Rectangle
	// Bodies are the joints of people in the original; only where they are moved or go on.
	Bodies []net.Joints
	// Exact says the caller drew the mask: it is obeyed pixel by pixel.
	Exact bool
	// Confidence is 0 to 1; a drawn mask has 1.
	Confidence float64
	// Models are those whose faces the items show in turns: the request's fashion model, or models of ours where it names
	// none and the face is all that changes; empty when it stays.
	Models []*Model
	// Head is the soft coverage of the head whose face one of Models replaces.
	Head mask.Plane
	// Clothes is the soft coverage of what the person of the original wears; only where its colour is to change.
	Clothes mask.Plane
	// Wearer is the person a garment that lies flat is put on; nil when there is none.
	Wearer *Wearer
	// Scene is the photograph of a location without the person who stood in it, and SceneFigure where that was; nil when
	// nobody did.
	Scene       *image.NRGBA
	SceneFigure image.Rectangle
	// Note is a sentence for the designer, empty when there is nothing to say.
	Note string
}

// Bytes is the memory that the pictures and planes of a segmentation hold.
func (s Segmentation) Bytes() int64 {
	n := len(s.Mask.Pix) + len(s.Matte.Pix) + len(s.Subject.Pix) + len(s.Others.Pix) + len(s.Head.Pix) + len(s.Clothes.Pix)
	pictures := []*image.NRGBA{s.Foreground, s.Scene}
	for _, m := range s.Models {
		pictures = append(pictures, m.Picture)
	}
	if s.Wearer != nil {
		pictures = append(pictures, s.Wearer.Picture)
		n += len(s.Wearer.Matte.Pix) + len(s.Wearer.Head.Pix) + len(s.Wearer.Upper.Pix) + len(s.Wearer.Lower.Pix)
	}
	for _, img := range pictures {
		if img != nil {
			n += len(img.Pix)
		}
	}
	return int64(n)
}

// Failures a caller can tell apart with errors.Is. Each wraps a sentence fit for the result item's error field.
var (
	// ErrUnknownAgent means no renderer knows the agent.
	ErrUnknownAgent = errors.New("this agent is not known here")
	// ErrMissingInput means a picture the agent needs was not given.
	ErrMissingInput = errors.New("a picture this agent needs is missing")
	// ErrInvalid means a value or mask cannot be used with the picture.
	ErrInvalid = errors.New("a value cannot be used")
)

// Segment finds the protected region of the request's original, once per execution (status Segmenting).
// Agents that protect nothing answer the zero Segmentation.
func Segment(ctx context.Context, req Request) (Segmentation, error) {
	if err := ctx.Err(); err != nil {
		return Segmentation{}, fmt.Errorf("segment: %w", err)
	}
	return segmentOriginal(ctx, req)
}

// Render makes the picture of one item (req.Item of req.Count). The same request and segmentation always give the
// same picture; items differ from one another. A cancelled ctx ends it promptly with ctx's error.
func Render(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("render %s: %w", req.Agent, err)
	}
	req.Progress = rising(req.Progress)
	out, err := renderAgent(ctx, req, seg)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", req.Agent, err)
	}
	return out, nil
}

// rising passes on only what is more than was told before.
func rising(tell func(float64)) func(float64) {
	if tell == nil {
		return nil
	}
	var mu sync.Mutex
	told := -1.0
	return func(f float64) {
		mu.Lock()
		more := f > told
		told = max(told, f)
		mu.Unlock()
		if more {
			tell(f)
		}
	}
}
