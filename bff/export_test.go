package bff

import (
	"context"
	"time"

	"atelier/atelier"
	"atelier/bff/jobs"
)

// MediaURL is the address the image service is given for a video or sound.
func (s *Server) MediaURL(id atelier.AssetID) string { return s.mediaURL(id) }

// Jobs is the background work.
func (s *Server) Jobs() *jobs.Engine { return s.jobs }

// HoldAccounts keeps the accounts from changing, as the removal of unused keys does, until release.
func (s *Server) HoldAccounts() (release func()) {
	s.connections.changing.Lock()
	return s.connections.changing.Unlock
}

// WatchEvery is how often is looked whether sessions were ended elsewhere.
const WatchEvery = watchEvery

// MaxConverting is how many conversions of one user are under way or wait.
const MaxConverting = maxConverting

// BeginConverting stands for a conversion that is under way.
func (s *Server) BeginConverting(user atelier.UserID) (done func(), err error) {
	return s.converting.begin(user)
}

// HoldBodies takes all memory for large bodies until it is given back.
func (s *Server) HoldBodies(ctx context.Context) (release func()) {
	if err := s.bodies.memory.Acquire(ctx, bodyMemory); err != nil {
		panic(err)
	}
	return func() { s.bodies.memory.Release(bodyMemory) }
}

// BodiesFree says whether no large body holds any.
func (s *Server) BodiesFree() bool {
	free := s.bodies.memory.TryAcquire(bodyMemory)
	if free {
		s.bodies.memory.Release(bodyMemory)
	}
	return free
}

// ImagePath is the address of our copy of a picture of the image service.
func (s *Server) ImagePath(url string) string { return s.imagePath(url) }

// SetImageTime says how long a picture of the image service may take to come.
func (s *Server) SetImageTime(d time.Duration) { s.images.time = d }
