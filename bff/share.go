package bff

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
)

// shares is the purpose of addresses under which the image service fetches videos and sounds.
const shares = "media1"

// shareFor is how long such an address works: a service that is busy may fetch late.
const shareFor = 24 * time.Hour

// mediaURL is an address of a video or sound for who has no session: it ends by itself and cannot be guessed.
func (s *Server) mediaURL(id atelier.AssetID) string {
	subject := string(id) + "." + strconv.FormatInt(s.c.Now().Add(shareFor).Unix(), 10)
	return strings.TrimRight(s.c.PublicURL, "/") + "/media/" + subject + "." + s.proof(shares, subject)
}

// sharedMedium sends a video or sound to who has its address.
func (s *Server) sharedMedium(w http.ResponseWriter, r *http.Request, _ visitor) error {
	nothing := atelier.Refuse(atelier.NotFound, words.RequestNothing)
	subject, ok := s.proven(shares, r.PathValue("token"))
	if !ok {
		return nothing
	}
	id, until, _ := strings.Cut(subject, ".")
	end, err := strconv.ParseInt(until, 10, 64)
	if err != nil || !s.c.Now().Before(time.Unix(end, 0)) {
		return nothing
	}
	a, err := s.c.DB.LoadAsset(r.Context(), atelier.AssetID(id))
	if err != nil {
		return err
	}
	if a.Kind == "image" {
		return nothing
	}
	return s.serveBlob(w, r, served{sha: a.SHA256, format: formatOf(a), name: "media", attach: true})
}
