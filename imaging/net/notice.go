package net

import _ "embed"

// Notice names the origin, licence and SHA-256 of each embedded network.
//
//go:embed NOTICE
var Notice string
