package model

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"iter"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"time"

	"atelier/atelier"
)

// part is a stretch of a list.
type part struct {
	number uint32
	from   int // the place of its first shot
	heads  []head
	data   []byte           // what is packed, one after another
	loose  map[uint32]*item // what is not packed, by its head's at
}

// head is what of a shot is known without reading it: where in the data it and its run begin, and its shape.
type head struct {
	at, run uint32
	shape   float64
}

// unpacked stands for the run of a shot that is not packed.
const unpacked = math.MaxUint32

// partLength is how many shots a part has before another is begun.
const partLength = 128

// hashed stands for a key: a text would be something that the garbage collector follows. Of ids, which are chosen by chance, no two have the
// same 128 bits.
type hashed [2]uint64

func hash(key string) hashed {
	h := hashed{0xcbf29ce484222325, 0}
	for i := range len(key) { // FNV-1a, and the same with another factor
		h[0] = (h[0] ^ uint64(key[i])) * 0x100000001b3
		h[1] = (h[1] ^ uint64(key[i])) * 0x9e3779b97f4a7c15
	}
	return h
}

// item reads the shot at a place of the part.
func (p *part) item(j int) *item {
	h := p.heads[j]
	if h.run == unpacked {
		return p.loose[h.at]
	}
	it := &item{run: &atelier.Run{}}
	c := codec{b: p.data[h.run:], reads: true}
	c.run(it.run)
	c.b = p.data[h.at:]
	c.item(it)
	return it
}

// run is the id of the run of a shot, and when it was started.
func (p *part) run(j int) (id string, made time.Time) {
	h := p.heads[j]
	if h.run == unpacked {
		run := p.loose[h.at].run
		return string(run.ID), run.CreatedAt
	}
	c := codec{b: p.data[h.run:], reads: true}
	c.time(&made)
	c.text(&id)
	return id, made
}

// of gives the places of the shots of runs. It makes no text of an id, and reads one that several share once, so that a long list is soon
// gone through.
func (p *part) of(runs map[atelier.RunID]bool) iter.Seq[int] {
	return func(yield func(j int) bool) {
		read, is := uint32(unpacked), false
		for j, h := range p.heads {
			switch {
			case h.run == unpacked:
				is = runs[p.loose[h.at].run.ID]
			case h.run != read:
				c := codec{b: p.data[h.run:], reads: true}
				var seconds, nanoseconds int
				c.number(&seconds)
				c.number(&nanoseconds)
				is = runs[atelier.RunID(c.bytes())]
			}
			if read = h.run; is && !yield(j) {
				return
			}
		}
	}
}

// key is the key of a shot.
func (p *part) key(j int) (key string) {
	h := p.heads[j]
	switch {
	case h.run == unpacked:
		return p.loose[h.at].key()
	case traits(p.data[h.at])&namedByRun != 0:
		key, _ = p.run(j)
	default:
		c := codec{b: p.data[h.at+1:], reads: true}
		c.text(&key)
	}
	return key
}

// is says whether a shot has a key, which is also given as it is packed.
func (p *part) is(j int, key string, text []byte) bool {
	h := p.heads[j]
	if h.run == unpacked || traits(p.data[h.at])&namedByRun != 0 {
		return p.key(j) == key
	}
	return bytes.HasPrefix(p.data[h.at+1:], text)
}

// insert takes a shot in at a place of the part, and packs it. Where a run is known whole that one shot does not stand for, its results
// share what is known of it instead.
func (p *part) insert(j int, it *item) {
	start := len(p.data)
	p.heads = append(p.heads, head{})
	copy(p.heads[j+1:], p.heads[j:])
	h := &p.heads[j]
	*h = head{at: uint32(start), run: uint32(start), shape: shape(&it.result, it.run.Asset)}
	if it.is&isStack == 0 && !listed(it.run) {
		p.data = append(p.data, 0) // no other begins here
		p.set(j, it)
		return
	}
	c := codec{b: p.data, whole: it.is&isStack != 0}
	c.run(it.run)
	for _, k := range [...]int{j - 1, j + 1} {
		// What is packed says itself where it ends: what begins alike is the same.
		if k >= 0 && k < len(p.heads) && p.heads[k].run != unpacked && bytes.HasPrefix(p.data[p.heads[k].run:], c.b[start:]) {
			h.run, c.b = p.heads[k].run, c.b[:start]
			break
		}
	}
	h.at = uint32(len(c.b))
	c.item(it)
	p.data = c.b
}

// set puts another item in a place of the part. What changed once may change again, so it is not packed.
func (p *part) set(j int, it *item) {
	h := &p.heads[j]
	h.run, h.shape = unpacked, shape(&it.result, it.run.Asset)
	if p.loose == nil {
		p.loose = map[uint32]*item{}
	}
	p.loose[h.at] = it
}

// remove takes a shot off the part.
func (p *part) remove(j int) {
	delete(p.loose, p.heads[j].at)
	p.heads = append(p.heads[:j], p.heads[j+1:]...)
}

// listed tells whether of a run nothing is known but what a list of results says of it.
func listed(r *atelier.Run) bool {
	return reflect.DeepEqual(r, &atelier.Run{ID: r.ID, Title: r.Title, Agent: r.Agent, CreatedAt: r.CreatedAt, Owner: r.Owner})
}

// usual is what nearly every shot says: it takes a byte where it is packed, and nothing where it is read.
var usual = [...]string{"", "image", string(atelier.Success), "jpeg", "png", "webp"}

// codec packs values behind each other into b, or reads them from there.
type codec struct {
	b     []byte
	reads bool
	whole bool // a run is more than a list says of it
}

func (c *codec) run(r *atelier.Run) {
	c.time(&r.CreatedAt)
	c.text((*string)(&r.ID))
	if c.flag(&c.whole); c.whole {
		var text string
		if !c.reads {
			data, err := json.Marshal(r)
			if err != nil {
				panic(err) // it came as JSON
			}
			text = string(data)
		}
		if c.text(&text); c.reads {
			if err := json.Unmarshal([]byte(text), r); err != nil {
				panic(err) // we wrote it
			}
		}
		return
	}
	c.text(&r.Title)
	c.text(&r.Agent)
	if owned := r.Owner != nil; c.flag(&owned) {
		if c.reads {
			r.Owner = &atelier.Person{}
		}
		c.text((*string)(&r.Owner.ID))
		c.text(&r.Owner.Name)
	}
}

func (c *codec) item(it *item) {
	is := int(it.is)
	c.small(&is)
	it.is = traits(is)
	r := &it.result
	for _, text := range [...]*string{
		(*string)(&r.ID), (*string)(&r.RunID), &r.Kind, (*string)(&r.Status), &r.Error, &r.Format, &r.File, &r.Thumb, &r.Preview, &r.LastFrame,
		(*string)(&r.LockedFrom), &r.Pick,
	} {
		c.text(text)
	}
	size := int(r.Bytes)
	for _, n := range [...]*int{&r.Index, &r.Width, &r.Height, &size, &r.Rating} {
		c.number(n)
	}
	r.Bytes = int64(size)
	c.float(&r.Progress)
	c.float(&r.Seconds)
	for _, is := range [...]*bool{&r.Stored, &r.Starred, &r.Trashed, &r.Gone} {
		c.flag(is)
	}
	if scored := r.Score != nil; c.flag(&scored) {
		if c.reads {
			r.Score = new(float64)
		}
		c.float(r.Score)
	}
	if judged := r.Fidelity != nil; c.flag(&judged) {
		if c.reads {
			r.Fidelity = &atelier.Fidelity{}
		}
		f := r.Fidelity
		c.flag(&f.Comparable)
		c.flag(&f.Changed)
		c.text(&f.Code)
		c.text(&f.Reason)
		c.text(&f.Heat)
		c.float(&f.Score)
		c.float(&f.DeltaE)
		c.float(&f.SSIM)
		c.edge(&f.Edge)
	}
}

// edge is what is known of the edge of the kept area, where anything is.
func (c *codec) edge(e **atelier.FidelityEdge) {
	if judged := *e != nil; !c.flag(&judged) {
		return
	}
	if c.reads {
		*e = &atelier.FidelityEdge{}
	}
	c.float(&(*e).Doubt)
	c.float(&(*e).Band)
	n := len((*e).Parts)
	c.number(&n)
	if c.reads {
		(*e).Parts = make([]atelier.EdgePart, n)
	}
	for i := range (*e).Parts {
		p := &(*e).Parts[i]
		c.flag(&p.Missed)
		c.text((*string)(&p.Place))
		c.float(&p.Share)
		c.float(&p.Changed)
	}
}

// small is a number below 256, or a bit.
func (c *codec) small(n *int) {
	if !c.reads {
		c.b = append(c.b, byte(*n))
		return
	}
	*n = int(c.b[0])
	c.b = c.b[1:]
}

func (c *codec) flag(is *bool) bool {
	n := 0
	if *is {
		n = 1
	}
	c.small(&n)
	*is = n != 0
	return *is
}

func (c *codec) number(n *int) {
	if !c.reads {
		c.b = binary.AppendVarint(c.b, int64(*n))
		return
	}
	v, size := binary.Varint(c.b)
	*n, c.b = int(v), c.b[size:]
}

// float is a float64 that takes few bytes where it is round.
func (c *codec) float(f *float64) {
	n := int(bits.ReverseBytes64(math.Float64bits(*f)))
	c.number(&n)
	*f = math.Float64frombits(bits.ReverseBytes64(uint64(n)))
}

func (c *codec) time(t *time.Time) {
	seconds, nanoseconds := int(t.Unix()), t.Nanosecond()
	c.number(&seconds)
	c.number(&nanoseconds)
	if c.reads {
		*t = time.Unix(int64(seconds), int64(nanoseconds)).UTC()
	}
}

// bytes reads a text as bytes that stay where they are.
func (c *codec) bytes() []byte {
	var n int
	c.number(&n)
	long := n - len(usual)
	if long < 0 {
		return []byte(usual[n])
	}
	text := c.b[:long]
	c.b = c.b[long:]
	return text
}

func (c *codec) text(s *string) {
	n := slices.Index(usual[:], *s)
	if n < 0 {
		n = len(*s) + len(usual)
	}
	c.number(&n)
	switch long := n - len(usual); {
	case !c.reads && long >= 0:
		c.b = append(c.b, *s...)
	case c.reads && long >= 0:
		*s, c.b = string(c.b[:long]), c.b[long:]
	case c.reads:
		*s = usual[n]
	}
}
