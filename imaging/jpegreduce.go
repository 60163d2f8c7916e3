package imaging

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"time"
)

// errOtherJPEG is a file the reduced decoder leaves to the standard one: of another kind, or broken, which that one judges.
var errOtherJPEG = errors.New("not a JPEG for the reduced decoder")

// jpegBlock is the side of the blocks a JPEG is made of.
const jpegBlock = 8

// jpegScale is how many pixels of each 8 × 8 block's side a thumbnail w pixels wide of a picture sw pixels wide needs, as many as
// reduced asks for: 1, 2 or 4, or 8 where the whole picture is needed.
func jpegScale(sw, w int) int {
	for n := 1; n < jpegBlock; n *= 2 {
		if 2*n*sw >= 3*jpegBlock*w {
			return n
		}
	}
	return jpegBlock
}

// reducedJPEG opens a JPEG at n/8 of its size, n being 1, 2 or 4: only the coefficients that this size shows are turned into
// pixels, the others are read over. It takes what cameras and our service write, baseline files of one scan in YCbCr at 4:4:4,
// 4:2:2, 4:4:0 or 4:2:0; anything else, and every fault, is errOtherJPEG. Other errors are the context's and errDeadline.
func reducedJPEG(ctx context.Context, data []byte, n int, end time.Time) (*image.YCbCr, error) {
	d := &jpegReader{n: n}
	scan, err := d.header(data)
	if err != nil {
		return nil, err
	}
	return d.scan(ctx, scan, end)
}

// jpegReader is what the head of a file says.
type jpegReader struct {
	n             int // pixels of each block's side that are made
	width, height int
	interval      int // MCUs between two restarts, 0 = none
	quant         [4][64]int32
	known         [4]bool // tables of quantisation
	dc, ac        [4]*jpegCodes
	parts         []jpegPart
}

// jpegPart is a component: luma first.
type jpegPart struct {
	id     byte
	h, v   int // blocks of an MCU
	quant  byte
	dc, ac *jpegCodes
	last   int32 // the former block's mean
	pix    []uint8
	stride int
}

// header reads the segments up to the pixels, and gives those.
func (d *jpegReader) header(data []byte) (scan []byte, err error) {
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xff {
			return nil, errOtherJPEG
		}
		marker := data[at+1]
		if marker == 0xff {
			at++
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if size < 2 || at+2+size > len(data) {
			return nil, errOtherJPEG
		}
		body := data[at+4 : at+2+size]
		at += 2 + size
		ok := true
		switch {
		case marker == 0xc0:
			ok = d.frame(body)
		case marker == 0xc4:
			ok = d.codes(body)
		case marker == 0xdb:
			ok = d.quantisation(body)
		case marker == 0xdd:
			if ok = len(body) == 2; ok {
				d.interval = int(binary.BigEndian.Uint16(body))
			}
		case marker == 0xda:
			if !d.selects(body) {
				return nil, errOtherJPEG
			}
			return data[at:], nil
		case marker == 0xee: // Adobe's: 1 says YCbCr
			ok = len(body) < 12 || string(body[:5]) != "Adobe" || body[11] == 1
		case marker >= 0xe0 && marker <= 0xef, marker == 0xfe:
		default:
			ok = false
		}
		if !ok {
			return nil, errOtherJPEG
		}
	}
	return nil, errOtherJPEG
}

func (d *jpegReader) frame(b []byte) bool {
	if len(b) != 15 || b[0] != 8 || b[5] != 3 || d.parts != nil {
		return false
	}
	d.height, d.width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
	for c := range 3 {
		p := jpegPart{id: b[6+3*c], h: int(b[7+3*c] >> 4), v: int(b[7+3*c] & 15), quant: b[8+3*c]}
		if p.quant > 3 || p.h < 1 || p.v < 1 || p.h > 2 || p.v > 2 || c > 0 && p.h*p.v != 1 {
			return false
		}
		d.parts = append(d.parts, p)
	}
	rgb := d.parts[0].id == 'R' && d.parts[1].id == 'G' && d.parts[2].id == 'B'
	return d.width > 0 && d.height > 0 && !rgb
}

// zigzagLow is the place of the coefficients that a reduced size shows, in a block of 4 × 4, by their place in the file; 255 for others.
var zigzagLow = func() (place [64]uint8) {
	x, y := 0, 0
	for k := range place {
		place[k] = 255
		if x < 4 && y < 4 {
			place[k] = uint8(4*y + x)
		}
		switch {
		case (x+y)%2 == 0 && x == 7:
			y++
		case (x+y)%2 == 0 && y == 0:
			x++
		case (x+y)%2 == 0:
			x, y = x+1, y-1
		case y == 7:
			x++
		case x == 0:
			y++
		default:
			x, y = x-1, y+1
		}
	}
	return place
}()

func (d *jpegReader) quantisation(b []byte) bool {
	for len(b) > 0 {
		table, deep := b[0]&15, b[0]>>4
		if table > 3 || deep != 0 || len(b) < 65 {
			return false
		}
		for k := range 64 {
			d.quant[table][k] = int32(b[1+k])
		}
		d.known[table] = true
		b = b[65:]
	}
	return true
}

// lookBits is how many bits are looked at to recognise a code; longer ones are few.
const lookBits = 12

// jpegCodes is a Huffman table.
type jpegCodes struct {
	look   [1 << lookBits]uint16 // length of the code << 8 | symbol; 0 for longer ones
	pass   [1 << lookBits]uint16 // for coefficients that are not shown: places passed << 8 | bits of code and value; 0 for longer codes
	ends   [18]int32             // one more than the highest code of each length
	first  [18]int32             // place of a length's first symbol, less its code
	symbol [256]uint8
}

func (d *jpegReader) codes(b []byte) bool {
	for len(b) > 0 {
		if len(b) < 17 || b[0]>>4 > 1 || b[0]&15 > 3 {
			return false
		}
		t := &jpegCodes{}
		code, place := int32(0), int32(0)
		for length := 1; length <= 16; length++ {
			count := int32(b[length])
			if code+count > 1<<length || place+count > 256 || int(place+count) > len(b)-17 {
				return false
			}
			t.first[length] = place - code
			for range count {
				t.symbol[place] = b[17+place]
				if length <= lookBits {
					for i := range 1 << (lookBits - length) {
						at := int(code)<<(lookBits-length) | i
						t.look[at] = uint16(length)<<8 | uint16(t.symbol[place])
						t.pass[at] = passed(uint(length), t.symbol[place])
					}
				}
				code++
				place++
			}
			t.ends[length] = code
			code <<= 1
		}
		if b[0]>>4 == 0 {
			d.dc[b[0]&15] = t
		} else {
			d.ac[b[0]&15] = t
		}
		b = b[17+place:]
	}
	return true
}

// passEnd is how many places the end of a block passes: more than a block has.
const passEnd = 128

// passed is an entry of pass.
func passed(length uint, symbol uint8) uint16 {
	size, places := uint16(symbol&15), uint16(symbol>>4)+1
	if size == 0 && symbol != 0xf0 {
		places = passEnd
	}
	return places<<8 | uint16(length) + size
}

// selects reads the head of the one scan there may be.
func (d *jpegReader) selects(b []byte) bool {
	if len(b) != 10 || b[0] != 3 || len(d.parts) != 3 || b[7] != 0 || b[8] != 63 || b[9] != 0 {
		return false
	}
	for c := range d.parts {
		p := &d.parts[c]
		tables := b[2+2*c]
		if b[1+2*c] != p.id || tables>>4 > 3 || tables&15 > 3 || !d.known[p.quant] {
			return false
		}
		if p.dc, p.ac = d.dc[tables>>4], d.ac[tables&15]; p.dc == nil || p.ac == nil {
			return false
		}
	}
	return true
}

// bitStream reads bits of one interval, from which the zeros after each 0xff were taken. Behind its end there are zeros.
type bitStream struct {
	data []byte // with 8 bytes of room behind the end
	at   int
	acc  uint64 // the next bits, from the top
	have uint
}

// fill makes 56 bits or more there.
func (s *bitStream) fill() {
	if s.at+8 <= len(s.data) {
		s.acc |= binary.BigEndian.Uint64(s.data[s.at:]) >> (s.have & 63)
	}
	s.at += int(63-s.have) >> 3
	s.have |= 56
}

func (s *bitStream) skip(n uint) {
	s.acc <<= n & 63
	s.have -= n
}

// over says whether more was read than there is.
func (s *bitStream) over() bool { return 8*s.at-int(s.have) > 8*(len(s.data)-8) }

// read reads a code; the stream holds 16 bits or more. It is -1 for what is none.
func (t *jpegCodes) read(s *bitStream) int {
	if e := t.look[s.acc>>(64-lookBits)]; e != 0 {
		s.skip(uint(e >> 8))
		return int(e & 255)
	}
	for length := uint(lookBits + 1); length <= 16; length++ {
		code := int32(s.acc >> (64 - length))
		if code < t.ends[length] {
			s.skip(length)
			return int(t.symbol[(t.first[length]+code)&255])
		}
	}
	return -1
}

// value reads a number of so many bits, 1 or more, as JPEG writes it: without a sign, negative ones less their highest bit.
func (s *bitStream) value(size int) int32 {
	n := uint(size) & 31
	v := int32(s.acc >> ((64 - n) & 63))
	s.skip(n)
	if v < 1<<(n-1) {
		v += -1<<n + 1
	}
	return v
}

// scan makes the pixels.
func (d *jpegReader) scan(ctx context.Context, data []byte, end time.Time) (*image.YCbCr, error) {
	h, v := d.parts[0].h, d.parts[0].v
	across, down := (d.width+jpegBlock*h-1)/(jpegBlock*h), (d.height+jpegBlock*v-1)/(jpegBlock*v)
	for c := range d.parts {
		p := &d.parts[c]
		p.stride = across * p.h * d.n
		p.pix = make([]uint8, p.stride*down*p.v*d.n)
	}
	interval := d.interval
	if interval == 0 {
		interval = across * down
	}
	var plain []byte
	for from := 0; from < across*down; from += interval {
		var stream bitStream
		stream.data, data = unstuff(plain, data)
		plain = stream.data
		to := min(from+interval, across*down)
		for c := range d.parts {
			d.parts[c].last = 0
		}
		for mcu := from; mcu < to; mcu++ {
			if mcu%across == 0 || mcu == from {
				switch {
				case ctx.Err() != nil:
					return nil, ctx.Err()
				case !time.Now().Before(end):
					return nil, errDeadline
				case stream.over():
					return nil, errOtherJPEG
				}
			}
			if !d.mcu(&stream, mcu%across, mcu/across) {
				return nil, errOtherJPEG
			}
		}
		if stream.over() {
			return nil, errOtherJPEG
		}
		if to == across*down {
			break
		}
		if len(data) < 2 || data[0] != 0xff || data[1] != 0xd0+byte(from/interval&7) {
			return nil, errOtherJPEG
		}
		data = data[2:]
	}
	ratio := map[[2]int]image.YCbCrSubsampleRatio{
		{1, 1}: image.YCbCrSubsampleRatio444, {2, 1}: image.YCbCrSubsampleRatio422, {1, 2}: image.YCbCrSubsampleRatio440, {2, 2}: image.YCbCrSubsampleRatio420,
	}[[2]int{h, v}]
	return &image.YCbCr{
		Y: d.parts[0].pix, Cb: d.parts[1].pix, Cr: d.parts[2].pix, YStride: d.parts[0].stride, CStride: d.parts[1].stride, SubsampleRatio: ratio,
		Rect: image.Rect(0, 0, (d.width*d.n+jpegBlock-1)/jpegBlock, (d.height*d.n+jpegBlock-1)/jpegBlock),
	}, nil
}

// unstuff copies the bytes up to the next marker without the zeros that stand after each 0xff, into into where there is room.
func unstuff(into, data []byte) (plain, rest []byte) {
	if cap(into) == 0 {
		into = make([]byte, 0, len(data)+8)
	}
	plain = into[:0]
	for {
		i := bytes.IndexByte(data, 0xff)
		if i < 0 || i+1 >= len(data) {
			return append(append(plain, data...), 0, 0, 0, 0, 0, 0, 0, 0), nil
		}
		if data[i+1] != 0 {
			return append(append(plain, data[:i]...), 0, 0, 0, 0, 0, 0, 0, 0), data[i:]
		}
		plain = append(plain, data[:i+1]...)
		data = data[i+2:]
	}
}

// mcu reads the blocks of one MCU.
func (d *jpegReader) mcu(s *bitStream, x, y int) bool {
	var block [16]int32
	for c := range d.parts {
		p := &d.parts[c]
		for v := range p.v {
			for h := range p.h {
				if !d.block(s, p, &block) {
					return false
				}
				at := ((y*p.v+v)*p.stride + x*p.h + h) * d.n
				switch d.n {
				case 1:
					p.pix[at] = sample(block[0] >> 3)
				case 2:
					inverse2(&block, p.pix[at:], p.stride)
				default:
					inverse4(&block, p.pix[at:], p.stride)
				}
			}
		}
	}
	return true
}

// block reads one block: of its coefficients, the lowest 4 × 4.
func (d *jpegReader) block(s *bitStream, p *jpegPart, block *[16]int32) bool {
	clear(block[:])
	quant := &d.quant[p.quant]
	s.fill()
	size := p.dc.read(s)
	if size < 0 || size > 11 {
		return false
	}
	if size > 0 {
		p.last += s.value(size)
	}
	block[0] = p.last * quant[0]
	// After the last coefficient that this size shows, the others only have to be passed.
	shown := [...]int{1: 1, 2: 5, 4: 25}[d.n]
	ac := p.ac
	k := 1
	for k < shown {
		if s.have < 32 {
			s.fill()
		}
		symbol := ac.read(s)
		if symbol < 0 {
			return false
		}
		size := symbol & 15
		if size == 0 {
			if symbol != 0xf0 {
				return true
			}
			k += 16
			continue
		}
		k += symbol >> 4
		if k > 63 || size > 10 {
			return false
		}
		value := s.value(size)
		if at := zigzagLow[k]; at < 16 {
			block[at] = value * quant[k]
		}
		k++
	}
	if k < 64 {
		k = ac.rest(s, k)
	}
	return k == 64 || k >= passEnd
}

// rest reads over the coefficients from k on, and gives the place behind the last: 64, or passEnd and more, where it ends well.
func (t *jpegCodes) rest(s *bitStream, k int) int {
	data, at, acc, have := s.data, s.at, s.acc, s.have
	for k < 64 {
		if have < 32 {
			if at+8 <= len(data) {
				acc |= binary.BigEndian.Uint64(data[at:at+8]) >> (have & 63)
			}
			at += int(63-have) >> 3
			have |= 56
		}
		if e := uint(t.pass[acc>>(64-lookBits)]); e != 0 {
			acc <<= e & 63
			have -= e & 63
			k += int(e >> 8)
			continue
		}
		s.at, s.acc, s.have = at, acc, have
		symbol := t.read(s)
		if symbol < 0 {
			return 0
		}
		e := uint(passed(0, uint8(symbol)))
		s.skip(e & 63)
		at, acc, have = s.at, s.acc, s.have
		k += int(e >> 8)
	}
	s.at, s.acc, s.have = at, acc, have
	return k
}

// sample makes a pixel of a value around 0.
func sample(v int32) uint8 {
	v += 128
	if uint32(v) > 255 {
		v = ^(v >> 31) & 255
	}
	return uint8(v)
}

// The transform of n points of the n lowest coefficients gives the block at n/8 of its size; values are eight times a pixel's.

func inverse2(b *[16]int32, out []uint8, stride int) {
	low, high := b[0]+b[1]+4, b[0]-b[1]+4
	below, other := b[4]+b[5], b[4]-b[5]
	out[0], out[1] = sample((low+below)>>3), sample((high+other)>>3)
	out[stride], out[stride+1] = sample((low-below)>>3), sample((high-other)>>3)
}

// The cosines of the transform of four points, times 1 << cosBits: √2·cos(π/8) and √2·cos(3π/8).
const (
	cosBits = 12
	cosHigh = 5352
	cosLow  = 2217
)

func inverse4(b *[16]int32, out []uint8, stride int) {
	var rows [16]int32
	for y := range 4 {
		a, c, e, g := b[4*y]<<cosBits, b[4*y+1], b[4*y+2]<<cosBits, b[4*y+3]
		odd, even := cosHigh*c+cosLow*g, cosLow*c-cosHigh*g
		const round = 1 << (cosBits - 5)
		rows[4*y] = (a + e + odd + round) >> (cosBits - 4)
		rows[4*y+1] = (a - e + even + round) >> (cosBits - 4)
		rows[4*y+2] = (a - e - even + round) >> (cosBits - 4)
		rows[4*y+3] = (a + e - odd + round) >> (cosBits - 4)
	}
	for x := range 4 {
		a, c, e, g := int64(rows[x])<<cosBits, int64(rows[4+x]), int64(rows[8+x])<<cosBits, int64(rows[12+x])
		odd, even := cosHigh*c+cosLow*g, cosLow*c-cosHigh*g
		const round, down = 1 << (cosBits + 6), cosBits + 7
		out[x] = sample(int32((a + e + odd + round) >> down))
		out[stride+x] = sample(int32((a - e + even + round) >> down))
		out[2*stride+x] = sample(int32((a - e - even + round) >> down))
		out[3*stride+x] = sample(int32((a + e - odd + round) >> down))
	}
}

// reducedMemory is what reducedJPEG holds at its peak, for a file of so many bytes: the bytes without their zeros, and the planes.
func reducedMemory(file int, pixels int64, n int) int64 {
	return int64(file) + 3*pixels*int64(n*n)/(jpegBlock*jpegBlock)
}
