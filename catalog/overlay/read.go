package overlay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// place is where something stands in the file, counted from 1.
type place struct{ line, column int }

// value is one value of the file: a text, a list, a mapping, or nothing.
type value struct {
	at    place
	kind  kind
	text  string
	items []value // of a list
	pairs []pair  // of a mapping, in their order
}

type kind int

const (
	nothing kind = iota
	scalar
	list
	mapping
)

func (k kind) String() string {
	return [...]string{"nothing", "a text", "a list", "a mapping"}[k]
}

type pair struct {
	at    place
	key   string
	value value
}

const (
	// maxBytes bounds the file; some five hundred agents fit.
	maxBytes = 128 << 10
	// maxDepth bounds how deep values may lie in one another; the deepest of ours lie five deep.
	maxDepth = 12
)

// parse reads the file's one document. What is wrong with its form goes to the report.
func (r *report) parse(data []byte) (root value) {
	if len(data) > maxBytes {
		r.refuse(place{1, 1}, "the file has %d bytes; at most %d are read", len(data), maxBytes)
		return root
	}
	if at, deep := bracketsTooDeep(data); deep {
		r.refuse(at, "values lie too deep in one another here")
		return root
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		r.syntax(err)
		return root
	}
	docs := slices.DeleteFunc(slices.Clone(file.Docs), func(d *ast.DocumentNode) bool { return d.Body == nil })
	switch len(docs) {
	case 0:
		return root
	case 1:
		return r.value(docs[0].Body, 0)
	}
	r.refuse(placeOf(docs[1].Body), "a second document begins here; the file holds one")
	return root
}

// bracketsTooDeep finds where more brackets are open than any file needs: the parser's time grows with the cube of their
// number. Brackets within texts are counted too, since hardly any file leaves so many open.
func bracketsTooDeep(data []byte) (at place, deep bool) {
	open := 0
	at = place{1, 0}
	for _, c := range data {
		at.column++
		switch c {
		case '\n':
			at = place{at.line + 1, 0}
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		}
		if open > 8*maxDepth {
			return at, true
		}
	}
	return at, false
}

func (r *report) syntax(err error) {
	if s, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		r.refuse(placeOfToken(s.Token), "%s", s.Message)
		return
	}
	r.refuse(place{1, 1}, "%v", err)
}

func placeOf(n ast.Node) place {
	switch n := n.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 {
			return placeOf(n.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return placeOf(n.Key)
	}
	return placeOfToken(n.GetToken())
}

func placeOfToken(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{t.Position.Line, t.Position.Column}
}

// value reads a node. Everything that is one word is taken as it is written, so that 16:9, -1 and true are texts.
func (r *report) value(n ast.Node, depth int) value {
	v := value{at: placeOf(n)}
	if depth > maxDepth {
		r.refuse(v.at, "values lie too deep in one another here")
		return v
	}
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		v.kind, v.text = scalar, n.Value
	case *ast.LiteralNode:
		v.kind, v.text = scalar, n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		v.kind, v.text = scalar, n.GetToken().Value
	case *ast.SequenceNode:
		v.kind = list
		for _, item := range n.Values {
			v.items = append(v.items, r.value(item, depth+1))
		}
	case *ast.MappingNode:
		v.kind = mapping
		for _, p := range n.Values {
			r.pair(&v, p, depth)
		}
	case *ast.MappingValueNode:
		v.kind = mapping
		r.pair(&v, n, depth)
	default:
		r.refuse(v.at, "anchors, aliases and tags are not read here")
	}
	return v
}

func (r *report) pair(v *value, n *ast.MappingValueNode, depth int) {
	key := r.value(n.Key, depth+1)
	if key.kind != scalar {
		r.refuse(key.at, "a key is one word")
		return
	}
	if slices.ContainsFunc(v.pairs, func(p pair) bool { return p.key == key.text }) {
		r.refuse(key.at, "%s stands here twice", key.text)
		return
	}
	v.pairs = append(v.pairs, pair{at: key.at, key: key.text, value: r.value(n.Value, depth+1)})
}

// report collects everything that is wrong with a file.
type report struct {
	file     string
	problems []problem
}

type problem struct {
	at   place
	text string
}

func (r *report) refuse(at place, format string, args ...any) {
	r.problems = append(r.problems, problem{at, fmt.Sprintf(format, args...)})
}

// err gives all problems in the order of the file, each with its line and column; nil when there is none.
func (r *report) err() error {
	slices.SortStableFunc(r.problems, func(a, b problem) int {
		if a.at.line != b.at.line {
			return a.at.line - b.at.line
		}
		return a.at.column - b.at.column
	})
	var out []error
	for _, p := range r.problems {
		out = append(out, fmt.Errorf("%s:%d:%d: %s", r.file, p.at.line, p.at.column, p.text))
	}
	return errors.Join(out...)
}

// is refuses a value of another kind.
func (r *report) is(v value, k kind, what string) bool {
	if v.kind == k {
		return true
	}
	hint := ""
	if k == scalar && v.kind == mapping {
		hint = `; a word with a colon, such as "16:9", needs quotes within { }`
	}
	r.refuse(v.at, "%s is %s, not %s%s", what, k, v.kind, hint)
	return false
}

// word gives a value that is one text of at most most characters, not blank.
func (r *report) word(v value, what string, most int) (string, bool) {
	if !r.is(v, scalar, what) {
		return "", false
	}
	if wrong := badText(v.text, most); wrong != "" {
		r.refuse(v.at, "%s %s", what, wrong)
		return "", false
	}
	return v.text, true
}
