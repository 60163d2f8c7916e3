package model

import (
	"bytes"
	"encoding/base64"
	"slices"
	"sort"
	"strings"
	"time"

	"atelier/atelier"
)

// Listing is what the gallery has of its list, in order. Lead is how many of its shots stand above where it was opened.
//
// However long the list is, what comes or goes changes nothing but its part of it. And a history may be long: most shots are kept packed,
// where the garbage collector follows nothing, so that the page stands still for it no longer with a million results than with a hundred.
type Listing struct {
	Lead  int
	parts []*part           // in order
	all   []*part           // by their numbers, nil for one that is gone
	at    map[hashed]uint32 // the number of the part a key is in
}

// item is a shot as the list keeps it. The usual paths, which follow from the id, are not kept.
type item struct {
	run    *atelier.Run // shared, and never changed
	result atelier.Result
	is     traits
}

// traits are what is so of an item.
type traits uint8

const (
	isStack    traits = 1 << iota
	hasFile           // its paths are the usual ones
	hasThumb          //
	hasHeat           //
	isBinary          // the preview's bytes are kept as they are
	ofItsRun          // the result's RunID is that of the run
	namedByRun        // its key is that of the run
)

// The usual paths of a result, behind its id.
const (
	resultPath = "/api/results/"
	filePath   = "/file"
	thumbPath  = "/thumb"
	heatPath   = "/heat"
)

// previewHead is how a preview begins, in front of its bytes in base64.
const previewHead = "data:image/webp;base64,"

// keep makes the item of a shot.
func keep(s Shot) *item {
	own := s.Run // the shot itself need not be kept for it
	it := &item{run: &own}
	if s.Stack {
		it.is = isStack
	}
	it.judge(s.Result)
	return it
}

// judge takes in what is known of the result.
func (it *item) judge(r atelier.Result) {
	it.is &= isStack
	if r.RunID == it.run.ID {
		it.is, r.RunID = it.is|ofItsRun, ""
	}
	path := resultPath + string(r.ID)
	if r.File == path+filePath {
		it.is, r.File = it.is|hasFile, ""
	}
	if r.Thumb == path+thumbPath {
		it.is, r.Thumb = it.is|hasThumb, ""
	}
	if r.Fidelity != nil && r.Fidelity.Heat == path+heatPath {
		f := *r.Fidelity
		f.Heat = ""
		it.is, r.Fidelity, r.Score = it.is|hasHeat, &f, nil // Score is the same once more
	}
	if text, ok := strings.CutPrefix(r.Preview, previewHead); ok {
		if data, err := base64.StdEncoding.DecodeString(text); err == nil {
			it.is, r.Preview = it.is|isBinary, string(data)
		}
	}
	if r.ID == "" || it.is&isStack != 0 {
		it.is |= namedByRun
	}
	it.result = r
}

// shot is the item as everybody else knows it.
func (it *item) shot() Shot {
	s := Shot{Run: *it.run, Result: it.result, Stack: it.is&isStack != 0}
	path := resultPath + string(s.Result.ID)
	if it.is&ofItsRun != 0 {
		s.Result.RunID = it.run.ID
	}
	if it.is&hasFile != 0 {
		s.Result.File = path + filePath
	}
	if it.is&hasThumb != 0 {
		s.Result.Thumb = path + thumbPath
	}
	if it.is&isBinary != 0 {
		s.Result.Preview = previewHead + base64.StdEncoding.EncodeToString([]byte(s.Result.Preview))
	}
	if it.is&hasHeat != 0 {
		f := *s.Result.Fidelity
		f.Heat = path + heatPath
		s.Result.Fidelity, s.Result.Score = &f, &f.Score
	}
	return s
}

// key is that of the shot.
func (it *item) key() string {
	if it.is&namedByRun != 0 {
		return string(it.run.ID)
	}
	return string(it.result.ID)
}

// newerItem is the order of a list by date: the newest run first, its results in their places.
func newerItem(a, b *item) bool {
	if a.run.ID != b.run.ID {
		return newer(*a.run, *b.run)
	}
	return a.result.Index < b.result.Index
}

// Listed makes the shot of a result that came in a list, with what is said of its run.
func Listed(r atelier.ListedResult) Shot {
	return Shot{
		Run:    atelier.Run{ID: r.Run.ID, Title: r.Run.Title, Agent: r.Run.Agent, CreatedAt: r.Run.CreatedAt, Owner: r.Run.Owner},
		Result: r.Result,
	}
}

// Whole says whether everything about the run is known, not only what a list says.
func (s Shot) Whole() bool { return s.Run.State != "" }

// Others says whether a shot is another's, who shows it.
func (s Shot) Others() bool { return s.Run.Owner != nil }

// Len is how many shots there are.
func (l *Listing) Len() int {
	if last := len(l.parts) - 1; last >= 0 {
		return l.parts[last].from + len(l.parts[last].heads)
	}
	return 0
}

// place gives the part a place is in, and where in it.
func (l *Listing) place(i int) (p *part, j int) {
	p = l.parts[sort.Search(len(l.parts), func(k int) bool { return l.parts[k].from > i })-1]
	return p, i - p.from
}

func (l *Listing) item(i int) *item {
	p, j := l.place(i)
	return p.item(j)
}

// At gives the shot at a place.
func (l *Listing) At(i int) Shot { return l.item(i).shot() }

// Key gives the key of the shot at a place.
func (l *Listing) Key(i int) string {
	p, j := l.place(i)
	return p.key(j)
}

// Made is when the run of the shot at a place was started.
func (l *Listing) Made(i int) time.Time {
	p, j := l.place(i)
	_, made := p.run(j)
	return made
}

// Shape is Shape of the shot at a place.
func (l *Listing) Shape(i int) float64 {
	p, j := l.place(i)
	return p.heads[j].shape
}

// Part gives the shots from one place to before another.
func (l *Listing) Part(from, to int) []Shot {
	shots := make([]Shot, 0, to-from)
	for i := from; i < to; i++ {
		shots = append(shots, l.At(i))
	}
	return shots
}

// Find gives the place of a shot, -1 when it is not in the list.
func (l *Listing) Find(key string) int {
	if number, ok := l.at[hash(key)]; ok {
		p := l.all[number]
		var packed codec
		packed.text(&key)
		for j := range p.heads {
			if p.is(j, key, packed.b) {
				return p.from + j
			}
		}
	}
	return -1
}

// Of lists the keys of the shots of runs.
func (l *Listing) Of(runs map[atelier.RunID]bool) (keys []string) {
	for _, p := range l.parts {
		for j := range p.of(runs) {
			keys = append(keys, p.key(j))
		}
	}
	return keys
}

// Run gives the run of shots that are in the list, as the first of them has it.
func (l *Listing) Run(id atelier.RunID) (run atelier.Run, there bool) {
	of := map[atelier.RunID]bool{id: true}
	for _, p := range l.parts {
		for j := range p.of(of) {
			return *p.item(j).run, true
		}
	}
	return run, false
}

// InMonth is the first place in a list by date of what was made in a month, as Month says it; -1 when nothing was.
func (l *Listing) InMonth(word string, zone *time.Location) int {
	i := sort.Search(l.Len(), func(i int) bool { return Month(l.Made(i), zone) <= word })
	if i == l.Len() || Month(l.Made(i), zone) != word {
		return -1
	}
	return i
}

// put takes a shot in at a place.
func (l *Listing) put(at int, s Shot) {
	k := max(0, sort.Search(len(l.parts), func(k int) bool { return l.parts[k].from >= at })-1)
	switch {
	case len(l.parts) == 0:
		l.begin(0)
	case len(l.parts[k].heads) < partLength:
	case at == 0:
		l.begin(0)
	case at == l.Len():
		l.parts[k].data = bytes.Clone(l.parts[k].data)
		k++
		l.begin(k)
	}
	p := l.parts[k]
	it := keep(s)
	p.insert(at-p.from, it)
	for _, later := range l.parts[k+1:] {
		later.from++
	}
	if l.at == nil {
		l.at = map[hashed]uint32{}
	}
	l.at[hash(it.key())] = p.number
}

// begin adds an empty part.
func (l *Listing) begin(k int) {
	p := &part{number: uint32(len(l.all)), from: l.Len()}
	if k == 0 {
		p.from = 0
	}
	l.parts, l.all = append(l.parts, p), append(l.all, p)
	copy(l.parts[k+1:], l.parts[k:])
	l.parts[k] = p
}

// replace puts another shot in the place of one with the same key.
func (l *Listing) replace(i int, s Shot) { l.set(i, keep(s)) }

// set puts another item with the same key in a place.
func (l *Listing) set(i int, it *item) {
	p, j := l.place(i)
	p.set(j, it)
}

// Append takes in the next page. What is there already stays where it is.
func (l *Listing) Append(shots ...Shot) {
	for _, s := range shots {
		if i := l.Find(s.Key()); i >= 0 {
			l.replace(i, s)
			continue
		}
		l.put(l.Len(), s)
	}
}

// Insert takes shots in at their place by date, above where the list was opened or below. It says how many are new.
func (l *Listing) Insert(above bool, shots ...Shot) (added int) {
	for _, s := range shots {
		if i := l.Find(s.Key()); i >= 0 {
			l.replace(i, s)
			continue
		}
		one := &item{run: &s.Run, result: s.Result}
		at := sort.Search(l.Len(), func(i int) bool {
			if made := l.Made(i); !made.Equal(s.Run.CreatedAt) {
				return made.Before(s.Run.CreatedAt)
			}
			return !newerItem(l.item(i), one)
		})
		l.put(at, s)
		if above && at <= l.Lead {
			l.Lead++
		}
		added++
	}
	return added
}

// Update merges news of a result that is not in the trash, see Later, and reports whether it is in the list.
func (l *Listing) Update(r atelier.Result) bool {
	if i, run := l.stack(r.RunID); run != nil {
		if runs := (Runs{*run}).MergeResult(r); len(runs) == 1 {
			l.replace(i, Cover(runs[0]))
		}
		return true
	}
	i := l.Find(string(r.ID))
	if i < 0 {
		return false
	}
	it := l.item(i)
	it.judge(Later(it.shot().Result, r))
	l.set(i, it)
	return true
}

// stack gives the run that one shot stands for, and the place of that; nil where none does.
func (l *Listing) stack(id atelier.RunID) (i int, run *atelier.Run) {
	if i = l.Find(string(id)); i >= 0 {
		if it := l.item(i); it.is&isStack != 0 {
			return i, it.run
		}
	}
	return i, nil
}

// Lose takes a result off the list, or out of the run that stands for it, and says whether it was there. A run that is left without
// results goes too where whole says that nothing of it is anywhere else.
func (l *Listing) Lose(r atelier.Result, whole bool) bool {
	i, was := l.stack(r.RunID)
	if was == nil {
		return l.Remove(string(r.ID)) > 0
	}
	r.Trashed = true
	run := (Runs{*was}).MergeResult(r)[0]
	if len(run.Results) == 0 && whole {
		return l.Remove(string(r.RunID)) > 0
	}
	l.replace(i, Cover(run))
	return len(run.Results) < len(was.Results)
}

// UpdateRun takes in news of a run and says whether some of it is in the list.
func (l *Listing) UpdateRun(run atelier.Run) bool {
	known := false
	know := func(i int) {
		it := l.item(i)
		it.run, known = &run, true
		l.set(i, it)
	}
	if i := l.Find(string(run.ID)); i >= 0 {
		switch it := l.item(i); {
		case it.is&isStack != 0:
			l.replace(i, Cover(run))
			known = true
		case len(run.Results) > 0:
			l.Remove(string(run.ID)) // its results take its place
		default:
			know(i)
		}
	}
	for _, r := range run.Results {
		if i := l.Find(string(r.ID)); i >= 0 {
			l.Update(r)
			know(i)
		}
	}
	return known
}

// Remove takes shots off the list, by their keys, and says how many were in it.
func (l *Listing) Remove(keys ...string) int {
	gone := make([]int, 0, len(keys))
	for _, key := range keys {
		if i := l.Find(key); i >= 0 {
			gone = append(gone, i)
			delete(l.at, hash(key))
		}
	}
	if len(gone) == 0 {
		return 0
	}
	slices.Sort(gone)
	lead, _ := slices.BinarySearch(gone, l.Lead)
	l.Lead -= lead
	for k := len(gone) - 1; k >= 0; k-- {
		p, j := l.place(gone[k])
		p.remove(j)
	}
	parts, from := l.parts[:0], 0
	for _, p := range l.parts {
		if p.from = from; len(p.heads) == 0 {
			l.all[p.number] = nil
			continue
		}
		from += len(p.heads)
		parts = append(parts, p)
	}
	clear(l.parts[len(parts):])
	l.parts = parts
	return len(gone)
}

// Covers makes one shot of each run: the picture that stands for it, and the run whole.
func Covers(runs []atelier.Run) []Shot {
	shots := make([]Shot, len(runs))
	for i, run := range runs {
		shots[i] = Cover(run)
	}
	return shots
}

// Cover is the result that stands for a run: the best that is here, else the first.
func Cover(run atelier.Run) Shot {
	s := Shot{Run: run, Stack: true}
	best := -1
	for _, r := range run.Results {
		if w := worth(r); w > best {
			s.Result, best = r, w
		}
	}
	return s
}

// worth is how much was thought of a result; what is not here is worth least.
func worth(r atelier.Result) (w int) {
	if r.Stored {
		w = 1 + r.Rating
	}
	if r.Pick == atelier.PickYes {
		w += 6
	}
	return w
}

// Spare is what can go of shots that are all the same: all but the best, else but the first.
func Spare(shots []Shot) []Shot {
	keep := 0
	for i, s := range shots {
		if worth(s.Result) > worth(shots[keep].Result) {
			keep = i
		}
	}
	out := slices.Clone(shots)
	if len(out) > 0 {
		out = slices.Delete(out, keep, keep+1)
	}
	return out
}
