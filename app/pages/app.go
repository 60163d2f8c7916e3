// Package pages puts the studio together: one root component that stays while the address changes, and the pages it
// shows. A page loads and decides; components only show.
package pages

import (
	"context"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// App is the root of the studio, the same for every address. The framework keeps it when the address changes, so a
// half-painted mask and a scrolled gallery are as they were when the designer comes back to them.
type App struct {
	app.Compo

	core    *core
	page    string
	opened  map[string]bool // pages that were opened at least once
	address string
	refused string // why the address that was opened did not sign in
	trouble string // why it is not known who is working
	waits   int    // for a server that does not answer
	again   func() // what it is asked then
	code    string // of the setup, that came with the address
	theme   model.Theme
	stage   string
	release []func()

	// What each page was last drawn with while it was shown: one that is not need not follow every change until it is again.
	revs map[string]int
}

// OnInit implements app.Initializer.
func (a *App) OnInit() {
	if a.core == nil {
		a.core = newCore(client.New(browser.Fetch, browser.Upload), time.Now)
	}
	a.page, a.opened, a.revs = "studio", map[string]bool{}, map[string]int{}
}

// OnMount implements app.Mounter.
func (a *App) OnMount(ctx app.Context) {
	a.core.ui = ctx
	a.theme, a.stage = model.ReadTheme(browser.Load("atelier.theme")), browser.Load("atelier.stage")
	a.release = append(a.release,
		browser.Rove(),
		browser.OnKey(a.onKey),
		browser.OnMenu(func(ask browser.MenuAsk) { a.core.post(func() { a.core.askMenu(ask) }) }),
		browser.OnCancel(components.MenuID, func() { a.core.CloseMenu() }),
		browser.OnVisible(func() {
			if a.core.stream != nil {
				a.core.stream.Wake()
			}
			a.core.looked()
			a.core.change()
		}),
		browser.OnHide(func() { a.core.settle() }),
		browser.OnPop(func() { a.core.post(a.onPop) }),
		browser.OnCancel(components.LightboxID, func() { a.core.CloseLightbox() }),
		browser.OnCancel(keysID, func() { a.CloseDialog(keysID) }),
		browser.OnCancel(settingsID, func() { a.CloseDialog(settingsID) }),
		browser.OnCancel(unconfirmedID, func() { a.CloseDialog(unconfirmedID) }),
		browser.OnCancel(teamID, func() { a.CloseDialog(teamID) }),
	)
	a.core.loadNotices()
	a.core.actions = a.actions()
	a.navigate(ctx)
	a.signIn(browser.Fragment())
	a.tick(ctx)
	browser.Mark("mounted")
}

// OnNav implements app.Navigator. The page finds out by itself that its address is another one, but not that it is asked for the one it
// was left from.
func (a *App) OnNav(ctx app.Context) {
	a.navigate(ctx)
	a.goGallery()
}

// goGallery lets the gallery show what its address says.
func (a *App) goGallery() {
	if c := a.core; a.page == "gallery" && c.galleryGo != nil {
		c.galleryGo(a.address)
	}
}

// OnDismount implements app.Dismounter.
func (a *App) OnDismount() {
	for _, release := range a.release {
		release()
	}
	a.core.leave()
}

// tick draws again every minute, for what is shown as "2 min ago".
func (a *App) tick(ctx app.Context) {
	if app.IsServer {
		return
	}
	ctx.After(time.Minute, func(ctx app.Context) {
		a.core.rev++
		a.tick(ctx)
	})
}

// navigate shows the page of the address. What stood open above another one is left behind with it.
func (a *App) navigate(ctx app.Context) {
	before := a.page
	address := ctx.Page().URL()
	a.address = address.RequestURI()
	switch {
	case strings.HasPrefix(address.Path, "/gallery"):
		a.page = "gallery"
	case strings.HasPrefix(address.Path, "/boards"):
		a.page = "boards"
	case strings.HasPrefix(address.Path, "/library"):
		a.page = "library"
	case strings.HasPrefix(address.Path, "/tasks"):
		a.page = "tasks"
	default:
		a.page = "studio"
	}
	if a.page != before {
		a.core.shutAll()
	}
	a.opened[a.page] = true
	a.core.titled(pageName(a.page))
}

// onPop follows the browser through its history. The framework goes to another page by itself; of what is open above the pages, and
// of addresses that were not gone to by links, it knows nothing.
func (a *App) onPop() {
	c := a.core
	if c.returned() || c.access != signedIn {
		return
	}
	a.navigate(c.ui)
	a.goGallery()
	c.follow(browser.Fragment())
	c.rev++
}

// pageName is what a page is called.
func pageName(page string) string {
	return map[string]string{"studio": words.PageStudio, "gallery": words.PageGallery, "boards": words.PageBoards, "library": words.PageLibrary, "tasks": words.PageTasks}[page]
}

// launchPrefix and setupPrefix are how the printed address carries its code: in the fragment, which never leaves the browser.
const (
	launchPrefix = "launch="
	setupPrefix  = "setup="
)

// signIn makes a session of the launch code in the address, or takes the session there is: an address that was used up
// still leads a browser in that it let in before.
func (a *App) signIn(fragment string) {
	if token, ok := strings.CutPrefix(fragment, launchPrefix); ok {
		a.launch(token)
		return
	}
	if code, ok := strings.CutPrefix(fragment, setupPrefix); ok {
		a.code = code
	}
	a.resume("")
}

// launch makes a session of the launch code in the address, and tries it again while the server does not answer.
func (a *App) launch(token string) {
	a.Login(token, func(err error) {
		if silent(err) {
			a.wait(sentence(err), func() { a.launch(token) })
			return
		}
		a.resume(sentence(err))
	})
}

// silent says that the server gave no verdict: it did not answer, or had a fault of its own.
func silent(err error) bool {
	switch atelier.CodeOf(err) {
	case client.Offline, atelier.Internal, atelier.UpstreamBad, atelier.UpstreamBusy:
		return true
	}
	return false
}

// spend takes the code out of the address, once the server has answered: until then, loading the page again must not lose it.
func (a *App) spend() {
	if f := browser.Fragment(); strings.HasPrefix(f, launchPrefix) || strings.HasPrefix(f, setupPrefix) {
		browser.ReplaceURL(a.address)
	}
}

// resume takes the session there is; refused is what the sign-in page says when there is none.
func (a *App) resume(refused string) {
	a.core.do(func(ctx context.Context) func() {
		session, err := a.core.api.Session(ctx)
		return func() {
			if err == nil {
				a.spend()
				a.core.enter(session)
				return
			}
			a.refused, a.trouble = refused, ""
			if !a.core.expired(err) {
				a.wait(sentence(err), func() { a.resume(refused) })
				return
			}
			a.spend()
			a.core.said = ""
		}
	})
}

// askAgain is how long the studio waits before it asks a server that did not answer who is working.
const askAgain = 5 * time.Second

// wait says why nothing can be shown yet, and asks again after a while.
func (a *App) wait(why string, again func()) {
	a.core.access, a.trouble, a.again = unreachable, why, again
	a.waits++
	nth := a.waits
	a.core.ui.After(askAgain, func(app.Context) {
		if a.core.access == unreachable && nth == a.waits {
			again()
		}
	})
}

// askNow asks the server that did not answer without waiting any longer.
func (a *App) askNow() {
	if a.core.access == signedOut {
		a.core.askEntry()
		return
	}
	a.waits++ // the wait that goes on is over
	a.again()
}

// Login makes a session of a launch code; failed is told why there is none.
func (a *App) Login(token string, failed func(error)) {
	a.comeIn(func(ctx context.Context) (atelier.Session, error) { return a.core.api.Login(ctx, launchCode(token)) }, failed)
}

// SignIn makes a session of a name and a password.
func (a *App) SignIn(name, password string, failed func(error)) {
	a.comeIn(func(ctx context.Context) (atelier.Session, error) { return a.core.api.SignIn(ctx, name, password) }, failed)
}

// SetUp makes the first account.
func (a *App) SetUp(in atelier.Setup, failed func(error)) {
	a.comeIn(func(ctx context.Context) (atelier.Session, error) { return a.core.api.SetUp(ctx, in) }, func(err error) {
		if e := asError(err); e != nil && e.Fields["code"] != "" {
			a.code = "" // the address was an old one: let the code be typed
		}
		failed(err)
	})
}

func (a *App) comeIn(ask func(context.Context) (atelier.Session, error), failed func(error)) {
	a.core.do(func(ctx context.Context) func() {
		session, err := ask(ctx)
		return func() {
			if err != nil {
				failed(err)
				return
			}
			a.spend()
			a.core.enter(session)
		}
	})
}

// launchCode takes the code out of what was pasted: the code itself, or the whole address.
func launchCode(pasted string) string {
	if _, code, ok := strings.Cut(pasted, "#"+launchPrefix); ok {
		pasted = code
	}
	return strings.TrimSpace(pasted)
}

// PrintLink has a fresh launch code printed in the terminal of the server and tells done what to say about it.
func (a *App) PrintLink(done func(sentence string)) {
	a.core.do(func(ctx context.Context) func() {
		err := a.core.api.PrintLink(ctx)
		return func() {
			if err != nil {
				done(sentence(err))
				return
			}
			done(words.SignInPrinted)
		}
	})
}

// Render implements app.Composer.
func (a *App) Render() app.UI {
	c := a.core
	if c.access == signedOut && c.entryState == model.Loading {
		return components.Box("app app--out", components.El("main", "class", "signin", "aria-busy", "true"))
	}
	if c.access == signedOut && c.entryState == model.Broken {
		return components.Box("app app--out", a.renderTrouble(c.entryProblem))
	}
	if c.access == signedOut {
		return components.Box("app app--out",
			newSignIn(a, c.entry, a.code, components.Pick(c.shutOut != "", c.shutOut, a.refused)),
			app.Div(), app.Div(), app.Div(), app.Div(), app.Div(),
			components.Toasts(c.toasts, c),
		)
	}
	if c.access == unreachable {
		return components.Box("app app--out", a.renderTrouble(a.trouble))
	}
	a.revs[a.page] = c.rev
	pages := []app.UI{&Studio{Rev: a.revs["studio"], Shown: a.page == "studio", core: c}}
	if a.opened["gallery"] {
		pages = append(pages, &Gallery{Rev: a.revs["gallery"], Shown: a.page == "gallery", Address: a.addressOf("gallery"), core: c})
	}
	if a.opened["boards"] {
		pages = append(pages, &Boards{Rev: a.revs["boards"], Shown: a.page == "boards", core: c})
	}
	if a.opened["library"] {
		pages = append(pages, &Library{Rev: a.revs["library"], Shown: a.page == "library", Address: a.addressOf("library"), core: c})
	}
	if a.opened["tasks"] {
		pages = append(pages, &Tasks{Rev: a.revs["tasks"], Shown: a.page == "tasks", Address: a.addressOf("tasks"), core: c})
	}
	return components.El("div", "class", "app", "data-page", a.page).Body(
		components.Button("", components.Pick(a.page == "studio", words.SkipToForm, words.SkipToPage), "skip").Attr("data-testid", "skip").OnClick(a.onSkip),
		components.NewRail(a.page, c.runs.Active(), c.keymap, a),
		components.El("main", "class", "app__page", "id", mainID, "tabindex", "-1").Body(append(pages, a.notice(), a.heading())...),
		c.renderViewer(),
		components.Dialog(keysID, words.RailKeys, "dialog--wide", c.keys, a, c.withToasts(keysID, func() []app.UI {
			return []app.UI{components.KeySheet(c.keymap, c.rebinding, c)}
		})),
		components.Dialog(settingsID, words.RailSettings, "", c.settings, a, c.withToasts(settingsID, a.renderSettings)),
		components.Dialog(teamID, words.TeamTitle, "dialog--wide", c.team, a, c.withToasts(teamID, a.renderTeam)),
		components.Dialog(unconfirmedID, words.UnconfirmedTitle, "", c.unsure.open, a, c.withToasts(unconfirmedID, c.renderUnconfirmed)),
		c.toastsIn(""),
		components.El("div", "class", "visually-hidden", "role", "status", "aria-live", "polite", "data-testid", "live").Text(c.said),
		&Review{Rev: c.rev, core: c},
		c.renderMenu(),
	)
}

// onSkip takes the focus past the pages' names: to the form of the studio, or to what a page shows.
func (a *App) onSkip(app.Context, app.Event) {
	to := mainID
	for _, id := range []string{gripID, components.AgentButtonID} {
		if a.page == "studio" && browser.BoxOf(id).W > 0 { // neither is there before the agents are
			to = id
		}
	}
	browser.Focus(to)
}

// renderTrouble stands in place of everything while the server does not answer.
func (a *App) renderTrouble(why string) app.UI {
	return components.El("main", "class", "signin").Body(
		components.El("section", "class", "signin__card", "data-testid", "trouble", "role", "status").Body(
			components.Box("signin__mark", components.Icon("mark")),
			components.Text("h1", "signin__title", words.TroubleTitle),
			components.Text("p", "signin__text", why),
			components.Button("retry", words.TroubleRetry, "button--large").Attr("data-testid", "trouble-again").OnClick(func(app.Context, app.Event) { a.askNow() }),
			components.Text("p", "field__help", words.TroubleHelp),
		))
}

// heading names the page for those who listen, where nothing on it does.
func (a *App) heading() app.UI {
	return components.El("h1", "class", "visually-hidden").Hidden(a.page == "boards").Text(pageName(a.page))
}

// addressOf is the address of a page while it is shown, "" otherwise.
func (a *App) addressOf(page string) string {
	if a.page == page {
		return a.address
	}
	return ""
}

// notice is the thin bar over the page.
func (a *App) notice() app.UI {
	switch c := a.core; {
	case c.connection == client.Reconnecting && c.access == signedIn:
		return components.El("div", "class", "notice", "role", "status", "data-testid", "reconnecting").Body(
			components.SmallIcon("busy"), components.Text("span", "", words.NoticeReconnecting))
	case len(c.old) > 0:
		return c.renderOld()
	case c.outdated:
		return components.El("div", "class", "notice", "role", "status").Body(
			components.Text("span", "", words.NoticeNewVersion), components.Button("", words.NoticeReload, "button--link").OnClick(a.onReload))
	}
	return app.Div().Hidden(true)
}

func (a *App) onReload(app.Context, app.Event) { browser.Reload() }

// closeDialog closes the dialog in front and says whether there was one. A search box would otherwise take the first
// Escape to empty itself.
func (a *App) closeDialog() bool {
	switch c := a.core; {
	case c.keys:
		a.CloseDialog(keysID)
	case c.settings:
		a.CloseDialog(settingsID)
	case c.team:
		a.CloseDialog(teamID)
	case c.unsure.open:
		a.CloseDialog(unconfirmedID)
	default:
		return c.closeStudioDialog != nil && c.closeStudioDialog()
	}
	return true
}

// onKey hands a key to what is in front.
func (a *App) onKey(k browser.Key) bool {
	c := a.core
	if c.access != signedIn {
		return false
	}
	if c.keys && c.rebinding != "" {
		return c.rebind(k)
	}
	if c.menu.open {
		return c.menuKey(k)
	}
	action := does(c.keymap, k, model.OnPage)
	if action == model.DoUndo && !k.Up && !k.Typing && (a.page != "studio" || c.front() != "") && c.undo() {
		c.change()
		return true
	}
	if done, taken := c.reviewKey(k); taken {
		return done
	}
	if c.viewer.open {
		return !k.Typing && c.viewerKey(k)
	}
	if k.Key == "Escape" && !k.Up && a.closeDialog() {
		return true
	}
	if c.keys || c.settings || c.team || c.unsure.open {
		return false
	}
	if k.Typing && (!k.Ctrl || does(c.keymap, k, model.OnStage) != model.DoGenerate) {
		return false
	}
	if !k.Up && c.pageDialog == "" {
		switch action {
		case model.DoKeys:
			a.OpenKeys()
			return true
		case model.DoGallery:
			c.post(func() {
				c.ui.Navigate(components.Pick(a.page == "gallery", "/", model.GalleryAsLeft))
			})
			return true
		}
	}
	switch {
	case a.page == "gallery":
		return !k.Up && c.galleryKey != nil && c.galleryKey(k)
	case a.page == "studio" && c.studioKey != nil:
		return c.studioKey(k)
	}
	return false
}
