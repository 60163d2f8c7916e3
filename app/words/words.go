// Package words holds every word a user of the studio reads or hears read out: labels, titles, sentences, names for
// screen readers, tips, notices, empty states and what the studio itself calls an error. One file per page or part of a
// page; constants for what is fixed, functions for what holds numbers or names, with plurals and the order of words inside
// the function. A name says what the words are for, never what they say, and starts with the part of the page they are on.
//
// A second language is a second set of these files and nothing else: copy them, translate them, and choose by build tag
// ("//go:build !de" above the English one, "//go:build de" above the other). The compiler then says which word is missing
// or takes other arguments, a download holds one language only, and constants cost nothing at run time.
//
// Three kinds of words have their places elsewhere: what an agent and its fields are called stands in the catalog, the
// sentences of a refusal are written by the server (bff) and shown as they come, and the component gallery (app/gallery)
// is for those who build the studio. What is not for people, such as classes, routes, events and names of keys as the
// browser gives them, stays where it is used. A test in internal/archtest finds words that stand anywhere else.
package words
