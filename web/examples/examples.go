// Package examples holds a picture for each agent of the catalog that shows what it does, made by `make pictures` and committed,
// and a neutral picture of each family for agents that an operator's catalog file adds.
package examples

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.webp *.svg
var files embed.FS

// Of returns the picture of an agent, or else that of its family, and the picture's media type.
func Of(agent, family string) (data []byte, mediaType string, err error) {
	data, err = files.ReadFile(agent + ".webp")
	if err == nil {
		return data, "image/webp", nil
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return nil, "", fmt.Errorf("read the example of %s: %w", agent, err)
	}
	data, err = files.ReadFile("family-" + strings.ToLower(family) + ".svg")
	if err != nil {
		return nil, "", fmt.Errorf("read the picture of family %s: %w", family, err)
	}
	return data, "image/svg+xml", nil
}
