package model

import (
	"math/rand/v2"
	"time"

	"atelier/atelier"
)

// NewIntentKey makes the key under which a run is asked for: 26 characters out of 130 random bits. The same key always
// means the same run, so it is made once per click and kept until the server has answered. It is a name and no secret: it
// comes from Go's own generator, which the browser's cryptographic one seeds.
func NewIntentKey() string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	key := make([]byte, 26)
	for i := range key {
		key[i] = letters[rand.IntN(len(letters))]
	}
	return string(key)
}

// Intent is a request for a run as it is kept in the browser until the server has answered.
type Intent struct {
	atelier.StartRun
	KeptAt time.Time `json:"keptAt,omitzero"`
}

// intentLasts is how long a request without an answer is sent again without asking.
const intentLasts = 24 * time.Hour

// Old says whether a request waits for so long that it may no longer be wanted. One without its time was kept by an earlier client.
func (i Intent) Old(now time.Time) bool { return now.Sub(i.KeptAt) >= intentLasts }

// IntentPrefix is where intents without an answer are kept in the browser.
const IntentPrefix = "intent/"

// MaskPrefix is where unfinished masks are kept, by asset.
const MaskPrefix = "mask/"
