package bff_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
)

// gallery is somebody who shows part of what they made, and somebody who only looks.
type gallery struct {
	*studio
	admin, owner, viewer *http.Client
	user                 atelier.UserID
	board                atelier.Board
	shown, hidden        []atelier.Result // of the same run
	source               atelier.Asset
}

func newGallery(t *testing.T) *gallery {
	t.Helper()
	s := newTeam(t, nil)
	s.start()
	g := &gallery{studio: s, admin: s.browser}
	var olga atelier.AccountBody
	s.json("POST", "/api/users", atelier.CreateAccount{Name: "Olga", Role: atelier.Designer, Password: goodPassword}, http.StatusCreated, &olga)
	g.user = olga.Account.ID
	g.signInOwner()
	_, g.viewer = s.member("Vera", atelier.Viewer)
	s.as(g.owner, func() {
		res := s.results("shown", 3)
		g.shown, g.hidden = res[:2], res[2:]
		s.json("POST", "/api/boards", atelier.CreateBoard{Name: "Spring", Notes: "for the shop"}, http.StatusCreated, &g.board)
		s.json("PATCH", "/api/results", atelier.UpdateResults{
			IDs: ids(g.shown), AddBoards: []atelier.BoardID{g.board.ID}, Rating: ptr(4), Pick: ptr("pick"), Starred: ptr(true),
		}, http.StatusOK, nil)
		g.source = *s.run(g.shown[0].RunID).Asset
	})
	s.show(g.owner, g.board.ID, true)
	s.browser = g.viewer
	return g
}

// signInOwner gives the owner a browser that is signed in.
func (g *gallery) signInOwner() {
	g.t.Helper()
	g.owner = g.newBrowser()
	g.as(g.owner, func() {
		g.json("POST", "/api/session", atelier.Login{Name: "Olga", Password: goodPassword}, http.StatusOK, nil)
	})
}

// change has the administrator change the owner's account.
func (g *gallery) change(u atelier.UpdateAccount) {
	g.t.Helper()
	g.as(g.admin, func() { g.json("PATCH", "/api/users/"+string(g.user), u, http.StatusOK, nil) })
}

// listed asks for results of the owner's, and looks whether they are given as another's.
func (g *gallery) listed(query string) (ids []atelier.ResultID) {
	g.t.Helper()
	var page atelier.ResultPage
	g.json("GET", "/api/results?"+query, nil, http.StatusOK, &page)
	for _, r := range page.Results {
		ids = append(ids, r.ID)
		if r.Run.Owner == nil || r.Run.Owner.Name != "Olga" || r.Rating != 0 || r.Pick != "" || r.Starred {
			g.t.Errorf("%s: a result of another's is %+v", query, r)
		}
	}
	return ids
}

// A board is shown, looked at and taken back; each part begins with the board shown, and who looks signed in.
func TestAShownBoardIsSeenAndNothingElse(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	g.sees(t)
	g.misses(t)
	g.loses(t)
}

// sees: what others get of a board is what it holds and what that was made with: no opinion of its owner, no id by which more could
// be had.
func (g *gallery) sees(t *testing.T) {
	var boards atelier.BoardList
	g.json("GET", "/api/boards", nil, http.StatusOK, &boards)
	if len(boards.Boards) != 0 || len(boards.Shown) != 1 {
		t.Fatalf("the boards are %+v", boards)
	}
	b := boards.Shown[0]
	if b.Name != "Spring" || b.Notes != "for the shop" || b.Count != 2 || len(b.Thumbs) != 2 || b.Owner == nil || b.Owner.Name != "Olga" || b.Owner.ID != g.user {
		t.Errorf("the board is %+v", b)
	}
	for _, query := range []string{"board=" + string(g.board.ID), "user=" + string(g.user), "user=" + string(g.user) + "&board=" + string(g.board.ID) + "&agent=removeBG&sort=fidelity"} {
		if diff := cmp.Diff(ids(g.shown), g.listed(query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	var months atelier.ResultMonths
	if g.json("GET", "/api/results/dates?user="+string(g.user), nil, http.StatusOK, &months); len(months.Months) != 1 || months.Months[0].Count != 2 {
		t.Errorf("the months are %+v", months)
	}
	// By what is not shown, nothing is chosen: a list would tell it.
	for query, field := range map[string]string{"rating=1": "rating", "pick=pick": "pick", "starred=1": "starred", "sort=rating": "sort", "q=red": "q", "trashed=1": "trashed"} {
		for _, whose := range []string{"user=" + string(g.user), "board=" + string(g.board.ID)} {
			if e := g.json("GET", "/api/results?"+whose+"&"+query, nil, 400, nil).error(t); e.Fields[field] == "" {
				t.Errorf("%s&%s: %+v", whose, query, e)
			}
		}
	}

	var body atelier.RunBody
	raw := string(g.json("GET", "/api/runs/"+string(g.shown[0].RunID), nil, http.StatusOK, &body).body)
	run := body.Run
	if run.Agent != "removeBG" || run.Title == "" || run.Values["batchCount"] != float64(3) || run.Owner == nil || run.Asset == nil || run.Asset.Name != g.source.Name || run.State != atelier.StateDone {
		t.Errorf("the run is %s", raw)
	}
	var of []atelier.ResultID
	for _, r := range run.Results {
		of = append(of, r.ID)
	}
	if diff := cmp.Diff(ids(g.shown), of); diff != "" || run.Results[0].Fidelity == nil || run.Results[0].Rating != 0 {
		t.Errorf("the results of the run (-want +got):\n%s%+v", diff, run.Results)
	}
	for what, id := range map[string]string{"picture": string(g.source.ID), "hidden result": string(g.hidden[0].ID)} {
		if strings.Contains(raw, id) {
			t.Errorf("the run tells the id of the %s: %s", what, raw)
		}
	}
	if run.IntentKey != "" || run.ExecutionID != "" || run.TaskID != "" || run.Files != nil || run.MaskID != "" || run.Board != "" || run.PSD != nil || run.Surface != "" {
		t.Errorf("the run tells too much: %s", raw)
	}
	source := g.send("GET", run.Asset.File, nil, nil)
	if source.status != http.StatusOK || source.header.Get("Content-Type") != "image/jpeg" || int64(len(source.body)) != g.source.Bytes {
		t.Errorf("the source is %d, %s, %d bytes", source.status, source.header.Get("Content-Type"), len(source.body))
	}
	if got := g.image(run.Asset.Thumb + "?w=160"); max(got.Rect.Dx(), got.Rect.Dy()) != 160 {
		t.Errorf("the source's thumbnail is %v", got.Rect)
	}
	// What a cache holds is asked for again each time, and costs nothing while it may be looked at.
	for _, path := range []string{g.shown[0].File, g.shown[0].Thumb, g.shown[0].Fidelity.Heat, run.Asset.File, g.shown[0].File + "?format=jpeg"} {
		r := g.send("GET", path, nil, nil)
		if got := r.header.Get("Cache-Control"); got != "private, no-cache" || r.header.Get("ETag") == "" {
			t.Errorf("%s: Cache-Control %q, ETag %q", path, got, r.header.Get("ETag"))
		}
		if again := g.send("GET", path, nil, func(q *http.Request) { q.Header.Set("If-None-Match", r.header.Get("ETag")) }); again.status != http.StatusNotModified || again.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s again = %d, %q", path, again.status, again.header.Get("Cache-Control"))
		}
	}
	g.as(g.owner, func() {
		for _, query := range []string{"user=" + string(g.user), "board=" + string(g.board.ID) + "&pick=pick"} {
			var page atelier.ResultPage
			g.json("GET", "/api/results?"+query, nil, http.StatusOK, &page)
			if len(page.Results) < 2 || page.Results[0].Run.Owner != nil || page.Results[0].Rating != 4 {
				t.Errorf("%s, the owner: %+v", query, page.Results)
			}
		}
		if got := g.send("GET", g.shown[0].Thumb, nil, nil).header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("the owner's own: Cache-Control %q", got)
		}
	})

	var out atelier.Zip
	g.json("POST", "/api/zips", atelier.StartZip{IDs: ids(g.shown)}, http.StatusCreated, &out)
	_, files := unzip(t, g.send("GET", out.File, nil, nil).body)
	var records []map[string]any
	if err := json.Unmarshal(files["manifest.json"], &records); err != nil || len(files) != 4 || len(records) != 2 {
		t.Fatalf("the archive holds %d files, %d records: %v", len(files), len(records), err)
	}
	if r := records[0]; r["rating"] != float64(0) || r["pick"] != nil || r["starred"] != false || r["agent"] != "removeBG" || r["fidelity"] == nil {
		t.Errorf("the manifest says %v", r)
	}
	if got := g.status("POST", "/api/zips", atelier.StartZip{IDs: append(ids(g.shown), g.hidden[0].ID)}); got != http.StatusNotFound {
		t.Errorf("an archive with a result that is not shown = %d", got)
	}
}

// misses: everything of the owner's that is not on the board is not there: another result of the same run, and all that the run was
// made with but its source; nor is anything changed that is.
func (g *gallery) misses(t *testing.T) {
	o := belongings(t, g.studio, g.owner) // all of it on a board that is not shown
	for pattern, cell := range matrix {
		if cell.reach != owners || !strings.HasPrefix(pattern, "GET ") {
			continue
		}
		if r := g.visit(pattern, o); r.status != http.StatusNotFound {
			t.Errorf("%s of what is not shown = %d", pattern, r.status)
		}
	}
	hidden := "/api/results/" + string(g.hidden[0].ID)
	paths := []string{}
	for _, end := range []string{"/file", "/thumb", "/heat", "/source", "/source?w=160"} {
		paths = append(paths, hidden+end)
	}
	for _, end := range []string{"", "/file", "/thumb"} {
		paths = append(paths, "/api/assets/"+string(g.source.ID)+end)
	}
	for _, end := range []string{"/psd", "/psd/file"} {
		paths = append(paths, "/api/runs/"+string(g.shown[0].RunID)+end)
	}
	for _, path := range paths {
		if r := g.send("GET", path, nil, nil); r.status != http.StatusNotFound {
			t.Errorf("%s = %d", path, r.status)
		}
	}
	// A designer, who may change what is theirs, changes nothing of it.
	var ben *http.Client
	g.as(g.admin, func() { _, ben = g.member("Ben", atelier.Designer) })
	g.browser = ben
	defer func() { g.browser = g.viewer }()
	result, run := "/api/results/"+string(g.shown[0].ID), "/api/runs/"+string(g.shown[0].RunID)
	one := []atelier.ResultID{g.shown[0].ID}
	for _, c := range []struct {
		method, path string
		body         any
	}{
		{"PATCH", result, atelier.UpdateResult{Rating: ptr(1)}},
		{"PATCH", "/api/results", atelier.UpdateResults{IDs: one, Pick: ptr("reject")}},
		{"POST", "/api/results/trash", atelier.ChosenResults{IDs: one}},
		{"POST", result + "/lock", nil},
		{"POST", "/api/psds", atelier.StartLayers{IDs: one}},
		{"POST", run + "/psd", nil},
		{"POST", run + "/retry", nil},
		{"DELETE", run, nil},
		{"POST", "/api/runs/trash", atelier.ChosenRuns{IDs: []atelier.RunID{g.shown[0].RunID}}},
		{"PATCH", "/api/boards/" + string(g.board.ID), atelier.UpdateBoard{Shared: ptr(false)}},
		{"DELETE", "/api/boards/" + string(g.board.ID), nil},
	} {
		if got := g.status(c.method, c.path, c.body); got != http.StatusNotFound {
			t.Errorf("%s %s = %d", c.method, c.path, got)
		}
	}
	start := removal("on-anothers-board", g.upload(photo(75)))
	start.Board = g.board.ID
	if got := g.status("POST", "/api/runs", start); got != http.StatusNotFound {
		t.Errorf("a run on another's board = %d", got)
	}
	if got := g.listed("board=" + string(g.board.ID)); len(got) != 2 {
		t.Errorf("the board holds %v", got)
	}
}

// loses: however it ends that something is shown, nobody else sees it with their next request: not in lists, not by its address, not
// out of an archive that was put together before. Windows that are open are told to look again.
func (g *gallery) loses(t *testing.T) {
	var zip atelier.Zip
	g.json("POST", "/api/zips", atelier.StartZip{IDs: ids(g.shown)}, http.StatusCreated, &zip)
	first, run := g.shown[0], "/api/runs/"+string(g.shown[0].RunID)
	board := "/api/boards/" + string(g.board.ID)
	one := atelier.ChosenResults{IDs: []atelier.ResultID{first.ID}}
	all := ids(g.shown)
	socket := g.listen("")
	g.event(socket)
	told := func() { g.eventOf(socket, atelier.EventShown, func(json.RawMessage) bool { return true }) }
	for _, c := range []struct {
		what      string
		end, back func()
		left      []atelier.ResultID
	}{
		{"the board is shown no longer", func() { g.show(g.owner, g.board.ID, false) }, func() { g.show(g.owner, g.board.ID, true) }, nil},
		{
			"it is taken off the board",
			func() {
				g.json("PATCH", "/api/results", atelier.UpdateResults{IDs: one.IDs, RemoveBoards: []atelier.BoardID{g.board.ID}}, 200, nil)
			},
			func() {
				g.json("PATCH", "/api/results", atelier.UpdateResults{IDs: one.IDs, AddBoards: []atelier.BoardID{g.board.ID}}, 200, nil)
			}, all[1:],
		},
		{"it is thrown away", func() { g.json("POST", "/api/results/trash", one, 200, nil) }, func() { g.json("POST", "/api/results/restore", one, 200, nil) }, all[1:]},
		{"its run is thrown away", func() { g.send("DELETE", run, nil, nil) }, func() { g.json("POST", run+"/restore", nil, 200, nil) }, nil},
		{
			"its owner is disabled", func() { g.change(atelier.UpdateAccount{Disabled: ptr(true)}) },
			func() { g.change(atelier.UpdateAccount{Disabled: ptr(false)}) }, nil,
		},
		{
			"its owner may only look", func() { g.change(atelier.UpdateAccount{Role: ptr(atelier.Viewer)}) },
			func() { g.change(atelier.UpdateAccount{Role: ptr(atelier.Designer)}); g.signInOwner() }, nil,
		},
		{"the board is deleted", func() { g.send("DELETE", board, nil, nil) }, nil, nil},
	} {
		g.as(g.owner, c.end)
		told()
		for _, path := range []string{first.File, first.Thumb, first.Fidelity.Heat, first.File + "?format=png", "/api/results/" + string(first.ID) + "/source", zip.File} {
			if r := g.send("GET", path, nil, nil); r.status != http.StatusNotFound {
				t.Errorf("%s: %s = %d", c.what, path, r.status)
			}
		}
		if r := g.send("GET", run, nil, nil); (r.status == http.StatusOK) != (len(c.left) > 0) || strings.Contains(string(r.body), string(first.ID)) {
			t.Errorf("%s: the run = %d %s", c.what, r.status, r.body)
		}
		if got := g.status("POST", "/api/zips", atelier.StartZip{IDs: one.IDs}); got != http.StatusNotFound {
			t.Errorf("%s: an archive = %d", c.what, got)
		}
		for _, query := range []string{"board=" + string(g.board.ID), "user=" + string(g.user)} {
			if diff := cmp.Diff(c.left, g.listed(query)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", c.what, query, diff)
			}
		}
		if c.back == nil {
			continue
		}
		g.as(g.owner, c.back)
		told()
		if r := g.send("GET", zip.File, nil, nil); r.status != http.StatusOK {
			t.Errorf("not any more that %s: the archive = %d", c.what, r.status)
		}
		if got := g.listed("user=" + string(g.user)); len(got) != 2 {
			t.Errorf("not any more that %s: %v", c.what, got)
		}
	}
}

// Where nobody has an account there is nobody to show anything to.
func TestWithoutAccountsNothingIsShown(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	var b atelier.Board
	s.json("POST", "/api/boards", atelier.CreateBoard{Name: "Alone"}, http.StatusCreated, &b)
	if e := s.json("PATCH", "/api/boards/"+string(b.ID), atelier.UpdateBoard{Shared: ptr(true)}, 400, nil).error(t); e.Fields["shared"] == "" {
		t.Errorf("the refusal is %+v", e)
	}
}
