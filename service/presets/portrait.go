package presets

// look is what tells one drawn person from another.
type look struct {
	skin, hair uint32 // 0xRRGGBB
}

// draw paints the person's head and shoulders.
func (l look) draw(c *canvas) {
	sweep(0xd8d5d0, 0xb9b5af)(c)
	c.paint(c.mask(ellipse(0, 0.35, 0.19, 0.24), 0), hex(l.hair), 1)
	c.paint(c.mask(rectangle(-0.07, 0.5, 0.07, 0.8), 0), hex(l.skin), 1)
	c.paint(c.mask(ellipse(0, 0.4, 0.155, 0.2), 0), hex(l.skin), 1)
}
