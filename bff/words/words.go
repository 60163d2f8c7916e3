// Package words holds what the BFF says to a user: the sentences of refusals, what a run or a preset says of how it stands, notices, the
// pages behind a review link, and the names of what it puts into files. One file per subject; constants for what is fixed, functions for
// what holds numbers or names, with plurals and the order of words inside the function. A name says what the words are for, never what
// they say, and starts with the subject.
//
// A second language is a second set of these files and nothing else, chosen by build tag, as in app/words; words.go serves all. What is
// said of a run is kept with it in the language it was said in.
//
// Some words have their places elsewhere, each in one file named words.go: what the database refuses (db), what the client of the image
// service says where the service says nothing itself (upstream), and what is wrong with a file, a mask or a video (imaging). What an agent
// and its fields are called, and what is wrong with their values, stands in the catalog. What the image service says in its own words is
// shown as it comes. Logs, metrics and the terminal are for the operator and stand where they are written. A test in internal/archtest
// finds words that stand anywhere else.
package words

import "strconv"

// number writes a whole number within a sentence.
func number[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// plural writes a count with its noun.
func plural[T int | int64](n T, one, many string) string {
	if n == 1 {
		return number(n) + " " + one
	}
	return number(n) + " " + many
}

// size writes a size in pixels.
func size(w, h int) string { return number(w) + " × " + number(h) }
