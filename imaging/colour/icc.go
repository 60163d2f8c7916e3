package colour

import (
	"encoding/binary"
	"math"
)

// MaxProfile is the most bytes of a profile that are read; those that cameras and editors write have some thousand, those of printers
// some hundred thousand.
const MaxProfile = 4 << 20

const (
	profileHead = 128
	tagEntry    = 12
	latest      = 4   // the newest version of the format that browsers read
	nearD50     = .01 // how far the light of the connection space may be from D50
)

// readProfile reads an ICC profile (ICC.1:2022). ok is false for what is none, or none that browsers understand; then what else the file says of
// its colours counts. A good profile that is of another model than the picture gives nil: it says nothing, and nothing else is asked.
func readProfile(data []byte, m Model) (s *Space, ok bool) {
	if len(data) < profileHead+4 || string(data[36:40]) != "acsp" || int64(binary.BigEndian.Uint32(data)) > int64(len(data)) || data[8] > latest {
		return nil, false
	}
	for i, v := range whiteD50 {
		if math.Abs(fixed16(data[68+4*i:])-v) > nearD50 {
			return nil, false
		}
	}
	connection := string(data[20:24])
	if connection != "XYZ " && connection != "Lab " {
		return nil, false
	}
	tags := readTags(data)
	model, known := map[string]Model{"RGB ": RGB, "GRAY": Grey, "CMYK": Inks}[string(data[16:20])]
	if !known {
		return nil, false
	}
	if cicp := tags["cicp"]; model == RGB && len(cicp) >= 12 {
		if s, ok := fromCodePoints(cicp[8:12]); ok {
			return s.onlyFor(model, m), true
		}
	}
	table := tags["A2B0"]
	if table == nil {
		table = tags["A2B1"]
	}
	switch {
	case table != nil && model == Grey: // no program is known to write such
		return nil, true
	case table != nil:
		inputs := map[Model]int{RGB: 3, Inks: 4}[model]
		t, ok := readTable(table, inputs, connection == "Lab ")
		if !ok {
			return nil, false
		}
		s = &Space{table: t}
	case model == RGB:
		s, ok = readMatrix(tags, connection)
	case model == Grey:
		s, ok = readGrey(tags, connection)
	default:
		return nil, false
	}
	if table == nil && !ok {
		return nil, false
	}
	return s.onlyFor(model, m), true
}

// onlyFor is nil for a space of another model than the picture's. What is said of colours holds for greys too.
func (s *Space) onlyFor(of, picture Model) *Space {
	if of == picture || of == RGB && picture == Grey {
		return s
	}
	return nil
}

func readTags(data []byte) map[string][]byte {
	tags := map[string][]byte{}
	count := min(int64(binary.BigEndian.Uint32(data[profileHead:])), int64((len(data)-profileHead-4)/tagEntry))
	for i := range count {
		entry := data[profileHead+4+tagEntry*i:][:tagEntry]
		from, size := int64(binary.BigEndian.Uint32(entry[4:])), int64(binary.BigEndian.Uint32(entry[8:]))
		if name := string(entry[:4]); from+size <= int64(len(data)) && tags[name] == nil {
			tags[name] = data[from : from+size]
		}
	}
	return tags
}

// readMatrix reads three primaries and their curves (8.3.3).
func readMatrix(tags map[string][]byte, connection string) (*Space, bool) {
	if connection != "XYZ " {
		return nil, false
	}
	var toD50 matrix3
	s := &Space{}
	for c, name := range []string{"r", "g", "b"} {
		xyz := tags[name+"XYZ"]
		if len(xyz) < 20 || string(xyz[:4]) != "XYZ " {
			return nil, false
		}
		for row := range 3 {
			toD50[row][c] = fixed16(xyz[8+4*row:])
		}
		curve, _, ok := readCurve(tags[name+"TRC"])
		if !ok {
			return nil, false
		}
		s.curves[c] = bounded(curve)
	}
	s.shared = string(tags["rTRC"]) == string(tags["gTRC"]) && string(tags["rTRC"]) == string(tags["bTRC"])
	s.matrix = product(fromD50, toD50)
	return s, true
}

// readGrey reads the curve of greys (8.3.4): each is that much of the connection space's white.
func readGrey(tags map[string][]byte, connection string) (*Space, bool) {
	curve, _, ok := readCurve(tags["kTRC"])
	if !ok || connection != "XYZ " {
		return nil, false
	}
	return spaceOf(curve, matrix3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), true
}

func fixed16(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / (1 << 16) }

// readCurve reads a curve (10.6 and 10.18), and how many bytes it takes.
func readCurve(tag []byte) (curve Curve, size int, ok bool) {
	if len(tag) < 12 {
		return nil, 0, false
	}
	switch string(tag[:4]) {
	case "curv":
		n := int64(binary.BigEndian.Uint32(tag[8:]))
		samples := tag[12:]
		if int64(len(samples)) < 2*n {
			return nil, 0, false
		}
		size = 12 + int(2*n)
		switch n {
		case 0:
			return func(v float64) float64 { return v }, size, true
		case 1:
			return parametric{g: float64(binary.BigEndian.Uint16(samples)) / (1 << 8), a: 1}.light, size, true
		}
		return sampled(int(n), func(i int) float64 { return float64(binary.BigEndian.Uint16(samples[2*i:])) / math.MaxUint16 }), size, true
	case "para":
		return readParameters(binary.BigEndian.Uint16(tag[8:]), tag[12:])
	}
	return nil, 0, false
}

// sampled is a curve through n samples.
func sampled(n int, at func(i int) float64) Curve {
	return func(v float64) float64 {
		place := min(max(v, 0), 1) * float64(n-1)
		i := min(int(place), n-2)
		return at(i) + (at(i+1)-at(i))*(place-float64(i))
	}
}

// readParameters reads a curve that is given by the numbers g, a, b, c, d, e and f, as many of them as its kind has.
func readParameters(kind uint16, numbers []byte) (curve Curve, size int, ok bool) {
	count := map[uint16]int{0: 1, 1: 3, 2: 4, 3: 5, 4: 7}[kind]
	if count == 0 || len(numbers) < 4*count {
		return nil, 0, false
	}
	var n [7]float64
	for i := range n[:count] {
		n[i] = fixed16(numbers[4*i:])
	}
	p := parametric{n[0], n[1], n[2], n[3], n[4], n[5], n[6]}
	switch kind {
	case 0:
		p.a = 1
	case 1, 2:
		if p.a == 0 {
			return nil, 0, false
		}
		p.e, p.f, p.c, p.d = p.c, p.c, 0, -p.b/p.a
	}
	return p.light, 12 + 4*count, p.usable()
}
