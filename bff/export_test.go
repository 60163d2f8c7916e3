package bff

import "atelier/atelier"

// MediaURL is the address the image service is given for a video or sound.
func (s *Server) MediaURL(id atelier.AssetID) string { return s.mediaURL(id) }
