package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"

	"atelier/app/words"
)

// spoken is a control as those who do not see it are told of it.
type spoken struct {
	Role, Name, Description string
	Required, Invalid       bool
}

// controlRoles are what the boxes and groups of a form are.
var controlRoles = []string{"textbox", "spinbutton", "combobox", "switch", "radiogroup", "group", "slider", "ColorWell", "searchbox"}

// spoken reads the controls out of the browser's own accessibility tree.
func (b *tab) spoken() (all []spoken) {
	b.t.Helper()
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	text := func(v *accessibility.Value) string {
		var s any
		if v == nil || json.Unmarshal([]byte(v.Value), &s) != nil {
			return ""
		}
		switch s := s.(type) {
		case string:
			return strings.Join(strings.Fields(s), " ")
		case bool:
			return map[bool]string{true: "true", false: "false"}[s]
		}
		return ""
	}
	for _, n := range tree.Nodes {
		if n.Ignored || !slices.Contains(controlRoles, text(n.Role)) {
			continue
		}
		one := spoken{Role: text(n.Role), Name: text(n.Name), Description: text(n.Description)}
		for _, p := range n.Properties {
			one.Required = one.Required || p.Name == "required" && text(p.Value) == "true"
			one.Invalid = one.Invalid || p.Name == "invalid" && text(p.Value) == "true"
		}
		all = append(all, one)
	}
	return all
}

// seen is a field as those who see it read it.
type seen struct {
	Field, Label string
	Needed       bool
	Grouped      bool
	Problem      string
	Said         []string // help, note and problem
}

const fieldsSeen = `[...document.querySelectorAll("#inspector .field[data-testid]")].filter(f => f.checkVisibility()).map(f => {
	const text = e => (e?.innerText ?? "").trim().split(/\s+/).join(" ");
	return {Field: f.dataset.testid, Label: text(f.querySelector(".field__label")), Needed: !!f.querySelector(".field__needed"),
		Grouped: !f.querySelector("label.field__label") && !f.querySelector("[role=radiogroup]"), Problem: text(f.querySelector(".field__problem")),
		Said: [...f.querySelectorAll(":scope > .field__help, :scope > .field__note, .field__problem")].map(text)};
})`

// Whoever hears a form instead of seeing it is told the same: what each field is called, what it is for, that it is needed, that
// something is wrong with it and what.
func TestAFormSaysTheSameToThoseWhoHearIt(t *testing.T) {
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	for _, agent := range []string{"aimodel", "removeBG", "expandimage", "ai-clothes-changer", "frames-to-video", "advanced-video", "multimodal-video", "image-search"} {
		t.Run(agent, func(t *testing.T) {
			b := b.on(t)
			b.chooseAgent(agent)
			b.waitUntil(`!document.querySelector("#inspector [aria-busy=true]")`)
			if b.count(sel("more")) > 0 {
				b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#inspector details").open = true`))
			}
			b.click("generate")
			b.waitFor("#inspector .inspector__hint--bad")
			if wrong := evaluate[string](b, `[...document.querySelectorAll("#inspector [aria-labelledby], #inspector [aria-describedby], #inspector label[for]")].filter(e =>
				["aria-labelledby", "aria-describedby", "for"].some(a => (e.getAttribute(a) ?? "").split(" ").some(id => id && !document.getElementById(id))) ||
				e.matches("label") && !e.control).map(e => e.outerHTML.slice(0, 200)).join("\n")`); wrong != "" {
				t.Errorf("these point at nothing:\n%s", wrong)
			}
			heard := b.spoken()
			for _, one := range heard {
				if one.Name == "" {
					t.Errorf("a %s has no name: %+v", one.Role, one)
				}
			}
			for _, field := range evaluate[[]seen](b, fieldsSeen) {
				named := slices.DeleteFunc(slices.Clone(heard), func(o spoken) bool { return o.Name != field.Label })
				if len(named) == 0 {
					t.Errorf("%s: nothing is called %q", field.Field, field.Label)
					continue
				}
				for _, text := range field.Said {
					if !slices.ContainsFunc(named, func(o spoken) bool { return strings.Contains(o.Description, text) }) {
						t.Errorf("%s: %q is read and not heard: %+v", field.Field, text, named)
					}
				}
				if field.Needed && !strings.Contains(field.Label, words.FieldNeeded) || field.Needed && !field.Grouped && !slices.ContainsFunc(named, func(o spoken) bool { return o.Required }) {
					t.Errorf("%s: it is needed and nobody hears it: %+v", field.Field, named)
				}
				if field.Problem != "" && !field.Grouped && !slices.ContainsFunc(named, func(o spoken) bool { return o.Invalid }) {
					t.Errorf("%s: it is wrong and nobody hears it: %+v", field.Field, named)
				}
			}
		})
	}
}
