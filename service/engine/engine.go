// Package engine describes the servers that make pictures with generative models, and what is asked of them. Each
// protocol has an adapter in a package of its own below this one.
//
// Contracts of the protocols differ in mask polarity, sizes, cancelling and crash safety. An adapter hides the first
// three; the last shows in Abilities, since it decides whether work may be sent twice.
package engine

import (
	"context"
	"image"
	"slices"

	"atelier/imaging/mask"
)

// Mode is what a job asks of an engine.
type Mode string

// The modes.
const (
	// Inpaint redraws the masked part of the first picture.
	Inpaint Mode = "inpaint"
	// Edit makes a picture of one or more pictures by an instruction.
	Edit Mode = "edit"
	// Text makes a picture of words alone.
	Text Mode = "text"
)

// Job is one picture to be made.
type Job struct {
	Mode Mode
	// Pictures are PNG files without metadata, in the order in which Prompt numbers them from 1. The first of an
	// Inpaint job has the dimensions Size.
	Pictures [][]byte
	// Mask is 255 where an Inpaint job redraws and 0 where it keeps, of the dimensions Size. The zero value belongs
	// to the other modes.
	Mask mask.Plane
	// Prompt says what to make, and Negative what to avoid. Negative is empty for an engine without Abilities.Negative.
	Prompt, Negative string
	// Size is the size wanted in pixels. An engine may answer with another one.
	Size image.Point
	// Seed is not negative. An engine that takes fewer bits uses the lowest ones.
	Seed int64
	// Strength is how far the redrawn part may leave the original, above 0 up to 1.
	Strength float64
	// Steps and CFG are the sampler's steps and guidance scale; 0 leaves them to the engine.
	Steps int
	CFG   float64
	// Quality is low, medium or high; "" leaves it to the engine.
	Quality string
	// Transparent asks for a picture without a background.
	Transparent bool
	// Workflow names a graph of the operator's; "" lets the adapter choose one by Mode.
	Workflow string
}

// Abilities is what a server was found to do.
type Abilities struct {
	// Protocol is comfyui, openai, sdapi or sdcpp.
	Protocol string
	// Model is the model's name as the server or the operator gives it; "" when it is not known.
	Model string
	// Version is the server's, "" when it does not say.
	Version string
	// Modes are those that the server can be asked for.
	Modes []Mode
	// References is how many pictures an Edit job may have beside the first.
	References int
	// Workflows are the operator's graphs that the server can run.
	Workflows []string
	Negative  bool // takes Job.Negative
	Seed      bool // the same seed gives the same picture
	Progress  bool // tells how far it is
	// Sizes are the only sizes it makes; empty means any whose sides are multiples of Multiple from Least to Most.
	Sizes                 []image.Point
	Multiple, Least, Most int
	// Paid means that a request costs money: work that may have been sent is never sent again.
	Paid bool
	// Resumable means that Watch finds begun work by its Handle after a restart.
	Resumable bool
	// Remote means that pictures leave the operator's machines.
	Remote bool
}

// Does reports whether the server takes jobs of a mode.
func (a Abilities) Does(m Mode) bool { return slices.Contains(a.Modes, m) }

// Engine is a server that makes pictures. Its methods may be called from any goroutine, and their errors wrap *Error
// where the server or the network is the cause.
type Engine interface {
	// Probe asks the server what it can do.
	Probe(ctx context.Context) (Abilities, error)
	// Begin hands over a job under an id of the caller's, a lower-case UUID. With Abilities.Resumable the server has
	// the job when Begin returns; without it the work begins with Watch.
	Begin(ctx context.Context, id string, job Job) (Handle, error)
	// Watch waits for the picture and gives its file. progress hears the fraction done, 0 to 1. An end of ctx ends
	// the wait and leaves the work to the server.
	Watch(ctx context.Context, h Handle, progress func(float64)) ([]byte, error)
	// Cancel ends begun work where the server can do so without touching the work of others. Work that has ended stays.
	Cancel(ctx context.Context, h Handle) error
}

// Handle is begun work.
type Handle struct {
	// ID names the work at the server. Of a Resumable engine it is enough for Watch and Cancel.
	ID string
	// Job is what was begun, for engines whose work begins with Watch.
	Job Job
}
