package model

import (
	"crypto/rand"
	"strings"
)

// NewIntentKey makes the key under which a run is asked for: 26 characters out of 128 random bits. The same key always
// means the same run, so it is made once per click and kept until the server has answered.
func NewIntentKey() string { return strings.ToLower(rand.Text()) }

// IntentPrefix is where intents without an answer are kept in the browser.
const IntentPrefix = "intent/"

// MaskPrefix is where unfinished masks are kept, by asset.
const MaskPrefix = "mask/"

// RunMaskPrefix is where the masks that runs were asked with are kept, by the intent.
const RunMaskPrefix = "run-mask/"
