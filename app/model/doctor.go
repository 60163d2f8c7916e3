package model

import (
	"image"
	"slices"
	"strings"

	"atelier/app/words"
	"atelier/imaging/probe"
)

// Remedy is one way to make a picture pass the rule it breaks. What it makes is drawn on a canvas of Size: the picture,
// scaled to Picture, stands in the middle, and what lies outside is cut off or white.
type Remedy struct {
	Key     string // pad, crop, fit
	Title   string
	Effect  string // what comes out, with numbers
	Warning string // what is lost, "" for nothing worth a word
	Size    image.Point
	Picture image.Point
	Formats []probe.Format // to try, the first that is small enough wins
	Limit   int64          // bytes
}

// Diagnosis is what is wrong with a file and what can be done about it before a byte is sent.
type Diagnosis struct {
	Problems []Fault
	Remedies []Remedy // the first is the one to suggest; none when nothing here helps
}

// Diagnose says what rules a file breaks, without anything to do about it.
func Diagnose(problems []probe.Problem) Diagnosis { return Diagnosis{Problems: faultsOf(problems)} }

// drawable are the formats that a browser may be able to draw although the service does not take them.
var drawable = []probe.Format{probe.GIF, probe.AVIF, probe.BMP}

// Drawable says whether the browser is worth asking about a file of another format; only drawing it tells its size.
func Drawable(f probe.Format) bool { return slices.Contains(drawable, f) }

// Misnamed says whether a file of a format the service does not take is called like one that it takes.
func Misnamed(name string, f probe.Format) bool {
	name = strings.ToLower(name)
	return (Drawable(f) || f.Converted()) && slices.ContainsFunc([]string{".jpg", ".jpeg", ".png", ".webp"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// Examine checks a picture against a rule and works out what would make it pass. Facts of a foreign format carry the size
// the browser found; found is what the file itself has shown, of which it counts that it is too dear to open.
func Examine(rule probe.Rule, f probe.Facts, found ...probe.Problem) Diagnosis {
	broken := rule.Check(f)
	if len(broken) == 0 && len(found) > 0 && (found[0].Code == probe.CodeSlow || found[0].Code == probe.CodeMemory) {
		broken = found
	}
	d := Diagnose(broken)
	if len(d.Problems) == 0 || f.Width < 1 || f.Height < 1 {
		return d
	}
	if Drawable(f.Format) || f.Coding != probe.Plain { // redrawing it gives a plain file
		known := f
		known.Format, known.Coding = probe.JPEG, probe.Plain
		d.Problems = append(d.Problems, faultsOf(rule.Check(known))...)
	}
	formats := []probe.Format{probe.JPEG}
	if f.Format == probe.PNG || f.HasAlpha {
		formats = []probe.Format{probe.PNG, probe.WebP, probe.JPEG}
	}
	// A remedy lays the picture on a canvas of the size that shape gives for that of the picture.
	remedy := func(key, title string, shape func(long, short int) (int, int)) Remedy {
		r := Remedy{Key: key, Title: title, Limit: rule.MaxBytes}
		r.Picture, r.Size = rescaled(rule, image.Pt(f.Width, f.Height), shape)
		r.Formats = Affordable(rule, slices.Clone(formats), r.Size, f.HasAlpha)
		if r.Picture.X > f.Width {
			r.Warning = words.RepairEnlargeWarning
		}
		return r
	}
	if !d.has(probe.CodeRatio) {
		title := words.RepairFit
		switch {
		case d.has(probe.CodeAnimated) || f.Format == probe.GIF:
			title = words.RepairFirstFrame
		case d.has(probe.CodeSide):
			title = words.RepairEnlarge
		case d.has(probe.CodeCoding), len(d.Problems) == 1 && Drawable(f.Format):
			title = words.RepairConvert
		}
		d.Remedies = []Remedy{remedy("fit", title, func(long, short int) (int, int) { return long, short }).told(f)}
		return d
	}
	pad := remedy("pad", words.RepairPad, func(long, _ int) (int, int) { return long, long/rule.MaxRatio + 1 })
	crop := remedy("crop", words.RepairCrop, func(_, short int) (int, int) { return rule.MaxRatio*short - 1, short })
	crop.Warning = join(crop.Warning, words.RepairCropWarning(1-float64(crop.Size.X*crop.Size.Y)/float64(crop.Picture.X*crop.Picture.Y)))
	d.Remedies = []Remedy{pad.told(f), crop.told(f)}
	return d
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

func (d Diagnosis) has(code string) bool {
	return slices.ContainsFunc(d.Problems, func(f Fault) bool { return f.Code == code })
}

// rescaled is the size a picture needs so that its short side is long enough and the canvas that shape gives for its sides has few enough
// pixels.
func rescaled(rule probe.Rule, size image.Point, shape func(long, short int) (int, int)) (picture, canvas image.Point) {
	need, short := rule.SmallestSide(), min(size.X, size.Y)
	if short < need {
		up := func(n int) int { return max((n*need+short-1)/short, need) }
		size = image.Pt(up(size.X), up(size.Y))
	}
	for scale := 1.0; ; scale *= .95 {
		down := func(n int) int { return max(int(float64(n)*scale), 1) }
		picture = image.Pt(down(size.X), down(size.Y))
		long, short := shape(max(picture.X, picture.Y), min(picture.X, picture.Y))
		if canvas = image.Pt(long, short); size.X < size.Y {
			canvas = image.Pt(short, long)
		}
		if rule.MaxPixels == 0 || int64(canvas.X)*int64(canvas.Y) <= rule.MaxPixels {
			return picture, canvas
		}
	}
}

// Affordable leaves out the formats in which a picture of that size would cost too much to open.
func Affordable(rule probe.Rule, formats []probe.Format, size image.Point, alpha bool) []probe.Format {
	return slices.DeleteFunc(formats, func(f probe.Format) bool {
		lossy := f == probe.WebP
		stored := probe.Facts{Format: f, Width: size.X, Height: size.Y, Lossy: lossy, AlphaPlane: lossy && alpha}
		return stored.Pixels() > stored.MostPixels(rule.MaxPixels)
	})
}

// told adds to a remedy what comes out of it.
func (r Remedy) told(f probe.Facts) Remedy {
	format := ""
	if Drawable(f.Format) {
		format = r.Formats[0].Label()
	} else if f.Animated {
		format = words.RepairStill
	}
	r.Effect = words.RepairEffect(words.Dimensions(f.Width, f.Height), words.Dimensions(r.Size.X, r.Size.Y), format)
	return r
}

// Silent is what is put right without a question, because nobody wants it otherwise: Redraw says whether the picture must be
// drawn anew for it. Words is what is said about it afterwards, "" for nothing.
type Silent struct {
	Redraw bool
	Words  string
}

// PutRight says what a file that passes the rule still needs: 16 bits and print colours are not what the service works in,
// colours outside sRGB would come back dull, and where a picture was taken is nobody's business.
func PutRight(f probe.Facts) Silent {
	var s Silent
	say := func(sentence string) { s.Words = join(s.Words, sentence) }
	switch {
	case f.Format.Converted(): // by the server, whatever is in it
		if f.Pages > 1 {
			say(words.RightedPages(f.Pages))
		}
	case f.Format == probe.JPEG && f.Channels == 4:
		s.Redraw = true
		say(words.RightedPrintColours)
	case f.BitDepth > 8:
		s.Redraw = true
		say(words.RightedDepth)
	case f.Profiled:
		s.Redraw = true
		say(words.RightedColours)
	}
	if f.Located {
		say(words.RightedPlace)
	}
	return s
}

// Unplaced says what was taken out of a file because it tells, or may tell, where its picture was taken.
func Unplaced(told probe.Place) string {
	if told == probe.HiddenPlace {
		return words.RightedHidden
	}
	return words.RightedPlace
}

// Quality is the qualities a lossy format is tried with, the best first, until the file is small enough.
var Quality = []float64{.95, .9, .82, .74, .66}
