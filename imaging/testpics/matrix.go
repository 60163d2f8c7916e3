package testpics

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
)

// MatrixFile is one file of Matrix.
type MatrixFile struct {
	Name string
	Data []byte
}

// Sheet is what the files of Matrix show: patches of one colour each, of the given size as stored, px; multiples of the blocks of a JPEG. No two
// corners are alike, so that a turn shows.
type Sheet struct{ Across, Down int }

// The sheet that may be uploaded, and a small one.
var (
	UploadSheet = Sheet{136, 128}
	SmallSheet  = Sheet{48, 32}
)

const sheetColumns, sheetRows = 4, 5

func (s Sheet) width() int  { return sheetColumns * s.Across }
func (s Sheet) height() int { return sheetRows * s.Down }

// patches are the colours of the sheet, row by row: full ones, greys from black to white, and mixtures as of skin, cloth and sky.
var patches = [sheetColumns * sheetRows]color.NRGBA{
	{255, 0, 0, 255},
	{188, 188, 188, 255},
	{128, 128, 128, 255},
	{0, 255, 0, 255},
	{16, 16, 16, 255},
	{64, 64, 64, 255},
	{96, 96, 96, 255},
	{230, 230, 230, 255},
	{224, 172, 105, 255},
	{141, 85, 36, 255},
	{40, 90, 160, 255},
	{90, 160, 60, 255},
	{200, 40, 120, 255},
	{250, 220, 40, 255},
	{20, 40, 30, 255},
	{170, 200, 230, 255},
	{0, 0, 255, 255},
	{0, 0, 0, 255},
	{255, 255, 255, 255},
	{0, 255, 255, 255},
}

func (s Sheet) patch(x, y int) int          { return y/s.Down*sheetColumns + x/s.Across }
func (s Sheet) colour(x, y int) color.NRGBA { return patches[s.patch(x, y)] }

// Picture is the sheet as a picture.
func (s Sheet) Picture() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, s.width(), s.height()))
	for y := range s.height() {
		for x := range s.width() {
			img.SetNRGBA(x, y, s.colour(x, y))
		}
	}
	return img
}

// Points are the middles of the patches of the sheet seen in the given size: turned or not.
func (s Sheet) Points(w, h int) []image.Point {
	across, down := s.Across, s.Down
	if w == s.height() && h == s.width() {
		across, down = down, across
	}
	var points []image.Point
	for y := down / 2; y < h; y += down {
		for x := across / 2; x < w; x += across {
			points = append(points, image.Pt(x, y))
		}
	}
	return points
}

// luma is a grey of a colour, for files without colours.
func luma(c color.NRGBA) uint16 { return uint16((299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000) }

// png is the sheet in a PNG of any depth and colour type. Deep values are spread over the low byte as well.
func (s Sheet) png(depth, colourType byte, before ...[]byte) RawPNG {
	p := RawPNG{W: s.width(), H: s.height(), Depth: depth, ColourType: colourType, Before: before}
	scale := func(v uint8) uint16 {
		switch {
		case depth == 16:
			return uint16(v)<<8 | uint16(v*37)
		case depth < 8:
			return uint16(v) >> (8 - depth)
		}
		return uint16(v)
	}
	p.At = func(x, y int) []uint16 {
		c := s.colour(x, y)
		grey := uint8(luma(c))
		alpha := uint8(255 - 40*(y/s.Down))
		switch colourType {
		case 0:
			return []uint16{scale(grey)}
		case 3:
			return []uint16{uint16(s.patch(x, y)) & (1<<depth - 1)}
		case 4:
			return []uint16{scale(grey), scale(alpha)}
		case 6:
			return []uint16{scale(c.R), scale(c.G), scale(c.B), scale(alpha)}
		}
		return []uint16{scale(c.R), scale(c.G), scale(c.B)}
	}
	return p
}

func palette() []byte {
	var body []byte
	for _, c := range patches {
		body = append(body, c.R, c.G, c.B)
	}
	return body
}

// Orientation is the entry of an orientation.
func Orientation(n int) ExifEntry { return ExifEntry{0x0112, 3, 1, uint32(n)} }

// Primaries and whites of code points, xy: white, red, green, blue (ITU-T H.273, table 2).
var (
	xySRGB    = [4][2]float64{{.3127, .329}, {.64, .33}, {.3, .6}, {.15, .06}}
	xyP3      = [4][2]float64{{.3127, .329}, {.68, .32}, {.265, .69}, {.15, .06}}
	xyAdobe   = [4][2]float64{{.3127, .329}, {.64, .33}, {.21, .71}, {.15, .06}}
	xyBT2020  = [4][2]float64{{.3127, .329}, {.708, .292}, {.17, .797}, {.131, .046}}
	xyProD50  = [4][2]float64{{.3457, .3585}, {.7347, .2653}, {.1596, .8404}, {.0366, .0001}}
	xyNothing = [4][2]float64{}
)

// lightSRGB is the light of a value of sRGB.
func lightSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// labOfInks is what a table of inks says: Lab as the connection space encodes it, of paper less its inks, made greyer than screens would.
func labOfInks(in []float64) [3]float64 {
	k := 1.0
	if len(in) == 4 {
		k = 1 - in[3]
	}
	return encodedLab((1-in[0])*k, (1-in[1])*k, (1-in[2])*k, .9)
}

// labOfRGB is what a table of red, green and blue says: sRGB with its colours weakened.
func labOfRGB(in []float64) [3]float64 { return encodedLab(in[0], in[1], in[2], .7) }

func encodedLab(r, g, b, chroma float64) [3]float64 {
	var xyz [3]float64
	for i, v := range []float64{r, g, b} {
		for k := range xyz {
			xyz[k] += PrimariesSRGB[i][k] * lightSRGB(v)
		}
	}
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x, y, z := f(xyz[0]/D50[0]), f(xyz[1]/D50[1]), f(xyz[2]/D50[2])
	l, a, bb := 116*y-16, 500*(x-y)*chroma, 200*(y-z)*chroma
	return [3]float64{l / 100, (a + 128) / 255, (bb + 128) / 255}
}

// legacy makes values that encode Lab as version 4 does those of version 2's tables of 16 bits (ICC.1:2022, 10.10).
func legacy(look func([]float64) [3]float64) func([]float64) [3]float64 {
	return func(in []float64) [3]float64 {
		out := look(in)
		for i := range out {
			out[i] *= 65280.0 / 65535
		}
		return out
	}
}

// withoutLight takes the light of the connection space out of a profile's head.
func withoutLight(profile []byte) []byte {
	clear(profile[68:80])
	return profile
}

// halfXYZ is a table in XYZ as the connection space encodes it: sRGB, darker.
func halfXYZ(in []float64) [3]float64 {
	var xyz [3]float64
	for i, v := range in[:3] {
		for k := range xyz {
			xyz[k] += PrimariesSRGB[i][k] * lightSRGB(v) * .6 / (1 + 32767.0/32768)
		}
	}
	return xyz
}

// Profiles are colour profiles of every kind, by name.
func Profiles() []struct {
	Name string
	ICC  []byte
} {
	type named = struct {
		Name string
		ICC  []byte
	}
	linear := GammaCurve(1)
	return []named{
		{"srgb", MatrixProfile(PrimariesSRGB, CurveSRGB(), Description("sRGB IEC61966-2.1"))},
		{"linear named sRGB", MatrixProfile(PrimariesSRGB, linear, Description("Linear sRGB"))},
		{"P3 with sRGB curve", MatrixProfile(PrimariesP3, CurveSRGB(), Description("P3 with sRGB curve"))},
		{"P3 sampled", MatrixProfile(PrimariesP3, SampledCurve(1024, lightSRGB))},
		{"Adobe RGB", MatrixProfile(PrimariesAdobeRGB, GammaCurve(563.0/256))},
		{"ProPhoto", MatrixProfile(PrimariesProPhoto, ParametricCurve(3, 1.8, 1, 0, 1.0/16, 1.0/32))},
		{"gamma 2.2", MatrixProfile(PrimariesSRGB, GammaCurve(2.2))},
		{"three parameters", MatrixProfile(PrimariesSRGB, ParametricCurve(1, 2, 1.1, -.1))},
		{"four parameters", MatrixProfile(PrimariesSRGB, ParametricCurve(2, 2, 1, -.05, .05))},
		{"parameters below zero", MatrixProfile(PrimariesSRGB, ParametricCurve(1, 2, .9, .1))},
		{"curve of two samples", MatrixProfile(PrimariesSRGB, SampledCurve(2, func(v float64) float64 { return .2 + .6*v }))},
		{"curve without samples", MatrixProfile(PrimariesSRGB, []byte("curv\x00\x00\x00\x00\x00\x00\x00\x00"))},
		{"seven parameters", MatrixProfile(PrimariesSRGB, ParametricCurve(4, 2.2, .9, .08, .5, .1, .01, .01))},
		{"grey linear", GrayProfile("XYZ ", linear)},
		{"linear without light", withoutLight(MatrixProfile(PrimariesSRGB, linear))},
		{"linear of another class", slices.Concat(MatrixProfile(PrimariesSRGB, linear)[:12], []byte("scnr"), MatrixProfile(PrimariesSRGB, linear)[16:])},
		{"linear of version 5", slices.Concat(MatrixProfile(PrimariesSRGB, linear)[:8], []byte{5}, MatrixProfile(PrimariesSRGB, linear)[9:])},
		{"linear longer than it says", append(MatrixProfile(PrimariesSRGB, linear), make([]byte, 40)...)},
		{"table A2B1", Profile("RGB ", "Lab ", xyzTag("wtpt", D50), ProfileTag{"A2B1", Table("mft2", 3, 9, legacy(labOfRGB)).Body})},
		{"broken table beside primaries", MatrixProfile(PrimariesSRGB, linear, ProfileTag{"A2B0", []byte("mft2 and no more of it")})},
		{"grey gamma 2.2 in Lab", GrayProfile("Lab ", GammaCurve(2.2))},
		{"table of 8 bits", Profile("RGB ", "Lab ", xyzTag("wtpt", D50), Table("mft1", 3, 17, labOfRGB))},
		{"table of 16 bits", Profile("RGB ", "Lab ", xyzTag("wtpt", D50), Table("mft2", 3, 17, legacy(labOfRGB)))},
		{"table of version 4", Profile("RGB ", "Lab ", xyzTag("wtpt", D50), Table("mAB ", 3, 17, labOfRGB))},
		{"table in XYZ", Profile("RGB ", "XYZ ", xyzTag("wtpt", D50), Table("mAB ", 3, 17, halfXYZ))},
		{"table beside primaries", MatrixProfile(PrimariesSRGB, linear, Table("mft2", 3, 9, func(in []float64) [3]float64 { return halfXYZ(in) }))},
		{"inks", Profile("CMYK", "Lab ", xyzTag("wtpt", D50), Table("mft1", 4, 9, labOfInks))},
		{"code points", MatrixProfile(PrimariesSRGB, CurveSRGB(), ProfileTag{"cicp", []byte{'c', 'i', 'c', 'p', 0, 0, 0, 0, 12, 13, 0, 1}})},
		{"cut off", MatrixProfile(PrimariesAdobeRGB, GammaCurve(2.2))[:200]},
		{"without a curve", Profile("RGB ", "XYZ ", xyzTag("rXYZ", PrimariesP3[0]), xyzTag("gXYZ", PrimariesP3[1]), xyzTag("bXYZ", PrimariesP3[2]))},
		{"empty", nil},
	}
}

// Matrix is files of the sheet that readers of pictures disagree about: JPEG, PNG and WebP, by where their turn stands, by what says which
// colours they have, and by depth.
func (s Sheet) Matrix() []MatrixFile {
	var files []MatrixFile
	add := func(name string, data []byte) { files = append(files, MatrixFile{name, data}) }
	s.addTurns(add)
	s.addPNGs(add)
	s.addProfiles(add)
	s.addJPEGs(add)
	return files
}

func (s Sheet) addTurns(add func(string, []byte)) {
	sheet := s.Picture()
	jpeg, png, webp, lossless := JPEG(sheet), PNG(sheet), WebP(sheet), LosslessWebP(sheet)
	segments := func(parts ...[]byte) []byte { return slices.Insert(slices.Clone(jpeg), 2, slices.Concat(parts...)...) }
	exif := func(entries ...ExifEntry) []byte { return ExifSegment(ExifOf(false, entries...)) }
	for n := range 10 {
		add(fmt.Sprintf("jpeg turn %d", n), WithOrientation(jpeg, n))
	}
	for _, n := range []int{3, 5, 6, 8} {
		add(fmt.Sprintf("png turn %d", n), WithOrientation(png, n))
		add(fmt.Sprintf("webp turn %d", n), WithOrientation(webp, n))
		add(fmt.Sprintf("lossless webp turn %d", n), WithOrientation(lossless, n))
	}
	const tag, short, long, byteType = 0x0112, 3, 4, 1
	add("jpeg two turns 6 1", segments(exif(Orientation(6)), exif(Orientation(1))))
	add("jpeg two turns 1 6", segments(exif(Orientation(1)), exif(Orientation(6))))
	add("jpeg two turns 8 6", segments(exif(Orientation(8)), exif(Orientation(6))))
	add("jpeg second turn only", segments(exif(ExifEntry{0x0128, short, 1, 2}), exif(Orientation(6))))
	add("jpeg broken EXIF, then a turn", segments(ExifSegment([]byte("II*")), exif(Orientation(6))))
	add("jpeg foreign EXIF, then a turn", segments(ExifSegment([]byte("XX*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00")), exif(Orientation(6))))
	add("jpeg invalid turn, then a turn", segments(exif(Orientation(9)), exif(Orientation(6))))
	add("jpeg count 2", segments(exif(ExifEntry{tag, short, 2, 6})))
	add("jpeg count 2, values 6 8", segments(exif(ExifEntry{tag, short, 2, 8<<16 | 6})))
	add("jpeg count 0", segments(exif(ExifEntry{tag, short, 0, 6})))
	add("jpeg count 3", segments(exif(ExifEntry{tag, short, 3, 6})))
	add("jpeg turn of a long", segments(exif(ExifEntry{tag, long, 1, 6})))
	add("jpeg turn of a byte", segments(exif(ExifEntry{tag, byteType, 1, 6})))
	add("jpeg big-endian long", segments(ExifSegment(ExifOf(true, ExifEntry{tag, long, 1, 6}))))
	add("jpeg signed short", segments(exif(ExifEntry{tag, 8, 1, 6})))
	add("jpeg two entries 6 8", segments(exif(Orientation(6), Orientation(8))))
	add("jpeg two entries 1 6", segments(exif(Orientation(1), Orientation(6))))
	add("jpeg two entries 9 6", segments(exif(Orientation(9), Orientation(6))))
	add("jpeg entries out of order", segments(exif(ExifEntry{0x0131, short, 1, 1}, Orientation(6))))
	add("jpeg padded EXIF", segments(Segment(0xe1, append([]byte("Exif\x00\xff"), ExifOf(false, Orientation(6))...))))
	add("jpeg EXIF twice prefixed", segments(ExifSegment(append([]byte("Exif\x00\x00"), ExifOf(false, Orientation(6))...))))
	add("jpeg EXIF in lower case", segments(Segment(0xe1, append([]byte("exif\x00\x00"), ExifOf(false, Orientation(6))...))))
	add("jpeg EXIF in APP2", segments(Segment(0xe2, append([]byte("Exif\x00\x00"), ExifOf(false, Orientation(6))...))))
	add("jpeg XMP turn", segments(Segment(0xe1, []byte(xmpTurn))))
	add("jpeg XMP, then a turn", segments(Segment(0xe1, []byte(xmpTurn)), exif(Orientation(6))))
	second := ExifOf(false)
	second = append(second[:len(second)-4], append([]byte{14, 0, 0, 0}, ExifOf(false, Orientation(6))[8:]...)...)
	add("jpeg turn in second directory", segments(ExifSegment(second)))
	far := ExifOf(false, Orientation(6))
	far = append(append(slices.Clone(far[:4]), 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), far[8:]...)
	add("jpeg directory further back", segments(ExifSegment(far)))
	cut := ExifOf(false, Orientation(6))
	add("jpeg directory without its link", segments(ExifSegment(cut[:len(cut)-4])))
	more := ExifOf(false, Orientation(6))
	more[8] = 5
	add("jpeg directory that names more entries", segments(ExifSegment(more)))

	block := BlockJPEG{W: s.width(), H: s.height(), Parts: 3, Adobe: 0, At: func(x, y int) [4]uint8 {
		c := s.colour(x, y)
		return [4]uint8{c.R, c.G, c.B}
	}}
	after := block
	after.After = exif(Orientation(6))
	add("jpeg turn after frame header", after.Bytes())
	both := after
	both.Before = exif(Orientation(1))
	add("jpeg turns on both sides of frame header", both.Bytes())
	late := block.Bytes()
	add("jpeg turn after the scan", slices.Insert(late, len(late)-2, exif(Orientation(6))...))

	chunks := func(parts ...[]byte) []byte {
		return slices.Insert(slices.Clone(png), pngHead, slices.Concat(parts...)...)
	}
	add("png count 2", chunks(Chunk("eXIf", ExifOf(false, ExifEntry{tag, short, 2, 6}))))
	add("png two turns 6 1", chunks(Chunk("eXIf", ExifOf(false, Orientation(6))), Chunk("eXIf", ExifOf(false, Orientation(1)))))
	add("png two turns 1 6", chunks(Chunk("eXIf", ExifOf(false, Orientation(1))), Chunk("eXIf", ExifOf(false, Orientation(6)))))
	add("png turn with prefix", chunks(Chunk("eXIf", append([]byte("Exif\x00\x00"), ExifOf(false, Orientation(6))...))))
	add("png two entries 6 8", chunks(Chunk("eXIf", ExifOf(false, Orientation(6), Orientation(8)))))
	last := slices.Clone(png[:len(png)-12])
	last = append(append(last, Chunk("eXIf", ExifOf(true, Orientation(6)))...), png[len(png)-12:]...)
	add("png turn after pixels", last)
	add("png turn in text", slices.Insert(slices.Clone(png), pngHead, Chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+xmpTurn[29:]))...))
	add("png raw profile", slices.Insert(slices.Clone(png), pngHead, Chunk("tEXt", []byte("Raw profile type exif\x00\nexif\n      32\n"+fmt.Sprintf("%x", append([]byte("Exif\x00\x00"), ExifOf(true, Orientation(6))...))+"\n"))...))
	prefixed := WithEXIF(webp, append([]byte("Exif\x00\x00"), ExifOf(false, Orientation(6))...))
	add("webp turn with prefix", prefixed)
	unflagged := WithOrientation(webp, 6)
	unflagged[20] &^= 0x08
	add("webp turn without flag", unflagged)
	early := WithOrientation(webp, 6)
	const canvas = 12 + 8 + 10
	add("webp turn before pixels", Riff(early[12:canvas], RiffChunk("EXIF", ExifOf(false, Orientation(6))), webp[12:]))
}

const xmpTurn = "http://ns.adobe.com/xap/1.0/\x00" + `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
	`<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>`

func (s Sheet) addPNGs(add func(string, []byte)) {
	kinds := []struct {
		depth, colour byte
	}{
		{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {8, 2}, {16, 2}, {1, 3}, {2, 3}, {4, 3}, {8, 3}, {8, 4}, {16, 4}, {8, 6}, {16, 6},
	}
	for _, k := range kinds {
		plain := s.png(k.depth, k.colour)
		var clear [][]byte
		switch k.colour {
		case 3:
			colours := palette()
			colours = colours[:3*min(1<<k.depth, len(colours)/3)]
			plain.Before = [][]byte{Chunk("PLTE", colours)}
			clear = [][]byte{Chunk("PLTE", colours), Chunk("tRNS", []byte{128, 0})}
		case 0:
			v := plain.At(0, 0)[0]
			clear = [][]byte{Chunk("tRNS", []byte{byte(v >> 8), byte(v)})}
		case 2:
			v := plain.At(0, 0)
			clear = [][]byte{Chunk("tRNS", []byte{byte(v[0] >> 8), byte(v[0]), byte(v[1] >> 8), byte(v[1]), byte(v[2] >> 8), byte(v[2])})}
		}
		name := fmt.Sprintf("png type %d depth %d", k.colour, k.depth)
		add(name, plain.Bytes())
		linear := plain
		linear.Before = append([][]byte{Gamma(1)}, plain.Before...)
		add(name+" linear", linear.Bytes())
		if clear != nil {
			plain.Before = clear
			add(name+" with a clear colour", plain.Bytes())
		}
		plain.Interlaced = true
		plain.Before = append([][]byte{CodePoints(12, 13)}, plain.Before...)
		add(name+" interlaced, cICP P3", plain.Bytes())
	}
	srgb := Chunk("sRGB", []byte{0})
	adobe := ProfileChunk("Adobe RGB", MatrixProfile(PrimariesAdobeRGB, GammaCurve(2.2)))
	signals := []struct {
		name   string
		chunks [][]byte
	}{
		{"gamma .45455", [][]byte{Gamma(.45455)}},
		{"gamma .5", [][]byte{Gamma(.5)}},
		{"gamma .55556", [][]byte{Gamma(.55556)}},
		{"gamma 0", [][]byte{Gamma(0)}},
		{"gamma 3", [][]byte{Gamma(3)}},
		{"gamma .01", [][]byte{Gamma(.01)}},
		{"gamma .45455 with sRGB primaries", [][]byte{Gamma(.45455), Chromaticities(xySRGB)}},
		{"gamma 1 with sRGB primaries", [][]byte{Gamma(1), Chromaticities(xySRGB)}},
		{"gamma .45455 with P3 primaries", [][]byte{Gamma(.45455), Chromaticities(xyP3)}},
		{"gamma .45455 with Adobe primaries", [][]byte{Chromaticities(xyAdobe), Gamma(.45455)}},
		{"gamma 1 with BT.2020 primaries", [][]byte{Gamma(1), Chromaticities(xyBT2020)}},
		{"gamma .55556 with primaries under D50", [][]byte{Gamma(.55556), Chromaticities(xyProD50)}},
		{"P3 primaries without gamma", [][]byte{Chromaticities(xyP3)}},
		{"gamma .45455 with no primaries", [][]byte{Gamma(.45455), Chromaticities(xyNothing)}},
		{"sRGB", [][]byte{srgb}},
		{"sRGB over gamma 1", [][]byte{srgb, Gamma(1)}},
		{"sRGB over gamma 1 with P3 primaries", [][]byte{Gamma(1), Chromaticities(xyP3), srgb}},
		{"iCCP over gamma 1", [][]byte{Gamma(1), adobe}},
		{"iCCP and sRGB", [][]byte{adobe, srgb}},
		{"sRGB and iCCP", [][]byte{srgb, adobe}},
		{"cICP P3 over iCCP", [][]byte{CodePoints(12, 13), adobe}},
		{"cICP P3 over sRGB", [][]byte{CodePoints(12, 13), srgb}},
		{"cICP P3 over gamma 1", [][]byte{Gamma(1), CodePoints(12, 13)}},
		{"broken iCCP over gamma 1", [][]byte{Gamma(1), ProfileChunk("x", []byte("no profile"))}},
		{"grey profile", [][]byte{ProfileChunk("x", GrayProfile("XYZ ", GammaCurve(1)))}},
		{"gamma .4545", [][]byte{Gamma(.4545)}},
		{"gamma .45", [][]byte{Gamma(.45)}},
		{"gamma .46", [][]byte{Gamma(.46)}},
		{"gamma .47", [][]byte{Gamma(.47)}},
		{"gamma .475", [][]byte{Gamma(.475)}},
		{"gamma .48", [][]byte{Gamma(.48)}},
		{"gamma .49", [][]byte{Gamma(.49)}},
		{"gamma .435", [][]byte{Gamma(.435)}},
		{"gamma .43", [][]byte{Gamma(.43)}},
		{"two gammas", [][]byte{Gamma(.55556), Gamma(1)}},
		{"cICP limited range over gamma 1", [][]byte{Chunk("cICP", []byte{12, 13, 0, 0}), Gamma(1)}},
		{"cICP unspecified over gamma 1", [][]byte{CodePoints(2, 2), Gamma(1)}},
		{"cICP unspecified over iCCP", [][]byte{CodePoints(2, 13), adobe}},
		{"two cICP", [][]byte{CodePoints(12, 13), CodePoints(1, 8)}},
		{"cICP behind iCCP", [][]byte{adobe, CodePoints(12, 13)}},
		{"sRGB over broken iCCP", [][]byte{srgb, ProfileChunk("x", []byte("no profile"))}},
		{"inks profile over gamma 1", [][]byte{Gamma(1), ProfileChunk("x", Profile("CMYK", "Lab ", xyzTag("wtpt", D50), Table("mft1", 4, 3, labOfInks)))}},
		{"grey profile over gamma 1", [][]byte{Gamma(1), ProfileChunk("x", GrayProfile("XYZ ", GammaCurve(2.2)))}},
		{"cICP limited range", [][]byte{Chunk("cICP", []byte{12, 13, 0, 0})}},
		{"cICP with a matrix", [][]byte{Chunk("cICP", []byte{12, 13, 1, 1})}},
		{"cICP short", [][]byte{Chunk("cICP", []byte{12, 13, 0}), Gamma(1)}},
	}
	for _, transfer := range []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 99} {
		signals = append(signals, struct {
			name   string
			chunks [][]byte
		}{fmt.Sprintf("cICP transfer %d", transfer), [][]byte{CodePoints(1, transfer)}})
	}
	for _, primaries := range []byte{0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 99} {
		signals = append(signals, struct {
			name   string
			chunks [][]byte
		}{fmt.Sprintf("cICP primaries %d", primaries), [][]byte{CodePoints(primaries, 13)}})
	}
	signals = append(signals, struct {
		name   string
		chunks [][]byte
	}{"cICP PQ in BT.2020", [][]byte{CodePoints(9, 16)}}, struct {
		name   string
		chunks [][]byte
	}{"cICP HLG in BT.2020", [][]byte{CodePoints(9, 18)}})
	for _, signal := range signals {
		add("png "+signal.name, s.png(8, 2, signal.chunks...).Bytes())
	}
	late := s.png(8, 2)
	late.After = [][]byte{Gamma(1), CodePoints(12, 13), adobe}
	add("png signals after pixels", late.Bytes())
	behind := s.png(8, 3, Chunk("PLTE", palette()), Gamma(1), adobe)
	add("png signals behind palette", behind.Bytes())
}

func (s Sheet) addProfiles(add func(string, []byte)) {
	sheet := s.Picture()
	grey := image.NewGray(sheet.Rect)
	for y := range s.height() {
		for x := range s.width() {
			grey.SetGray(x, y, color.Gray{Y: uint8(luma(s.colour(x, y)))})
		}
	}
	jpeg, webp, lossless, greyJPEG := JPEG(sheet), WebP(sheet), LosslessWebP(sheet), JPEG(grey)
	inks := s.inks(2)
	for _, p := range Profiles() {
		add("png profile "+p.Name, s.png(8, 2, ProfileChunk("a profile", p.ICC)).Bytes())
		add("deep png profile "+p.Name, s.png(16, 6, ProfileChunk("a profile", p.ICC)).Bytes())
		add("grey png profile "+p.Name, s.png(8, 0, ProfileChunk("a profile", p.ICC)).Bytes())
		add("jpeg profile "+p.Name, WithProfile(jpeg, p.ICC))
		add("grey jpeg profile "+p.Name, WithProfile(greyJPEG, p.ICC))
		add("webp profile "+p.Name, WithProfile(webp, p.ICC))
		add("lossless webp profile "+p.Name, WithProfile(lossless, p.ICC))
		add("ink jpeg profile "+p.Name, WithProfile(inks.Bytes(), p.ICC))
	}
	unflagged := WithProfile(webp, MatrixProfile(PrimariesP3, CurveSRGB()))
	unflagged[20] &^= 0x20
	add("webp profile without flag", unflagged)
	adobe := MatrixProfile(PrimariesAdobeRGB, GammaCurve(2.2))
	piece := func(n, of byte, part []byte) []byte {
		return Segment(0xe2, append(append([]byte("ICC_PROFILE\x00"), n, of), part...))
	}
	half := len(adobe) / 2
	with := func(parts ...[]byte) []byte { return slices.Insert(slices.Clone(jpeg), 2, slices.Concat(parts...)...) }
	add("jpeg profile in two pieces", with(piece(1, 2, adobe[:half]), piece(2, 2, adobe[half:])))
	add("jpeg profile in pieces out of order", with(piece(2, 2, adobe[half:]), piece(1, 2, adobe[:half])))
	add("jpeg profile with a piece missing", with(piece(1, 2, adobe[:half])))
	add("jpeg profile of a wrong count", with(piece(1, 3, adobe[:half]), piece(2, 3, adobe[half:])))
	add("jpeg profile with a piece twice", with(piece(1, 2, adobe[:half]), piece(1, 2, adobe[:half]), piece(2, 2, adobe[half:])))
	add("jpeg profile twice", with(piece(1, 1, adobe), piece(1, 1, MatrixProfile(PrimariesP3, CurveSRGB()))))
	add("jpeg profile numbered from 0", with(piece(0, 1, adobe)))
	behind := s.inks(0)
	behind.Parts, behind.After = 3, piece(1, 1, adobe)
	add("jpeg profile after frame header", behind.Bytes())
}

// inks is the sheet in four components; adobe is the transform its marker names, negative for none. Inks are inverted where there is a
// marker, as editors write them.
func (s Sheet) inks(adobe int) BlockJPEG {
	return BlockJPEG{W: s.width(), H: s.height(), Parts: 4, Adobe: adobe, At: func(x, y int) [4]uint8 {
		c := s.colour(x, y)
		k := 255 - uint8(16*(y/s.Down)) // light the black ink leaves
		if adobe == 2 {
			yy, cb, cr := color.RGBToYCbCr(c.R, c.G, c.B)
			return [4]uint8{yy, cb, cr, k}
		}
		return [4]uint8{c.R, c.G, c.B, k}
	}}
}

func (s Sheet) addJPEGs(add func(string, []byte)) {
	jfif := Segment(0xe0, []byte("JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x00\x00"))
	for _, adobe := range []int{-1, 0, 1, 2} {
		add(fmt.Sprintf("jpeg four parts, Adobe %d", adobe), s.inks(adobe).Bytes())
		three := s.inks(adobe)
		three.Parts = 3
		add(fmt.Sprintf("jpeg three parts, Adobe %d", adobe), three.Bytes())
		three.Before = jfif
		add(fmt.Sprintf("jpeg three parts, JFIF, Adobe %d", adobe), three.Bytes())
		three.Before, three.IDs = nil, "RGB"
		add(fmt.Sprintf("jpeg three parts RGB, Adobe %d", adobe), three.Bytes())
		four := s.inks(adobe)
		four.IDs = "CMYK"
		add(fmt.Sprintf("jpeg four parts CMYK, Adobe %d", adobe), four.Bytes())
		one := s.inks(adobe)
		one.Parts = 1
		add(fmt.Sprintf("jpeg one part, Adobe %d", adobe), one.Bytes())
	}
	four := s.inks(-1)
	four.Before = jfif
	add("jpeg four parts, JFIF", four.Bytes())
	two := s.inks(-1)
	two.Parts = 2
	add("jpeg two parts", two.Bytes())
	for _, sampling := range [][2]int{{2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}, {1, 4}, {2, 4}, {3, 1}} {
		j := s.inks(1)
		j.Parts, j.Across, j.Down = 3, sampling[0], sampling[1]
		ycc := j.At
		j.At = func(x, y int) [4]uint8 {
			v := ycc(x, y)
			yy, cb, cr := color.RGBToYCbCr(v[0], v[1], v[2])
			return [4]uint8{yy, cb, cr}
		}
		add(fmt.Sprintf("jpeg sampled %d × %d", sampling[0], sampling[1]), j.Bytes())
		k := s.inks(2)
		k.Across, k.Down = sampling[0], sampling[1]
		add(fmt.Sprintf("jpeg four parts sampled %d × %d", sampling[0], sampling[1]), k.Bytes())
	}
	zero := s.inks(-1)
	zero.Parts, zero.IDs = 3, "\x00\x01\x02"
	add("jpeg parts from 0", zero.Bytes())
	cmyk := Profile("CMYK", "Lab ", xyzTag("wtpt", D50), Table("mft1", 4, 9, labOfInks))
	add("jpeg four parts, Adobe 0, inks", WithProfile(s.inks(0).Bytes(), cmyk))
	add("jpeg four parts, no Adobe, inks", WithProfile(s.inks(-1).Bytes(), cmyk))
	fine := Profile("CMYK", "Lab ", xyzTag("wtpt", D50), Table("mft2", 4, 5, legacy(labOfInks)))
	add("jpeg four parts, Adobe 0, inks of 16 bits", WithProfile(s.inks(0).Bytes(), fine))
	turned := s.inks(-1)
	turned.Before = ExifSegment(ExifOf(false, Orientation(6)))
	add("jpeg four parts turned", turned.Bytes())
	codings := []struct {
		marker byte
		name   string
	}{{0xc1, "extended"}, {0xc3, "lossless"}, {0xc5, "hierarchical"}, {0xc9, "arithmetic"}, {0xca, "arithmetic progressive"}}
	for _, c := range codings {
		j := s.inks(1)
		j.Parts, j.Marker = 3, c.marker
		add("jpeg "+c.name, j.Bytes())
	}
	deep := s.inks(1)
	deep.Parts, deep.Marker, deep.Precision = 3, 0xc1, 12
	add("jpeg of 12 bits", deep.Bytes())
}

// OnlyBrowsersOpen are the files of Matrix that some browsers show and the server refuses, saying what they are.
var OnlyBrowsersOpen = []string{
	"jpeg arithmetic", "jpeg arithmetic progressive", "jpeg sampled 1 × 4", "jpeg sampled 2 × 4", "jpeg sampled 3 × 1", "jpeg four parts sampled 2 × 1",
	"jpeg four parts sampled 1 × 2", "jpeg four parts sampled 4 × 1", "jpeg four parts sampled 4 × 2", "jpeg four parts sampled 1 × 4",
	"jpeg four parts sampled 2 × 4", "jpeg four parts sampled 3 × 1",
}

// How far two readers of a file may be apart: decoders of JPEG and WebP round their transforms and matrices differently, each by a step of 255, and
// browsers round colours once more where they take off what transparency left of them. What colours were converted from is rounded to a step of 255
// as well, which of linear light is up to 13 steps of sRGB near black.
const (
	mostApart      = 3
	mostLightApart = 1.0 / 255
)

// Apart says in which way two readings of a file differ, sizes and patches; "" where they do not. The patches' values are red, green, blue and alpha,
// converted where the colours of the file were not those of sRGB.
func Apart(w, h int, a [][]int, w2, h2 int, b [][]int, converted bool) string {
	if w != w2 || h != h2 || len(a) != len(b) {
		return fmt.Sprintf("%d × %d, not %d × %d", w, h, w2, h2)
	}
	for i := range a {
		for c, v := range a[i] {
			u, share := b[i][c], 255
			if c < 3 {
				share = min(a[i][3], b[i][3])
			}
			off := max(v-u, u-v) * share / 255
			light := math.Abs(lightSRGB(float64(v)/255)-lightSRGB(float64(u)/255)) * float64(share) / 255
			if off > mostApart && (!converted || light > mostLightApart) {
				return fmt.Sprintf("patch %d is %v, not %v", i, a[i], b[i])
			}
		}
	}
	return ""
}
