package testpics

import (
	"encoding/binary"
	"math/rand/v2"
	_ "unsafe" // for the table below

	_ "golang.org/x/image/vp8" // has the table
)

// updateProbs says how likely a VP8 file replaces each probability of its tokens; RFC 6386 has it in section 13.4, and the
// decoder, which keeps it to itself.
//
//go:linkname updateProbs golang.org/x/image/vp8.tokenProbUpdateProb
var updateProbs [4][8][3][11]uint8

// CostlyWebP is a lossy WebP of w × h pixels that asks for as much work as its size can: every coefficient of every block is
// there, for little more than a bit, and the strongest filter runs over every edge. With alpha it has a lossless picture of
// the same size for its transparency, in a few bytes more. It takes 1.6 bits per pixel.
func CostlyWebP(w, h int, alpha bool) []byte {
	pixels := RiffChunk("VP8 ", costlyVP8(w, h))
	size := func(n int) []byte { return []byte{byte(n - 1), byte((n - 1) >> 8), byte((n - 1) >> 16)} }
	if !alpha {
		return Riff(pixels)
	}
	canvas := append([]byte{0x10, 0, 0, 0}, append(size(w), size(h)...)...)
	// Packed as a lossless picture, with the filter that looks at three neighbours.
	transparency := append([]byte{1 | 3<<2}, costlyVP8L(w, h, 0)[5:]...)
	return Riff(RiffChunk("VP8X", canvas), RiffChunk("ALPH", transparency), pixels)
}

// CostlyLosslessWebP is a lossless WebP of w × h pixels that goes through three transforms, with a colour cache and a choice of
// codes every four pixels. It takes one bit per pixel.
func CostlyLosslessWebP(w, h int) []byte { return Riff(RiffChunk("VP8L", costlyVP8L(w, h, 1))) }

// boolCoder packs bits of known likelihood, as in RFC 6386, section 7.3.
type boolCoder struct {
	out         []byte
	wide, below uint32
	left        int
}

func newBoolCoder() *boolCoder { return &boolCoder{wide: 255, left: 24} }

// put adds a bit that is 0 with the likelihood prob/256.
func (c *boolCoder) put(prob uint8, bit bool) {
	split := 1 + (c.wide-1)*uint32(prob)>>8
	if bit {
		c.below += split
		c.wide -= split
	} else {
		c.wide = split
	}
	for c.wide < 128 {
		c.wide <<= 1
		c.shift()
	}
}

// shift moves one bit out.
func (c *boolCoder) shift() {
	if c.below&(1<<31) != 0 {
		for i := len(c.out) - 1; ; i-- {
			if c.out[i]++; c.out[i] != 0 {
				break
			}
		}
	}
	c.below <<= 1
	if c.left--; c.left == 0 {
		c.out = append(c.out, byte(c.below>>24))
		c.below &= 1<<24 - 1
		c.left = 8
	}
}

// number adds the n lowest bits of v, the highest first.
func (c *boolCoder) number(v uint32, n int) {
	for n--; n >= 0; n-- {
		c.put(128, v>>n&1 != 0)
	}
}

func (c *boolCoder) end() []byte {
	for range 32 {
		c.shift()
	}
	return append(c.out, 0, 0)
}

// costlyVP8 is a key frame in which every token says "four", the largest without bits of its own.
func costlyVP8(w, h int) []byte {
	head := newBoolCoder()
	head.number(0, 1+1+1) // colours, clamping, no segments
	head.number(0, 1)     // the normal filter
	head.number(63, 6)    // at its strongest
	head.number(0, 3+1+2) // sharpness, no deltas, one partition
	head.number(0, 7+5)   // the finest steps
	head.number(0, 1)     // what videos keep
	four := [11]uint8{0: 1, 1: 1, 2: 1, 3: 255, 4: 1, 5: 1}
	for i := range updateProbs {
		for j := range updateProbs[i] {
			for k := range updateProbs[i][j] {
				for l, likely := range updateProbs[i][j][k] {
					head.put(likely, four[l] != 0)
					if four[l] != 0 {
						head.number(uint32(four[l]), 8)
					}
				}
			}
		}
	}
	blocks := (w + 15) / 16 * ((h + 15) / 16)
	// Of what follows, every bit is 0: nothing is skipped, and each of the small blocks is predicted by itself. Zeros are what
	// that is coded as, whatever their likelihoods.
	first := append(head.end(), make([]byte, blocks*5/8+16)...)

	tokens := newBoolCoder()
	rng := rand.New(rand.NewPCG(8, 2026))
	for range blocks * 24 {
		tokens.put(four[0], true)
		for n := range 16 {
			tokens.put(four[1], true)
			tokens.put(four[2], true)
			tokens.put(four[3], false)
			tokens.put(four[4], true)
			tokens.put(four[5], true)
			tokens.put(128, rng.IntN(2) == 0)
			if n < 15 {
				tokens.put(four[0], true)
			}
		}
	}
	tag := uint32(1<<4 | len(first)<<5)
	frame := []byte{byte(tag), byte(tag >> 8), byte(tag >> 16), 0x9d, 0x01, 0x2a}
	frame = binary.LittleEndian.AppendUint16(frame, uint16(w))
	frame = binary.LittleEndian.AppendUint16(frame, uint16(h))
	return append(append(frame, first...), tokens.end()...)
}

// bitPacker packs numbers, the lowest bit first.
type bitPacker struct {
	out  []byte
	acc  uint64
	have int
}

func (p *bitPacker) put(v uint32, n int) {
	p.acc |= uint64(v) << p.have
	for p.have += n; p.have >= 8; p.have -= 8 {
		p.out = append(p.out, byte(p.acc))
		p.acc >>= 8
	}
}

func (p *bitPacker) end() []byte {
	for range 8 {
		p.put(0, 8)
	}
	return p.out
}

// one is a table of codes with a single symbol, which takes no bits.
func (p *bitPacker) one(symbol uint32) {
	p.put(1|0<<1|1<<2, 3)
	p.put(symbol, 8)
}

// plain is a picture of one colour, without a cache and without bits for its pixels.
func (p *bitPacker) plain(green, red, blue uint32) {
	p.put(0, 1)
	for _, symbol := range []uint32{green, red, blue, 255, 0} {
		p.one(symbol)
	}
}

// costlyVP8L takes 0 bits per pixel, or 1.
func costlyVP8L(w, h, each int) []byte {
	p := &bitPacker{}
	p.put(0x2f, 8)
	p.put(uint32(w-1), 14)
	p.put(uint32(h-1), 14)
	p.put(0, 1+3)
	p.put(1|0<<1, 3) // predicted from the neighbours, in tiles of 4 × 4
	p.put(0, 3)
	p.plain(11, 0, 0) // by the one that asks most of them
	p.put(1|1<<1, 3)  // colours predicted from one another, in such tiles
	p.put(0, 3)
	p.plain(37, 91, 17)
	p.put(1|2<<1, 3) // green taken off the others
	p.put(0, 1)
	p.put(1, 1) // a colour cache, of 2¹¹
	p.put(11, 4)
	p.put(1, 1) // codes chosen for every tile of 4 × 4
	p.put(0, 3)
	p.plain(0, 0, 0)
	if each == 0 {
		p.one(200)
	} else {
		p.put(1|1<<1|1<<2, 3) // green: one of two
		p.put(1, 8)
		p.put(200, 8)
	}
	for _, symbol := range []uint32{3, 250, 128, 0} {
		p.one(symbol)
	}
	rng := rand.New(rand.NewPCG(9, 2026))
	for left := w * h * each; left > 0; left -= 32 {
		p.put(rng.Uint32(), 32)
	}
	return p.end()
}
