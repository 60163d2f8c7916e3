package render

import (
	"atelier/catalog"
	"atelier/imaging/analysis"
	"atelier/imaging/segment"
)

// engine is how closely a request is worked on.
type engine struct {
	tries int // completions that are begun, of which the one that joins best is carried out
	edges int // long side in pixels at which the edges of cut-outs are found
	head  int // long side in pixels of a portrait that a face is taken from
	place int // long side in pixels of a location's photograph
}

// The documents call engines fast and of high quality (Run API, "Original agents as run agents") and do not say in what they differ.
var (
	usualEngine    = engine{tries: 1, edges: 1024, head: headSide, place: 1600}
	strongerEngine = engine{tries: 4, edges: analysis.StrongerSide, head: 1600, place: 2400}
)

// StrongerPixels is how many pixels of a picture the stronger engine finds edges at, at most.
const StrongerPixels = analysis.StrongerSide * analysis.StrongerSide

// engine is the engine that the request names, the usual one without a name.
func (r Request) engine() engine {
	if catalog.Stronger(r.Values) {
		return strongerEngine
	}
	return usualEngine
}

// segmentation is how cut-outs are made.
func (e engine) segmentation() segment.Options { return segment.Options{Fine: e.edges} }
