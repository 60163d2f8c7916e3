// Package provenance writes into a picture or a video where it comes from: the IPTC property "Digital Source Type", what made it
// and of what, in an XMP packet. Pixels are not touched and nothing is copied: the packet stands between the bytes of the file
// while they are read. A packet that is there already is left out.
//
// The terms are those of IPTC's NewsCodes "digitalsourcetype"; "AI System Used" is of the IPTC Photo Metadata Standard 2025.1; the
// place of a packet in each format is that of "XMP Specification Part 3, Storage in Files", but for MOV: the place it gives there lies
// before the pictures, whose places in the file would move, so that a MOV holds the packet as an MP4 does.
package provenance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"atelier/imaging/probe"
)

// Source is an IPTC term for how a picture came to be.
type Source string

// The terms the studio uses.
const (
	// Trained is wholly made by a model trained on sampled content.
	Trained Source = "trainedAlgorithmicMedia"
	// TrainedComposite is a photograph of which such a model redrew a part.
	TrainedComposite Source = "compositeWithTrainedAlgorithmicMedia"
	// Algorithmic is wholly made by an algorithm that was not trained on sampled content.
	Algorithmic Source = "algorithmicMedia"
	// Composite is a photograph with parts that were made by an algorithm that was not trained.
	Composite Source = "compositeSynthetic"
)

const vocabulary = "http://cv.iptc.org/newscodes/digitalsourcetype/"

// Origin is what a file says about itself.
type Origin struct {
	Source Source // "" = nothing is said
	Agent  string // with its version; "" = what made it is not said
	Parent string // SHA-256, in hex, of the picture it was made of; "" = of none
}

// Packet is the XMP packet of an origin.
func (o Origin) Packet() []byte { return PacketOf(o) }

// PacketOf is the XMP packet of a file that pictures of one or more origins went into: it names every agent and every picture they
// were made of, each once. Where they came to be in different ways, it is a composite of them.
func PacketOf(origins ...Origin) []byte {
	var o Origin
	var agents, parents []string
	for i, one := range origins {
		switch {
		case i == 0 || one.Source == o.Source:
			o.Source = one.Source
		case o.trained() || one.trained():
			o.Source = TrainedComposite
		default:
			o.Source = Composite
		}
		if one.Agent != "" && !slices.Contains(agents, one.Agent) {
			agents = append(agents, one.Agent)
		}
		if parent := "sha256:" + one.Parent; one.Parent != "" && !slices.Contains(parents, parent) {
			parents = append(parents, parent)
		}
	}
	o.Agent, o.Parent = strings.Join(agents, ", "), strings.Join(parents, "; ")
	return o.packet()
}

// trained says whether a model had part in it that was trained on sampled content.
func (o Origin) trained() bool { return o.Source == Trained || o.Source == TrainedComposite }

// packet writes an origin whose parents are named as the packet does.
func (o Origin) packet() []byte {
	var b bytes.Buffer
	property := func(name, text string) {
		b.WriteString("<" + name + ">")
		_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
		b.WriteString("</" + name + ">")
	}
	b.WriteString(`<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>` +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"` +
		` xmlns:dc="http://purl.org/dc/elements/1.1/">`)
	property("Iptc4xmpExt:DigitalSourceType", vocabulary+string(o.Source))
	if o.Agent != "" {
		property("xmp:CreatorTool", "Atelier, "+o.Agent)
	}
	if o.Agent != "" && o.trained() {
		property("Iptc4xmpExt:AISystemUsed", o.Agent)
	}
	if o.Parent != "" {
		property("dc:source", o.Parent)
	}
	b.WriteString(`</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`)
	return b.Bytes()
}

// Mark tells origins apart: two with the same one write the same packet.
func (o Origin) Mark() string {
	sum := sha256.Sum256(o.Packet())
	return hex.EncodeToString(sum[:8])
}

// ErrUntaggable is wrapped by what Open says of a file that cannot say where it comes from: of another format, or not built as
// its format says.
var ErrUntaggable = errors.New("the file cannot say where it comes from")

// errShape is a file that is not built as its format says.
var errShape = fmt.Errorf("%w: it is not built as its format says", ErrUntaggable)

// Tagged is a file that says where it comes from. It is read like any other file and is not safe for concurrent use.
type Tagged struct {
	file  io.ReaderAt
	bytes int64 // of file
	parts []part
	size  int64
	at    int64
}

// part is a stretch of a tagged file: its own bytes, or those of the file as it was from a place up to another.
type part struct {
	own      []byte
	from, to int64
}

func (p part) len() int64 {
	if p.own != nil {
		return int64(len(p.own))
	}
	return p.to - p.from
}

// Open looks where the packet of an origin belongs in a PNG, JPEG, WebP, MP4 or MOV file of so many bytes. The file stays the caller's
// and is read from as long as the tagged one is.
func Open(file io.ReaderAt, size int64, o Origin) (*Tagged, error) {
	head, err := read(file, 0, min(size, 512))
	if err != nil {
		return nil, err
	}
	l := layout{file: file, size: size, packet: o.Packet()}
	switch format := probe.Sniff(head); format {
	case probe.PNG:
		err = l.png()
	case probe.JPEG:
		err = l.jpeg()
	case probe.WebP:
		err = l.webp()
	case probe.MP4, probe.MOV:
		err = l.film()
	default:
		err = fmt.Errorf("%w: it is %s", ErrUntaggable, format)
	}
	if err != nil {
		return nil, fmt.Errorf("tag a file: %w", err)
	}
	t := &Tagged{file: file, bytes: size, parts: l.parts}
	for _, p := range t.parts {
		t.size += p.len()
	}
	return t, nil
}

// Size is the length in bytes.
func (t *Tagged) Size() int64 { return t.size }

// Read implements io.Reader.
func (t *Tagged) Read(b []byte) (int, error) {
	at := t.at
	for _, p := range t.parts {
		n := p.len()
		if at >= n {
			at -= n
			continue
		}
		if p.own != nil {
			copied := copy(b, p.own[at:])
			t.at += int64(copied)
			return copied, nil
		}
		got, err := t.file.ReadAt(b[:min(int64(len(b)), n-at)], p.from+at)
		t.at += int64(got)
		if got > 0 || len(b) == 0 {
			return got, nil
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // it has become shorter
		}
		return 0, err
	}
	return 0, io.EOF
}

// Seek implements io.Seeker.
func (t *Tagged) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += t.at
	case io.SeekEnd:
		offset += t.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("there is nothing %d bytes before the beginning", -offset)
	}
	t.at = offset
	return offset, nil
}
