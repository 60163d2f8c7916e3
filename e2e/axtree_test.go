package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// The roles that something with a name of its own has, and those that say something about their state.
var (
	namedRoles = []string{
		"button", "link", "textbox", "searchbox", "combobox", "listbox", "option", "checkbox", "radio", "switch", "slider", "spinbutton", "Date", "image", "dialog",
		"heading", "toolbar", "radiogroup", "navigation", "region", "Video", "tab",
	}
	roleStates = map[string]accessibility.PropertyName{
		"radio": accessibility.PropertyNameChecked, "checkbox": accessibility.PropertyNameChecked, "switch": accessibility.PropertyNameChecked,
		"option": accessibility.PropertyNameSelected, "combobox": accessibility.PropertyNameExpanded,
	}
	roleHomes = map[string][]string{"listitem": {"list"}, "option": {"listbox", "MenuListPopup"}, "radio": {"radiogroup"}}
)

// saidStates are the states that the elements of the page claim, each with the property of the tree that must carry it.
var saidStates = map[string]accessibility.PropertyName{
	"aria-pressed": accessibility.PropertyNamePressed, "aria-checked": accessibility.PropertyNameChecked, "aria-selected": accessibility.PropertyNameSelected, "aria-expanded": accessibility.PropertyNameExpanded,
}

// axNode is a node of the accessibility tree as a screen reader gets it.
type axNode struct {
	id, parent, role, name, value string
	element                       cdp.BackendNodeID
	ignored                       bool
	states                        map[accessibility.PropertyName]string
}

func (n axNode) String() string { return fmt.Sprintf("%s “%s”", n.role, n.name) }

// tree reads the accessibility tree of the page.
func (b *tab) tree() map[string]axNode {
	b.t.Helper()
	got, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatalf("read the accessibility tree: %v", err)
	}
	text := func(v *accessibility.Value) string {
		if v == nil {
			return ""
		}
		var s any
		if json.Unmarshal(v.Value, &s) != nil || s == nil {
			return ""
		}
		return strings.TrimSpace(fmt.Sprint(s))
	}
	nodes := make(map[string]axNode, len(got.Nodes))
	for _, n := range got.Nodes {
		node := axNode{id: n.NodeID.String(), parent: n.ParentID.String(), role: text(n.Role), name: text(n.Name), value: text(n.Value), element: n.BackendDOMNodeID, ignored: n.Ignored}
		node.states = make(map[accessibility.PropertyName]string, len(n.Properties))
		for _, p := range n.Properties {
			node.states[p.Name] = text(p.Value)
		}
		nodes[node.id] = node
	}
	return nodes
}

// describe says which element a node stands for.
func (b *tab) describe(n axNode) string {
	got, err := chromedp.Call(b.ctx, dom.DescribeNode, dom.DescribeNodeParams{BackendNodeID: n.element})
	if err != nil {
		return n.String()
	}
	return got.Node.LocalName + " " + strings.Join(got.Node.Attributes, " ")
}

// treeFaults says what is wrong in the accessibility tree: what can have the focus has a role and a name, what has a state says it,
// items are in their lists, and with a dialog open nothing else can be reached (WCAG 2.2: 1.3.1, 4.1.2).
func (b *tab) treeFaults() []string {
	b.t.Helper()
	nodes := b.tree()
	within := func(n axNode, roles ...string) bool {
		for p, ok := nodes[n.parent]; ok; p, ok = nodes[p.parent] {
			if slices.Contains(roles, p.role) {
				return true
			}
		}
		return false
	}
	said := evaluate[map[string]int](b, `(() => {
		const dialogs = document.querySelectorAll("dialog[open]"), front = [...dialogs].pop() || document.body;
		const shown = [...front.querySelectorAll("[aria-pressed], [aria-checked], [aria-selected], [aria-expanded]")].filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest("[aria-hidden=true], [inert]"));
		const counts = {dialogs: dialogs.length};
		for (const a of ["aria-pressed", "aria-checked", "aria-selected", "aria-expanded"]) counts[a] = shown.filter(e => e.hasAttribute(a)).length;
		return counts;
	})()`)
	counts := map[accessibility.PropertyName]int{}
	var wrong []string
	for _, n := range nodes {
		if n.ignored {
			continue
		}
		for state := range n.states {
			counts[state]++
		}
		_, focusable := n.states[accessibility.PropertyNameFocusable]
		switch homes, state := roleHomes[n.role], roleStates[n.role]; {
		case n.role == "RootWebArea", n.role == "main": // one of each
			continue
		case focusable && (n.role == "generic" || n.role == "none" || n.role == ""):
			wrong = append(wrong, "has the focus and no role: "+b.describe(n))
		case n.name == "" && (focusable || slices.Contains(namedRoles, n.role)):
			wrong = append(wrong, "no name: "+n.String()+" in "+nodes[n.parent].String())
		case homes != nil && !within(n, homes...):
			wrong = append(wrong, n.String()+" is in no "+homes[0])
		case state != "" && n.states[state] == "" && n.states[accessibility.PropertyNameDisabled] == "":
			wrong = append(wrong, n.String()+" does not say whether it is "+state.String())
		case n.role == "slider" && n.value == "":
			wrong = append(wrong, n.String()+" has no value")
		case said["dialogs"] > 0 && focusable && n.role != "dialog" && n.role != "alertdialog" && !within(n, "dialog", "alertdialog"):
			wrong = append(wrong, n.String()+" can be reached behind a dialog")
		}
	}
	for attribute, state := range saidStates {
		if counts[state] < said[attribute] {
			wrong = append(wrong, fmt.Sprintf("%d elements have %s, and %d nodes say whether they are %s", said[attribute], attribute, counts[state], state))
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}
