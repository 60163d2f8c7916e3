package upstream

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAnAnswerIsReadableHoweverLongItsTextsAre(t *testing.T) {
	t.Parallel()
	type told struct {
		Name  string   `json:"name"`
		Texts []string `json:"texts"`
		Image string   `json:"image"`
	}
	mask := strings.Repeat("iVBORw0KGgo\u00e9\"\\", 30)
	for _, tt := range []struct {
		name  string
		texts []string
		kept  int // of the texts, from the first
	}{
		{"short ones", []string{mask, "", "x"}, 3},
		{"many short ones", make([]string, 1000), 1000},
		{"one that just fits", []string{strings.Repeat("a", shortText+longTexts-1)}, 1},
		{"one that is too long", []string{strings.Repeat("a", 3*longTexts)}, 0},
		{"many long ones", []string{strings.Repeat("a", longTexts/2), strings.Repeat("b", longTexts/2), strings.Repeat("c", longTexts), strings.Repeat("d", longTexts)}, 2},
		{"one of escapes alone", []string{strings.Repeat("\"", 2*longTexts)}, 0},
		{"one of long escapes", []string{strings.Repeat("<\u2028", longTexts)}, 0},
	} {
		raw, err := json.Marshal(told{"x", tt.texts, "https://pictures.example/1.png"})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(newLean(iotest.HalfReader(strings.NewReader(string(raw)))))
		if err != nil || len(body) > maxAnswer {
			t.Errorf("%s: %d bytes, %v", tt.name, len(body), err)
		}
		var got told
		if err := json.Unmarshal(body, &got); err != nil || got.Name != "x" || got.Image == "" || len(got.Texts) != len(tt.texts) {
			t.Errorf("%s: %v, %d texts", tt.name, err, len(got.Texts))
			continue
		}
		for i, text := range got.Texts {
			if (text == tt.texts[i]) != (i < tt.kept) || !strings.HasPrefix(tt.texts[i], strings.TrimRight(text, "�")) {
				t.Errorf("%s: text %d has %d of %d bytes", tt.name, i, len(text), len(tt.texts[i]))
			}
		}
	}
}

func FuzzLeanChangesNothingThatIsShort(f *testing.F) {
	f.Add(`{"a":"\"\\","b":["é",""]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > shortText {
			return
		}
		if body, err := io.ReadAll(newLean(strings.NewReader(raw))); err != nil || string(body) != raw {
			t.Errorf("%q became %q, %v", raw, body, err)
		}
	})
}
