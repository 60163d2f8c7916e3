// Package words holds the words of the pages: all that a user of the studio reads or hears read out there, labels, titles, sentences, names for
// screen readers, tips, notices, empty states and what the studio itself calls an error. One file per page or part of a
// page; constants for what is fixed, functions for what holds numbers or names, with plurals and the order of words inside
// the function. A name says what the words are for, never what they say, and starts with the part of the page they are on.
//
// A second language is a second set of these files and nothing else: copy them, translate them, and choose by build tag
// ("//go:build !de" above the English one, "//go:build de" above the other; words.go and plain.go serve all). The compiler
// then says which word is missing or takes other arguments, a download holds one language only, and words cost nothing at
// run time.
//
// Some words have their places elsewhere: what an agent and its fields are called, and what is wrong with their values,
// stands in the catalog; what is wrong with a file or a mask in imaging/probe and imaging/mask, which the server uses too;
// the sentences of a refusal stand in bff/words and in db/words.go and are shown as they come; the component gallery (app/gallery) is
// for those who build the studio. What is not for people, such as classes, routes, events and keys as the browser names
// them, stays where it is used. A test in internal/archtest finds words that stand anywhere else.
package words
