package pages

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

// takeBack presses the buttons of all toasts, the newest first, and gives how many there were.
func takeBack(c *core) (n int) {
	for _, t := range slices.Backward(slices.Clone(c.toasts)) {
		if t.Action != "" {
			n++
			c.DoToast(t.ID)
		}
	}
	return n
}

// Two things are thrown away one after the other, both with the same words, and something else is said in between: each has an
// offer of its own, and nothing else has one.
func TestEachDeletionHasItsOwnUndo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // offers stand for a while
		g, s, engine := openGallery(t, "/gallery")
		var restored []atelier.ResultID
		s.on("POST /api/results/trash", 200, atelier.ChangedResults{})
		s.answers["POST /api/results/restore"] = func(r browser.Request) (int, any) {
			var body atelier.ChosenResults
			if err := json.Unmarshal(r.Body, &body); err != nil {
				return 400, nil
			}
			restored = append(restored, body.IDs...)
			return 200, atelier.ChangedResults(body)
		}
		first, second := g.list.At(0), g.list.At(1)
		g.ctx.Dispatch(func(app.Context) {
			g.core.trash([]model.Shot{first})
			g.core.trash([]model.Shot{second})
		})
		for len(g.core.toasts) < 2 {
			engine.ConsumeNext()
		}
		// At once, and not by the engine: what it does next is to take the first toast away.
		g.core.toast("info", "Something else.")
		if g.core.toasts[2].Action != "" {
			t.Error("what offers nothing has a button")
		}
		if n := takeBack(g.core); n != 2 {
			t.Errorf("%d deletions can be undone, want 2", n)
		}
		engine.ConsumeAll()
		slices.Sort(restored)
		if !slices.Equal(restored, []atelier.ResultID{first.Result.ID, second.Result.ID}) {
			t.Errorf("%q were taken back", restored)
		}
	})
}

// An offer that nobody takes is over once: by itself, dismissed, or when the page goes.
func TestAnOfferNobodyTakesIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, engine := openApp(t, newServer())
		var log []string
		say := func(what string) func() { return func() { log = append(log, what) } }
		a.ctx.Dispatch(func(app.Context) {
			a.core.offerFor("One", say("took one"), say("over one"))
			a.core.offerFor("Two", say("took two"), say("over two"))
			a.core.offerFor("Three", say("took three"), say("over three"))
			a.core.DropToast(a.core.toasts[0].ID)
			a.core.undo() // the latest
			a.core.settle()
			a.core.settle()
		})
		engine.ConsumeAll()
		if want := []string{"over one", "took three", "over two"}; !slices.Equal(log, want) || len(a.core.toasts) != 0 {
			t.Errorf("%q, and %d toasts stay", log, len(a.core.toasts))
		}
		a.ctx.Dispatch(func(app.Context) { a.core.offerFor("Four", nil, say("over four")) })
		engine.ConsumeAll() // it goes by itself
		if log[len(log)-1] != "over four" {
			t.Errorf("%q", log)
		}
		a.ctx.Dispatch(func(app.Context) {
			a.core.review.notices.stay = true
			a.core.offerFor("Five", nil, say("over five"))
		})
		for since := time.Now(); time.Since(since) < time.Minute; {
			engine.ConsumeNext()
		}
		if len(a.core.toasts) != 1 || log[len(log)-1] != "over four" {
			t.Errorf("wanted to stay, %d toasts are there after a minute: %q", len(a.core.toasts), log)
		}
		a.core.review.notices.stay = false
		engine.ConsumeAll()
		if log[len(log)-1] != "over five" {
			t.Errorf("no longer wanted to stay: %q", log)
		}
	})
}

// Results that were judged differently are judged alike, and each has again what it had.
func TestAVerdictOnManyIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s, engine := openGallery(t, "/gallery")
		stars := map[atelier.ResultID]int{}
		s.answers["PATCH /api/results"] = func(r browser.Request) (int, any) {
			var u atelier.UpdateResults
			if err := json.Unmarshal(r.Body, &u); err != nil || u.Rating == nil || u.Pick != nil || u.Starred != nil {
				return 400, nil
			}
			var list atelier.ResultList
			for _, shot := range g.list.Part(0, g.list.Len()) {
				if slices.Contains(u.IDs, shot.Result.ID) {
					shot.Result.Rating = *u.Rating
					stars[shot.Result.ID] = *u.Rating
					list.Results = append(list.Results, shot.Result)
				}
			}
			return 200, list
		}
		for i, n := range []int{5, 0, 3, 5, 2} {
			r := g.list.At(i).Result
			r.Rating = n
			g.list.Update(r)
		}
		two := 2
		g.ctx.Dispatch(func(app.Context) { g.core.judge(g.list.Part(0, 5), atelier.UpdateResults{Rating: &two}) })
		for len(g.core.toasts) == 0 {
			engine.ConsumeNext()
		}
		if n := g.list.At(0).Result.Rating; n != 2 {
			t.Fatalf("rated %d", n)
		}
		g.ctx.Dispatch(func(app.Context) { takeBack(g.core) })
		engine.ConsumeAll()
		for i, want := range []int{5, 0, 3, 5, 2} {
			if r := g.list.At(i).Result; r.Rating != want || stars[r.ID] != want {
				t.Errorf("result %d has %d stars on screen and %d on the server, want %d", i, r.Rating, stars[r.ID], want)
			}
		}
		if n := len(s.bodies["PATCH /api/results"]); n != 4 { // one for all, one for each of 5, 0 and 3
			t.Errorf("%d requests", n)
		}
	})
}

// Verdicts on one result after the other, as at the desk: what was said last can be taken back, and does not pile up.
func TestAVerdictOnOneIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, s, engine := openGallery(t, "/gallery")
		picks := map[atelier.ResultID]string{}
		s.answers["PATCH /api/results"] = func(r browser.Request) (int, any) {
			var u atelier.UpdateResults
			if err := json.Unmarshal(r.Body, &u); err != nil || u.Pick == nil || len(u.IDs) != 1 {
				return 400, nil
			}
			picks[u.IDs[0]] = *u.Pick
			return 200, atelier.ResultList{Results: []atelier.Result{{ID: u.IDs[0], Stored: true, Pick: *u.Pick}}}
		}
		verdicts := []string{atelier.PickYes, atelier.PickNo}
		g.ctx.Dispatch(func(app.Context) {
			for i := range verdicts {
				g.core.judge(g.list.Part(i, i+1), atelier.UpdateResults{Pick: &verdicts[i]})
			}
		})
		for g.core.toastID < len(verdicts) {
			engine.ConsumeNext()
		}
		last := strings.Contains(g.core.toasts[len(g.core.toasts)-1].Message, "rejected")
		if n := takeBack(g.core); n != 1 { // at once: what the engine does next is to take a toast away
			t.Errorf("%d verdicts are on offer, want the last one", n)
		}
		engine.ConsumeAll()
		if last {
			verdicts[1] = ""
		} else {
			verdicts[0] = ""
		}
		for i, want := range verdicts {
			if r := g.list.At(i).Result; r.Pick != want || picks[r.ID] != want {
				t.Errorf("result %d is %q on screen and %q on the server, want %q", i, r.Pick, picks[r.ID], want)
			}
		}
	})
}

// A run whose fate nobody knows is dismissed, and waits for a decision again.
func TestADismissalIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		run := atelier.Run{ID: "r", Agent: "removeBG", State: atelier.StateUnconfirmed}
		s.on("GET /api/runs", 200, atelier.RunPage{Runs: []atelier.Run{run}})
		as := func(state atelier.State) atelier.RunBody {
			return atelier.RunBody{Run: atelier.Run{ID: "r", Agent: "removeBG", State: state}}
		}
		s.on("POST /api/runs/r/dismiss", 200, as(atelier.StateFailed))
		s.on("DELETE /api/runs/r/dismiss", 200, as(atelier.StateUnconfirmed))
		a, engine := openApp(t, s)
		c := a.core
		state := func() atelier.State {
			run, _ := c.runs.Find("r")
			return run.State
		}
		a.ctx.Dispatch(func(app.Context) {
			c.runs = c.runs.Merge(run)
			c.DecideRun("r")
			c.DismissUnconfirmed()
		})
		for len(c.toasts) == 0 || state() != atelier.StateFailed {
			engine.ConsumeNext()
		}
		if takeBack(c) != 1 { // at once: what the engine does next is to take the toast away
			t.Errorf("it cannot be taken back: %+v", c.toasts)
		}
		engine.ConsumeAll()
		if state() != atelier.StateUnconfirmed {
			t.Errorf("the run is %q", state())
		}
	})
}

// More runs than the server takes at once go into the trash, and out of it, in parts.
func TestManyRunsAreThrownAwayInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, engine := openApp(t, newServerTaking(t, atelier.MaxChosen))
		shots := make([]model.Shot, 2*atelier.MaxChosen+1)
		for i := range shots {
			shots[i] = model.Shot{Run: atelier.Run{ID: atelier.RunID(strconv.Itoa(i))}, Stack: true}
		}
		a.ctx.Dispatch(func(app.Context) { a.core.trash(shots) })
		for len(a.core.toasts) == 0 {
			engine.ConsumeNext()
		}
		if said := a.core.toasts[0]; said.Action == "" {
			t.Fatalf("said is %q", said.Message)
		}
		a.ctx.Dispatch(func(app.Context) { takeBack(a.core) })
		engine.ConsumeAll()
		for _, said := range a.core.toasts {
			t.Errorf("said is %q", said.Message)
		}
	})
}

// Where a later part fails, what went before it is gone on screen too, and can be taken back.
func TestWhatWentBeforeAFaultCanBeTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		var parts, back []atelier.ResultID
		s.answers["POST /api/results/trash"] = func(r browser.Request) (int, any) {
			var body atelier.ChosenResults
			if err := json.Unmarshal(r.Body, &body); err != nil || len(parts) > 0 {
				return 503, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Internal, Message: "The studio is busy."}}
			}
			parts = body.IDs
			return 200, atelier.ChangedResults(body)
		}
		s.answers["POST /api/results/restore"] = func(r browser.Request) (int, any) {
			var body atelier.ChosenResults
			if err := json.Unmarshal(r.Body, &body); err != nil {
				return 400, nil
			}
			back = append(back, body.IDs...)
			return 200, atelier.ChangedResults(body)
		}
		a, engine := openApp(t, s)
		shots := make([]model.Shot, atelier.MaxChosen+1)
		for i := range shots {
			id := strconv.Itoa(i)
			shots[i] = model.Shot{Run: atelier.Run{ID: atelier.RunID("run-" + id)}, Result: atelier.Result{ID: atelier.ResultID(id), RunID: atelier.RunID("run-" + id), Stored: true}}
		}
		a.ctx.Dispatch(func(app.Context) { a.core.trash(shots) })
		for len(a.core.toasts) < 2 {
			engine.ConsumeNext()
		}
		if failed, offer := a.core.toasts[0], a.core.toasts[1]; failed.Message != "The studio is busy." || offer.Action == "" {
			t.Fatalf("said are %q and %q", failed.Message, offer.Message)
		}
		a.ctx.Dispatch(func(app.Context) { takeBack(a.core) })
		engine.ConsumeAll()
		if len(back) != atelier.MaxChosen || !slices.Equal(back, parts) {
			t.Errorf("%d of %d are taken back", len(back), len(parts))
		}
	})
}

// Where a later part of a verdict fails, what was judged before it stays so, and that alone can be taken back.
func TestWhatWasJudgedBeforeAFaultCanBeTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		var parts [][]atelier.ResultID
		s.answers["PATCH /api/results"] = func(r browser.Request) (int, any) {
			var u atelier.UpdateResults
			if err := json.Unmarshal(r.Body, &u); err != nil || u.Rating == nil || len(parts) == 1 && *u.Rating > 0 {
				return 503, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Internal, Message: "The studio is busy."}}
			}
			parts = append(parts, u.IDs)
			var list atelier.ResultList
			for _, id := range u.IDs {
				list.Results = append(list.Results, atelier.Result{ID: id, Stored: true, Rating: *u.Rating})
			}
			return 200, list
		}
		a, engine := openApp(t, s)
		shots := make([]model.Shot, atelier.MaxChosen+1)
		for i := range shots {
			shots[i] = model.Shot{Run: atelier.Run{ID: "r"}, Result: atelier.Result{ID: atelier.ResultID(strconv.Itoa(i)), RunID: "r", Stored: true}}
		}
		stars := 4
		a.ctx.Dispatch(func(app.Context) { a.core.judge(shots, atelier.UpdateResults{Rating: &stars}) })
		for len(a.core.toasts) < 2 {
			engine.ConsumeNext()
		}
		if failed, offer := a.core.toasts[0], a.core.toasts[1]; failed.Message != "The studio is busy." || offer.Action == "" {
			t.Fatalf("said are %q and %q", failed.Message, offer.Message)
		}
		a.ctx.Dispatch(func(app.Context) { takeBack(a.core) })
		engine.ConsumeAll()
		if len(parts) != 2 || len(parts[0]) != atelier.MaxChosen || !slices.Equal(parts[0], parts[1]) {
			t.Errorf("%d parts were judged and taken back", len(parts))
		}
	})
}

// newServerTaking is a server that takes so many runs at once.
func newServerTaking(t *testing.T, most int) *server {
	t.Helper()
	s := newServer()
	for _, what := range []string{"POST /api/runs/trash", "POST /api/runs/restore"} {
		s.answers[what] = func(r browser.Request) (int, any) {
			var body atelier.ChosenRuns
			if err := json.Unmarshal(r.Body, &body); err != nil || len(body.IDs) < 1 || len(body.IDs) > most {
				return 400, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Invalid, Message: "Choose fewer."}}
			}
			return 200, atelier.ChangedRuns(body)
		}
	}
	return s
}

// A review link that was ended works again as long as it would have, and a board has its cover again.
func TestEndedLinksAndCoversAreTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer()
		link := atelier.ReviewLink{ID: "l", Title: "Coats", ExpiresAt: noon.Add(72 * time.Hour)}
		s.on("GET /api/review-links", 200, atelier.ReviewLinkList{Links: []atelier.ReviewLink{link}})
		s.on("GET /api/review-links/l", 200, atelier.ReviewAnswers{Link: link})
		s.answers["PATCH /api/review-links/l"] = func(r browser.Request) (int, any) {
			var u atelier.UpdateReviewLink
			if err := json.Unmarshal(r.Body, &u); err != nil {
				return 400, nil
			}
			now := link
			now.ExpiresAt = noon
			if u.Until != nil {
				now.ExpiresAt = *u.Until
			}
			return 200, now
		}
		board := atelier.Board{ID: "b", Name: "Spring", Cover: "x"}
		s.answers["GET /api/boards"] = answering(func() atelier.BoardList { return atelier.BoardList{Boards: []atelier.Board{board}} })
		s.answers["PATCH /api/boards/b"] = func(r browser.Request) (int, any) {
			var u atelier.UpdateBoard
			if err := json.Unmarshal(r.Body, &u); err != nil || u.Cover == nil {
				return 400, nil
			}
			board.Cover = *u.Cover
			return 200, board
		}
		a, engine := openApp(t, s)
		c := a.core
		takenBack := func(what string, do func(), done, undone func() bool) {
			t.Helper()
			a.ctx.Dispatch(func(app.Context) { do() })
			for len(c.toasts) == 0 {
				engine.ConsumeNext()
			}
			if !done() {
				t.Errorf("%s: nothing was done", what)
			}
			if takeBack(c) != 1 {
				t.Errorf("%s: it cannot be taken back: %+v", what, c.toasts)
			}
			engine.ConsumeAll()
			if !undone() {
				t.Errorf("%s: it was not taken back", what)
			}
		}
		a.ctx.Dispatch(func(app.Context) {
			c.loadBoards()
			c.openLinks("l")
		})
		engine.ConsumeAll()
		shown := func() atelier.ReviewLink { return c.review.links.answers.Link }
		takenBack("a link", func() { c.endLink(shown()) }, func() bool { return shown().Ended(c.now()) }, func() bool { return shown().ExpiresAt.Equal(link.ExpiresAt) })
		has := func(cover atelier.ResultID) func() bool { return func() bool { return board.Cover == cover } }
		takenBack("no cover", func() { c.changeCover("b", "", "None.") }, has(""), has("x"))
		shots := []model.Shot{{Result: atelier.Result{ID: "y"}}}
		takenBack("another cover", func() { c.setCover("b", shots) }, has("y"), has("x"))
	})
}
