package mask

// runCoder writes runs of equal bytes as a zlib stream (RFC 1950, 1951). A
// general compressor has to look at every byte of the 64 MiB a large RGBA mask
// unfolds to; this one is told the runs and looks at none.
//
// It uses one deflate block with a fixed set of code lengths made for masks:
// nearly every symbol is the longest match of the previous byte. There are two
// sets: for whole pixels, which know four bytes only, and for packed ones.
type runCoder struct {
	out   []byte
	bits  uint64 // not yet written, low bits first
	count uint   // how many of them

	codes [symbols]huffman

	a, b uint32 // the two halves of Adler-32
	last int    // the byte before, or -1 at the start
}

type huffman struct {
	bits uint32 // already in the order they are written
	n    uint
}

const (
	symbols     = 286 // literals, end of block, match lengths
	endOfBlock  = 256
	firstLength = 257
	longest     = 258 // the longest match, symbol 285
	adlerBase   = 65521
)

// codeLength is the length of the code of each symbol in bits, 0 for those whole
// pixels never need. The lengths fill the code space exactly, as inflate demands.
func codeLength(symbol int) uint {
	switch {
	case symbol == 285: // match of 258
		return 1
	case symbol == 0:
		return 3
	case symbol == 1, symbol == 2, symbol == 255:
		return 4
	case symbol == endOfBlock, symbol == firstLength, symbol == 258, symbol == 259:
		return 7 // the end, and matches of 3 to 5
	case symbol > 259 && symbol < 285:
		// 25 codes of 7 and 8 bits make up the rest: 1/2+1/8+3/16+4/128 leaves
		// 20/128 = 15/128 + 10/256.
		if symbol < 275 {
			return 7
		}
		return 8
	}
	return 0
}

// packedCodeLength is codeLength for eight pixels to a byte, where edges make any byte.
func packedCodeLength(symbol int) uint {
	switch {
	case symbol == 285:
		return 1
	case symbol == 0:
		return 3
	case symbol > endOfBlock: // matches of 3 to 257
		return 7
	// 1/2+1/8+28/128 leaves 320/2048 = 64/1024 + 192/2048. Edges that run nearly straight down change one pixel of eight: few bits,
	// or nearly all of them.
	case symbol < 16, symbol >= 240 && symbol < 256, symbol&(symbol-1) == 0 && symbol < endOfBlock:
		return 10
	case symbol >= 64 && symbol < 64+packedFill:
		return 10
	}
	return 11
}

// packedFill is how many literals from 64 on are 10 bits long so that there are 64 of them: 15 low ones, 16 high ones, 4 single bits
// from 16 on, and these, of which the first is a single bit.
const packedFill = 30

func newRunCoder(sizeHint int, codeLength func(symbol int) uint) *runCoder {
	z := &runCoder{out: make([]byte, 0, sizeHint), a: 1, last: -1}
	z.codes = canonical(codeLength)
	z.out = append(z.out, 0x78, 0x01) // deflate, 32 KiB window, fastest

	z.put(1, 1)           // last block
	z.put(2, 2)           // its own codes
	z.put(symbols-257, 5) // literal and length codes
	z.put(1, 5)           // two distance codes
	z.put(19-4, 4)        // all code length codes are given
	for i := range 19 {   // first 16, 17, 18, unused; then 0 … 15 in some order
		if i < 3 {
			z.put(0, 3)
		} else {
			z.put(4, 3)
		}
	}
	// With sixteen codes of four bits each length is its own code, high bit first.
	length := func(n uint) { z.put(uint64(reverse(uint32(n), 4)), 4) }
	for symbol := range symbols {
		length(codeLength(symbol))
	}
	length(1) // distance 1, code 0
	length(1) // distance 2, never used: some readers want a full code
	return z
}

// canonical assigns the codes in the order RFC 1951 §3.2.2 prescribes.
func canonical(codeLength func(symbol int) uint) (codes [symbols]huffman) {
	next := uint32(0)
	for n := uint(1); n <= 15; n++ {
		for symbol := range symbols {
			if codeLength(symbol) == n {
				codes[symbol] = huffman{reverse(next, n), n}
				next++
			}
		}
		next <<= 1
	}
	return codes
}

// reverse turns the low n bits round: codes are written high bit first.
func reverse(v uint32, n uint) (out uint32) {
	for range n {
		out = out<<1 | v&1
		v >>= 1
	}
	return out
}

// put appends the low n bits, n ≤ 32.
func (z *runCoder) put(bits uint64, n uint) {
	z.bits |= bits << z.count
	z.count += n
	for z.count >= 8 {
		z.out = append(z.out, byte(z.bits))
		z.bits >>= 8
		z.count -= 8
	}
}

func (z *runCoder) symbol(s int) { z.put(uint64(z.codes[s].bits), z.codes[s].n) }

// run appends n times the byte v, one that has a code.
func (z *runCoder) run(v uint8, n int) {
	if n == 0 {
		return
	}
	z.sum(v, n)
	if int(v) != z.last || n < 3 {
		z.symbol(int(v))
		z.last = int(v)
		n--
	}
	for n >= longest+3 || n == longest {
		z.symbol(285)
		z.put(0, 1) // distance 1
		n -= longest
	}
	if n > longest { // leave no rest too short for a match
		z.match(longest - 3)
		n -= longest - 3
	}
	if n >= 3 {
		z.match(n)
		return
	}
	for range n {
		z.symbol(int(v))
	}
}

// match repeats the previous byte n times, 3 ≤ n ≤ 257.
func (z *runCoder) match(n int) {
	// RFC 1951 §3.2.5: from 11 on, each group of four lengths has one more bit.
	n -= 3
	extra, group := uint(0), n
	if n >= 8 {
		for v := n >> 3; v > 0; v >>= 1 {
			extra++
		}
		group = int(extra)*4 + n>>extra
	}
	z.symbol(firstLength + group)
	z.put(uint64(n&(1<<extra-1)), extra)
	z.put(0, 1)
}

// sum adds n times v to the checksum. RFC 1950 §9: a sums the bytes, b sums a
// after each; for equal bytes both have closed forms.
func (z *runCoder) sum(v uint8, n int) {
	count, a, step := uint64(n), uint64(z.a), uint64(v)
	// n < 2³¹ (a row of pixels) and v ≤ 255 keep every product below 2⁶⁴ but
	// the triangular number, which is reduced first.
	triangle := count * (count + 1) / 2 % adlerBase
	z.b = uint32((uint64(z.b) + count%adlerBase*a + triangle*step) % adlerBase)
	z.a = uint32((a + count*step) % adlerBase)
}

// finish ends the stream and returns it.
func (z *runCoder) finish() []byte {
	z.symbol(endOfBlock)
	if z.count > 0 {
		z.put(0, 8-z.count)
	}
	return append(z.out, byte(z.b>>8), byte(z.b), byte(z.a>>8), byte(z.a))
}
