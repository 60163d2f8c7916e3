package model

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/maphash"
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
	data   []byte  // what is packed, one after another
	lean   int     // how much of data is read still, about: the rest was written anew, or is gone
	loose  []*item // what is not packed; nil where everything is
}

// head is what of a shot is known without reading it: where in the data it and its run begin, and its shape.
type head struct {
	at, run uint32
	shape   float64
}

// partLength is how many shots a part may have.
const partLength = 128

// hashed stands for a key: a text would be something that the garbage collector follows. Its 128 bits are not the same for two keys.
type hashed [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func hash(key string) hashed {
	return hashed{maphash.String(seeds[0], key), maphash.String(seeds[1], key)}
}

// item reads the shot at a place of the part.
func (p *part) item(j int) *item {
	if it := p.isLoose(j); it != nil {
		return it
	}
	it := &item{run: &atelier.Run{}}
	r := packed(p.data[p.heads[j].run:])
	r.read(reflect.ValueOf(&it.run.CreatedAt).Elem())
	r.read(reflect.ValueOf(it.run).Elem())
	it.run.CreatedAt = p.made(j)
	r = packed(p.data[p.heads[j].at:])
	it.is = traits(r.take(1)[0])
	r.read(reflect.ValueOf(&it.result).Elem())
	return it
}

func (p *part) isLoose(j int) *item {
	if p.loose == nil {
		return nil
	}
	return p.loose[j]
}

// items reads all shots of the part.
func (p *part) items() []*item {
	all := make([]*item, len(p.heads))
	for j := range all {
		all[j] = p.item(j)
	}
	return all
}

// made is when the run of a shot was started.
func (p *part) made(j int) (at time.Time) {
	if it := p.isLoose(j); it != nil {
		return it.run.CreatedAt
	}
	r := packed(p.data[p.heads[j].run:])
	return r.time()
}

// runID is the id of the run of a shot.
func (p *part) runID(j int) []byte {
	if it := p.isLoose(j); it != nil {
		return []byte(it.run.ID)
	}
	r := packed(p.data[p.heads[j].run:])
	r.time()
	return r.id()
}

// key is the key of a shot.
func (p *part) key(j int) []byte {
	if it := p.isLoose(j); it != nil {
		return []byte(it.key())
	}
	r := packed(p.data[p.heads[j].at:])
	if traits(r.take(1)[0])&namedByRun != 0 {
		return p.runID(j)
	}
	return r.id()
}

// insert takes a shot in at a place of the part.
func (p *part) insert(j int, it *item) {
	p.heads = slices.Insert(p.heads, j, head{})
	if p.loose != nil {
		p.loose = slices.Insert(p.loose, j, nil)
	}
	before := len(p.data)
	p.write(j, it)
	p.lean += len(p.data) - before
}

// set puts another item in a place of the part.
func (p *part) set(j int, it *item) {
	if p.write(j, it); len(p.data) > 2*p.lean+1024 {
		p.fill(p.items())
	}
}

// remove takes a shot off the part.
func (p *part) remove(j int) {
	p.lean -= p.lean / len(p.heads)
	p.heads = slices.Delete(p.heads, j, j+1)
	if p.loose != nil {
		p.loose = slices.Delete(p.loose, j, j+1)
	}
}

// fill makes the part hold these items, in no more room than they take.
func (p *part) fill(items []*item) {
	*p = part{number: p.number, from: p.from}
	for j, it := range items {
		p.insert(j, it)
	}
	p.fit()
}

// fit gives back the room behind what is there.
func (p *part) fit() { p.data, p.heads = bytes.Clone(p.data), slices.Clone(p.heads) }

// write packs an item, or keeps it as it is: of a run that is known whole, the results share what is known of it.
func (p *part) write(j int, it *item) {
	h := &p.heads[j]
	h.shape = shape(&it.result, it.run.Asset)
	if it.is&isStack == 0 && !said(it.run) {
		if p.loose == nil {
			p.loose = make([]*item, len(p.heads))
		}
		p.loose[j] = it
		return
	}
	start := len(p.data)
	run := *it.run
	run.CreatedAt = time.Time{}
	p.data = appendTime(p.data, it.run.CreatedAt)
	p.data = appendPacked(p.data, reflect.ValueOf(&run).Elem())
	h.run = uint32(start)
	for _, beside := range [...]int{j - 1, j + 1} {
		// What is packed says itself where it ends: what begins alike is the same.
		if beside >= 0 && beside < len(p.heads) && p.isLoose(beside) == nil && int(p.heads[beside].run) < start && bytes.HasPrefix(p.data[p.heads[beside].run:start], p.data[start:]) {
			h.run, p.data = p.heads[beside].run, p.data[:start]
			break
		}
	}
	h.at = uint32(len(p.data))
	p.data = appendPacked(append(p.data, byte(it.is)), reflect.ValueOf(&it.result).Elem())
	if p.loose != nil {
		p.loose[j] = nil
	}
}

// usual is what nearly every shot says: it takes a byte where it is packed, and nothing where it is read.
var usual = [...]string{"", "image", string(atelier.Success), "jpeg", "png", "webp"}

var timeType = reflect.TypeFor[time.Time]()

// appendPacked packs a value of which the pages know nothing but the type: of a struct the fields that say something, behind one bit for
// each that tells which they are. What no JSON holds is left out.
func appendPacked(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		if i := slices.Index(usual[:], v.String()); i >= 0 {
			return binary.AppendUvarint(b, uint64(i))
		}
		return append(binary.AppendUvarint(b, uint64(v.Len()+len(usual))), v.String()...)
	case reflect.Int, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Float64:
		return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(v.Float()))) // round numbers end in zeros
	case reflect.Pointer:
		return appendPacked(b, v.Elem())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		for i := range v.Len() {
			b = appendPacked(b, v.Index(i))
		}
	case reflect.Map:
		text, err := json.Marshal(v.Interface())
		if err != nil {
			panic(err) // it came as JSON
		}
		return append(binary.AppendUvarint(b, uint64(len(text))), text...)
	case reflect.Struct:
		if v.Type() == timeType {
			return appendTime(b, v.Interface().(time.Time))
		}
		var there uint64
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() != reflect.Interface && !f.IsZero() {
				there |= 1 << i
			}
		}
		b = binary.AppendUvarint(b, there)
		for ; there != 0; there &= there - 1 {
			b = appendPacked(b, v.Field(bits.TrailingZeros64(there)))
		}
	}
	return b
}

func appendTime(b []byte, t time.Time) []byte {
	return binary.AppendVarint(binary.AppendVarint(b, t.Unix()), int64(t.Nanosecond()))
}

// packed is what is packed, from where it is read on.
type packed []byte

func (r *packed) take(n int) []byte {
	out := (*r)[:n]
	*r = (*r)[n:]
	return out
}

func (r *packed) count() int {
	n, size := binary.Uvarint(*r)
	r.take(size)
	return int(n)
}

func (r *packed) number() int64 {
	n, size := binary.Varint(*r)
	r.take(size)
	return n
}

func (r *packed) time() time.Time { return time.Unix(r.number(), r.number()).UTC() }

// id is the first text of what is packed, which in a run and in a result is the id.
func (r *packed) id() []byte {
	if r.count()&1 == 0 {
		return nil
	}
	n := r.count() - len(usual)
	if n < 0 {
		return []byte(usual[n+len(usual)])
	}
	return r.take(n)
}

// read makes a zero value what was packed.
func (r *packed) read(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if n := r.count(); n < len(usual) {
			v.SetString(usual[n])
		} else {
			v.SetString(string(r.take(n - len(usual))))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(r.number())
	case reflect.Float64:
		n, size := binary.Uvarint(*r)
		r.take(size)
		v.SetFloat(math.Float64frombits(bits.ReverseBytes64(n)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.read(v.Elem())
	case reflect.Slice:
		n := r.count()
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			r.read(v.Index(i))
		}
	case reflect.Map:
		if err := json.Unmarshal(r.take(r.count()), v.Addr().Interface()); err != nil {
			panic(err) // we wrote it
		}
	case reflect.Struct:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(r.time()))
			return
		}
		n, size := binary.Uvarint(*r)
		r.take(size)
		for ; n != 0; n &= n - 1 {
			r.read(v.Field(bits.TrailingZeros64(n)))
		}
	}
}
