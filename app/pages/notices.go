package pages

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// notices is how the designer is told that work ended while looking elsewhere. The title of the tab always says it; sound
// and notices of the system are off until they are switched on.
type notices struct {
	ended  int // runs that ended while the page was in the background
	sound  bool
	system bool
	stay   bool   // sentences and offers stay until they are dismissed (WCAG 2.2, 2.2.1)
	title  string // of the page, without the count
}

const (
	soundKey  = "atelier.notice.sound"
	systemKey = "atelier.notice.system"
	stayKey   = "atelier.notice.stay"
	toldKey   = "atelier.notice.told" // the last run whose end a window told of, and when, ms
)

func (c *core) loadNotices() {
	n := &c.review.notices
	n.sound, n.system, n.stay = browser.Load(soundKey) == "on", browser.Load(systemKey) == "on", browser.Load(stayKey) == "on"
}

// titled names the tab, with what ended meanwhile before it.
func (c *core) titled(page string) {
	c.review.notices.title = page
	c.showTitle()
}

func (c *core) showTitle() {
	n := &c.review.notices
	browser.SetTitle(words.TabTitle(n.title, n.ended))
}

// ended tells that a run came to its end.
func (c *core) ended(run atelier.Run) {
	if run.Cancelled {
		return // who waits for it has ended it
	}
	c.over("run-"+string(run.ID), c.agent(run.Agent).Title, model.RunWords(run), noticeOf(run))
}

// made tells that a preset of the designer's is ready, or could not be made.
func (c *core) made(p atelier.Preset) {
	tone, state := model.PresetTone(p)
	if tone == model.Good || tone == model.Bad {
		c.said = words.PresetIs(p.Name, state)
		c.over("preset-"+p.Kind+words.Number(int(p.ID)), p.Name, state, "/library?kind="+p.Kind)
	}
}

// over tells that something that was waited for is over; news names it, address is where it is seen.
func (c *core) over(news, title, text, address string) {
	n := &c.review.notices
	if n.sound && firstToTell(news) {
		browser.Chime()
	}
	if !browser.Hidden() {
		return
	}
	n.ended++
	c.showTitle()
	if n.system {
		browser.Notify(title, text, news, address)
	}
}

// toldFor is how long something is the same news for all windows of the studio.
const toldFor = 10 * time.Second

// firstToTell says whether no other window has told of something yet, and notes that this one does.
func firstToTell(news string) bool {
	now := time.Now()
	last, at, _ := strings.Cut(browser.Load(toldKey), " ")
	ms, err := strconv.ParseInt(at, 10, 64)
	if err == nil && last == news && now.Sub(time.UnixMilli(ms)) < toldFor {
		return false
	}
	browser.Save(toldKey, news+" "+strconv.FormatInt(now.UnixMilli(), 10))
	return true
}

// noticeOf is the address of what a notice is about: the first result of the run, or the list of runs.
func noticeOf(run atelier.Run) string {
	shots := model.Viewable(model.Runs{run}.Shots())
	if len(shots) == 0 {
		return model.Filter{View: model.ViewRuns}.Address()
	}
	return model.Filter{}.Address() + "#" + model.Opened{Results: model.OpenedShots(shots[:1])}.Fragment()
}

// openNotice shows what a notice that was clicked is about, above the page that is open. What stands open there, a form say, stays.
func (c *core) openNotice(address string) {
	_, fragment, _ := strings.Cut(address, "#")
	if want := model.ReadOpened(fragment); len(want.Results) == 0 || want.Fragment() == c.opened().Fragment() {
		return
	}
	c.step(func() { browser.PushURL(browser.Address(fragment), true) })
	c.follow(fragment)
}

// looked takes the count off the title: the page is looked at.
func (c *core) looked() {
	if c.review.notices.ended > 0 && !browser.Hidden() {
		c.review.notices.ended = 0
		c.showTitle()
	}
}

// renderNotices is the part of the settings about notices.
func (c *core) renderNotices() app.UI {
	n := c.review.notices
	toggle := func(id, label string, on bool, change app.EventHandler) app.UI {
		return components.El("label", "class", "switch").Body(
			components.Void("input", "type", "checkbox", "class", "switch__input", "role", "switch", "data-testid", id, "checked", components.Bool(on)).OnChange(change),
			components.Text("span", "", label))
	}
	return components.El("section", "class", "settings__group").Body(
		components.Text("h3", "", words.NoticesTitle),
		components.Text("p", "settings__text", words.NoticesText),
		toggle("notice-sound", words.NoticesSound, n.sound, c.onSound),
		toggle("notice-system", words.NoticesSystem, n.system, c.onSystem),
		components.Text("h3", "", words.MessagesTitle),
		toggle("notice-stay", words.MessagesStay, n.stay, c.onStay),
	)
}

func (c *core) onSound(_ app.Context, e app.Event) {
	c.review.notices.sound = e.Get("target").Get("checked").Truthy()
	browser.Save(soundKey, components.Pick(c.review.notices.sound, "on", "off"))
	if c.review.notices.sound {
		browser.Chime() // how it sounds
	}
	c.change()
}

func (c *core) onStay(_ app.Context, e app.Event) {
	c.review.notices.stay = e.Get("target").Get("checked").Truthy()
	browser.Save(stayKey, components.Pick(c.review.notices.stay, "on", "off"))
	c.change()
}

func (c *core) onSystem(_ app.Context, e app.Event) {
	on := e.Get("target").Get("checked").Truthy()
	c.review.notices.system = on
	c.change()
	if !on {
		browser.Save(systemKey, "off")
		return
	}
	c.do(func(ctx context.Context) func() {
		allowed := browser.AskToNotify(ctx)
		return func() {
			c.review.notices.system = allowed
			browser.Save(systemKey, components.Pick(allowed, "on", "off"))
			if !allowed {
				c.toast("warning", words.NoticesRefused)
			}
		}
	})
}
