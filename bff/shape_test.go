package bff

import (
	"strings"
	"testing"
)

// What a request needs is let through however it comes in pieces, and brackets in a text are none.
func TestAShapeIsCountedAsItIsRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body          string
		tokens, depth int
		word          string // of the refusal; "" = none
	}{
		"a request":          {`{"agent":"x","values":{"a":[1,2,"3"]},"title":null}`, 13, 0, ""},
		"brackets in a text": {`{"a":"[[[{{{,,,"}`, 3, 0, ""},
		"a quoted quote":     {`{"a":"\"[,","b":"\\"}`, 6, 0, ""},
		"as many":            {"[" + strings.Repeat("1,", maxTokens-1), maxTokens, 1, ""},
		"one more":           {"[" + strings.Repeat("1,", maxTokens), 0, 0, "100000 values"},
		"many texts":         {"[" + strings.Repeat(`"",`, maxTokens/2), 0, 0, "100000 values"},
		"many objects":       {"[" + strings.Repeat("{},", maxTokens/2), 0, 0, "100000 values"},
		"as deep":            {strings.Repeat("[", maxDepth), maxDepth, maxDepth, ""},
		"deeper":             {strings.Repeat("[", maxDepth+1), 0, 0, "64 levels"},
		"a long text":        {`"` + strings.Repeat("[", 1<<20) + `"`, 1, 0, ""},
	} {
		for _, piece := range []int{1, 7, len(tt.body)} {
			var s shape
			var err error
			for at := 0; at < len(tt.body) && err == nil; at += piece {
				_, err = s.Write([]byte(tt.body[at:min(at+piece, len(tt.body))]))
			}
			if tt.word != "" {
				if err == nil || !strings.Contains(err.Error(), tt.word) {
					t.Errorf("%s in pieces of %d: %v, want a sentence with %q", name, piece, err, tt.word)
				}
				continue
			}
			if err != nil || s.tokens != tt.tokens || s.depth != tt.depth {
				t.Errorf("%s in pieces of %d: %d, %d deep, %v, want %d, %d deep", name, piece, s.tokens, s.depth, err, tt.tokens, tt.depth)
			}
		}
	}
}
