package psd

import (
	"bytes"
	"encoding/binary"
	"image"
	"runtime"
	"sync/atomic"

	"atelier/imaging/parallel"
)

// packed is a channel in RLE: the packed length of every row, then the rows.
type packed struct {
	counts []byte
	rows   []byte
}

func (p packed) size() int64 { return int64(len(p.counts) + len(p.rows)) }

func sizeOf(all []packed) (sum int64) {
	for _, p := range all {
		sum += p.size()
	}
	return sum
}

// packAll packs the channels of all layers, and the first n of the flattened picture, on all processors. It gives up,
// false, when they come to more than limit bytes.
func packAll(records []record, merged *image.NRGBA, n int, limit int64) ([]packed, bool) {
	flat := make([]packed, n)
	var jobs []func() packed
	for i := range records {
		for c := range records[i].channels {
			jobs = append(jobs, func() packed {
				ch := &records[i].channels[c]
				ch.data = pack(records[i].plane(ch.id))
				return ch.data
			})
		}
	}
	for c := range n {
		jobs = append(jobs, func() packed {
			flat[c] = pack(imagePlane(merged, c))
			return flat[c]
		})
	}
	var next, size atomic.Int64
	var group parallel.Group
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		group.Go(func() {
			for size.Load() <= limit {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				size.Add(jobs[i]().size())
			}
		})
	}
	group.Wait()
	return flat, size.Load() <= limit
}

func pack(p plane) packed {
	if p.w == 0 || p.h == 0 {
		return packed{}
	}
	row := make([]uint8, p.w)
	// Room for a photo, which does not pack, saves copying it while it grows.
	out := packed{counts: make([]byte, 0, 2*p.h), rows: make([]byte, 0, p.h*(p.w+p.w/128+1))}
	for y := range p.h {
		p.row(y, row)
		before := len(out.rows)
		out.rows = packBits(out.rows, row)
		out.counts = binary.BigEndian.AppendUint16(out.counts, uint16(len(out.rows)-before))
	}
	if len(out.rows) < cap(out.rows)/2 {
		out.rows = bytes.Clone(out.rows)
	}
	return out
}

// packBits appends the row in PackBits: a count n of 0 to 127 and n+1 bytes as
// they are, or a count of -1 to -127 and one byte that stands 1-n times.
func packBits(dst, row []byte) []byte {
	const most = 128
	for at := 0; at < len(row); {
		// A run of three or more pays for itself wherever it stands.
		if n := equal(row[at:min(at+most, len(row))]); n >= 3 {
			dst = append(dst, byte(257-n), row[at])
			at += n
			continue
		}
		end := at + 1
		for end < len(row) && end-at < most {
			if end+2 < len(row) && row[end] == row[end+1] && row[end] == row[end+2] {
				break
			}
			end++
		}
		dst = append(append(dst, byte(end-at-1)), row[at:end]...)
		at = end
	}
	return dst
}

// equal is how many bytes from the start are the same.
func equal(row []byte) int {
	n := 1
	for n < len(row) && row[n] == row[0] {
		n++
	}
	return n
}
