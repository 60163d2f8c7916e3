package pages

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// watch keeps the list up to date with what happens.
func (g *Gallery) watch(event atelier.Event) {
	there, over := g.list.Len()+g.fresh.Len(), event.Type == atelier.EventSnapshot
	switch event.Type {
	case atelier.EventSnapshot:
		g.refresh()
	case atelier.EventShown:
		if g.others() {
			g.refresh()
		}
	case atelier.EventRun, atelier.EventPSD:
		var run atelier.Run
		if json.Unmarshal(event.Data, &run) == nil {
			g.watchRun(run)
			over = run.State.Final() || run.Trashed || run.Gone
		}
	case atelier.EventResult:
		var result atelier.Result
		if json.Unmarshal(event.Data, &result) == nil {
			g.watchResult(result)
			over = result.Stored || result.Trashed || result.Gone
		}
	}
	if over || g.list.Len()+g.fresh.Len() != there {
		g.ageMonths()
	}
}

// monthsRest is how long what comes and goes is collected before the months are read again.
const monthsRest = time.Second

// ageMonths notes that something came or went, and reads the months again soon, once for all that does until then.
func (g *Gallery) ageMonths() {
	g.aged = true
	if g.ageing || !g.Shown {
		return
	}
	g.ageing = true
	g.ctx.After(monthsRest, func(app.Context) {
		g.ageing = false
		g.renewMonths()
	})
}

// renewMonths reads the months again where they are looked at and not what they were.
func (g *Gallery) renewMonths() {
	if g.aged && g.Shown && !g.ageing {
		g.loadMonths()
	}
}

// refresh reads the beginning of the list again after events were missed. What is chosen, and where the wall is, stays.
func (g *Gallery) refresh() {
	if g.state != model.Loaded {
		g.load()
		return
	}
	if !g.filter.ByDate() || g.filter.At != "" || g.list.Len() == 0 { // what changed may stand anywhere in it
		if g.others() || g.list.Len() == 0 || !g.disturbed() && !g.core.viewer.open && !g.core.review.desk.open {
			g.load()
		} else {
			g.stale = true
		}
		return
	}
	asked, ask := g.asked, g.filter.Down(g.core.zone)
	ask.Limit = galleryPage
	g.fetch(ask, func(page galleryAnswer, err error) {
		if asked != g.asked || err != nil {
			return // the list is as old as it was; the next event or page brings news
		}
		there := map[string]bool{}
		var news []model.Shot
		last := -1
		for _, s := range page.shots {
			there[s.Key()] = true
			if i := g.list.Find(s.Key()); i >= 0 {
				last = max(last, i)
				g.list.Append(s)
			} else {
				news = append(news, s)
			}
		}
		if page.next == "" {
			last = g.list.Len() - 1
		}
		var gone []string
		for i := range last + 1 {
			if key := g.list.Key(i); !there[key] {
				gone = append(gone, key)
			}
		}
		g.total, g.beyond = page.total, page.beyond
		g.hold(func() { g.list.Remove(gone...) })
		g.total -= len(news)
		g.arrived(news)
		if _, there := g.core.viewer.shot(); g.core.viewer.open && g.others() && !there {
			g.core.CloseLightbox() // it is shown no longer
		}
		g.core.change()
	})
}

func (g *Gallery) watchRun(run atelier.Run) {
	trash := g.filter.View == model.ViewTrash
	if i := g.list.Find(string(run.ID)); trash && !run.Trashed && i >= 0 && !g.list.At(i).Run.Trashed {
		return // some of its results are here, and it is not itself
	}
	if run.Gone || run.Trashed != trash {
		g.drop(map[atelier.RunID]bool{run.ID: true})
		return
	}
	g.fresh.UpdateRun(run)
	there := g.list.Len()
	known := g.list.UpdateRun(run)
	if known && (g.filter.Whole || g.list.Len() != there) { // else every tile has its place still
		g.lay()
	}
	g.outgrow(run)
	if g.filter.View == model.ViewDuplicates {
		g.copyAgain(func(r atelier.ListedResult) bool {
			return r.RunID == run.ID && slices.ContainsFunc(run.Results, func(now atelier.Result) bool { return now.ID == r.ID && !now.Trashed })
		})
		return
	}
	if g.state != model.Loaded || !g.below(run) {
		return
	}
	if !g.filter.Decides() {
		g.doubt(run)
		return
	}
	results := run.Results
	if len(results) == 0 {
		results = []atelier.Result{{}} // one tile stands for a run that has no results yet
	}
	g.comeBack(g.missing(run, results...))
}

func (g *Gallery) watchResult(result atelier.Result) {
	if trash := g.filter.View == model.ViewTrash; trash || result.Trashed {
		if i := g.list.Find(string(result.RunID)); trash && !result.Gone && (result.Trashed || i < 0 || g.list.At(i).Run.Trashed) {
			return
		}
		g.lose(result, trash)
		return
	}
	g.fresh.Update(result)
	if g.filter.View == model.ViewDuplicates {
		g.copyAgain(func(r atelier.ListedResult) bool { return r.ID == result.ID })
		g.list.Update(result)
		return
	}
	if g.list.Update(result) || g.state != model.Loaded {
		g.outgrow(atelier.Run{Results: []atelier.Result{result}})
		return
	}
	run, known := g.core.runs.Find(result.RunID)
	if !known { // it may have been made of one of the others
		run, known = g.list.Run(result.RunID)
	}
	if !known { // of a run that is older than all that were read
		run = atelier.Run{ID: result.RunID, CreatedAt: result.RunID.Time()}
	}
	switch {
	case !g.below(run), !g.filter.Likes(result) && g.filter.View == model.ViewResults:
	case !known, !g.filter.Decides():
		delete(g.doubted, run.ID) // it may be on the board now
		g.doubt(run)
	default:
		g.comeBack(g.missing(run, result))
	}
}

// missing are the shots of a run that belong to the list and are not in it; of a list of results, those of the given ones.
func (g *Gallery) missing(run atelier.Run, results ...atelier.Result) (shots []model.Shot) {
	if g.filter.View != model.ViewResults {
		if s := model.Cover(run); g.list.Find(s.Key()) < 0 && g.filter.AdmitsRun(run, g.core.zone) {
			shots = append(shots, s)
		}
		return shots
	}
	for _, r := range results {
		if s := (model.Shot{Run: run, Result: r}); g.list.Find(s.Key()) < 0 && g.filter.Admits(run, r, g.core.zone) {
			shots = append(shots, s)
		}
	}
	return shots
}

// outgrow takes off the list what of a run has not the status any more that is asked for: at once where nothing is disturbed by it, else
// when the list is read again.
func (g *Gallery) outgrow(run atelier.Run) {
	if g.filter.Status == "" {
		return
	}
	var keys []string
	if g.filter.View == model.ViewResults {
		for _, r := range run.Results {
			if r.Status != g.filter.Status {
				keys = append(keys, string(r.ID))
			}
		}
	} else if run.ID != "" && !g.filter.StandsFor(run) {
		keys = append(keys, string(run.ID))
	}
	g.fresh.Remove(keys...)
	keys = slices.DeleteFunc(keys, func(key string) bool { return g.list.Find(key) < 0 })
	switch {
	case len(keys) == 0:
	case g.disturbed() || g.core.viewer.open:
		g.stale = true
	default:
		g.hold(func() { g.total = max(0, g.total-g.list.Remove(keys...)) })
		g.fill()
	}
}

// doubtRests is how long what arrives is collected before the server is asked about it.
const doubtRests = 400 * time.Millisecond

// doubt notes that only the server can say whether a run belongs to the list, and asks it soon: once for each state of its results.
func (g *Gallery) doubt(run atelier.Run) {
	if n, asked := g.doubted[run.ID]; asked && n == len(run.Results) {
		return
	}
	if g.doubted == nil {
		g.doubted = map[atelier.RunID]int{}
	}
	g.doubted[run.ID] = len(run.Results)
	g.doubts = append(g.doubts, run)
	if len(g.doubts) > 1 {
		return
	}
	asked := g.asked
	g.ctx.After(doubtRests, func(app.Context) {
		if asked != g.asked {
			return
		}
		doubts := g.doubts
		g.doubts = nil
		first, last := doubts[0].CreatedAt, doubts[0].CreatedAt
		for _, r := range doubts {
			if r.CreatedAt.Before(first) {
				first = r.CreatedAt
			}
			if r.CreatedAt.After(last) {
				last = r.CreatedAt
			}
		}
		ask := g.filter.Around(first, last, g.core.zone)
		ask.Limit = galleryMore
		g.fetch(ask, func(page galleryAnswer, err error) {
			if asked != g.asked || err != nil {
				return // they come with the next answer about the list
			}
			news := slices.DeleteFunc(page.shots, func(s model.Shot) bool {
				return g.list.Find(s.Key()) >= 0 || !slices.ContainsFunc(doubts, func(r atelier.Run) bool { return r.ID == s.Run.ID })
			})
			g.comeBack(news)
			g.core.change()
		})
	})
}

// comeBack takes in what arrives: at once where it was taken out of the trash here, else as all that is new.
func (g *Gallery) comeBack(shots []model.Shot) {
	var back, news []model.Shot
	for _, s := range shots {
		if g.core.review.back[s.Run.ID] && g.filter.ByDate() {
			back = append(back, s)
		} else {
			news = append(news, s)
		}
	}
	if len(back) > 0 {
		g.hold(func() { g.total += g.list.Insert(false, back...) })
	}
	g.arrived(news)
}

// lose takes a single result off the list; whole says that its run goes with it when nothing else of it is listed.
func (g *Gallery) lose(result atelier.Result, whole bool) {
	g.left = true
	g.fresh.Lose(result, whole)
	before := g.list.Len()
	g.hold(func() { g.list.Lose(result, whole) })
	g.total = max(0, g.total-(before-g.list.Len()))
	g.fill()
}

// below says whether a run belongs to the part of the history that is loaded; an older one comes with its page.
func (g *Gallery) below(run atelier.Run) bool {
	n := g.list.Len()
	return !g.down.more || n == 0 || !run.CreatedAt.Before(g.list.Made(n-1))
}

// arrived takes in what is new: at once where nothing is disturbed by it, else when it is asked for.
func (g *Gallery) arrived(shots []model.Shot) {
	if len(shots) == 0 {
		return
	}
	if !g.filter.ByDate() || g.filter.At != "" && g.up.more || g.disturbed() {
		g.fresh.Insert(false, shots...)
		return
	}
	g.total += g.list.Insert(false, shots...)
	g.lay()
}

// disturbed says whether somebody is at work in the list, who would lose his place in it.
func (g *Gallery) disturbed() bool {
	return g.top > wallPad || g.chosen.Len() > 0 || browser.Pointed(wallID)
}

// drop takes runs off the list.
func (g *Gallery) drop(runs map[atelier.RunID]bool) {
	g.left = true
	g.fresh.Remove(g.fresh.Of(runs)...)
	if gone := g.list.Of(runs); len(gone) > 0 {
		g.hold(func() { g.total = max(0, g.total-g.list.Remove(gone...)) })
		g.fill()
	}
}

// renderPill says that something new is there, above what is looked at.
func (g *Gallery) renderPill() app.UI {
	n := g.fresh.Len()
	said := words.GalleryFresh(n)
	if g.stale {
		said = words.GalleryStale
	}
	return components.El("button", "type", "button", "class", "pill", "data-testid", "fresh").Hidden(n == 0 && !g.stale).OnClick(func(app.Context, app.Event) { g.showFresh() }).
		Body(components.SmallIcon("restore"), components.Text("span", "", said))
}

// showFresh takes in what arrived, and goes where it is.
func (g *Gallery) showFresh() {
	if g.stale {
		g.load()
		return
	}
	if g.filter.At != "" || !g.filter.ByDate() {
		f := g.filter
		f.At = ""
		if f == g.filter {
			g.load()
		}
		g.set(f)
		return
	}
	fresh := g.fresh.Part(0, g.fresh.Len())
	g.fresh = model.Listing{}
	g.total += g.list.Insert(false, fresh...)
	g.lay()
	g.scroll(0)
}
