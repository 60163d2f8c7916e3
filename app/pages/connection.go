package pages

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// connectionID is the field that leads into the form.
const connectionID = "connection-address"

// connection is the part of the settings about the account of the image service, for administrators.
type connection struct {
	app.Compo
	Rev  int
	core *core

	state    model.Load
	now      atelier.Connection
	of       string // the account that now is about
	editing  bool
	leaving  bool // disconnecting is asked about
	shown    bool // the key
	given    atelier.Connect
	hosts    string
	problems map[string]string
	sentence string
	busy     bool
}

// OnMount implements app.Mounter.
func (c *connection) OnMount(app.Context) { c.load() }

// OnUpdate implements app.Updater: another window may have changed the account, and a link may lead to the form.
func (c *connection) OnUpdate(app.Context) {
	if c.of != c.core.session.AccountStamp {
		c.load()
	}
	c.lead()
}

// lead opens the form when a link to it was followed.
func (c *connection) lead() {
	if !c.core.connecting || c.state != model.Loaded {
		return
	}
	c.core.connecting = false
	if !c.now.Fixed {
		c.edit()
	}
}

func (c *connection) load() {
	c.of = c.core.session.AccountStamp
	c.core.do(func(ctx context.Context) func() {
		now, err := c.core.api.Connection(ctx)
		return func() {
			if err != nil {
				c.state = model.Broken
				c.core.expired(err)
				return
			}
			c.now, c.state = now, model.Loaded
			c.lead()
		}
	})
}

// Render implements app.Composer.
func (c *connection) Render() app.UI {
	body := []app.UI{}
	add := func(ui ...app.UI) { body = append(body, ui...) }
	if c.state == model.Broken {
		add(components.Text("p", "field__help", words.ConnectionBroken),
			components.Button("retry", words.LoadAgain, "").OnClick(func(app.Context, app.Event) { c.load() }))
		return components.El("div", "class", "settings__group", "data-testid", "connection").Body(body...)
	}
	text := words.ConnectionEmbedded
	if c.now.Kind == "remote" {
		text = words.ConnectionAt(c.now.Address, c.now.KeyEnd)
	}
	add(components.El("p", "class", "settings__text", "data-testid", "connection-now").Text(text))
	for _, f := range c.now.Former {
		sentence := words.ConnectionFormer(f.Address, f.Waiting, f.Sent)
		if f.Missing {
			sentence = words.ConnectionMissing(f.Address, f.Waiting, f.Sent)
		}
		add(components.Text("p", "field__help", sentence))
	}
	switch {
	case c.state != model.Loaded:
	case c.now.Fixed:
		add(components.El("p", "class", "field__help", "data-testid", "connection-fixed").Text(words.ConnectionFixed))
	case c.editing:
		add(c.form())
	case c.leaving:
		add(components.El("p", "class", "field__help", "id", "connection-leaves").Text(words.ConnectionLeaves(c.now.Waiting, c.now.Sent)),
			components.El("div", "aria-live", "polite").Body(problem("connection-problem", c.sentence)...),
			components.Box("settings__row",
				components.Button("", words.ConnectionDisconnectYes, "button--bad").Attr("id", "disconnect-sure").Attr("data-testid", "disconnect-sure").Attr("aria-describedby", "connection-leaves").
					Attr("disabled", c.busy).OnClick(func(app.Context, app.Event) { c.disconnect() }, components.Scope("sure")),
				components.Button("", words.Cancel, "").OnClick(c.onCancel, components.Scope("stay"))))
	default:
		label := words.ConnectionConnect
		if c.now.Kind == "remote" {
			label = words.ConnectionChange
		}
		add(components.Box("settings__row",
			components.Button("", label, "").Attr("id", "connect").Attr("data-testid", "connect").OnClick(func(app.Context, app.Event) { c.edit() }, components.Scope("edit")),
			components.If(c.now.Kind == "remote", func() app.UI {
				return components.Button("", words.ConnectionDisconnect, "").Attr("data-testid", "disconnect").
					OnClick(c.onLeave, components.Scope("leave"))
			})))
	}
	return components.El("div", "class", "settings__group", "data-testid", "connection").Body(body...)
}

func (c *connection) form() app.UI {
	set := func(to *string) func(string) { return func(v string) { *to, c.problems, c.sentence = v, nil, "" } }
	kind := components.Pick(c.shown, "text", "password")
	// The server completes an address without https://, which a browser's own check would refuse.
	form := components.El("form", "class", "settings__form", "data-testid", "connection-form", "novalidate", "true")
	return form.OnSubmit(c.onSubmit).Body(
		inputRow(row{id: connectionID, label: words.ConnectionAddress, kind: "url", complete: "off", help: words.ConnectionAddressHelp, problem: c.problems["address"]}, set(&c.given.Address), nil),
		inputRow(row{id: "connection-key", label: words.ConnectionKey, kind: kind, complete: "new-password", help: words.ConnectionKeyHelp, problem: c.problems["key"], peek: true, shown: c.shown},
			set(&c.given.Key), func(app.Context, app.Event) { c.shown = !c.shown }),
		components.El("details", "class", "connection__more").Attr("open", c.problems["downloads"] != "" || c.problems["hosts"] != "").Body(
			components.Text("summary", "", words.ConnectionMore),
			components.Box("connection__fields",
				inputRow(row{id: "connection-downloads", label: words.ConnectionDownloads, kind: "url", complete: "off", help: words.ConnectionDownloadsHelp, problem: c.problems["downloads"]}, set(&c.given.Downloads), nil),
				inputRow(row{id: "connection-hosts", label: words.ConnectionHosts, kind: "text", complete: "off", help: words.ConnectionHostsHelp, problem: c.problems["hosts"]}, set(&c.hosts), nil),
			),
		),
		components.If(c.now.Waiting+c.now.Sent > 0, func() app.UI {
			return components.El("p", "class", "field__help", "data-testid", "connection-stays").Text(words.ConnectionStays(c.now.Waiting, c.now.Sent))
		}),
		components.El("div", "aria-live", "polite").Body(problem("connection-problem", c.sentence)...),
		components.Box("settings__row",
			components.Button("", components.Pick(c.busy, words.ConnectionChecking, words.ConnectionSubmit), "button--primary").Attr("type", "submit").
				Attr("data-testid", "connection-submit").Attr("disabled", c.busy),
			components.Button("", words.Cancel, "").OnClick(c.onCancel, components.Scope("cancel")),
		),
	)
}

func (c *connection) edit() {
	c.editing, c.leaving, c.given, c.hosts, c.problems, c.sentence, c.shown = true, false, atelier.Connect{}, "", nil, "", false
	drawn(c.core.ui, func() { browser.Focus(connectionID) })
	c.core.change()
}

func (c *connection) onLeave(app.Context, app.Event) {
	c.leaving, c.sentence = true, ""
	drawn(c.core.ui, func() { browser.Focus("disconnect-sure") })
}

func (c *connection) onCancel(app.Context, app.Event) { c.close() }

func (c *connection) close() {
	c.editing, c.leaving, c.given, c.problems, c.sentence = false, false, atelier.Connect{}, nil, ""
	drawn(c.core.ui, func() { browser.Focus("connect") })
}

func (c *connection) onSubmit(_ app.Context, e app.Event) {
	e.PreventDefault()
	if c.busy {
		return
	}
	given := c.given
	given.Hosts = strings.FieldsFunc(c.hosts, func(r rune) bool { return r == ',' || r == ' ' })
	c.send(func(ctx context.Context) (atelier.Connection, error) { return c.core.api.Connect(ctx, given) })
}

func (c *connection) disconnect() {
	if !c.busy {
		c.send(c.core.api.Disconnect)
	}
}

// send changes the account and shows what came of it.
func (c *connection) send(call func(context.Context) (atelier.Connection, error)) {
	c.busy, c.problems, c.sentence = true, nil, ""
	c.core.do(func(ctx context.Context) func() {
		now, err := call(ctx)
		return func() {
			c.busy = false
			if err != nil {
				if c.core.expired(err) {
					return
				}
				c.sentence = sentence(err)
				if e := asError(err); e != nil && len(e.Fields) > 0 {
					c.problems, c.sentence = e.Fields, ""
					c.focusProblem()
				}
				return
			}
			c.now = now
			c.close()
			said := words.ConnectionOff
			if now.Kind == "remote" {
				said = words.ConnectionOn(now.Address)
			}
			c.core.toast("info", said)
		}
	})
}

// focusProblem moves the focus to the first field that was refused, which may be scrolled out of sight.
func (c *connection) focusProblem() {
	for _, field := range []string{"address", "key", "downloads", "hosts"} {
		if c.problems[field] != "" {
			drawn(c.core.ui, func() { browser.Focus("connection-" + field) })
			return
		}
	}
}

// openConnection opens the settings where an account is entered.
func (c *core) openConnection() {
	c.connecting = true
	c.openSettings()
}

// switched reloads what belongs to an account after the studio changed to another one.
func (c *core) switched() {
	c.do(func(ctx context.Context) func() {
		session, err := c.api.Session(ctx)
		return func() {
			if err != nil || session.User.ID != c.session.User.ID {
				c.expired(err)
				return
			}
			c.session = session
			clear(c.presets)
			clear(c.presetLoads)
			c.favoured++
			c.loadFavourites()
			if !c.settings { // it was changed elsewhere
				c.toast("info", words.ConnectionElsewhere)
			}
		}
	})
}
