package presets

import "math"

// look is what tells one drawn person from another. Colours are 0xRRGGBB.
type look struct {
	skin, hair, iris, lips, cloth, wall uint32

	cut    haircut
	top    garment
	jaw    float64 // 0 narrow and soft, 1 square
	broad  float64 // width of the shoulders, 1 the middle
	open   float64 // how open the eyes are, 1 the middle
	tilt   float64 // how far the outer corners of the eyes rise, in radians
	crease float64 // how visible the fold of the upper lid is, 0 to 1
	nose   float64 // width, 1 the middle
	full   float64 // fullness of the lips, 1 the middle
	brow   float64 // thickness of the brows, 1 the middle
	beard  float64 // 0 none, 0.3 stubble, 1 full
	age    float64 // 0 to 1: lines and folds
	made   bool    // a touch of make-up
}

// portrait is a head and shoulders being painted. Its own coordinates are those of a canvas 0.8 as wide as high; on a narrower
// one everything shrinks towards the middle of the bottom edge.
//
// The face is painted over a relief: its depth at every pixel gives the direction the skin faces, and that the light on it.
type portrait struct {
	*canvas
	look
	k    float64 // size
	drop float64 // how far down everything is drawn: the head sits lower on the body than it is described

	skinTone, hairTone rgb
	face               *plane // the outline of the face
	depth              *plane // of the face, in units of the height
}

// headDrop is how much lower the head is than its own description says.
const headDrop = 0.048

// draw paints the person's head and shoulders.
func (l look) draw(c *canvas) {
	p := &portrait{canvas: c, look: l, k: min(1.10, c.reach()/0.365), skinTone: hex(l.skin), hairTone: hex(l.hair)}
	p.backdrop()
	p.drop = headDrop
	p.face = p.mask(p.faceOutline(), 0)
	p.depth = p.relief()
	p.paintHairBehind()
	p.drop = 0
	p.paintNeck()
	p.paintGarment()
	p.drop = headDrop
	p.paintEars()
	p.paintFace()
	p.paintBeard()
	p.paintMouth()
	p.paintNose()
	for _, side := range [...]float64{-1, 1} {
		p.paintEye(side)
		p.paintBrow(side)
	}
	p.paintLines()
	p.paintHairBefore()
	c.lens = lens{vignette: 0.18, grain: 2, glow: 0.05}
}

// mask is canvas.mask in the portrait's coordinates.
func (p *portrait) mask(shape path, blur float64) *plane {
	return p.canvas.mask(shape.moved(p.k, 0, 1-p.k+p.drop*p.k), blur*p.k)
}

// blend is canvas.blend in the portrait's coordinates.
func (p *portrait) blend(m *plane, at func(x, y float64, was rgb) rgb) {
	p.canvas.blend(m, func(x, y float64, was rgb) rgb { return at(x/p.k, 1-(1-y)/p.k-p.drop, was) })
}

// pixel is where a position of the portrait lies.
func (p *portrait) pixel(x, y float64) (int, int) {
	return int((x*p.k + p.reach()) * float64(p.h)), int((1 - (1-y-p.drop)*p.k) * float64(p.h))
}

// backdrop is a painted studio wall, lighter behind the shaded side of the face.
func (p *portrait) backdrop() {
	wall := hex(p.wall)
	p.fill(func(x, y float64) rgb {
		x, y = x/p.k, 1-(1-y)/p.k
		pool := bump(math.Hypot((x-0.13)*0.9, (y-0.42)*0.8), 0.42)
		mottle := 1 + 0.05*fbm(x*3.5, y*3.5, 4, p.seed)
		return wall.scale((0.60 + 0.50*pool) * mottle)
	})
}

// The lights of the portrait studio, x to the right, y down, z towards the camera: a large key from the upper left, a cool fill
// from the right, and a lamp behind the right shoulder for the rim.
var (
	keyLight  = vec{-0.52, -0.50, 0.70}.unit()
	fillLight = vec{0.75, -0.10, 0.60}.unit()
	rimLight  = vec{0.86, -0.38, -0.20}.unit()
	halfway   = vec{keyLight.x, keyLight.y, keyLight.z + 1}.unit()
)

// flesh is skin of a tone under the studio's lights. Where light fades into shade, skin glows red from within.
func flesh(tone rgb, n vec) rgb {
	key := clamp((n.dot(keyLight) + 0.22) / 1.22)
	fill := clamp(n.dot(fillLight)*0.5 + 0.5)
	lit := smooth(0, 1, key)
	col := tone.mul(rgb{0.30, 0.235, 0.225}.add(rgb{0.80, 0.79, 0.78}.scale(lit)).add(rgb{0.13, 0.14, 0.16}.scale(fill)))
	col = col.add(tone.mul(rgb{0.16, 0.035, 0.02}.scale(bump(key-0.30, 0.20))))
	shine := math.Pow(clamp(n.dot(halfway)), 22)
	rim := math.Pow(clamp(1-n.z), 2.2) * clamp(n.dot(rimLight)+0.35)
	return col.add(rgb{0.115, 0.105, 0.095}.scale(shine)).add(rgb{0.55, 0.50, 0.46}.scale(rim * (0.35 + 0.65*tone.r)))
}

// cushion is the direction a shape faces at a pixel if it is taken as stuffed: its blurred mask is its height.
func cushion(height *plane, px, py int, strength float64) vec {
	const d = 2
	dx := float64(height.at(px+d, py)-height.at(px-d, py)) / (2 * d)
	dy := float64(height.at(px, py+d)-height.at(px, py-d)) / (2 * d)
	return vec{-dx * strength, -dy * strength, 1}.unit()
}

// paintNeck paints the neck and the part of the chest that a neckline may show.
func (p *portrait) paintNeck() {
	w := 0.066 + 0.014*p.jaw + 0.006*(p.broad-1)
	neck := mirrored(point{0, 0.50}, point{w * 0.96, 0.52}, point{w * 0.97, 0.62}, point{w * 1.06, 0.675}, point{w*1.5 + 0.01, 0.722},
		point{0.19 * p.broad, 0.765}, point{0.25 * p.broad, 0.84}, point{0.2, 1.0}, point{0, 1.05})
	m := p.mask(neck, 0.0006)
	swell := p.mask(neck, 0.022)
	p.blend(m, func(x, y float64, _ rgb) rgb {
		px, py := p.pixel(x, y)
		n := cushion(swell, px, py, 0.030*float64(p.h)*p.k)
		// The two cords of the neck run from behind the ears to the pit of the throat; collar bones spread from there.
		cord := bump(math.Abs(x)-mix(w*0.80, 0.014, smooth(0.56, 0.735, y)), 0.012) * box(0.58, 0.735, 0.06, y)
		bone := bump(y-0.748-2*x*x+0.012, 0.008) * box(0.025, 0.16, 0.03, math.Abs(x))
		pit := bump(math.Hypot(x, (y-0.738)*1.2), 0.018)
		tone := p.skinTone.mul(rgb{0.97, 0.93, 0.91})
		return flesh(tone, n).scale(1 + 0.06*cord + 0.07*bone - 0.13*pit)
	})
	// The chin's shadow.
	shadow := p.mask(p.faceOutline().moved(0.96, 0.012, 0.060+headDrop), 0.017).within(m)
	p.blend(shadow, func(_, _ float64, was rgb) rgb { return was.mul(rgb{0.44, 0.37, 0.36}) })
}

// paintEars paints both ears, unless hair covers them.
func (p *portrait) paintEars() {
	if p.cut == cutLong || p.cut == cutBob || p.cut == cutCoily {
		return
	}
	for _, side := range [...]float64{-1, 1} {
		ear := smoothThrough(point{0.112, 0.400}, point{0.127, 0.391}, point{0.139, 0.402}, point{0.138, 0.428}, point{0.129, 0.452}, point{0.119, 0.466}, point{0.111, 0.455})
		if side < 0 {
			ear = ear.flipped()
		}
		m, swell := p.mask(ear, 0.0006), p.mask(ear, 0.007)
		p.blend(m, func(x, y float64, _ rgb) rgb {
			px, py := p.pixel(x, y)
			n := cushion(swell, px, py, 0.010*float64(p.h)*p.k)
			bowl := bump(math.Hypot((math.Abs(x)-0.124)/0.006, (y-0.424)/0.018), 1)
			return flesh(p.skinTone.mul(rgb{1.0, 0.86, 0.82}), n).scale(0.92 - 0.35*bowl)
		})
	}
}
