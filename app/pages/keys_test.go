package pages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// A key is called the same in the sheet and on the tips, and as it stands on the keyboard at hand.
func TestKeysAreNamedAsTheyStandOnTheKeyboard(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(app.Context) { b.studio.SetValue("maskType", "custom") })
	for _, tt := range []struct {
		mac      bool
		has, not string
	}{{false, "Ctrl", "⌘"}, {true, "⌘", "Ctrl"}} {
		b.core.keymap.Mac = tt.mac
		all := b.html() + app.HTMLString(components.KeySheet(b.core.keymap, "", b.core))
		if strings.Contains(all, "Mod ") || strings.Contains(all, "Mod<") || strings.Contains(all, tt.not) || !strings.Contains(all, tt.has+" Shift Z") || !strings.Contains(all, tt.has+" Enter") {
			t.Errorf("mac %t: keys are called otherwise", tt.mac)
		}
	}
}

// A key that was changed does its work everywhere, and every tip names it; the keys can be reset, and that taken back.
func TestChangedKeysDoTheirWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // offers stand for a while
		s := newServer()
		s.on("PATCH /api/results", 200, atelier.ResultList{})
		a, engine := openApp(t, s)
		a.ctx.Dispatch(func(app.Context) { changeKeys(t, a) })
		engine.ConsumeAll()
	})
}

func changeKeys(t *testing.T, a *appProbe) {
	c := a.core
	press := func(key string) bool { return a.onKey(browser.Key{Key: key}) }
	change := func(action, key string) {
		c.ChangeKey(action)
		press(key)
	}
	a.OpenKeys()
	if change(model.DoKeys, "Enter"); c.rebinding != model.DoKeys || !strings.HasPrefix(c.toasts[0].Message, "Enter is used by") {
		t.Errorf("Enter was taken: %+v", c.toasts)
	}
	press("Shift")
	press("v")
	change(model.DoDetails, "j")
	change(model.DoReject, "k")
	if change(model.DoReject, "Escape"); c.rebinding != "" || !c.keys {
		t.Errorf("Escape left %q waiting, or closed the sheet", c.rebinding)
	}
	if sheet := app.HTMLString(components.KeySheet(c.keymap, "", c)); !strings.Contains(sheet, `aria-label="Key for This sheet: V"`) {
		t.Errorf("the sheet is %s", sheet)
	}
	a.CloseDialog(keysID)
	if press("?") || !press("v") || !c.keys {
		t.Error("the sheet opens by another key than it says")
	}
	a.CloseDialog(keysID)
	if rail := app.HTMLString(components.NewRail("studio", 0, c.keymap, a)); !strings.Contains(rail, `aria-keyshortcuts="v"`) || !strings.Contains(rail, words.RailKeys+"  V") {
		t.Errorf("the rail is %s", rail)
	}
	run := atelier.Run{ID: "r", Agent: "aimodel", State: atelier.StateDone, Results: []atelier.Result{{ID: "x", Status: atelier.Success, Stored: true}}}
	c.view("x", func() []model.Shot { return model.Runs{run}.Shots() })
	if press("i") || c.viewer.details || !press("j") || !c.viewer.details {
		t.Error("the details open by another key")
	}
	if press("x") || press("n") || !press("k") || !press("p") {
		t.Error("the verdict is told by other keys")
	}
	if box := app.HTMLString(c.renderViewer()); !strings.Contains(box, "How it was made  J") || !strings.Contains(box, "Reject  K") || strings.Contains(box, "Reject  X") {
		t.Errorf("the lightbox is %s", box)
	}
	c.CloseLightbox()

	if c.ResetKeys(); press("v") || c.keymap.Tip(model.DoReject) != "X" {
		t.Errorf("the usual keys did not come back: %+v", c.keymap.Own)
	}
	a.OpenKeys()
	change(model.DoPick, "q")
	if !a.onKey(browser.Key{Key: "z", Ctrl: true}) || c.keymap.Tip(model.DoReject) != "K" || c.keymap.Tip(model.DoPick) != "Q" {
		t.Errorf("the reset is not taken back: %+v", c.keymap.Own)
	}
}

// What keys do is read from the table: a handler names no key but those that are the platform's.
func TestNoHandlerNamesAKeyThatCanBeChanged(t *testing.T) {
	platform := []string{
		"Escape", "Enter", "Tab", " ", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Arrow", "Shift", "Control", "Alt", "Meta",
		"Delete", "Backspace", // of what has the focus: a file in its place, the corner of a polygon
	}
	files, _ := filepath.Glob("../*/*.go")
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ofKey := func(e ast.Expr) bool {
			switch e := e.(type) {
			case *ast.SelectorExpr: // k.Key
				x, ok := e.X.(*ast.Ident)
				return ok && x.Name == "k" && (e.Sel.Name == "Key" || e.Sel.Name == "Code")
			case *ast.Ident:
				return e.Name == "key" && strings.HasPrefix(file, "../pages/") && filepath.Base(file) != "trail.go"
			case *ast.CallExpr: // e.Get("key").String()
				s, ok := e.Fun.(*ast.SelectorExpr)
				if !ok || s.Sel.Name != "String" {
					return false
				}
				get, ok := s.X.(*ast.CallExpr)
				return ok && len(get.Args) == 1 && literal(get.Args[0]) == "key"
			}
			return false
		}
		check := func(e ast.Expr) {
			if name := literal(e); name != "" {
				seen++
				if !slices.Contains(platform, name) {
					t.Errorf("%s looks for the key %q: ask the table what it does", file, name)
				}
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if ofKey(n.X) {
					check(n.Y)
				}
			case *ast.CallExpr: // strings.EqualFold(k.Key, "a")
				if len(n.Args) == 2 && ofKey(n.Args[0]) {
					check(n.Args[1])
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && ofKey(n.Tag) {
					for _, c := range n.Body.List {
						for _, e := range c.(*ast.CaseClause).List {
							check(e)
						}
					}
				}
			}
			return true
		})
	}
	if seen < 30 {
		t.Errorf("only %d keys found", seen)
	}
}

func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)
	return text
}
