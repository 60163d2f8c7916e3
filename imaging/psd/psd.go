// Package psd writes layered Photoshop files: 8 bits per channel, RGB, every
// layer with its own pixels, place, mask and name, and a flattened picture for
// the programs that read only that. What is longer than 2 GB can be written as
// a Large Document.
//
// The format is described in "Adobe Photoshop File Formats Specification"; the
// names in comments are that document's.
package psd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"

	"atelier/imaging/mask"
)

// MaxSide is the longest side of a document or layer in pixels.
const MaxSide = 30000

// maxLayers keeps the signed 16-bit count of layers, group ends included.
const maxLayers = 8000

// Document is a picture made of layers.
type Document struct {
	Width, Height int
	DPI           float64 // pixels per inch; 0 takes 72
	Layers        []Layer // the lowest first
	XMP           []byte  // packet of metadata; nil = none

	// Large has a document that comes to more than MaxFile written as a Large Document, PSB, rather than refused.
	Large bool
}

// Layer is a picture at a place, or a group of layers.
type Layer struct {
	// Name is shown up to 255 UTF-16 units; a layer without one is called after its number.
	Name string

	// Image is the pixels, straight alpha, in sRGB; nil for a group. X and Y
	// place its top left corner on the document; it may reach beyond it.
	Image *image.NRGBA
	X, Y  int

	// Open gives the pixels of a layer that is not to be held with all others; it takes the place of Image. It is asked
	// two or three times, one layer at a time, and gives the same each time. Size is theirs.
	Open func() (*image.NRGBA, error)
	Size image.Point

	// OpenMask gives the mask of such a layer in the same way, in place of Mask; nil where it has none.
	OpenMask func() (mask.Plane, error)

	// Opacity is 255 for a solid layer. 0 counts as 255: a layer that is not to
	// be seen is Hidden.
	Opacity uint8
	Hidden  bool

	// Mask shows the layer where it is 255 and hides it where it is 0. It has
	// the size of Image and its place; the mask of a group has the size of the
	// document.
	Mask *mask.Plane

	// Blend is how the layer meets those below: one of Blends. "" is "normal".
	Blend string

	// Layers makes this layer a group of these, the lowest first. Groups are
	// composed on their own and then laid on what is below.
	Layers []Layer
	Group  bool // makes it a group even without layers
}

func (l Layer) isGroup() bool { return l.Group || len(l.Layers) > 0 }

// size is that of the pixels; zero for a group and where there are none.
func (l Layer) size() image.Point {
	switch {
	case l.Open != nil:
		return l.Size
	case l.Image != nil:
		return l.Image.Rect.Size()
	}
	return image.Point{}
}

// masked says whether the layer has a mask.
func (l Layer) masked() bool { return l.Mask != nil || l.Open != nil && l.OpenMask != nil }

// open gives the layer with its pixels at hand.
func (l Layer) open() (Layer, error) {
	if l.Open == nil {
		return l, nil
	}
	img, err := l.Open()
	if err != nil {
		return l, fmt.Errorf("open layer %q: %w", l.Name, err)
	}
	if got := img.Rect.Size(); got != l.Size {
		return l, fmt.Errorf("open layer %q: it is %d × %d, and was said to be %d × %d", l.Name, got.X, got.Y, l.Size.X, l.Size.Y)
	}
	l.Image = img
	if l.OpenMask == nil {
		return l, nil
	}
	m, err := l.OpenMask()
	if err != nil {
		return l, fmt.Errorf("open the mask of layer %q: %w", l.Name, err)
	}
	if m.W != l.Size.X || m.H != l.Size.Y {
		return l, fmt.Errorf("open the mask of layer %q: it is %d × %d, want %d × %d", l.Name, m.W, m.H, l.Size.X, l.Size.Y)
	}
	l.Mask = &m
	return l, nil
}

func (l Layer) opacity() uint8 {
	if l.Opacity == 0 {
		return 255
	}
	return l.Opacity
}

func (l Layer) blend() string {
	if l.Blend == "" {
		return "normal"
	}
	return l.Blend
}

// ErrTooLarge means the file would be longer than MaxFile, or than MaxLarge.
var ErrTooLarge = errors.New("the layered file would be larger than it may be")

// MaxFile is the length a file may have: 2 GB, as the format's programs read it ("Photoshop File Formats
// Specification": larger documents are another format, PSB). A longer file is a Large Document.
const MaxFile = 1<<31 - 1

// MaxLarge is the length a Large Document may have here. The format ends far beyond: it is what can be made and fetched while
// somebody waits.
const MaxLarge = 8 << 30

// Write writes the document. Layers are read, never changed. Packing runs on
// all processors; memory is about that of the packed file, of which layers with
// Open take no part: they are laid into the flattened picture where they show,
// packed to learn their length, and packed once more when they are written, one
// after the other. Nothing is written of a document that is refused.
func Write(w io.Writer, doc Document) error { return writeUpTo(MaxFile, w, doc) }

// writeUpTo is Write for files of at most limit bytes, unless they are Large Documents.
func writeUpTo(limit int64, w io.Writer, doc Document) error {
	if err := doc.check(); err != nil {
		return fmt.Errorf("write psd: %w", err)
	}
	most := limit
	if doc.Large {
		most = MaxLarge
	}
	records := flatten(doc)
	flat, transparent, err := packMerged(doc, most)
	if err != nil {
		return fmt.Errorf("write psd: %w", err)
	}
	fits, err := packAll(records, most-sizeOf(flat))
	if err != nil {
		return fmt.Errorf("write psd: %w", err)
	}
	out, about := &writer{w: bufio.NewWriterSize(w, 1<<16)}, resources(doc)
	info := out.measure(records)
	if doc.Large && out.sum(info, about, flat) > limit {
		out.large, limit = true, MaxLarge
		info = out.measure(records)
	}
	if !fits || out.sum(info, about, flat) > limit {
		return fmt.Errorf("write psd: %w", ErrTooLarge)
	}

	out.string("8BPS")
	out.u16(out.version())
	out.bytes(make([]byte, 6)) // Reserved
	out.u16(len(flat))
	out.u32(doc.Height)
	out.u32(doc.Width)
	out.u16(8) // Depth
	out.u16(3) // Color Mode: RGB
	out.u32(0) // Color Mode Data
	out.block(about)
	if err := writeLayers(out, records, info, transparent); err != nil {
		return fmt.Errorf("write psd: %w", err)
	}
	out.u16(1) // Image Data: RLE
	for _, data := range flat {
		out.counts(data)
	}
	for _, data := range flat {
		out.bytes(data.rows)
	}
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("write psd: %w", out.err)
	}
	return nil
}

func (doc Document) check() error {
	if doc.Width < 1 || doc.Height < 1 || doc.Width > MaxSide || doc.Height > MaxSide {
		return fmt.Errorf("a document of %d × %d pixels: each side must be 1 to %d", doc.Width, doc.Height, MaxSide)
	}
	if len(doc.Layers) == 0 {
		return errors.New("a document without layers")
	}
	count := 0
	if err := doc.checkLayers(doc.Layers, &count); err != nil {
		return err
	}
	if count > maxLayers {
		return fmt.Errorf("%d layers: at most %d", count, maxLayers)
	}
	return nil
}

func (doc Document) checkLayers(layers []Layer, count *int) error {
	for _, l := range layers {
		*count++
		if _, ok := blends[l.blend()]; !ok {
			return fmt.Errorf("layer %q: unknown blend mode %q", l.Name, l.Blend)
		}
		w, h := doc.Width, doc.Height
		switch {
		case l.isGroup():
			if l.Image != nil || l.Open != nil || l.OpenMask != nil {
				return fmt.Errorf("layer %q: a group has no pixels of its own", l.Name)
			}
			*count++ // its end
			if err := doc.checkLayers(l.Layers, count); err != nil {
				return err
			}
		case l.size().X < 1 || l.size().Y < 1:
			return fmt.Errorf("layer %q: no pixels", l.Name)
		default:
			w, h = l.size().X, l.size().Y
			if max(w, h) > MaxSide || max(l.X, -l.X, l.Y, -l.Y) > 2*MaxSide {
				return fmt.Errorf("layer %q: %d × %d pixels at %d, %d: too large or too far away", l.Name, w, h, l.X, l.Y)
			}
		}
		if l.Mask != nil && (l.Mask.W != w || l.Mask.H != h) {
			return fmt.Errorf("layer %q: its mask is %d × %d, want %d × %d", l.Name, l.Mask.W, l.Mask.H, w, h)
		}
	}
	return nil
}

// writer writes big-endian numbers and remembers the first error.
type writer struct {
	w     *bufio.Writer
	large bool // a Large Document: what may be long is counted in twice as many bytes
	err   error
}

func (w *writer) bytes(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

func (w *writer) string(s string) { w.bytes([]byte(s)) }
func (w *writer) u16(v int)       { w.bytes(binary.BigEndian.AppendUint16(nil, uint16(v))) }
func (w *writer) u32(v int)       { w.bytes(binary.BigEndian.AppendUint32(nil, uint32(v))) }
func (w *writer) length(v int64)  { w.bytes(w.appendLength(nil, v)) }

// appendLength appends the length of what may be long.
func (w *writer) appendLength(b []byte, v int64) []byte {
	if w.large {
		return binary.BigEndian.AppendUint64(b, uint64(v))
	}
	return binary.BigEndian.AppendUint32(b, uint32(v))
}

// counts writes the packed length of every row.
func (w *writer) counts(p packed) {
	if !w.large {
		w.bytes(p.counts)
		return
	}
	for at := 0; at < len(p.counts); at += 2 {
		w.u32(int(binary.BigEndian.Uint16(p.counts[at:])))
	}
}

// sizeOf is the length of a channel of so many rows whose packed ones, with counts of two bytes, come to so many bytes.
func (w *writer) sizeOf(bytes int64, rows int) int64 {
	if w.large {
		return bytes + 2*int64(rows)
	}
	return bytes
}

func (w *writer) version() int {
	if w.large {
		return 2
	}
	return 1
}

// block writes the length of b and b.
func (w *writer) block(b []byte) {
	w.u32(len(b))
	w.bytes(b)
}

// layerInfo is what stands before the pixels of the layers, and the length of both.
type layerInfo struct {
	heads   []byte
	size    int64 // with padding
	padding int
}

func (w *writer) measure(records []record) layerInfo {
	info := layerInfo{size: 2}
	for _, r := range records {
		info.heads = append(info.heads, r.head(w)...)
		for _, c := range r.channels {
			info.size += 2 + w.sizeOf(c.bytes, c.rows)
		}
	}
	info.size += int64(len(info.heads))
	info.padding = int(info.size & 1)
	info.size += int64(info.padding)
	return info
}

// sum is the length of the whole file.
func (w *writer) sum(info layerInfo, about []byte, flat []packed) int64 {
	n := info.size + int64(len(about)) + 26 + 4 + 4 + 2 // with the header, the lengths of two sections, and the compression
	n += int64(2*len(w.appendLength(nil, 0)) + 4)       // those of the section of layers, and the end of it
	for _, p := range flat {
		n += w.sizeOf(p.size(), len(p.counts)/2)
	}
	return n
}

// writeLayers writes the Layer and Mask Information section.
func writeLayers(out *writer, records []record, info layerInfo, transparent bool) error {
	out.length(info.size + int64(len(out.appendLength(nil, 0))+4))
	out.length(info.size) // Layer info
	count := len(records)
	if transparent {
		// The first channel beyond the colours of the merged picture is its transparency.
		count = -count
	}
	out.u16(count)
	out.bytes(info.heads)
	for _, r := range records {
		channels := r.channels
		if r.layer.Open != nil {
			var err error
			if channels, err = packAgain(r); err != nil {
				return err
			}
		}
		for _, c := range channels {
			out.u16(1) // RLE
			out.counts(c.data)
			out.bytes(c.data.rows)
		}
	}
	out.bytes(make([]byte, info.padding))
	out.u32(0) // Global layer mask info
	return nil
}
