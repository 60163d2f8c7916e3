package db

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
)

// runKey is the id of a run as a UUID's bytes: keys stand in the order of ids.
type runKey [16]byte

// keyOf reads an id.
func keyOf(id string) (key runKey, err error) {
	raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil || len(raw) != len(key) {
		return key, fmt.Errorf("%q is no id of ours", id)
	}
	return runKey(raw), nil
}

func (k runKey) String() string {
	var b [36]byte
	hex.Encode(b[:], k[:4])
	hex.Encode(b[9:], k[4:6])
	hex.Encode(b[14:], k[6:8])
	hex.Encode(b[19:], k[8:10])
	hex.Encode(b[24:], k[10:])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

// number is the place of a run in the search table: the first 63 bits of its UUIDv7 that differ between ids (RFC 9562, section 5.7:
// 48 bits of milliseconds, then 12 that our generator counts up, then chance).
func (k runKey) number() int64 {
	return int64(binary.BigEndian.Uint64(k[:])>>16)<<15 | int64(binary.BigEndian.Uint16(k[6:])&0xfff)<<3 | int64(k[8]&0x3f)>>3
}

func (k runKey) compare(other runKey) int { return strings.Compare(string(k[:]), string(other[:])) }

// about is what lists ask of a run: the words of its agent, status and state, each as a code, and whether it is in the trash.
type about uint64

const (
	agentAt, statusAt, stateAt = 0, 16, 32
	wordMask                   = 1<<16 - 1
	runTrashed                 = about(1) << 48
)

// marks is what lists ask of a result: flags, its stars, its pick and the code of its status.
type marks uint32

const (
	pickAt, ratingAt, markStatusAt = 0, 2, 16
	pickMask                       = marks(3) << pickAt
	ratingMask                     = marks(7) << ratingAt
	markStatusMask                 = marks(wordMask) << markStatusAt
)

const (
	markStarred marks = 1 << (5 + iota)
	markChanged
	markVideo
	markLastFrame
	markStored
	markTrashed
	markScored
	markPlaced // it is on a board
	markApart  // it could not be compared with its source
)

// Codes of picks; whatever else stands there is asked for by nobody.
const (
	pickNone marks = iota
	pickYes
	pickNo
	pickOther
)

// when is the marks where something is so, and none where it is not.
func (m marks) when(so bool) marks {
	if so {
		return m
	}
	return 0
}

func (m marks) rating() int { return int(m & ratingMask >> ratingAt) }

// card is one run as lists know it.
type card struct {
	key     runKey
	user    string
	about   about
	board   uint32 // code of the board it was started for; 0 = none
	sign    sign
	results []cardResult // in their order
}

type cardResult struct {
	index  uint16
	marks  marks
	score  float64
	boards []uint32
}

// part is a stretch of a user's history, oldest first, column by column: about a thousand runs and their results. It is never
// changed: a change makes another one.
type part struct {
	keys  []runKey
	about []about
	board []uint32
	signs []sign
	first []uint32 // where the results of each run begin, and behind the last one's

	index  []uint16
	marks  []marks
	score  []float64
	places []place32 // what is on boards, in the order of results

	// What follows from the rest: the run of each result, the results that have a score, the highest first, and what there is at all.
	run    []uint16
	ranked []uint32
	some   summary
}

// summary is what there is in a part, so that those can be left out that have nothing of what is asked for.
type summary struct {
	marks   marks // of any result, but for their values
	rating  int   // the highest
	words   set   // codes of agents, status and state of runs, and of the status of results
	trashed bool  // some run is
}

// set is a set of codes, with a place for each that others share.
type set [4]uint64

func (s *set) add(code uint64) { s[code>>6&3] |= 1 << (code & 63) }

func (s *set) may(code uint64) bool { return s[code>>6&3]&(1<<(code&63)) != 0 }

// finish adds what follows from the rest.
func (p *part) finish() *part {
	p.run, p.some = make([]uint16, len(p.marks)), summary{}
	for i, a := range p.about {
		p.some.words.add(uint64(a >> agentAt & wordMask))
		p.some.words.add(uint64(a >> statusAt & wordMask))
		p.some.words.add(uint64(a >> stateAt & wordMask))
		p.some.trashed = p.some.trashed || a&runTrashed != 0
		for k := p.first[i]; k < p.first[i+1]; k++ {
			p.run[k] = uint16(i)
		}
	}
	p.ranked = p.ranked[:0]
	for k, m := range p.marks {
		p.some.marks |= m
		p.some.rating = max(p.some.rating, m.rating())
		p.some.words.add(uint64(m >> markStatusAt))
		if m&markScored != 0 {
			p.ranked = append(p.ranked, uint32(k))
		}
	}
	slices.SortFunc(p.ranked, func(a, b uint32) int { return cmp.Compare(p.score[b], p.score[a]) })
	return p
}

// place32 is that a result, by its place in a part, is on a board.
type place32 struct{ result, board uint32 }

// partRuns is how many runs a part has at most.
const partRuns = 2048

// boardsOf are the places of a result.
func (p *part) boardsOf(result int) []place32 {
	at, _ := slices.BinarySearchFunc(p.places, uint32(result), func(x place32, r uint32) int { return int(x.result) - int(r) })
	end := at
	for end < len(p.places) && p.places[end].result == uint32(result) {
		end++
	}
	return p.places[at:end]
}

// add adds a run behind all others.
func (p *part) add(c card) {
	if len(p.first) == 0 {
		p.first = append(p.first, 0)
	}
	p.keys, p.about, p.board, p.signs = append(p.keys, c.key), append(p.about, c.about), append(p.board, c.board), append(p.signs, c.sign)
	for _, r := range c.results {
		for _, b := range r.boards {
			p.places = append(p.places, place32{uint32(len(p.marks)), b})
		}
		p.index, p.marks, p.score = append(p.index, r.index), append(p.marks, r.marks), append(p.score, r.score)
	}
	p.first = append(p.first, uint32(len(p.marks)))
}

// copy adds the runs from ≤ i < to of another part behind all others.
func (p *part) copy(of *part, from, to int) {
	if from >= to {
		return
	}
	if len(p.first) == 0 {
		p.first = append(p.first, 0)
	}
	low, high, shift := of.first[from], of.first[to], uint32(len(p.marks))-of.first[from]
	p.keys, p.about = append(p.keys, of.keys[from:to]...), append(p.about, of.about[from:to]...)
	p.board, p.signs = append(p.board, of.board[from:to]...), append(p.signs, of.signs[from:to]...)
	p.index, p.marks, p.score = append(p.index, of.index[low:high]...), append(p.marks, of.marks[low:high]...), append(p.score, of.score[low:high]...)
	for _, end := range of.first[from+1 : to+1] {
		p.first = append(p.first, end+shift)
	}
	for _, x := range of.places {
		if x.result >= low && x.result < high {
			p.places = append(p.places, place32{x.result + shift, x.board})
		}
	}
}

// change gives what a part becomes when the runs of cards, in order, come into it or take the place of what was there; a card of no
// user is of a run that is gone. A part that grows too long becomes several, an empty one none.
func (p *part) change(cards []card) []*part {
	fresh, at := &part{}, 0
	for _, c := range cards {
		to, there := slices.BinarySearchFunc(p.keys, c.key, runKey.compare)
		fresh.copy(p, at, to)
		if at = to; there {
			at++
		}
		if c.user != "" {
			fresh.add(c)
		}
	}
	fresh.copy(p, at, len(p.keys))
	n := len(fresh.keys)
	if n <= partRuns {
		if n == 0 {
			return nil
		}
		return []*part{fresh.finish()}
	}
	var pieces []*part
	for from := 0; from < n; {
		left := n - from
		size := min(left, partRuns/2)
		if left <= partRuns {
			size = left
		}
		piece := &part{}
		piece.copy(fresh, from, from+size)
		pieces, from = append(pieces, piece.finish()), from+size
	}
	return pieces
}

// encode writes a part as the table keeps it.
func (p *part) encode() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(p.keys)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.marks)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.places)))
	for _, k := range p.keys {
		b = append(b, k[:]...)
	}
	for i := range p.keys {
		b = binary.LittleEndian.AppendUint64(b, uint64(p.about[i]))
		b = binary.LittleEndian.AppendUint32(b, p.board[i])
		for _, w := range p.signs[i] {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		b = binary.LittleEndian.AppendUint32(b, p.first[i+1])
	}
	for i := range p.marks {
		b = binary.LittleEndian.AppendUint16(b, p.index[i])
		b = binary.LittleEndian.AppendUint32(b, uint32(p.marks[i]))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.score[i]))
	}
	for _, x := range p.places {
		b = binary.LittleEndian.AppendUint32(b, x.result)
		b = binary.LittleEndian.AppendUint32(b, x.board)
	}
	return b
}

// decodePart reads what encode wrote.
func decodePart(b []byte) (*part, error) {
	const head, ofRun, ofResult, ofPlace = 12, 16 + 8 + 4 + 32 + 4, 2 + 4 + 8, 8
	if len(b) < head {
		return nil, fmt.Errorf("a part of the lists has %d bytes", len(b))
	}
	le := binary.LittleEndian
	runs, results, places := int(le.Uint32(b)), int(le.Uint32(b[4:])), int(le.Uint32(b[8:]))
	if len(b) != head+runs*ofRun+results*ofResult+places*ofPlace {
		return nil, fmt.Errorf("a part of the lists with %d runs has %d bytes", runs, len(b))
	}
	p := &part{
		keys: make([]runKey, runs), about: make([]about, runs), board: make([]uint32, runs), signs: make([]sign, runs), first: make([]uint32, runs+1),
		index: make([]uint16, results), marks: make([]marks, results), score: make([]float64, results), places: make([]place32, places),
	}
	b = b[head:]
	for i := range p.keys {
		p.keys[i] = runKey(b[:16])
		b = b[16:]
	}
	for i := range p.keys {
		p.about[i], p.board[i] = about(le.Uint64(b)), le.Uint32(b[8:])
		for w := range p.signs[i] {
			p.signs[i][w] = le.Uint64(b[12+8*w:])
		}
		p.first[i+1] = le.Uint32(b[44:])
		if p.first[i+1] < p.first[i] || int(p.first[i+1]) > results {
			return nil, fmt.Errorf("a part of the lists says that run %d ends at %d of %d", i, p.first[i+1], results)
		}
		b = b[48:]
	}
	for i := range p.marks {
		p.index[i], p.marks[i], p.score[i] = le.Uint16(b), marks(le.Uint32(b[2:])), math.Float64frombits(le.Uint64(b[6:]))
		b = b[ofResult:]
	}
	for i := range p.places {
		p.places[i] = place32{le.Uint32(b), le.Uint32(b[4:])}
		b = b[ofPlace:]
	}
	return p.finish(), nil
}

// album is the history of one user: parts, oldest first.
type album struct {
	parts  []*part
	before []int // how many runs stand in the parts before each, and in all
}

func newAlbum(parts []*part) *album {
	a := &album{parts: parts, before: make([]int, 1, len(parts)+1)}
	for i, p := range parts {
		a.before = append(a.before, a.before[i]+len(p.keys))
	}
	return a
}

// runs is how many runs there are.
func (a *album) runs() int { return a.before[len(a.parts)] }

// spot is the place of a run in an album.
type spot struct{ part, run int }

// find gives the first run whose key is at least key.
func (a *album) find(key runKey) (at spot, there bool) {
	n, _ := slices.BinarySearchFunc(a.parts, key, func(p *part, k runKey) int { return p.keys[len(p.keys)-1].compare(k) })
	if n == len(a.parts) {
		return spot{n, 0}, false
	}
	i, there := slices.BinarySearchFunc(a.parts[n].keys, key, runKey.compare)
	return spot{n, i}, there
}

// numbered gives the first run whose number is at least n.
func (a *album) numbered(n int64) (at spot, there bool) {
	compare := func(k runKey, n int64) int { return cmp.Compare(k.number(), n) }
	i, _ := slices.BinarySearchFunc(a.parts, n, func(p *part, n int64) int { return compare(p.keys[len(p.keys)-1], n) })
	if i == len(a.parts) {
		return spot{i, 0}, false
	}
	run, there := slices.BinarySearchFunc(a.parts[i].keys, n, compare)
	return spot{i, run}, there
}

// rank is how many runs are older than the one at a place.
func (a *album) rank(at spot) int { return a.before[at.part] + at.run }

// change gives what an album becomes by cards, in order.
func (a *album) change(cards []card) *album {
	var parts []*part
	for n, p := range a.parts {
		end := len(cards)
		if n+1 < len(a.parts) {
			end, _ = slices.BinarySearchFunc(cards, a.parts[n+1].keys[0], func(c card, k runKey) int { return c.key.compare(k) })
		}
		if end == 0 {
			parts = append(parts, p)
			continue
		}
		parts = append(parts, p.change(cards[:end])...)
		cards = cards[end:]
	}
	if len(cards) > 0 { // of an empty album
		parts = append(parts, (&part{}).change(cards)...)
	}
	return newAlbum(parts)
}
