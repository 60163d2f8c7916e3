package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"

	"atelier/app/words"
	"atelier/catalog"
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

// fieldsOf are the fields of an agent's form. What is on the stage has none: the source and the mask.
func fieldsOf(a catalog.Agent) (names []string) {
	for _, f := range a.Files {
		if !f.Source {
			names = append(names, f.Name)
		}
	}
	for _, p := range a.Params {
		if p.Kind != catalog.MaskPNG && p.Kind != catalog.MaskURL {
			names = append(names, p.Name)
		}
	}
	return names
}

// differentForms are the first agents of those whose forms are put together from the same kinds of fields: kinds of params, and media of
// files, one of them or several, beside the picture on the stage or without one.
func differentForms() (agents []catalog.Agent) {
	seen := map[string]bool{}
	for _, a := range catalog.All() {
		var kinds []string
		for _, p := range a.Params {
			kinds = append(kinds, string(p.Kind))
		}
		for _, f := range a.Files {
			kinds = append(kinds, fmt.Sprintf("%s, several %t, on the stage %t", f.Media, f.Max > 1, f.Source))
		}
		slices.Sort(kinds)
		if form := strings.Join(slices.Compact(kinds), "; "); !seen[form] {
			seen[form] = true
			agents = append(agents, a)
		}
	}
	return agents
}

// Whoever hears a form instead of seeing it is told the same: what each field is called, what it is for, that it is needed, that
// something is wrong with it and what. That holds of every set of kinds of fields that an agent's form is put together from.
func TestFormsTellScreenReadersWhatIsSeen(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	forms := differentForms()
	if len(forms) < 19 {
		t.Errorf("only %d forms are put together differently", len(forms))
	}
	for _, agent := range forms {
		t.Run(agent.Name, func(t *testing.T) {
			b := b.on(t)
			b.chooseAgent(agent.Name)
			b.waitUntil(`!document.querySelector("#inspector [aria-busy=true]")`)
			if b.count(sel("more")) > 0 {
				b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#inspector details").open = true`))
			}
			// A field has its place in the form, or the reason stands there why it takes nothing.
			for _, field := range fieldsOf(agent) {
				if b.count("#inspector "+sel("field-"+field)+", #inspector "+sel("closed-"+field)) != 1 {
					t.Errorf("%s is not in the form", field)
				}
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
