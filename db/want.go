package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"atelier/atelier"
)

// want is what a filter asks for, as the columns of parts say it.
type want struct {
	ofRuns  bool // runs are listed, not results
	oldest  bool // the oldest come first
	nothing bool // it names what nothing has
	trashed bool
	about   about    // what the words of a run are to be
	aboutOf about    // the bits of it that are asked for
	status  about    // code of what the status of a run is to be
	state   about    // code of what its state is to be instead; both 0 = any
	marks   marks    // what the marks of a result are to be
	marksOf marks    // the bits of it that are asked for
	rating  int      // at least so many stars
	most    int      // at most so many
	image   bool     // a picture, or a video whose last frame was kept
	boards  []uint32 // on one of these; nil = wherever
	started uint32   // and runs without results that were started for a board; 0 = none
	marked  bool     // something is asked of results beside whether they are in the trash
	sign    sign     // of a search
	from    runKey   // the first run of the span
	to      runKey   // the run behind its last
	value   value    // what results are sorted by
	only    choice   // whether they have it
}

// value is what results are sorted by, the highest first; "" = they are in the order of runs.
type value = atelier.Sort

// choice is whether something is to be so.
type choice int

const (
	either choice = iota
	with
	without
)

// wanted reads a filter.
func (l *lists) wanted(ctx context.Context, tx reader, f atelier.RunFilter, runs bool) (w want, err error) {
	w = want{ofRuns: runs, oldest: f.Sort == atelier.SortOldest, trashed: f.Trashed, rating: f.Rating, most: maxStars, image: f.Fits == atelier.FitsImage}
	for i := range w.to {
		w.to[i] = 0xff
	}
	if !f.From.IsZero() {
		w.from = keyAt(f.From)
	}
	if !f.To.IsZero() {
		w.to = keyAt(f.To)
	}
	word := func(text string) uint16 {
		code, ok := l.codes.Words[text]
		w.nothing = w.nothing || !ok
		return code
	}
	if !f.Trashed {
		w.aboutOf |= runTrashed
		w.marksOf |= markTrashed
	}
	if f.Agent != "" {
		w.about, w.aboutOf = w.about|about(word(f.Agent))<<agentAt, w.aboutOf|wordMask<<agentAt
	}
	if f.Status != "" {
		if runs {
			state := string(f.Status)
			if f.Status == atelier.Failed {
				state = string(atelier.StateFailed) // the image service may never have had it
			}
			w.status, w.state = about(l.codes.Words[string(f.Status)]), about(l.codes.Words[state])
			w.nothing = w.nothing || w.status|w.state == 0
		} else {
			w.marks, w.marksOf = w.marks|marks(word(string(f.Status)))<<markStatusAt, w.marksOf|markStatusMask
		}
	}
	before := w.marksOf
	flag := func(m marks, so bool) {
		if so {
			w.marks, w.marksOf = w.marks|m, w.marksOf|m
		}
	}
	flag(markStarred, f.Starred)
	flag(markChanged, f.Changed)
	flag(markApart, f.Apart)
	flag(markVideo, f.Fits == atelier.FitsVideo)
	if f.Pick != "" {
		code := pickNone
		if f.Pick != atelier.PickNone {
			code = pickCode(f.Pick)
		}
		w.marks, w.marksOf = w.marks|code<<pickAt, w.marksOf|pickMask
	}
	alone := w.marksOf == before && f.Rating == 0 && f.Fits == ""
	if f.Board != "" {
		code, ok := l.codes.Boards[string(f.Board)]
		w.nothing = w.nothing || !ok
		w.boards = []uint32{code}
		if alone && runs && !f.Trashed {
			w.started = code
		}
	}
	if f.User != "" {
		flag(markStored, true)
		if f.Board == "" {
			if w.boards, err = l.shownBy(ctx, tx, f.User); err != nil {
				return w, err
			}
		}
	}
	flag(markPlaced, w.boards != nil)
	w.marked = !alone || w.boards != nil
	if f.Sort == atelier.SortRating || f.Sort == atelier.SortFidelity {
		w.value = f.Sort
	}
	return w, nil
}

// having asks for results that have the value they are sorted by.
func (w *want) having() {
	if w.only = with; w.value == atelier.SortRating {
		w.rating = max(w.rating, 1)
	}
}

// shownBy gives the boards that a user shows, by their codes.
func (l *lists) shownBy(ctx context.Context, tx reader, user atelier.UserID) (boards []uint32, err error) {
	boards = []uint32{}
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		if code, ok := l.codes.Boards[id]; ok {
			boards = append(boards, code)
		}
		return err
	}, `SELECT id FROM boards WHERE user_id = $1 AND shared`, string(user))
	if err != nil {
		return nil, fmt.Errorf("find the boards somebody shows: %w", err)
	}
	return boards, nil
}

// may says whether a part may have something that is listed.
func (w *want) may(p *part) bool {
	const flags = markStarred | markChanged | markVideo | markStored | markPlaced
	switch {
	case w.aboutOf&wordMask != 0 && !p.some.words.may(uint64(w.about&wordMask)):
		return false
	case w.status|w.state != 0 && !p.some.words.may(uint64(w.status)) && !p.some.words.may(uint64(w.state)):
		return false
	case w.marksOf&markStatusMask != 0 && !p.some.words.may(uint64(w.marks>>markStatusAt)):
		return false
	case w.trashed && !p.some.trashed && p.some.marks&markTrashed == 0:
		return false
	}
	return w.started != 0 || p.some.rating >= w.rating && p.some.marks&w.marks&flags == w.marks&flags
}

// run says whether a run may be listed, or have results that are.
func (w *want) run(p *part, i int) bool {
	a := p.about[i]
	if a&w.aboutOf != w.about || w.status|w.state != 0 && a>>statusAt&wordMask != w.status && a>>stateAt&wordMask != w.state {
		return false
	}
	return w.sign == sign{} || p.signs[i].has(&w.sign)
}

// result says whether a result of a run that may be listed is, or makes it be.
func (w *want) result(p *part, i, k int) bool {
	m := p.marks[k]
	if m&w.marksOf != w.marks || m.rating() < w.rating || m.rating() > w.most {
		return false
	}
	if w.trashed && m&markTrashed == 0 && p.about[i]&runTrashed == 0 {
		return false
	}
	if w.image && m&markVideo != 0 && m&markLastFrame == 0 {
		return false
	}
	if w.only != either && w.has(m) != (w.only == with) {
		return false
	}
	return w.boards == nil || slices.ContainsFunc(p.boardsOf(k), func(x place32) bool { return slices.Contains(w.boards, x.board) })
}

// has says whether a result has the value that results are sorted by.
func (w *want) has(m marks) bool {
	if w.value == atelier.SortRating {
		return m&ratingMask != 0
	}
	return m&markScored != 0
}

// maxStars is how many stars a result can have.
const maxStars = 5

// valueOf is the value a result is sorted by.
func (w *want) valueOf(p *part, k int) float64 {
	if w.value == atelier.SortRating {
		return float64(p.marks[k].rating())
	}
	return p.score[k]
}

// listedRun says whether a run that may be listed is, in a list of runs.
func (w *want) listedRun(p *part, i int) bool {
	first, end := int(p.first[i]), int(p.first[i+1])
	if !w.marked && (!w.trashed || p.about[i]&runTrashed != 0) {
		return true
	}
	if first == end {
		return w.started != 0 && p.board[i] == w.started
	}
	for k := first; k < end; k++ {
		if w.result(p, i, k) {
			return true
		}
	}
	return false
}

// found is a result that is listed, or a run.
type found struct {
	part *part
	run  int
	at   int // of the result in its part; -1 = the run itself
}

func (f found) key() runKey { return f.part.keys[f.run] }

func (f found) index() int {
	if f.at < 0 {
		return 0
	}
	return int(f.part.index[f.at])
}

// of adds what is listed of a run that may be.
func (w *want) of(p *part, i int, to []found) []found {
	if w.ofRuns {
		if w.listedRun(p, i) {
			to = append(to, found{p, i, -1})
		}
		return to
	}
	for k := int(p.first[i]); k < int(p.first[i+1]); k++ {
		if w.result(p, i, k) {
			to = append(to, found{p, i, k})
		}
	}
	return to
}

// stretch is the part of an album that is still to be gone through: the runs from ≤ rank < to.
type stretch struct {
	album    *album
	from, to int
}

// all is the stretch of everything a filter asks for.
func (w *want) all(a *album) stretch {
	from, _ := a.find(w.from)
	to, _ := a.find(w.to)
	s := stretch{a, a.rank(from), a.rank(to)}
	if w.nothing || s.from > s.to {
		s.to = s.from
	}
	return s
}

// behind is what is left of a stretch behind a run; with says whether the run itself is left too.
func (s stretch) behind(key runKey, oldest, with bool) stretch {
	at, there := s.album.find(key)
	rank := s.album.rank(at)
	if there && oldest != with {
		rank++
	}
	if oldest {
		s.from = min(max(s.from, rank), s.to)
	} else {
		s.to = max(min(s.to, rank), s.from)
	}
	return s
}

// begin is the beginning of a stretch, in the order of the list.
func (s stretch) begin(n int, oldest bool) stretch {
	if oldest {
		s.to = min(s.from+n, s.to)
	} else {
		s.from = max(s.to-n, s.from)
	}
	return s
}

// without is a stretch without a part that is its beginning in the order of the list, or its end in the other.
func (s stretch) without(part stretch, oldest bool) stretch {
	if oldest {
		s.from = part.to
	} else {
		s.to = part.from
	}
	return s
}

// runs is how many there are.
func (s stretch) runs() int { return s.to - s.from }

// at is the run with a rank.
func (a *album) at(rank int) spot {
	n, there := slices.BinarySearch(a.before, rank)
	if !there {
		n--
	}
	for n < len(a.parts) && len(a.parts[n].keys) == 0 {
		n++
	}
	return spot{n, rank - a.before[n]}
}

// scan goes through a stretch in the order of the list, and adds what it finds until there are n or more, with all of the last run. It
// gives what is left of the stretch.
func (w *want) scan(s stretch, n int, list []found) (all []found, left stretch) {
	for s.from < s.to {
		p, low, high := s.next(w.oldest)
		if !w.may(p) {
			s.skip(high-low, w.oldest)
			continue
		}
		full := false
		w.through(p, low, high, func(run int) bool {
			if list = w.of(p, run, list); len(list) < n {
				return true
			}
			full = true
			if w.oldest {
				s.from += run + 1 - low
			} else {
				s.to -= high - run
			}
			return false
		})
		if full {
			return list, s
		}
		s.skip(high-low, w.oldest)
	}
	return list, s
}

// through hands the runs of a part to use, in the order of the list, that may be listed or have results that are, until it wants no
// more. Where few results are what is asked for, the marks alone are gone through for them.
func (w *want) through(p *part, low, high int, use func(run int) bool) {
	if !w.common() {
		column, shift := p.marks[p.first[low]:p.first[high]], int(p.first[low])
		want, of, least, most := w.marks, w.marksOf, marks(w.rating)<<ratingAt, marks(w.most)<<ratingAt
		if w.oldest {
			for k := 0; k < len(column); k++ {
				if m := column[k]; m&of == want && m&ratingMask >= least && m&ratingMask <= most {
					run := int(p.run[shift+k])
					if w.run(p, run) && !use(run) {
						return
					}
					k = int(p.first[run+1]) - shift - 1
				}
			}
			return
		}
		for k := len(column) - 1; k >= 0; k-- {
			if m := column[k]; m&of == want && m&ratingMask >= least && m&ratingMask <= most {
				run := int(p.run[shift+k])
				if w.run(p, run) && !use(run) {
					return
				}
				k = int(p.first[run]) - shift
			}
		}
		return
	}
	for i := range high - low {
		run := high - 1 - i
		if w.oldest {
			run = low + i
		}
		if w.run(p, run) && !use(run) {
			return
		}
	}
}

// common says that most results have the marks that are asked for, or that runs without results are asked for.
func (w *want) common() bool {
	const rare = markStarred | markChanged | markVideo | markPlaced | pickMask
	return w.started != 0 || w.marks&rare == 0 && w.rating == 0
}

// next is the first part of a stretch in the order of the list, and the runs low ≤ i < high of it that belong to the stretch.
func (s stretch) next(oldest bool) (p *part, low, high int) {
	rank := s.to - 1
	if oldest {
		rank = s.from
	}
	at := s.album.at(rank)
	p, before := s.album.parts[at.part], s.album.before[at.part]
	return p, max(0, s.from-before), min(len(p.keys), s.to-before)
}

// skip leaves the first runs of a stretch out.
func (s *stretch) skip(n int, oldest bool) {
	if oldest {
		s.from += n
	} else {
		s.to -= n
	}
}

// place is where a page ends: the run, the result's place in it and, where the list is sorted by a value, that value.
func (w *want) place(f found) place {
	p := place{run: f.key(), index: f.index()}
	if f.at >= 0 && w.value != "" && w.has(f.part.marks[f.at]) {
		p.valued, p.value = true, w.valueOf(f.part, f.at)
	}
	return p
}

// compare says in which order two places stand.
func (p place) compare(other place, oldest bool) int {
	switch {
	case p.valued != other.valued:
		if p.valued {
			return -1
		}
		return 1
	case p.valued && p.value != other.value:
		if p.value > other.value {
			return -1
		}
		return 1
	case p.run != other.run:
		if (p.run.compare(other.run) < 0) == oldest {
			return -1
		}
		return 1
	}
	return p.index - other.index
}
