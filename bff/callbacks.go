package bff

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"atelier/atelier"
	"atelier/bff/words"
)

// maxCallback bounds a callback's body, in bytes.
const maxCallback = 1 << 20

// proof is what makes an address of ours unguessable: 132 bits that only we can make for a subject.
func (s *Server) proof(purpose, subject string) string {
	mac := hmac.New(sha256.New, s.c.CallbackKey)
	mac.Write([]byte(purpose + "|" + subject))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:22]
}

// proven splits a token into its subject and checks the proof in constant time.
func (s *Server) proven(purpose, token string) (subject string, ok bool) {
	i := strings.LastIndexByte(token, '.')
	if i < 0 || len(token) > 4096 {
		return "", false
	}
	return token[:i], hmac.Equal([]byte(token[i+1:]), []byte(s.proof(purpose, token[:i])))
}

// seal makes what is kept of requests readable for this studio alone: they hold addresses with proofs in them. It takes no nonce.
func (c *Config) seal() (cipher.AEAD, error) {
	mac := hmac.New(sha256.New, c.CallbackKey)
	mac.Write([]byte("sent1"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		return nil, fmt.Errorf("prepare to seal requests: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("prepare to seal requests: %w", err)
	}
	return aead, nil
}

const callbacks = "cb1"

// callbackURL is where the image service may call about a run, where there is a public address.
func (s *Server) callbackURL(id atelier.RunID) string {
	return strings.TrimRight(s.c.PublicURL, "/") + "/callbacks/v1/" + string(id) + "." + s.proof(callbacks, string(id))
}

// callCount counts the callbacks since the start.
type callCount struct{ taken, refused atomic.Int64 }

// mayCall says whether callbacks are taken from where a request came from.
func (s *Server) mayCall(r *http.Request) bool {
	if len(s.c.CallbackAllow) == 0 {
		return true
	}
	from, err := netip.ParseAddr(s.ip(r))
	return err == nil && slices.ContainsFunc(s.c.CallbackAllow, func(p netip.Prefix) bool { return p.Contains(from) })
}

// callback keeps what the image service tells about a run and answers as it wants to be answered (Task API, "Events"). The
// body is believed nothing: it carries no signature, so it is only a hint to ask.
func (s *Server) callback(w http.ResponseWriter, r *http.Request, _ visitor) error {
	subject, ok := s.proven(callbacks, r.PathValue("token"))
	if !ok || !s.mayCall(r) {
		s.calls.refused.Add(1)
		return atelier.Refuse(atelier.NotFound, words.RequestNothing)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCallback))
	if err != nil {
		s.calls.refused.Add(1)
		return err
	}
	digest := sha256.Sum256(body)
	sum, run := hex.EncodeToString(digest[:]), atelier.RunID(subject)
	text := strings.ToValidUTF8(strings.ReplaceAll(string(body), "\x00", ""), "�")
	if err := s.c.DB.SaveCallback(r.Context(), run, sum, text, s.ip(r), s.jobs.Hint(run, sum)); err != nil {
		return err
	}
	s.calls.taken.Add(1)
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Cache-Control", "no-store")
	if _, err := io.WriteString(w, "SUCCESS"); err != nil {
		return nil //nolint:nilerr // it is stored; the service will call again
	}
	return nil
}
