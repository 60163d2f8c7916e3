// Package migrations holds the schema of the image service, one goose file per step.
package migrations

import "embed"

// Files are the migrations, oldest first by name.
//
//go:embed *.sql
var Files embed.FS
