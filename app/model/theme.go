package model

// Theme is the choice between light, dark and what the system says.
type Theme string

// The themes.
const (
	System Theme = ""
	Light  Theme = "light"
	Dark   Theme = "dark"
)

// ReadTheme reads a remembered theme; anything unknown is System.
func ReadTheme(s string) Theme {
	if t := Theme(s); t == Light || t == Dark {
		return t
	}
	return System
}
