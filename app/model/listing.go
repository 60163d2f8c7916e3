package model

import (
	"encoding/base64"
	"iter"
	"slices"
	"sort"
	"strings"
	"time"

	"atelier/atelier"
)

// Listing is what the gallery has of its list, in order. Lead is how many of its shots stand above where it was opened.
//
// What comes or goes, however long the list is, moves nothing but what stands between it and the nearer end, and of that only where
// it stands: there is room at both ends, and the numbers by which places are kept begin at first, not at 0.
type Listing struct {
	Lead  int
	items []*item
	room  []*item // the array that items is a part of
	head  int     // how much of the room is free before items
	at    map[string]*item
	first int // the number of the first place
}

// item is a shot as the list keeps it: a history may be long, so results of one run share what is known of it, and the usual paths,
// which follow from the id, are not kept.
type item struct {
	run                *atelier.Run // shared, and never changed
	result             atelier.Result
	number             int // of its place
	stack              bool
	file, thumb, heats bool // these are the usual paths
	packed             bool // the preview's bytes are kept as they are
}

// The usual paths of a result, behind its id.
const (
	resultPath = "/api/results/"
	filePath   = "/file"
	thumbPath  = "/thumb"
	heatPath   = "/heat"
)

// previewHead is how a preview begins, in front of its bytes in base64.
const previewHead = "data:image/webp;base64,"

// keep takes in a shot. What is known of its run is shared with an item beside it that knows the same.
func (it *item) keep(s Shot, beside ...*item) {
	var run *atelier.Run
	for _, other := range beside {
		if r := other.run; r.ID == s.Run.ID && said(r) && said(&s.Run) && r.Title == s.Run.Title && (r.Owner == nil) == (s.Run.Owner == nil) {
			run = r
		}
	}
	if run == nil {
		own := s.Run // the shot itself need not be kept for it
		run = &own
	}
	it.run, it.stack = run, s.Stack
	it.judge(s.Result)
}

// said tells whether of a run only that is known which a list of results says of it.
func said(r *atelier.Run) bool { return r.State == "" && len(r.Results) == 0 }

// judge takes in what is known of the result.
func (it *item) judge(r atelier.Result) {
	if r.RunID == it.run.ID {
		r.RunID = it.run.ID // one text instead of two
	}
	path := resultPath + string(r.ID)
	if it.file = r.File == path+filePath; it.file {
		r.File = ""
	}
	if it.thumb = r.Thumb == path+thumbPath; it.thumb {
		r.Thumb = ""
	}
	if it.heats = r.Fidelity != nil && r.Fidelity.Heat == path+heatPath; it.heats {
		f := *r.Fidelity
		f.Heat = ""
		r.Fidelity, r.Score = &f, nil // Score is the same once more
	}
	it.packed = false
	if text, ok := strings.CutPrefix(r.Preview, previewHead); ok {
		if data, err := base64.StdEncoding.DecodeString(text); err == nil {
			it.packed, r.Preview = true, string(data)
		}
	}
	r.Kind, r.Status, r.Format = usual(r.Kind), usual(r.Status), usual(r.Format)
	it.result = r
}

// usual gives the one text there is of what nearly every result says.
func usual[T ~string](text T) T {
	for _, one := range [...]T{"image", T(atelier.Success), "jpeg", "png", "webp"} {
		if text == one {
			return one
		}
	}
	return text
}

// shot is the item as everybody else knows it.
func (it *item) shot() Shot {
	s := Shot{Run: *it.run, Result: it.result, Stack: it.stack}
	path := resultPath + string(s.Result.ID)
	if it.file {
		s.Result.File = path + filePath
	}
	if it.thumb {
		s.Result.Thumb = path + thumbPath
	}
	if it.packed {
		s.Result.Preview = previewHead + base64.StdEncoding.EncodeToString([]byte(s.Result.Preview))
	}
	if it.heats {
		f := *s.Result.Fidelity
		f.Heat = path + heatPath
		s.Result.Fidelity, s.Result.Score = &f, &f.Score
	}
	return s
}

// key is that of the shot.
func (it *item) key() string {
	if it.result.ID != "" && !it.stack {
		return string(it.result.ID)
	}
	return string(it.run.ID)
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
func (l *Listing) Len() int { return len(l.items) }

// At gives the shot at a place.
func (l *Listing) At(i int) Shot { return l.items[i].shot() }

// Key gives the key of the shot at a place.
func (l *Listing) Key(i int) string { return l.items[i].key() }

// Made is when the run of the shot at a place was started.
func (l *Listing) Made(i int) time.Time { return l.items[i].run.CreatedAt }

// Shape is Shape of the shot at a place.
func (l *Listing) Shape(i int) float64 { return shape(&l.items[i].result, l.items[i].run.Asset) }

// Part gives the shots from one place to before another.
func (l *Listing) Part(from, to int) []Shot {
	shots := make([]Shot, 0, to-from)
	for _, it := range l.items[from:to] {
		shots = append(shots, it.shot())
	}
	return shots
}

// All goes through all shots.
func (l *Listing) All() iter.Seq2[int, Shot] {
	return func(yield func(int, Shot) bool) {
		for i, it := range l.items {
			if !yield(i, it.shot()) {
				return
			}
		}
	}
}

// Find gives the place of a shot, -1 when it is not in the list.
func (l *Listing) Find(key string) int {
	if it, ok := l.at[key]; ok {
		return it.number - l.first
	}
	return -1
}

// Of lists the keys of the shots of runs.
func (l *Listing) Of(runs map[atelier.RunID]bool) (keys []string) {
	for _, it := range l.items {
		if runs[it.run.ID] {
			keys = append(keys, it.key())
		}
	}
	return keys
}

// InMonth is the first place in a list by date of what was made in a month, as Month says it; -1 when nothing was.
func (l *Listing) InMonth(word string, zone *time.Location) int {
	i := sort.Search(len(l.items), func(i int) bool { return Month(l.Made(i), zone) <= word })
	if i == len(l.items) || Month(l.Made(i), zone) != word {
		return -1
	}
	return i
}

// allowance is how much room is made at an end of a list of so many shots that has none left there.
func allowance(n int) int { return 64 + n/4 }

// put takes a shot in at a place, and moves what stands on the shorter side of it.
func (l *Listing) put(at int, s Shot) {
	n := len(l.items)
	front := at < n-at
	switch {
	case front && l.head == 0:
		l.move(allowance(n), len(l.room)-n)
	case !front && l.head+n == len(l.room):
		l.move(l.head, allowance(n))
	}
	it := &item{}
	it.keep(s, l.items[max(at-1, 0):min(at+1, n)]...)
	if front {
		l.head--
		l.first--
		l.items = l.room[l.head : l.head+n+1]
		copy(l.items[:at], l.items[1:at+1])
		for _, moved := range l.items[:at] {
			moved.number--
		}
	} else {
		l.items = l.room[l.head : l.head+n+1]
		copy(l.items[at+1:], l.items[at:n])
		for _, moved := range l.items[at+1:] {
			moved.number++
		}
	}
	it.number = l.first + at
	l.items[at] = it
	if l.at == nil {
		l.at = map[string]*item{}
	}
	l.at[it.key()] = it
}

// move takes the list to an array with so much room before and behind it.
func (l *Listing) move(before, behind int) {
	n := len(l.items)
	room := make([]*item, before+n+behind)
	copy(room[before:], l.items)
	l.room, l.head, l.items = room, before, room[before:before+n]
}

// replace puts another shot in the place of one with the same key.
func (l *Listing) replace(i int, s Shot) {
	l.items[i].keep(s, l.items[max(i-1, 0):min(i+2, len(l.items))]...)
}

// Append takes in the next page. What is there already stays where it is.
func (l *Listing) Append(shots ...Shot) {
	for _, s := range shots {
		if i := l.Find(s.Key()); i >= 0 {
			l.replace(i, s)
			continue
		}
		l.put(len(l.items), s)
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
		at := sort.Search(len(l.items), func(i int) bool { return !newerItem(l.items[i], one) })
		l.put(at, s)
		if above && at <= l.Lead {
			l.Lead++
		}
		added++
	}
	return added
}

// Update takes in news of a result that is not in the trash and says whether it is in the list. What is stored stays stored.
func (l *Listing) Update(r atelier.Result) bool {
	if i := l.Find(string(r.RunID)); i >= 0 && l.items[i].stack {
		if runs := (Runs{*l.items[i].run}).MergeResult(r); len(runs) == 1 {
			l.replace(i, Cover(runs[0]))
		}
		return true
	}
	i := l.Find(string(r.ID))
	if i < 0 {
		return false
	}
	if it := l.items[i]; !it.result.Stored || r.Stored {
		it.judge(r)
	}
	return true
}

// Lose takes a result off the list, or out of the run that stands for it, and says whether it was there. A run that is left without
// results goes too where whole says that nothing of it is anywhere else.
func (l *Listing) Lose(r atelier.Result, whole bool) bool {
	i := l.Find(string(r.RunID))
	if i < 0 || !l.items[i].stack {
		return l.Remove(string(r.ID)) > 0
	}
	r.Trashed = true
	run := (Runs{*l.items[i].run}).MergeResult(r)[0]
	if len(run.Results) == 0 && whole {
		return l.Remove(string(r.RunID)) > 0
	}
	lost := len(run.Results) < len(l.items[i].run.Results)
	l.replace(i, Cover(run))
	return lost
}

// UpdateRun takes in news of a run and says whether some of it is in the list.
func (l *Listing) UpdateRun(run atelier.Run) bool {
	known := false
	if i := l.Find(string(run.ID)); i >= 0 {
		known = true
		switch it := l.items[i]; {
		case it.stack:
			l.replace(i, Cover(run))
		case len(run.Results) > 0:
			l.Remove(string(run.ID)) // its results take its place
			known = false
		default:
			it.run = &run
		}
	}
	for _, r := range run.Results {
		if i := l.Find(string(r.ID)); i >= 0 {
			l.Update(r)
			l.items[i].run, known = &run, true
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
			delete(l.at, key)
		}
	}
	k, n := len(gone), len(l.items)
	if k == 0 {
		return 0
	}
	slices.Sort(gone)
	lead, _ := slices.BinarySearch(gone, l.Lead)
	l.Lead -= lead
	if gone[k-1] < n-gone[0] { // what stands before the last of them moves towards it
		to := gone[k-1]
		left := k
		for i := to; i >= 0; i-- {
			if left > 0 && gone[left-1] == i {
				left--
				continue
			}
			l.items[to] = l.items[i]
			l.items[to].number += k - left
			to--
		}
		clear(l.items[:k])
		l.items, l.head, l.first = l.items[k:], l.head+k, l.first+k
		return k
	}
	to, passed := gone[0], 0
	for i := to; i < n; i++ {
		if passed < k && gone[passed] == i {
			passed++
			continue
		}
		l.items[to] = l.items[i]
		l.items[to].number -= passed
		to++
	}
	clear(l.items[to:])
	l.items = l.items[:to]
	return k
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
