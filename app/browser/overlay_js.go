//go:build js && wasm

package browser

import (
	"image"
	"math"
	"strconv"
	"syscall/js"
)

// Overlay shows a mask above a picture. The mask lives in a canvas of the picture's size that is never shown; Draw puts
// the visible part of it on the canvas the user sees, at the screen's own resolution, so the hatch stays equally fine at
// every zoom.
type Overlay struct {
	view, viewContext js.Value
	mask, maskContext js.Value
	size              image.Point
	hatch             js.Value
	hatchKey          string
	ratio             float64
	pixels            js.Value // Uint8ClampedArray reused between puts
	capacity          int
}

// NewOverlay binds the canvas with the given id to a mask of the given size.
func NewOverlay(id string, size image.Point) *Overlay {
	document := js.Global().Get("document")
	view := element(id)
	mask := document.Call("createElement", "canvas")
	mask.Set("width", size.X)
	mask.Set("height", size.Y)
	return &Overlay{
		view: view, viewContext: view.Call("getContext", "2d"),
		mask: mask, maskContext: mask.Call("getContext", "2d"), size: size,
	}
}

// Resize fits the visible canvas to the stage, in CSS pixels.
func (o *Overlay) Resize(w, h float64) {
	o.ratio = max(js.Global().Get("devicePixelRatio").Float(), 1)
	o.view.Set("width", int(math.Round(w*o.ratio)))
	o.view.Set("height", int(math.Round(h*o.ratio)))
	o.hatchKey = ""
}

// Put writes straight-alpha RGBA pixels, row by row without gaps, into the mask.
func (o *Overlay) Put(rgba []byte, r image.Rectangle) {
	if r.Empty() {
		return
	}
	if o.capacity < len(rgba) {
		o.capacity = len(rgba)
		o.pixels = js.Global().Get("Uint8ClampedArray").New(o.capacity)
	}
	js.CopyBytesToJS(o.pixels, rgba)
	part := o.pixels.Call("subarray", 0, len(rgba))
	data := js.Global().Get("ImageData").New(part, r.Dx(), r.Dy())
	o.maskContext.Call("putImageData", data, r.Min.X, r.Min.Y)
}

// Draw shows the scene.
func (o *Overlay) Draw(s Scene) {
	c, width, height := o.viewContext, o.view.Get("width").Float(), o.view.Get("height").Float()
	c.Call("setTransform", 1, 0, 0, 1, 0, 0)
	c.Set("globalCompositeOperation", "source-over")
	c.Call("clearRect", 0, 0, width, height)
	if width == 0 || o.ratio == 0 {
		return
	}
	k := s.Place.Scale * o.ratio
	x, y := s.Place.X*o.ratio, s.Place.Y*o.ratio
	if !s.Hidden {
		o.drawTint(s, x, y, k, width, height)
	}
	o.drawFrame(s, x, y, k)
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
	o.viewContext.Call("setTransform", cos, sin, -sin, cos, p.X*o.ratio, p.Y*o.ratio)
	draw()
	o.viewContext.Call("setTransform", 1, 0, 0, 1, 0, 0)
}

// drawTint lays the hatched tint over the kept region, or over the rest of the picture.
func (o *Overlay) drawTint(s Scene, x, y, k, width, height float64) {
	c := o.viewContext
	c.Set("imageSmoothingEnabled", k < 1)
	w, h := float64(o.size.X)*k, float64(o.size.Y)*k
	o.turned(s.Place, func() { c.Call("drawImage", o.mask, 0, 0, w, h) })
	// The mask's alpha decides where the pattern shows: inside it, or outside of it.
	mode := "source-in"
	if s.Redraw {
		mode = "source-out"
	}
	c.Set("globalCompositeOperation", mode)
	c.Set("fillStyle", o.pattern(s.Tint, x, y))
	c.Call("fillRect", 0, 0, width, height)
	if s.Redraw { // source-out also covers the stage around the picture
		c.Set("globalCompositeOperation", "destination-in")
		c.Set("fillStyle", "#000")
		o.turned(s.Place, func() { c.Call("fillRect", 0, 0, w, h) })
	}
	if s.Under != "" {
		c.Set("globalCompositeOperation", "destination-over")
		c.Set("fillStyle", s.Under)
		o.turned(s.Place, func() { c.Call("fillRect", 0, 0, w, h) })
	}
	c.Set("globalCompositeOperation", "source-over")
}

// pattern is a tile of the tint with one fine diagonal line, anchored to the picture's corner so that it moves with it.
func (o *Overlay) pattern(t Tint, x, y float64) js.Value {
	side := int(math.Round(8 * o.ratio))
	if key := t.Fill + t.Hatch + strconv.Itoa(side); key != o.hatchKey {
		o.hatchKey = key
		tile := js.Global().Get("document").Call("createElement", "canvas")
		tile.Set("width", side)
		tile.Set("height", side)
		c := tile.Call("getContext", "2d")
		c.Set("fillStyle", t.Fill)
		c.Call("fillRect", 0, 0, side, side)
		c.Set("strokeStyle", t.Hatch)
		c.Set("lineWidth", o.ratio)
		c.Call("beginPath")
		for _, shift := range []int{-side, 0, side} {
			c.Call("moveTo", shift-1, side+1)
			c.Call("lineTo", shift+side+1, -1)
		}
		c.Call("stroke")
		o.hatch = o.viewContext.Call("createPattern", tile, "repeat")
	}
	matrix := js.Global().Get("DOMMatrix").New([]any{1, 0, 0, 1, math.Mod(x, float64(side)), math.Mod(y, float64(side))})
	o.hatch.Call("setTransform", matrix)
	return o.hatch
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
	c, r := o.viewContext, s.Frame
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
	c, k := o.viewContext, p.Scale*o.ratio
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
	c, k, r := o.viewContext, p.Scale*o.ratio, o.ratio
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
