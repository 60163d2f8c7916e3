package main

import (
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
)

// What is secret is not logged where it is known. This is the second net, for what gets into a line by mistake: a value under a name
// that stands for a secret, and the addresses that let in whoever has them.

const redacted = "[redacted]"

// secretNames are what secrets are called, as a part of the name of an attribute, in lower case.
var secretNames = []string{"authorization", "cookie", "password", "secret", "token", "apikey", "api_key", "signature", "proof", "credential"}

var (
	// proofs stand at the end of the addresses of callbacks and of shared files.
	proofs = regexp.MustCompile(`(/(?:callbacks/v1|media|review|api/images)/[^\s"'/?]*\.)[A-Za-z0-9_-]{16,}`)
	// files are the names of the image service's, which let in whoever knows them; those of presets are no secret.
	files = regexp.MustCompile(`(/openapi/files/)[A-Za-z0-9_-]{16,}`)
	// entries open the studio.
	entries = regexp.MustCompile(`(#(?:launch|setup)=)[^\s"']+`)
	// signed are the values in an address under names that stand for a secret.
	signed = regexp.MustCompile(`(?i)([?&][a-z0-9_.-]*(?:signature|sig|token|secret|credential|apikey|api_key|password)[a-z0-9_.-]*=)[^\s"'&#]+`)
)

// redact is for slog.HandlerOptions.
func redact(_ []string, a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	name := strings.ToLower(a.Key)
	if slices.ContainsFunc(secretNames, func(s string) bool { return strings.Contains(name, s) }) {
		return slog.String(a.Key, redacted)
	}
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(redactText(v))
	case error:
		a.Value = slog.StringValue(redactText(v.Error()))
	case fmt.Stringer:
		if a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(redactText(v.String()))
		}
	}
	return a
}

func redactText(s string) string {
	for _, what := range []*regexp.Regexp{proofs, files, entries, signed} {
		s = what.ReplaceAllString(s, "${1}"+redacted)
	}
	return s
}
