package model

import "math/rand/v2"

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

// IntentPrefix is where intents without an answer are kept in the browser.
const IntentPrefix = "intent/"

// MaskPrefix is where unfinished masks are kept, by asset.
const MaskPrefix = "mask/"
