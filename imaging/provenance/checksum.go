package provenance

import (
	"fmt"
	"hash/crc32"
	"io"
)

// near is how much of a file is read for a checksum rather than worked out.
const near = 1 << 20

// CRC is the CRC-32 (IEEE) of the tagged file, given that of the file as it was. Where that is so long that it matters, hardly
// anything is read: checksums of what stands one behind the other can be put together and taken apart.
func (t *Tagged) CRC(untagged uint32) (uint32, error) {
	var crc uint32
	for _, p := range t.parts {
		if p.own != nil {
			crc = crc32.Update(crc, crc32.IEEETable, p.own)
			continue
		}
		if p.to < t.bytes || p.from > near {
			var err error
			if crc, err = t.through(crc, p.from, p.to); err != nil {
				return 0, err
			}
			continue
		}
		before, err := t.through(0, 0, p.from)
		if err != nil {
			return 0, err
		}
		n := p.to - p.from
		crc = shifted(crc, n) ^ untagged ^ shifted(before, n)
	}
	return crc, nil
}

// through goes on with a checksum over bytes of the file.
func (t *Tagged) through(crc uint32, from, to int64) (uint32, error) {
	sum := continued{crc}
	if _, err := io.Copy(&sum, io.NewSectionReader(t.file, from, to-from)); err != nil {
		return 0, fmt.Errorf("read a file for its checksum: %w", err)
	}
	return sum.crc, nil
}

type continued struct{ crc uint32 }

// Write takes more bytes in.
func (c *continued) Write(b []byte) (int, error) {
	c.crc = crc32.Update(c.crc, crc32.IEEETable, b)
	return len(b), nil
}

// shifted is what a checksum becomes before n more bytes are added to it: the polynomial it stands for, times x to the power of
// eight times n. That of two stretches is shifted(first, length of the second) ^ second.
func shifted(crc uint32, n int64) uint32 {
	power := uint32(1) << 23 // x⁸; the highest bit is x⁰
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			crc = product(power, crc)
		}
		power = product(power, power)
	}
	return crc
}

// product multiplies two polynomials modulo that of CRC-32.
func product(a, b uint32) (out uint32) {
	for ; a != 0; a <<= 1 {
		if a>>31 == 1 {
			out ^= b
		}
		b = b>>1 ^ b&1*crc32.IEEE
	}
	return out
}
