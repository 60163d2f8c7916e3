package segment

import _ "embed"

// Notice states what the embedded forests were learned from.
//
//go:embed NOTICE
var Notice string
