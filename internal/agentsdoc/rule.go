package main

import (
	"strings"

	"atelier/catalog"
)

// rule tells a rule in words: its fields, what is asked of them, and when.
func rule(r catalog.Rule) string {
	return code(r.Fields, ", ") + ": " + r.Asks(func(name string) string { return "`" + name + "`" })
}

func code(words []string, between string) string {
	return "`" + strings.Join(words, "`"+between+"`") + "`"
}
