package psd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
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

// packAll packs the channels of all layers; of those that are opened it keeps the lengths alone. It gives up, false, when they
// come to more than limit bytes.
func packAll(records []record, limit int64) (fits bool, err error) {
	var held []*channel
	var planes []plane
	for i := range records {
		r := &records[i]
		if r.layer.Open != nil {
			continue
		}
		for c := range r.channels {
			held, planes = append(held, &r.channels[c]), append(planes, r.plane(r.channels[c].id))
		}
	}
	packed, fits := packPlanes(planes, limit)
	if !fits {
		return false, nil
	}
	for i, p := range packed {
		held[i].data, held[i].bytes, held[i].rows = p, p.size(), len(p.counts)/2
		limit -= p.size()
	}
	for _, r := range records {
		if r.layer.Open == nil {
			continue
		}
		opened, err := packOpened(r)
		if err != nil {
			return false, err
		}
		for c, p := range opened {
			r.channels[c].bytes, r.channels[c].rows = p.size(), len(p.counts)/2
			limit -= p.size()
		}
		if limit < 0 {
			return false, nil
		}
	}
	return true, nil
}

// packOpened opens a layer and packs its channels.
func packOpened(r record) ([]packed, error) {
	var err error
	if r.layer, err = r.layer.open(); err != nil {
		return nil, err
	}
	planes := make([]plane, len(r.channels))
	for c := range r.channels {
		planes[c] = r.plane(r.channels[c].id)
	}
	all, _ := packPlanes(planes, math.MaxInt64)
	return all, nil
}

// packAgain gives the channels of a layer whose lengths are known, packed.
func packAgain(r record) ([]channel, error) {
	opened, err := packOpened(r)
	if err != nil {
		return nil, err
	}
	channels := slices.Clone(r.channels)
	for c, p := range opened {
		if channels[c].data = p; p.size() != channels[c].bytes {
			return nil, fmt.Errorf("open layer %q: it is not what it was before", r.layer.Name)
		}
	}
	return channels, nil
}

// packMerged packs the flattened picture, three channels or, where it is not opaque, four; empty when it comes to more than
// limit bytes.
func packMerged(doc Document, limit int64) (flat []packed, transparent bool, err error) {
	merged, err := compose(doc)
	if err != nil {
		return nil, false, err
	}
	transparent = !merged.Opaque()
	planes := []plane{imagePlane(merged, 0), imagePlane(merged, 1), imagePlane(merged, 2)}
	if transparent {
		matte(merged)
		planes = append(planes, imagePlane(merged, 3))
	}
	flat, fits := packPlanes(planes, limit)
	if !fits {
		return nil, transparent, ErrTooLarge
	}
	return flat, transparent, nil
}

// packPlanes packs planes on all processors. It gives up, false, when they come to more than limit bytes.
func packPlanes(planes []plane, limit int64) (all []packed, fits bool) {
	all = make([]packed, len(planes))
	var next, size atomic.Int64
	var group parallel.Group
	for range min(runtime.GOMAXPROCS(0), len(planes)) {
		group.Go(func() {
			for size.Load() <= limit {
				i := int(next.Add(1)) - 1
				if i >= len(planes) {
					return
				}
				all[i] = pack(planes[i])
				size.Add(all[i].size())
			}
		})
	}
	group.Wait()
	return all, size.Load() <= limit
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
		for next := nextRun(row, at); at < next; {
			end := min(next, at+most)
			dst = append(append(dst, byte(end-at-1)), row[at:end]...)
			at = end
		}
		// A run of three or more pays for itself wherever it stands.
		if at < len(row) {
			n := equal(row[at:min(at+most, len(row))])
			dst = append(dst, byte(257-n), row[at])
			at += n
		}
	}
	return dst
}

// nextRun is where, from at on, three bytes are the same; the end of the row when they are nowhere.
func nextRun(row []byte, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+10 <= len(row); at += 8 {
		here := binary.LittleEndian.Uint64(row[at:])
		// A byte is zero where it and the two after it are the same.
		differ := (here ^ binary.LittleEndian.Uint64(row[at+1:])) | (here ^ binary.LittleEndian.Uint64(row[at+2:]))
		if zero := (differ - ones) &^ differ & tops; zero != 0 {
			return at + bits.TrailingZeros64(zero)/8
		}
	}
	for ; at+2 < len(row); at++ {
		if row[at] == row[at+1] && row[at] == row[at+2] {
			return at
		}
	}
	return len(row)
}

// equal is how many bytes from the start are the same.
func equal(row []byte) int {
	n := 1
	for n < len(row) && row[n] == row[0] {
		n++
	}
	return n
}
