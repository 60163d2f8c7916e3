package heic

import _ "embed"

// Notice states the origin, licences and SHA-256 of the embedded decoder.
//
//go:embed NOTICE
var Notice string
