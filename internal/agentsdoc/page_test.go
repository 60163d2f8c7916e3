package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/catalog"
)

func TestThePageTellsOfEveryAgentFieldAndRule(t *testing.T) {
	text := page(catalog.All())
	for _, a := range catalog.All() {
		if !strings.Contains(text, "| `"+a.Name+"` | "+a.Title+" | "+a.Summary) {
			t.Errorf("%s has no row", a.Name)
		}
		for _, r := range a.Rules {
			if !strings.Contains(text, r.Message) {
				t.Errorf("%s: the rule %q is not told", a.Name, r.Message)
			}
		}
	}
	for _, want := range []string{
		"| `targetWidth` | yes | whole number 1 to 4096 px | |",
		"whole number 1 to 16; another number is replaced by the default | 4 (task), 1 (run) |",
		"| `generateVersion` (run only) | | `lite` `pro` | lite |",
		"| `images` | yes | 2 images; 1 Person; 2 Garment | |",
		"| `duration` | | 4s to 30s `-1` | |",
		"Results are read from the field `image`, whatever is made.",
		"- `imageSize`: noted, without effect when `modelName` is not `nano`. *The size has no effect here: only the Nano engine uses it.*",
		"- `customMask`, `customMaskUrl`: exactly one is given when `maskType` is `custom` (run only).",
		"- `customMask`, `customMaskUrl`: at least one is given when `maskType` is `custom` (task only).",
		"- `aspectRatio`: noted, `adaptive` counts as `16:9` when `firstFrame` is not given and `images` is not given and `videos` is not given.",
		"- `videos`, `extendVideo`: each mp4 or mov, short side 480 or 720 px, 2 to 30 s.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestAPageThatIsOutOfDateIsFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "agents.md")
	if err := run(file, false); err != nil {
		t.Fatal(err)
	}
	if err := run(file, true); err != nil {
		t.Errorf("what was just written is out of date: %v", err)
	}
	if err := os.WriteFile(file, []byte("# Agents\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(file, true); err == nil || !strings.Contains(err.Error(), "make generate") {
		t.Errorf("a page of another time gives %v", err)
	}
	if err := run(filepath.Join(t.TempDir(), "none.md"), true); err == nil {
		t.Error("a page that is not there passes")
	}
}
