package catalog

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// All gives every agent of the documents, in the order the studio shows them. The caller may change what it gets.
func All() []Agent {
	return slices.Concat(originals(), familyA(), familyB(), familyC(), familyD(), familyE(), familyF(), familyG())
}

// Set is the agents that one product offers: those of the documents, or what the operator made of them. It is never
// changed once it is made and may be read by many at a time.
type Set struct{ agents []Agent }

// NewSet makes a set of agents with different names; nil means All. The set keeps the slice.
func NewSet(agents []Agent) *Set {
	if agents == nil {
		agents = All()
	}
	return &Set{agents}
}

// All gives every agent, in the order the studio shows them. It is shared: read, don't write.
func (s *Set) All() []Agent { return s.agents }

// Find gives the agent of that name and version, any version when version is "". Its slices are shared: read, don't write.
func (s *Set) Find(name, version string) (Agent, bool) {
	for _, a := range s.agents {
		if a.Name == name && (version == "" || a.Version == version) {
			return a, true
		}
	}
	return Agent{}, false
}

// known is made when it is first asked for, and named by nothing that runs before: so the browser's client, which reads
// the catalog over HTTP, need not contain it.
var known struct {
	once sync.Once
	set  *Set
}

// documented is the agents of the documents.
func documented() *Set {
	known.once.Do(func() { known.set = NewSet(All()) })
	return known.set
}

// Find gives the agent of the documents of that name and version, any version when version is "". Its slices are shared:
// read, don't write.
func Find(name, version string) (Agent, bool) { return documented().Find(name, version) }

// Param gives the param of that name.
func (a Agent) Param(name string) (Param, bool) {
	i := slices.IndexFunc(a.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return a.Params[i], true
}

// File gives the file field of that name.
func (a Agent) File(name string) (File, bool) {
	i := slices.IndexFunc(a.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return File{}, false
	}
	return a.Files[i], true
}

// Model is the name of the agent of the documents that the embedded service works like: its own, or that of its shape.
func (a Agent) Model() string {
	if a.Like != "" {
		return a.Like
	}
	return a.Name
}

// Source gives the file field whose picture is worked on and which masks belong to.
func (a Agent) Source() (File, bool) {
	i := slices.IndexFunc(a.Files, func(f File) bool { return f.Source })
	if i < 0 {
		return File{}, false
	}
	return a.Files[i], true
}

// Counts tells how many files a field takes: "2", "0–5".
func (f File) Counts() string {
	if f.Min == f.Max {
		return strconv.Itoa(f.Max)
	}
	return strconv.Itoa(f.Min) + "–" + strconv.Itoa(f.Max)
}

// Takes names the files of an agent and how many of each, as in "images 2, videos 0–1"; "words" where it takes none.
func (a Agent) Takes() string {
	if len(a.Files) == 0 {
		return "words"
	}
	words := make([]string, len(a.Files))
	for i, f := range a.Files {
		words[i] = f.Name + " " + f.Counts()
	}
	return strings.Join(words, ", ")
}

// On says whether the agent exists on the surface.
func (a Agent) On(s Surface) bool { return slices.Contains(a.Surfaces, s) }

// Default gives what the service takes on that surface when the param is absent; nil when there is no default.
func (a Agent) Default(s Surface, param string) any {
	p, ok := a.Param(param)
	if !ok {
		return nil
	}
	return p.DefaultOn(s)
}

// Results is how many results a run makes: its batchCount, or the default where that is no whole number in range; one where the agent has
// no such param on the surface. Of an agent that is not known any more it believes the value.
func Results(a Agent, s Surface, v Values) int {
	p, ok := a.Param("batchCount")
	if known := a.Name != ""; known && (!ok || !p.On(s)) {
		return 1
	}
	for _, given := range []any{v["batchCount"], p.DefaultOn(s)} {
		if n, ok := number(given); ok && n == math.Trunc(n) && n >= 1 && p.inRange(n) {
			return int(n)
		}
	}
	return 1
}

// On says whether the param is read on the surface.
func (p Param) On(s Surface) bool { return len(p.Surfaces) == 0 || slices.Contains(p.Surfaces, s) }

// DefaultOn is the param's default on the surface, nil when it has none.
func (p Param) DefaultOn(s Surface) any {
	if o, ok := p.PerSurface[s]; ok && o.Default != nil {
		return o.Default
	}
	return p.Default
}

// RequiredOn says whether the param must be given on the surface.
func (p Param) RequiredOn(s Surface) bool {
	if o, ok := p.PerSurface[s]; ok && o.Required != nil {
		return *o.Required
	}
	return p.Required
}

func (r Rule) on(s Surface) bool { return len(r.Surfaces) == 0 || slices.Contains(r.Surfaces, s) }

// ETagOf is the HTTP entity tag of these agents' JSON; equal agents have equal tags.
func ETagOf(agents []Agent) string {
	h := fnv.New64a()
	if err := json.NewEncoder(h).Encode(agents); err != nil {
		panic("catalog: an agent holds what JSON cannot write: " + err.Error())
	}
	return `"` + strconv.FormatUint(h.Sum64(), 36) + `"`
}
