package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/words"
)

// MenuID is the element of the context menu, MenuItems what chooses its items.
const (
	MenuID    = "menu"
	MenuItems = "#menu [role=menuitem]"
)

// MenuItem is an action of a menu. Off says why it cannot be done, "" when it can.
type MenuItem struct {
	Icon, Title, Off string
	Name             string // for tests
	Apart            bool   // a line stands before it
}

// MenuPort hears what is done in the menu.
type MenuPort interface {
	ChooseItem(at int)
	CloseMenu()
}

// MenuItemID is the element of an item.
func MenuItemID(at int) string { return "menu-" + words.Number(at) }

// Menu is the context menu of what title names: beside the pointer, on a phone at the lower edge. The page opens and closes it with the
// browser package, which keeps the focus inside and gives it back.
func Menu(title string, items []MenuItem, x, y string, port MenuPort) app.HTMLElem {
	rows := make([]app.UI, 0, len(items))
	tall := len(items) // in rows: a reason takes one of its own
	for at, item := range items {
		if item.Off != "" {
			tall++
		}
		if item.Apart && at > 0 {
			rows = append(rows, El("div", "class", "menu__line", "role", "separator"))
		}
		row := El("button", "type", "button", "role", "menuitem", "class", "menu__item", "id", MenuItemID(at), "tabindex", "-1", "data-testid", "menu-"+item.Name,
			"aria-disabled", Bool(item.Off != "")).OnClick(func(app.Context, app.Event) { port.ChooseItem(at) }, Scope(title, item.Name, at, item.Off))
		rows = append(rows, row.Body(SmallIcon(item.Icon), Box("menu__text", Text("span", "", item.Title),
			If(item.Off != "", func() app.UI { return Text("span", "menu__note", item.Off) }))))
	}
	return El("dialog", "id", MenuID, "class", "menu", "aria-label", title).
		Style("--rows", words.Number(max(tall, 1))).Style("--x", x).Style("--y", y).
		OnClick(func(_ app.Context, e app.Event) {
			if target := e.Get("target"); target.Truthy() && target.Get("id").Truthy() && target.Get("id").String() == MenuID {
				port.CloseMenu() // beside it
			}
		}).
		Body(El("div", "role", "menu", "aria-label", title, "class", "menu__items", "data-testid", "menu").Body(rows...))
}
