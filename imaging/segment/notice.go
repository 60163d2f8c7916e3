package segment

import _ "embed"

// Notice states what the embedded weights were learned from.
//
//go:embed NOTICE
var Notice string
