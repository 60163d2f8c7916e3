//go:build js && wasm

package browser

import (
	"image"
	"math"
	"syscall/js"
)

// Overlay is the canvas above a picture: the mask as it was put there, and above it what is being drawn. It is as large as the
// stage, at the screen's own resolution.
type Overlay struct {
	view, context js.Value
	ratio         float64
	size          image.Point
	pixels        js.Value // of the mask, the whole canvas
	data          js.Value // the same as an ImageData
	drawn         bool     // there is something above the mask
}

// NewOverlay binds the canvas with the given id.
func NewOverlay(id string) *Overlay {
	view := element(id)
	// The pixels come from Go and go to the screen: no graphics processor has to hand them about.
	context := view.Call("getContext", "2d", map[string]any{"willReadFrequently": true})
	return &Overlay{view: view, context: context}
}

// Resize fits the canvas to the stage, in CSS pixels, and clears it.
func (o *Overlay) Resize(w, h float64) {
	o.ratio = max(js.Global().Get("devicePixelRatio").Float(), 1)
	o.size = image.Pt(int(math.Round(w*o.ratio)), int(math.Round(h*o.ratio)))
	o.view.Set("width", o.size.X)
	o.view.Set("height", o.size.Y)
	o.pixels, o.data = js.Undefined(), js.Undefined()
	if o.size.X > 0 && o.size.Y > 0 {
		o.pixels = js.Global().Get("Uint8ClampedArray").New(4 * o.size.X * o.size.Y)
		o.data = js.Global().Get("ImageData").New(o.pixels, o.size.X, o.size.Y)
	}
}

// Stale says that the stage has come to a screen of another resolution: Resize has to follow.
func (o *Overlay) Stale() bool { return o.ratio != max(js.Global().Get("devicePixelRatio").Float(), 1) }

// Size is how many pixels the canvas has, and Ratio how many of them a CSS pixel is wide.
func (o *Overlay) Size() image.Point { return o.size }

// Ratio is how many pixels of the canvas a CSS pixel is wide.
func (o *Overlay) Ratio() float64 { return o.ratio }

// Put shows the part r of pixels, those of the whole canvas: four bytes each, R G B A, not multiplied.
func (o *Overlay) Put(pixels []byte, r image.Rectangle) {
	r = r.Intersect(image.Rectangle{Max: o.size})
	if r.Empty() {
		return
	}
	// Whole rows are copied at once: the rectangle is cut out by the canvas.
	from, to := 4*o.size.X*r.Min.Y, 4*o.size.X*r.Max.Y
	js.CopyBytesToJS(o.pixels.Call("subarray", from, to), pixels[from:to])
	o.context.Call("putImageData", o.data, 0, 0, r.Min.X, r.Min.Y, r.Dx(), r.Dy())
}

// Draw shows what is above the mask, in place of what was.
func (o *Overlay) Draw(s Scene) {
	drawing := len(s.Shapes) > 0 || s.Cross != nil || !s.Frame.Empty()
	if !drawing && !o.drawn || o.data.IsUndefined() {
		return
	}
	o.drawn = drawing
	o.context.Call("putImageData", o.data, 0, 0)
	o.drawFrame(s, s.Place.X*o.ratio, s.Place.Y*o.ratio, s.Place.Scale*o.ratio)
	for _, shape := range s.Shapes {
		o.drawShape(shape, s.Place)
	}
	if s.Cross != nil {
		o.drawCross(*s.Cross, s.Place)
	}
}

// turned draws with the picture's corner as the origin and its sides along the axes, in pixels of the screen.
func (o *Overlay) turned(p Place, draw func()) {
	sin, cos := math.Sincos(p.Angle * math.Pi / 180)
	o.context.Call("setTransform", cos, sin, -sin, cos, p.X*o.ratio, p.Y*o.ratio)
	draw()
	o.context.Call("setTransform", 1, 0, 0, 1, 0, 0)
}

// The colours of a frame: dark and light, so that it shows on anything.
const (
	frameDark  = "rgba(0,0,0,.75)"
	frameLight = "#fff"
	frameGuide = "#ff3fa4"
)

// drawFrame outlines the canvas of an expansion: light where something will be made, dark where the picture is cut off,
// handles at its corners and sides and at the corners of the picture.
func (o *Overlay) drawFrame(s Scene, x, y, k float64) {
	if s.Frame.Empty() {
		return
	}
	c, r := o.context, s.Frame
	fx, fy, fw, fh := x+float64(r.Min.X)*k, y+float64(r.Min.Y)*k, float64(r.Dx())*k, float64(r.Dy())*k
	pw, ph := float64(s.Size.X)*k, float64(s.Size.Y)*k
	shade := func(fill string, ax, ay, aw, ah, bx, by, bw, bh float64) { // a without b
		c.Call("save")
		c.Call("beginPath")
		c.Call("rect", bx, by, bw, bh)
		c.Call("rect", -1e6, -1e6, 2e6, 2e6)
		c.Call("clip", "evenodd")
		c.Set("fillStyle", fill)
		c.Call("fillRect", ax, ay, aw, ah)
		c.Call("restore")
	}
	shade("rgba(255,255,255,.2)", fx, fy, fw, fh, x, y, pw, ph)
	shade("rgba(0,0,0,.55)", x, y, pw, ph, fx, fy, fw, fh)
	line := func(colour string, width float64, draw func()) {
		c.Set("strokeStyle", colour)
		c.Set("lineWidth", width*o.ratio)
		c.Call("beginPath")
		draw()
		c.Call("stroke")
	}
	for i, colour := range []string{frameDark, frameLight} {
		width := 3 - 1.6*float64(i)
		line(colour, width, func() { c.Call("rect", fx, fy, fw, fh) })
	}
	if g := s.Guides.X; g != nil {
		line(frameGuide, 1.25, func() { c.Call("moveTo", x+*g*k, fy); c.Call("lineTo", x+*g*k, fy+fh) })
	}
	if g := s.Guides.Y; g != nil {
		line(frameGuide, 1.25, func() { c.Call("moveTo", fx, y+*g*k); c.Call("lineTo", fx+fw, y+*g*k) })
	}
	side := 9 * o.ratio
	knob := func(cx, cy float64, round bool) {
		c.Call("beginPath")
		if round {
			c.Call("arc", cx, cy, side*.55, 0, 7)
		} else {
			c.Call("rect", cx-side/2, cy-side/2, side, side)
		}
		c.Set("fillStyle", frameLight)
		c.Call("fill")
		c.Set("strokeStyle", frameDark)
		c.Set("lineWidth", o.ratio)
		c.Call("stroke")
	}
	for _, at := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		knob(x+at[0]*pw, y+at[1]*ph, true)
	}
	for _, at := range [][2]float64{{0, 0}, {.5, 0}, {1, 0}, {0, .5}, {1, .5}, {0, 1}, {.5, 1}, {1, 1}} {
		knob(fx+at[0]*fw, fy+at[1]*fh, false)
	}
}

// drawShape outlines a selection, or shows a stroke as wide as it is.
func (o *Overlay) drawShape(s Shape, p Place) {
	if len(s.Points) < 2 && !s.Dots && s.Width == 0 {
		return
	}
	c, k := o.context, p.Scale*o.ratio
	o.turned(p, func() {
		c.Call("beginPath")
		for i, at := range s.Points {
			step := "lineTo"
			if i == 0 {
				step = "moveTo"
			}
			c.Call(step, at.X*k, at.Y*k)
		}
		if s.Closed {
			c.Call("closePath")
		}
		if s.Width > 0 {
			c.Set("lineCap", "round")
			c.Set("lineJoin", "round")
			c.Set("strokeStyle", s.Colour)
			c.Set("lineWidth", s.Width*k)
			c.Call("lineTo", s.Points[len(s.Points)-1].X*k+.01, s.Points[len(s.Points)-1].Y*k)
			c.Call("stroke")
			return
		}
		for _, line := range []struct {
			colour string
			width  float64
		}{{"rgba(0,0,0,.7)", 3}, {"#fff", 1.25}} {
			c.Set("strokeStyle", line.colour)
			c.Set("lineWidth", line.width*o.ratio)
			c.Call("stroke")
		}
		if !s.Dots {
			return
		}
		for i, at := range s.Points {
			radius := 3.0
			if i == 0 {
				radius = 5
			}
			c.Call("beginPath")
			c.Call("arc", at.X*k, at.Y*k, radius*o.ratio, 0, 7)
			c.Set("fillStyle", "#fff")
			c.Call("fill")
			c.Set("strokeStyle", "rgba(0,0,0,.7)")
			c.Set("lineWidth", o.ratio)
			c.Call("stroke")
		}
	})
}

// drawCross marks the keyboard's cursor.
func (o *Overlay) drawCross(at Point, p Place) {
	c, k, r := o.context, p.Scale*o.ratio, o.ratio
	o.turned(p, func() {
		for _, line := range []struct {
			colour string
			width  float64
		}{{"rgba(0,0,0,.8)", 4}, {"#fff", 2}} {
			c.Set("strokeStyle", line.colour)
			c.Set("lineWidth", line.width*r)
			c.Call("beginPath")
			for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				c.Call("moveTo", at.X*k+4*r*d[0], at.Y*k+4*r*d[1])
				c.Call("lineTo", at.X*k+14*r*d[0], at.Y*k+14*r*d[1])
			}
			c.Call("stroke")
		}
	})
}
