package pages

import (
	"context"
	"encoding/json"
	"slices"
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

const (
	askID   = "ask"
	linksID = "links"
)

// reviewing is the review links, and the dialogs about them.
type reviewing struct {
	state   model.Load
	problem string
	links   []atelier.ReviewLink // without those that are deleted unless it is undone
	doomed  []atelier.ReviewLinkID

	asked  []model.Shot        // what a link is being made for
	made   *atelier.ReviewLink // of them
	files  bool                // the client may take them
	busy   bool
	refuse string // why it was not made

	open    atelier.ReviewLinkID // the link whose answers are shown, "" for the list
	answers *atelier.ReviewAnswers
}

// openAsking asks how a client is to be asked about results.
func (c *core) openAsking(shots []model.Shot) {
	if len(shots) == 0 {
		c.toast("info", words.ChooseReadyResults)
		return
	}
	r := &c.review.links
	r.asked, r.made, r.files, r.busy, r.refuse = shots, nil, false, false, ""
	c.openReview(askID)
	drawn(c.ui, func() {
		browser.SetValue("ask-title", shots[0].Run.Title)
		browser.Focus("ask-title")
	})
}

func (c *core) renderAsking() []app.UI {
	r := &c.review.links
	if r.made != nil {
		return c.renderMade(*r.made)
	}
	days := []app.UI{}
	for _, n := range []int{1, 3, 7, atelier.DefaultReviewDays, 30, atelier.MaxReviewDays} {
		days = append(days, components.El("option", "value", words.Number(n), "selected", components.Bool(n == atelier.DefaultReviewDays)).Text(words.Days(n)))
	}
	problem := r.refuse
	if len(r.asked) > atelier.MaxReviewed {
		problem = words.ReviewMost(atelier.MaxReviewed)
	}
	field := func(label string, control app.UI) app.UI {
		return components.El("label", "class", "deliver__field").Body(components.Text("span", "deliver__label", label), control)
	}
	return []app.UI{components.El("form", "class", "deliver").OnSubmit(c.onAsk).Body(
		components.Text("p", "deliver__count", words.ResultCount(len(r.asked))),
		components.Text("p", "deliver__note", words.ReviewAskHelp),
		field(words.ReviewTitle, components.Void("input", "id", "ask-title", "class", "input", "maxlength", words.Number(atelier.MaxReviewLinkTitle), "required", "true", "data-testid", "ask-title")),
		field(words.ReviewNote, components.El("textarea", "id", "ask-note", "class", "input", "rows", "3", "maxlength", words.Number(atelier.MaxReviewLinkNote), "data-testid", "ask-note")),
		field(words.ReviewDays, components.El("select", "id", "ask-days", "class", "input", "data-testid", "ask-days").Body(days...)),
		components.El("label", "class", "switch").Body(
			components.Void("input", "id", "ask-downloads", "type", "checkbox", "class", "switch__input", "role", "switch", "data-testid", "ask-downloads").OnChange(c.onAskFiles),
			components.Text("span", "", words.ReviewDownloads)),
		components.El("p", "class", "field__problem", "role", "alert", "data-testid", "ask-problem").Hidden(problem == "").Text(problem),
		components.Box("deliver__actions",
			components.Button("link", words.ReviewMake, "button--primary").Attr("type", "submit").Attr("disabled", components.Bool(r.busy || len(r.asked) > atelier.MaxReviewed)).Attr("data-testid", "ask-make")),
	)}
}

func (c *core) onAskFiles(_ app.Context, e app.Event) {
	c.review.links.files = e.Get("target").Get("checked").Truthy()
}

func (c *core) onAsk(_ app.Context, e app.Event) {
	e.PreventDefault()
	r := &c.review.links
	days, err := strconv.Atoi(browser.Value("ask-days"))
	if err != nil {
		days = atelier.DefaultReviewDays
	}
	body := atelier.CreateReviewLink{
		IDs: idsOf(r.asked), Title: strings.TrimSpace(browser.Value("ask-title")), Note: browser.Value("ask-note"), Days: days, Downloads: r.files,
	}
	if body.Title == "" {
		browser.Focus("ask-title")
		return
	}
	r.busy, r.refuse = true, ""
	c.change()
	c.do(func(ctx context.Context) func() {
		link, err := c.api.CreateReviewLink(ctx, body)
		return func() {
			r.busy = false
			if err != nil {
				if !c.expired(err) {
					r.refuse = sentence(err)
				}
				return
			}
			r.take(link)
			r.made = &link
			drawn(c.ui, func() { browser.Focus("ask-copy") })
		}
	})
}

// renderMade is the link that was made, to be handed on.
func (c *core) renderMade(l atelier.ReviewLink) []app.UI {
	return []app.UI{components.Box("deliver",
		components.El("p", "class", "deliver__count", "role", "status").Text(words.ReviewReady(l.ExpiresAt, c.zone)),
		components.Void("input", "class", "input", "readonly", "true", "aria-label", words.ReviewAsk, "data-testid", "ask-url", "value", l.URL),
		components.El("p", "class", "deliver__note", "data-testid", "ask-local").Hidden(!l.Local).Text(words.ReviewLocal),
		components.Box("deliver__actions", c.linkOpen(l), c.linkCopy(l, "button--primary").Attr("id", "ask-copy")),
	)}
}

func (c *core) linkOpen(l atelier.ReviewLink) app.UI {
	return components.El("a", "class", "button", "href", l.URL, "target", "_blank", "rel", "noopener", "data-testid", "link-open").Body(components.SmallIcon("eye"), components.Text("span", "", words.ReviewOpen))
}

func (c *core) linkCopy(l atelier.ReviewLink, class string) app.HTMLElem {
	return components.Button("copy", words.ReviewCopy, class).Attr("data-testid", "link-copy").OnClick(func(app.Context, app.Event) {
		browser.Copy(l.URL)
		c.toast("info", words.ReviewCopied)
	}, components.Scope("copy", string(l.ID)))
}

// openLinks shows the review links, or the answers of one of them.
func (c *core) openLinks(id atelier.ReviewLinkID) {
	c.loadLinks()
	c.openReview(linksID)
	c.showAnswers(id)
}

// loadLinks reads the review links again.
func (c *core) loadLinks() {
	r := &c.review.links
	if r.state != model.Loaded {
		r.state = model.Loading
	}
	c.do(func(ctx context.Context) func() {
		links, err := c.api.ReviewLinks(ctx)
		return func() {
			if err != nil {
				if r.state != model.Loaded {
					r.state, r.problem = model.Broken, sentence(err)
				}
				c.expired(err)
				return
			}
			r.state = model.Loaded
			r.links = slices.DeleteFunc(links, func(l atelier.ReviewLink) bool { return slices.Contains(r.doomed, l.ID) })
		}
	})
}

// showAnswers leads from the list to the answers of a link, with "" back.
func (c *core) showAnswers(id atelier.ReviewLinkID) {
	r := &c.review.links
	r.open, r.answers = id, nil
	c.change()
	if id != "" {
		c.loadAnswers()
	}
}

func (c *core) loadAnswers() {
	r := &c.review.links
	id := r.open
	c.do(func(ctx context.Context) func() {
		answers, err := c.api.ReviewAnswers(ctx, id)
		return func() {
			switch {
			case r.open != id:
			case err != nil:
				c.failed(err)
				r.open = ""
			default:
				r.answers = &answers
				r.take(answers.Link)
			}
		}
	})
}

// take keeps a link as it is now, and gives it as it was.
func (r *reviewing) take(l atelier.ReviewLink) (before *atelier.ReviewLink) {
	if slices.Contains(r.doomed, l.ID) {
		return nil
	}
	for i := range r.links {
		if r.links[i].ID == l.ID {
			was := r.links[i]
			r.links[i] = l
			return &was
		}
	}
	r.links = slices.Insert(r.links, 0, l)
	return nil
}

// heardReview takes what a client said, and tells when they are done.
func (c *core) heardReview(data []byte) {
	var l atelier.ReviewLink
	if json.Unmarshal(data, &l) != nil {
		return
	}
	r := &c.review.links
	before := r.take(l)
	if c.review.dialog == linksID && r.open == l.ID {
		c.loadAnswers()
	}
	if l.DoneAt == nil || c.now().Sub(*l.DoneAt) > time.Minute || before != nil && before.DoneAt != nil && !before.DoneAt.Before(*l.DoneAt) {
		return
	}
	said := words.ReviewDone(l.DoneName, l.Title)
	c.said = said
	c.over("review-"+string(l.ID), words.ReviewAsk, said, "/boards")
	c.suggest(said, words.ReviewShow, func() { c.openLinks(l.ID) })
}

func (c *core) renderLinks() []app.UI {
	r := &c.review.links
	if r.open != "" {
		return c.renderAnswers()
	}
	items := make([]app.UI, len(r.links))
	for i, l := range r.links {
		items[i] = c.linkRow(l)
	}
	switch {
	case len(items) > 0:
		return []app.UI{components.Box("boarding links", components.El("div", "class", "boarding__list", "data-testid", "links").Body(items...))}
	case r.state == model.Broken:
		return []app.UI{components.Box("empty", components.Text("h3", "empty__title", words.ReviewBroken), components.Text("p", "empty__text", r.problem),
			components.Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { c.loadLinks() }))}
	case r.state != model.Loaded:
		return []app.UI{components.El("div", "class", "boarding links", "aria-busy", "true").Body(components.Box("skeleton links__wait"), components.Box("skeleton links__wait"))}
	}
	return []app.UI{components.El("div", "class", "empty", "data-testid", "links-empty").Body(components.Icon("link"),
		components.Text("h3", "empty__title", words.ReviewEmptyTitle), components.Text("p", "empty__text", words.ReviewEmpty))}
}

// linkRow is a link in the list, which leads to its answers.
func (c *core) linkRow(l atelier.ReviewLink) app.UI {
	state := words.ReviewUntil(l.ExpiresAt, l.Ended(c.now()), c.zone)
	if l.DoneAt != nil {
		state = words.ReviewSays(l.DoneName, l.DoneWords)
	}
	return components.El("button", "type", "button", "class", "boarding__item", "data-testid", "link-row", "data-link", string(l.ID)).
		OnClick(func(app.Context, app.Event) { c.showAnswers(l.ID) }, components.Scope("link", string(l.ID))).
		Body(boardFace(atelier.Board{Thumbs: l.Thumbs}),
			components.El("span", "class", "links__about").Body(components.Text("span", "boarding__name", l.Title), components.Text("span", "boarding__count", state)),
			components.Text("span", "boarding__count", words.ReviewCounts(l.Results, l.Picked, l.Rejected, l.Comments)))
}

// renderAnswers shows what the client of a link said of each result.
func (c *core) renderAnswers() []app.UI {
	r := &c.review.links
	back := components.Button("left", words.ReviewAll, "button--quiet button--small links__back").Attr("data-testid", "links-back").OnClick(func(app.Context, app.Event) { c.showAnswers("") })
	if r.answers == nil {
		return []app.UI{components.El("div", "class", "boarding links", "aria-busy", "true").Body(back, components.Box("skeleton links__wait"))}
	}
	l, ended := r.answers.Link, r.answers.Link.Ended(c.now())
	rows := make([]app.UI, len(r.answers.Answers))
	for i, a := range r.answers.Answers {
		rows[i] = c.answerRow(a)
	}
	said := ""
	if l.DoneAt != nil {
		said = words.ReviewSays(l.DoneName, l.DoneWords)
	}
	act := func(icon, label, id string, do func()) app.UI {
		return components.Button(icon, label, "button--quiet").Attr("data-testid", id).OnClick(func(app.Context, app.Event) { do() }, components.Scope(id, string(l.ID)))
	}
	return []app.UI{components.Box("boarding links",
		components.Box("links__head", back, components.Text("h3", "links__title", l.Title),
			components.Text("p", "deliver__count", words.ReviewCounts(l.Results, l.Picked, l.Rejected, l.Comments)+" · "+words.ReviewUntil(l.ExpiresAt, ended, c.zone)),
			components.El("p", "class", "links__said", "data-testid", "links-said").Hidden(said == "").Text(said),
			components.El("p", "class", "deliver__note").Hidden(!l.Local).Text(words.ReviewLocal)),
		components.El("ul", "class", "boarding__list", "data-testid", "answers").Body(rows...),
		components.El("p", "class", "deliver__note").Hidden(len(rows) > 0).Text(words.ReviewGone),
		components.Box("deliver__actions",
			act("trash", words.ReviewDelete, "link-delete", func() { c.deleteLink(l) }),
			components.If(ended, func() app.UI {
				return act("clock", words.ReviewLonger, "link-longer", func() { c.setLink(l.ID, atelier.UpdateReviewLink{Days: atelier.DefaultReviewDays}, nil) })
			}),
			components.If(!ended, func() app.UI { return act("close", words.ReviewEnd, "link-end", func() { c.endLink(l) }) }),
			components.If(!ended, func() app.UI { return c.linkOpen(l) }),
			components.If(!ended, func() app.UI { return c.linkCopy(l, "") }),
			components.If(l.Picked > 0, func() app.UI {
				return components.Button("flag", words.ReviewPick(l.Picked), "button--primary").Attr("data-testid", "link-pick").OnClick(func(app.Context, app.Event) { c.pickAnswered() })
			}),
		),
	)}
}

// answerRow is a result with what was said of it; its picture opens it.
func (c *core) answerRow(a atelier.ReviewAnswer) app.UI {
	icon, said := "minus", words.ReviewNothing
	switch a.Pick {
	case atelier.PickYes:
		icon, said = "check", words.ReviewYes
	case atelier.PickNo:
		icon, said = "close", words.ReviewNo
	}
	return components.El("li", "class", "links__answer", "data-testid", "answer", "data-pick", a.Pick).Body(
		components.El("button", "type", "button", "class", "links__picture", "aria-label", words.ResultNumber(a.Number)).OnClick(func(app.Context, app.Event) {
			shots := c.answered(func(atelier.ReviewAnswer) bool { return true })
			c.closeReview()
			c.view(string(a.Result.ID), func() []model.Shot { return shots })
		}, components.Scope("answer", string(a.Result.ID))).Body(
			components.If(a.Result.Thumb != "", func() app.UI {
				return components.Void("img", "src", components.Thumb(a.Result.Thumb, 160), "alt", "", "loading", "lazy", "decoding", "async")
			}),
			components.If(a.Result.Thumb == "", func() app.UI { return components.Icon("film") })),
		components.El("span", "class", "links__pick").Body(components.SmallIcon(icon), components.Text("span", "", said)),
		components.Text("p", "links__comment", a.Comment))
}

// answered are the shots of the answers that are shown and of which is says so.
func (c *core) answered(is func(atelier.ReviewAnswer) bool) []model.Shot {
	var shots []model.Shot
	for _, a := range c.review.links.answers.Answers {
		if is(a) {
			shots = append(shots, model.Listed(a.Result))
		}
	}
	return shots
}

// pickAnswered picks what the client said yes to.
func (c *core) pickAnswered() {
	pick := atelier.PickYes
	c.judge(c.answered(func(a atelier.ReviewAnswer) bool { return a.Pick == atelier.PickYes }), atelier.UpdateResults{Pick: &pick})
}

// endLink ends a link now. Taken back, it works as long as it would have.
func (c *core) endLink(l atelier.ReviewLink) {
	c.setLink(l.ID, atelier.UpdateReviewLink{}, func() {
		c.offer(words.ReviewEnded(l.Title), func() { c.setLink(l.ID, atelier.UpdateReviewLink{Until: &l.ExpiresAt}, nil) })
	})
}

func (c *core) setLink(id atelier.ReviewLinkID, u atelier.UpdateReviewLink, then func()) {
	c.do(func(ctx context.Context) func() {
		l, err := c.api.UpdateReviewLink(ctx, id, u)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			r := &c.review.links
			r.take(l)
			if r.answers != nil && r.open == id {
				r.answers.Link = l
			}
			if then != nil {
				then()
			}
		}
	})
}

// deleteLink takes a link off the list, and from the server once the offer to undo is over.
func (c *core) deleteLink(l atelier.ReviewLink) {
	r := &c.review.links
	r.doomed = append(r.doomed, l.ID)
	r.links = slices.DeleteFunc(r.links, func(of atelier.ReviewLink) bool { return of.ID == l.ID })
	c.showAnswers("")
	spare := func() {
		r.doomed = slices.DeleteFunc(r.doomed, func(id atelier.ReviewLinkID) bool { return id == l.ID })
	}
	c.offerFor(words.ReviewDeleted(l.Title), func() {
		spare()
		c.loadLinks()
	}, func() {
		c.do(func(ctx context.Context) func() {
			err := c.api.DeleteReviewLink(ctx, l.ID)
			return func() {
				spare()
				c.failed(err)
				c.loadLinks()
			}
		})
	})
}
