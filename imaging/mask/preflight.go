package mask

import (
	"image"
)

// The codes of findings beside those of Error.
const (
	CodeSpecks = "mask_specks" // painted islands too small to be meant
	CodeHoles  = "mask_holes"  // unpainted ones
	CodeSoft   = "mask_soft"   // edges the export makes hard
)

// Finding is something about a mask that is better known before it is sent.
type Finding struct {
	Code    string
	Blocks  bool   // it must not be sent like this
	Message string // one sentence
	Fix     string // what Repair does, as the words of a button
	Count   int    // of islands or pixels, where there is something to count

	repair func(p Plane) *Making
}

// Repair makes the mask without what was found. Put it in place of p with Replace.
func (f Finding) Repair(p Plane) *Making { return f.repair(p) }

// Preflight is a Job that looks a mask over before it is sent.
type Preflight struct {
	*Job
	findings []Finding
}

// Findings are what was found when the job is over, those that block first.
func (f *Preflight) Findings() []Finding { return f.findings }

// SpeckArea is the size in pixels up to which an island of a mask of w × h pixels is taken for a slip: a thirty-thousandth of the
// picture, and at least nine.
func SpeckArea(w, h int) int { return max(w*h/30000, 9) }

// Preflight looks at the plane as the mask of a picture of w × h pixels. With soft edges that matter, as where the agent takes the mask
// as it is, hard says so.
func (p Plane) Preflight(w, h int, hard bool) *Preflight {
	f := &Preflight{}
	f.Job = newJob(func(work *pace) { f.look(work, p, w, h, hard) })
	return f
}

func (f *Preflight) look(work *pace, p Plane, w, h int, hard bool) {
	if p.W != w || p.H != h {
		f.add(Finding{
			Code: CodeSize, Blocks: true, Message: sizeError(w, h, p.W, p.H).Message, Fix: fixSize,
			repair: func(p Plane) *Making { return p.Fitted(w, h) },
		})
	}
	kept, soft := 0, 0
	work.expect(len(p.Pix))
	for y := range p.H {
		row := p.Row(y)
		kept += countRow(row)
		soft += countSoft(row)
		if !work.spend(p.W) {
			return
		}
	}
	switch kept {
	case 0:
		f.add(Finding{Code: CodeEmpty, Blocks: true, Message: errPaintNone.Message, Fix: fixNone, repair: func(p Plane) *Making { return middle(p, true) }})
		return
	case len(p.Pix):
		f.add(Finding{Code: CodeFull, Blocks: true, Message: errPaintAll.Message, Fix: fixAll, repair: func(p Plane) *Making { return middle(p, false) }})
		return
	}
	area := SpeckArea(p.W, p.H)
	specks, holes := 0, 0
	states := New(p.W, p.H)
	if !p.small(states, work, true, area+1, func([]span) { specks++ }) || !p.small(states, work, false, area+1, func([]span) { holes++ }) {
		return
	}
	if specks > 0 {
		f.add(Finding{
			Code: CodeSpecks, Count: specks, Message: saidSpecks(specks),
			Fix: fixSpecks(specks), repair: func(p Plane) *Making { return p.DroppingSpecks(area) },
		})
	}
	if holes > 0 {
		f.add(Finding{
			Code: CodeHoles, Count: holes, Message: saidHoles(holes),
			Fix: fixHoles(holes), repair: func(p Plane) *Making { return p.FillingHoles(area) },
		})
	}
	// Every brush leaves a pixel of soft edge; what counts is a wide one.
	if hard && soft > kept/20 && soft > 8*(p.W+p.H) {
		f.add(Finding{
			Code: CodeSoft, Count: soft, Message: saidSoft,
			Fix: fixSoft, repair: hardened,
		})
	}
}

func (f *Preflight) add(found Finding) { f.findings = append(f.findings, found) }

// countSoft is how many pixels of a row are neither 0 nor 255.
func countSoft(row []uint8) (n int) {
	for len(row) > 0 {
		run := runLength(row)
		if row[0] != 0 && row[0] != 255 {
			n += run
		}
		row = row[run:]
	}
	return n
}

// hardened is the plane as it is exported.
func hardened(p Plane) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		work.expect(len(p.Pix))
		for y := range p.H {
			dst, src := m.plane.Row(y), p.Row(y)
			copy(dst, src)
			firm(dst)
			if !work.spend(p.W) {
				return
			}
		}
		m.touch(m.plane.Rect())
	})
}

// middle is a mask to begin with: an ellipse over the middle half of the picture in each direction, kept, or all but it.
func middle(p Plane, kept bool) *Making {
	return newMaking(p.W, p.H, func(m *Making, work *pace) {
		w, h := float64(p.W), float64(p.H)
		s := Ellipse(Point{w / 4, h / 4}, Point{w * 3 / 4, h * 3 / 4})
		r := s.bounds()
		if !kept {
			m.plane.Fill(255)
		}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			s.spans(y, func(from, to int) { fillRow(m.plane.Row(y)[from:to], paintValue(!kept)) })
		}
		m.touch(image.Rect(0, 0, p.W, p.H))
	})
}

// Validate is Plane.Validate of what is painted, as of the last finished step, without looking at a pixel.
func (e *Editor) Validate() error {
	switch {
	case e.Empty():
		return errPaintNone
	case e.Full():
		return errPaintAll
	}
	return nil
}
