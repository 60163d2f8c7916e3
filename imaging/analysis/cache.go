package analysis

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"atelier/imaging/segment"
)

// Key names a picture by its size and pixels.
type Key [sha256.Size]byte

// KeyOf names a picture. A part of a larger picture has the key of a copy of that part.
func KeyOf(img *image.NRGBA) Key {
	h := sha256.New()
	head := binary.LittleEndian.AppendUint64(nil, uint64(img.Rect.Dx()))
	h.Write(binary.LittleEndian.AppendUint64(head, uint64(img.Rect.Dy())))
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		from := img.PixOffset(img.Rect.Min.X, y)
		h.Write(img.Pix[from : from+4*img.Rect.Dx()])
	}
	return Key(h.Sum(nil))
}

// Question is what is asked of a picture.
type Question struct {
	Picture Key
	What    string // a segment.Kind, "clothes", "faces" or "heads"
	Options segment.Options
}

func question(img *image.NRGBA, what string, opt segment.Options) Question {
	return Question{KeyOf(img), what, opt.WithDefaults()}
}

// Cache remembers what was found in the pictures asked for last: the answers, packed, and of fewer pictures the scenes
// that further answers are found in. It is safe for concurrent use.
type Cache struct {
	most int // bytes

	mu    sync.Mutex
	size  int
	order list.List // of *entry, the latest first
	found map[Question]*list.Element
	under map[Question]*flight
	stats Stats
	seen  []sighting // the latest first
	watch map[*watcher]bool
}

// New returns a cache that keeps at most so many bytes.
func New(most int) *Cache {
	return &Cache{most: most, found: map[Question]*list.Element{}, under: map[Question]*flight{}, watch: map[*watcher]bool{}}
}

// Stats counts since the start of the process.
type Stats struct {
	Scenes   int // pictures were looked at
	Analyses int // questions were answered by work
	Hits     int // the answer was remembered
	Joined   int // callers waited for work that was under way
	Stopped  int // analyses ended because nobody waited any more
}

// Stats returns the counts.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// sighting is the scene of a picture at some options.
type sighting struct {
	question Question // about nothing
	scene    *segment.Scene
}

// scene returns what was found in a picture so far, and forgets the scenes that were not needed longest.
func (c *Cache) scene(q Question) *segment.Scene {
	q.What = ""
	c.mu.Lock()
	defer c.mu.Unlock()
	s := sighting{q, nil}
	if i := slices.IndexFunc(c.seen, func(s sighting) bool { return s.question == q }); i >= 0 {
		s = c.seen[i]
		c.seen = slices.Delete(c.seen, i, i+1)
	} else {
		s.scene = segment.NewScene(q.Options)
		c.stats.Scenes++
	}
	c.seen = slices.Insert(c.seen, 0, s)
	size := 0
	for i, s := range c.seen {
		if size += s.scene.Bytes(); size > scenesBytes && i > 0 {
			clear(c.seen[i:])
			c.seen = c.seen[:i]
			break
		}
	}
	return s.scene
}

// Watch calls told at the beginning of every analysis, until stop.
func (c *Cache) Watch(told func(Question)) (stop func()) {
	w := &watcher{told}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch[w] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watch, w)
	}
}

type watcher struct{ told func(Question) }

// remembered answers a question that was answered before.
func (c *Cache) remembered(q Question) (value any, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.found[q]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	c.stats.Hits++
	return e.Value.(*entry).value, true
}

// Idle tells that no analysis of the picture is under way.
func (c *Cache) Idle(picture Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for q := range c.under {
		if q.Picture == picture {
			return false
		}
	}
	return true
}

// packed is an answer as it is kept; unpack returns a copy that shares nothing with it.
type packed[T any] struct {
	size   int
	unpack func() T
}

type entry struct {
	question Question
	size     int
	value    any // a packed answer
}

// entryBytes is about what an entry takes beside its planes.
const entryBytes = 512

// flight is an analysis under way. It goes on for as long as anybody waits for it.
type flight struct {
	over    chan struct{}
	value   any // a packed answer, nil where it failed
	err     error
	waiting int
	stop    context.CancelFunc
}

// errStopped is what a flight ends with whose work panicked, before the panic goes on.
var errStopped = errors.New("the analysis ended early")

// once answers from memory, or joins the analysis that is under way, or does it. A caller whose context ends leaves at
// once; the work ends with the last of them. Only the caller that does the work stays until the others have their
// answer.
func once[T any](ctx context.Context, c *Cache, q Question, find func(context.Context) (T, error), pack func(T) packed[T]) (T, error) {
	var none T
	for {
		if err := ctx.Err(); err != nil {
			return none, fmt.Errorf("look for %s: %w", q.What, err)
		}
		c.mu.Lock()
		if e, ok := c.found[q]; ok {
			c.order.MoveToFront(e)
			c.stats.Hits++
			c.mu.Unlock()
			return e.Value.(*entry).value.(packed[T]).unpack(), nil
		}
		f, joins := c.under[q]
		if joins {
			f.waiting++
			c.stats.Joined++
			c.mu.Unlock()
			if err := c.wait(ctx, f); err != nil {
				return none, fmt.Errorf("look for %s: %w", q.What, err)
			}
			if f.err == nil {
				return f.value.(packed[T]).unpack(), nil
			}
			if errors.Is(f.err, errStopped) || errors.Is(f.err, context.Canceled) {
				continue // the work ended just as this caller came
			}
			return none, f.err
		}
		work, stop := context.WithCancel(context.WithoutCancel(ctx))
		f = &flight{over: make(chan struct{}), waiting: 1, stop: stop, err: errStopped}
		c.under[q] = f
		c.stats.Analyses++
		watchers := make([]*watcher, 0, len(c.watch))
		for w := range c.watch {
			watchers = append(watchers, w)
		}
		c.mu.Unlock()
		for _, w := range watchers {
			w.told(q)
		}
		return lead(ctx, work, c, q, f, find, pack)
	}
}

// lead does the work of a flight on the caller's goroutine.
func lead[T any](ctx, work context.Context, c *Cache, q Question, f *flight, find func(context.Context) (T, error), pack func(T) packed[T]) (T, error) {
	leave := context.AfterFunc(ctx, func() { c.leave(f) })
	var kept *entry
	defer func() {
		leave()
		f.stop()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.under, q)
		if kept != nil {
			c.put(kept)
		}
		close(f.over)
	}()
	found, err := find(work)
	if err != nil {
		f.err = err
		if cerr := ctx.Err(); cerr != nil {
			err = fmt.Errorf("look for %s: %w", q.What, cerr)
		}
		return found, err
	}
	answer := pack(found)
	f.value, f.err = answer, nil
	kept = &entry{q, answer.size + entryBytes, answer}
	return found, nil
}

// wait ends with the flight or with the caller's context.
func (c *Cache) wait(ctx context.Context, f *flight) error {
	select {
	case <-f.over:
		return nil
	case <-ctx.Done():
		c.leave(f)
		return ctx.Err()
	}
}

// leave takes a caller off a flight, and stops the work after the last one.
func (c *Cache) leave(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		c.stats.Stopped++
		f.stop()
	}
}

// put keeps an answer, and drops those that were not asked for longest. The caller holds mu.
func (c *Cache) put(e *entry) {
	if e.size > c.most {
		return
	}
	c.found[e.question] = c.order.PushFront(e)
	for c.size += e.size; c.size > c.most; {
		old := c.order.Remove(c.order.Back()).(*entry)
		delete(c.found, old.question)
		c.size -= old.size
	}
}
