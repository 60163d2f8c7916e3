// Package zipfile lays files out as a ZIP archive that exists nowhere: every byte of it can be had from any place on, so a
// download that broke off goes on where it was. Files are stored as they are, not packed: pictures and videos do not get smaller.
//
// The format is APPNOTE.TXT, ".ZIP File Format Specification" 6.3.10; the section numbers in comments are that document's.
package zipfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"time"
)

// Entry is one file of an archive.
type Entry struct {
	Name     string // UTF-8, with / between folders
	Modified time.Time
	// Size gives the length in bytes. It is asked for when it is needed first, once.
	Size func(ctx context.Context) (int64, error)
	// CRC gives the CRC-32 (IEEE) of the content.
	CRC func(ctx context.Context) (uint32, error)
	// Open gives the content, which is the same every time.
	Open func(ctx context.Context) (io.ReadSeekCloser, error)
}

// MaxEntries is how many files an archive takes.
const MaxEntries = 65_000

// Archive is a layout. It is not safe for concurrent use.
type Archive struct {
	entries []entry
	known   int // entries whose place is known
	end     int64
}

type entry struct {
	Entry
	size  int64
	start int64 // of the local header
}

// New lays out an archive of the entries.
func New(entries []Entry) (*Archive, error) {
	if len(entries) > MaxEntries {
		return nil, fmt.Errorf("an archive takes %d files, not %d", MaxEntries, len(entries))
	}
	a := &Archive{entries: make([]entry, len(entries))}
	for i, e := range entries {
		if e.Name == "" || len(e.Name) > math.MaxUint16 {
			return nil, fmt.Errorf("%q is no name for a file in an archive", e.Name)
		}
		a.entries[i].Entry = e
	}
	return a, nil
}

// Size gives the length of the whole archive; the length of every file is asked for.
func (a *Archive) Size(ctx context.Context) (int64, error) {
	for a.known < len(a.entries) {
		if err := a.place(ctx); err != nil {
			return 0, err
		}
	}
	size := a.end
	for i := range a.entries {
		size += a.entries[i].directorySize()
	}
	return size + a.endSize(), nil
}

// place finds out where the next entry ends.
func (a *Archive) place(ctx context.Context) error {
	e := &a.entries[a.known]
	n, err := e.Entry.Size(ctx)
	if err != nil {
		return fmt.Errorf("measure %s: %w", e.Name, err)
	}
	e.size, e.start = n, a.end
	a.end += e.headerSize() + n
	a.known++
	return nil
}

// WriteTo writes the archive from its beginning to its end. Sizes are asked for on the way.
func (a *Archive) WriteTo(ctx context.Context, w io.Writer) error {
	for i := range a.entries {
		if a.known <= i {
			if err := a.place(ctx); err != nil {
				return err
			}
		}
		e := &a.entries[i]
		head, err := e.header(ctx)
		if err != nil {
			return err
		}
		if _, err := w.Write(head); err != nil {
			return err
		}
		if err := e.copyTo(ctx, w); err != nil {
			return fmt.Errorf("send %s: %w", e.Name, err)
		}
	}
	tail, err := a.tail(ctx)
	if err != nil {
		return err
	}
	_, err = w.Write(tail)
	return err
}

func (e *entry) copyTo(ctx context.Context, w io.Writer) (err error) {
	f, err := e.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	n, err := io.Copy(w, io.LimitReader(f, e.size))
	if err == nil && n < e.size {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Limits beyond which a number stands in a ZIP64 field (4.3.9.2, 4.4.8).
const (
	most16 = math.MaxUint16
	most32 = math.MaxUint32
)

const (
	localSize     = 30
	centralSize   = 46
	endRecordSize = 22
	end64Size     = 56 + 20
	timeExtra     = 9
)

func (e *entry) large() bool { return e.size >= most32 }

// headerSize is the length of the local file header (4.3.7).
func (e *entry) headerSize() int64 {
	n := int64(localSize + len(e.Name) + timeExtra)
	if e.large() {
		n += 4 + 16
	}
	return n
}

func (e *entry) header(ctx context.Context) ([]byte, error) {
	crc, err := e.CRC(ctx)
	if err != nil {
		return nil, fmt.Errorf("checksum of %s: %w", e.Name, err)
	}
	b := binary.LittleEndian.AppendUint32(nil, 0x04034b50)
	b = e.common(b, crc)
	b = binary.LittleEndian.AppendUint16(b, uint16(e.headerSize()-localSize-int64(len(e.Name))))
	b = append(b, e.Name...)
	b = e.timestamp(b)
	if e.large() {
		b = binary.LittleEndian.AppendUint16(b, 1)
		b = binary.LittleEndian.AppendUint16(b, 16)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
	}
	return b, nil
}

// common writes what both headers of a file say alike: from the version needed to the length of the name.
func (e *entry) common(b []byte, crc uint32) []byte {
	version := uint16(20)
	if e.large() || e.start >= most32 {
		version = 45
	}
	b = binary.LittleEndian.AppendUint16(b, version)
	b = binary.LittleEndian.AppendUint16(b, 1<<11) // 4.4.4, bit 11: the name is UTF-8
	b = binary.LittleEndian.AppendUint16(b, 0)     // stored
	day, clock := dosTime(e.Modified)
	b = binary.LittleEndian.AppendUint16(b, clock)
	b = binary.LittleEndian.AppendUint16(b, day)
	b = binary.LittleEndian.AppendUint32(b, crc)
	size := uint32(min(e.size, most32))
	b = binary.LittleEndian.AppendUint32(b, size)
	b = binary.LittleEndian.AppendUint32(b, size)
	return binary.LittleEndian.AppendUint16(b, uint16(len(e.Name)))
}

// dosTime is a time as MS-DOS wrote it (4.4.6), UTC; it knows the years 1980 to 2107.
func dosTime(t time.Time) (day, clock uint16) {
	t = t.UTC()
	year := min(max(t.Year(), 1980), 2107)
	return uint16(year-1980)<<9 | uint16(t.Month())<<5 | uint16(t.Day()), uint16(t.Hour())<<11 | uint16(t.Minute())<<5 | uint16(t.Second()/2)
}

// timestamp writes the Extended Timestamp extra field: seconds since 1970, UTC.
func (e *entry) timestamp(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, 0x5455)
	b = binary.LittleEndian.AppendUint16(b, 5)
	b = append(b, 1) // the time of modification is there
	return binary.LittleEndian.AppendUint32(b, uint32(min(max(e.Modified.Unix(), 0), math.MaxInt32)))
}

func (e *entry) directorySize() int64 {
	n := int64(centralSize + len(e.Name) + timeExtra)
	if extra := e.directoryExtra(); len(extra) > 0 {
		n += int64(4 + len(extra))
	}
	return n
}

// directoryExtra is the ZIP64 field of the central header (4.5.3): only what does not fit into the header itself.
func (e *entry) directoryExtra() []byte {
	var b []byte
	if e.large() {
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
	}
	if e.start >= most32 {
		b = binary.LittleEndian.AppendUint64(b, uint64(e.start))
	}
	return b
}

// directory writes the central header of a file (4.3.12).
func (e *entry) directory(b []byte, crc uint32) []byte {
	extra := e.directoryExtra()
	b = binary.LittleEndian.AppendUint32(b, 0x02014b50)
	b = binary.LittleEndian.AppendUint16(b, 3<<8|63) // made by Unix, version 6.3
	b = e.common(b, crc)
	n := timeExtra
	if len(extra) > 0 {
		n += 4 + len(extra)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(n))
	b = append(b, 0, 0, 0, 0, 0, 0)                               // no comment, first disk, no internal attributes
	b = binary.LittleEndian.AppendUint32(b, uint32(0o100644)<<16) // a file anybody may read
	b = binary.LittleEndian.AppendUint32(b, uint32(min(e.start, most32)))
	b = append(b, e.Name...)
	b = e.timestamp(b)
	if len(extra) > 0 {
		b = binary.LittleEndian.AppendUint16(b, 1)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(extra)))
		b = append(b, extra...)
	}
	return b
}

func (a *Archive) directoryLength() (n int64) {
	for i := range a.entries {
		n += a.entries[i].directorySize()
	}
	return n
}

func (a *Archive) zip64() bool {
	return a.end+a.directoryLength() >= most32 || len(a.entries) >= most16
}

func (a *Archive) endSize() int64 {
	if a.zip64() {
		return end64Size + endRecordSize
	}
	return endRecordSize
}

// tail is the central directory and what ends an archive.
func (a *Archive) tail(ctx context.Context) ([]byte, error) {
	var b []byte
	for i := range a.entries {
		crc, err := a.entries[i].CRC(ctx)
		if err != nil {
			return nil, fmt.Errorf("checksum of %s: %w", a.entries[i].Name, err)
		}
		b = a.entries[i].directory(b, crc)
	}
	length, count := int64(len(b)), uint64(len(a.entries))
	if a.zip64() {
		b = binary.LittleEndian.AppendUint32(b, 0x06064b50) // 4.3.14
		b = binary.LittleEndian.AppendUint64(b, 44)
		b = binary.LittleEndian.AppendUint16(b, 3<<8|63)
		b = binary.LittleEndian.AppendUint16(b, 45)
		b = binary.LittleEndian.AppendUint64(b, 0) // this disk and the one the directory begins on
		b = binary.LittleEndian.AppendUint64(b, count)
		b = binary.LittleEndian.AppendUint64(b, count)
		b = binary.LittleEndian.AppendUint64(b, uint64(length))
		b = binary.LittleEndian.AppendUint64(b, uint64(a.end))
		b = binary.LittleEndian.AppendUint32(b, 0x07064b50) // 4.3.15
		b = binary.LittleEndian.AppendUint32(b, 0)
		b = binary.LittleEndian.AppendUint64(b, uint64(a.end+length))
		b = binary.LittleEndian.AppendUint32(b, 1)
	}
	b = binary.LittleEndian.AppendUint32(b, 0x06054b50) // 4.3.16
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(min(count, most16)))
	b = binary.LittleEndian.AppendUint16(b, uint16(min(count, most16)))
	b = binary.LittleEndian.AppendUint32(b, uint32(min(length, most32)))
	b = binary.LittleEndian.AppendUint32(b, uint32(min(a.end, most32)))
	return append(b, 0, 0), nil
}

// Reader reads an archive from any place on. It holds one file open at a time; Close lets go of it.
type Reader struct {
	ctx  context.Context //nolint:containedctx // io.Reader has no other place for it
	a    *Archive
	size int64
	at   int64

	part  []byte // header or tail that at is in
	from  int64  // where part begins
	file  io.ReadSeekCloser
	index int   // of the entry that file is of
	place int64 // of file in the archive, where it would be read on
}

// Reader opens the archive; the length of every file is asked for. Reading ends with the context.
func (a *Archive) Reader(ctx context.Context) (*Reader, error) {
	size, err := a.Size(ctx)
	if err != nil {
		return nil, err
	}
	return &Reader{ctx: ctx, a: a, size: size}, nil
}

// Seek sets where the next Read begins.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return 0, errors.New("seek before the beginning of an archive")
	}
	r.at = offset
	return offset, nil
}

// Read reads on.
func (r *Reader) Read(p []byte) (n int, err error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.at >= r.size {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	if r.part != nil && r.at >= r.from && r.at < r.from+int64(len(r.part)) {
		n = copy(p, r.part[r.at-r.from:])
		r.at += int64(n)
		return n, nil
	}
	if r.at >= r.a.end {
		r.part, err = r.a.tail(r.ctx)
		r.from = r.a.end
		return r.again(p, err)
	}
	i := sort.Search(len(r.a.entries), func(i int) bool { return r.a.entries[i].start > r.at }) - 1
	e := &r.a.entries[i]
	data := e.start + e.headerSize()
	if r.at < data {
		r.part, err = e.header(r.ctx)
		r.from = e.start
		return r.again(p, err)
	}
	if err := r.open(i, r.at-data); err != nil {
		return 0, fmt.Errorf("send %s: %w", e.Name, err)
	}
	n, err = r.file.Read(p[:min(int64(len(p)), data+e.size-r.at)])
	r.at, r.place = r.at+int64(n), r.place+int64(n)
	if errors.Is(err, io.EOF) {
		if err = nil; n == 0 {
			err = fmt.Errorf("send %s: %w", e.Name, io.ErrUnexpectedEOF)
		}
	}
	return n, err
}

// again reads from the part that has just been made.
func (r *Reader) again(p []byte, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	n := copy(p, r.part[r.at-r.from:])
	r.at += int64(n)
	return n, nil
}

// open makes the file of an entry the one that is read, at an offset.
func (r *Reader) open(index int, offset int64) (err error) {
	if r.file == nil || r.index != index {
		if err := r.Close(); err != nil {
			return err
		}
		if r.file, err = r.a.entries[index].Open(r.ctx); err != nil {
			r.file = nil
			return err
		}
		r.index, r.place = index, 0
	}
	if r.place != offset {
		if _, err := r.file.Seek(offset, io.SeekStart); err != nil {
			return err
		}
		r.place = offset
	}
	return nil
}

// Close lets go of the file that is read.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
