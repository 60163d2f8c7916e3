package bff_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	other "github.com/oov/psd"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

func (s *studio) image(path string) *image.NRGBA {
	s.t.Helper()
	got := s.send("GET", path, nil, nil)
	img, _, err := imaging.Decode(s.t.Context(), got.body, imaging.DefaultLimits)
	if err != nil {
		s.t.Fatalf("%s: %d, %v", path, got.status, err)
	}
	return img
}

// eventOf waits for an event of a type about something.
func (s *studio) eventOf(c *websocket.Conn, typ atelier.EventType, ok func(json.RawMessage) bool) {
	s.t.Helper()
	for {
		if e := s.event(c); e.Type == typ && ok(e.Data) {
			return
		}
	}
}

func TestResultsAreListedMarkedAndCollected(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("list", 3)
	var page atelier.ResultPage
	s.json("GET", "/api/results?limit=2&q=red&agent=removeBG&status=Success", nil, http.StatusOK, &page)
	if len(page.Results) != 2 || page.NextCursor == "" || page.Total != 3 || page.More || page.Results[0].ID != res[0].ID || page.Results[0].Run.Title != "Red dress" {
		t.Fatalf("the first page is %+v", page)
	}
	cursor := page.NextCursor
	page = atelier.ResultPage{}
	s.json("GET", "/api/results?limit=2&q=red&cursor="+cursor, nil, http.StatusOK, &page)
	if len(page.Results) != 1 || page.NextCursor != "" || page.Results[0].ID != res[2].ID {
		t.Fatalf("the second page is %+v", page)
	}
	f := page.Results[0].Fidelity
	if f == nil || !f.Comparable || f.Changed || f.Score < .95 || f.SSIM < .9 || f.DeltaE > 2 {
		t.Fatalf("the fidelity is %+v", f)
	}
	if heat := s.image(f.Heat); max(heat.Rect.Dx(), heat.Rect.Dy()) != 512 {
		t.Errorf("the heat map is %v", heat.Rect)
	}

	var board atelier.Board
	s.json("POST", "/api/boards", atelier.CreateBoard{Name: " Spring ", Notes: "for the shop"}, http.StatusCreated, &board)
	four, yes := 4, "pick"
	var marked atelier.ResultList
	s.json("PATCH", "/api/results", atelier.UpdateResults{
		IDs: ids(res[:2]), Rating: &four, Pick: &yes, AddBoards: []atelier.BoardID{board.ID},
	}, http.StatusOK, &marked)
	if len(marked.Results) != 2 || marked.Results[1].ID != res[1].ID || marked.Results[1].Rating != 4 || marked.Results[1].Pick != yes {
		t.Errorf("the marked results are %+v", marked)
	}
	for query, want := range map[string][]atelier.ResultID{
		"rating=4": ids(res[:2]), "rating=5": nil, "pick=pick": ids(res[:2]), "pick=reject": nil, "pick=none": ids(res[2:]), "board=" + string(board.ID): ids(res[:2]),
		"changed=1": nil, "apart=1": nil, "starred=1": nil, "status=Failed": nil, "sort=rating": ids(res), "q=nothing": nil, "q=%22%2A%28": nil, "trashed=1": nil,
		"q=re+dre&rating=3": ids(res[:2]), "from=2100-01-01": nil, "to=2020-01-01": nil, "sort=oldest": ids(res),
	} {
		var page atelier.ResultPage
		s.json("GET", "/api/results?"+query, nil, http.StatusOK, &page)
		var got []atelier.ResultID
		for _, r := range page.Results {
			got = append(got, r.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" || page.Total != len(want) {
			t.Errorf("%s (-want +got), total %d:\n%s", query, page.Total, diff)
		}
	}
	var months atelier.ResultMonths
	s.json("GET", "/api/results/dates?rating=1", nil, http.StatusOK, &months)
	if len(months.Months) != 1 || months.Months[0].Count != 2 {
		t.Errorf("the months are %+v", months)
	}
	if s.json("GET", "/api/results/dates?zone=Pacific/Marquesas", nil, http.StatusOK, &months); months.Months[0].From.UTC().Format("15:04") != "09:30" {
		t.Errorf("in the west the months are %+v", months)
	}
	for _, zone := range []string{"x", "../zone", "%2Fetc%2Fpasswd"} {
		if e := s.json("GET", "/api/results/dates?zone="+zone, nil, 400, nil).error(t); e.Fields["zone"] == "" {
			t.Errorf("the zone %s: %+v", zone, e)
		}
	}

	s.json("PATCH", "/api/boards/"+string(board.ID), atelier.UpdateBoard{Name: ptr("Summer"), Cover: &res[1].ID}, http.StatusOK, &board)
	if board.Name != "Summer" || board.Notes != "for the shop" || board.Count != 2 || len(board.Thumbs) != 2 || board.Thumbs[0] != res[1].Thumb {
		t.Errorf("the board is %+v", board)
	}
	if e := s.json("PATCH", "/api/boards/"+string(board.ID), atelier.UpdateBoard{Cover: &res[2].ID}, 400, nil).error(t); e.Fields["cover"] == "" {
		t.Errorf("a cover that is not on the board: %+v", e)
	}
	s.json("PATCH", "/api/results", atelier.UpdateResults{IDs: ids(res[1:2]), RemoveBoards: []atelier.BoardID{board.ID}}, http.StatusOK, nil)
	var boards atelier.BoardList
	s.json("GET", "/api/boards", nil, http.StatusOK, &boards)
	if len(boards.Boards) != 1 || boards.Boards[0].Count != 1 || boards.Boards[0].Cover != "" || len(boards.Boards[0].Thumbs) != 1 {
		t.Errorf("the boards are %+v", boards)
	}

	for query, field := range map[string]string{
		"rating=6": "rating", "rating=x": "rating", "pick=maybe": "pick", "sort=size": "sort", "cursor=x": "cursor", "cursor=5_x.1": "cursor", "from=yesterday": "from",
		"changed=2": "changed", "limit=201": "limit", "q=" + strings.Repeat("x", 501): "q",
	} {
		if e := s.json("GET", "/api/results?"+query, nil, 400, nil).error(t); e.Fields[field] == "" {
			t.Errorf("%s: %+v", query, e)
		}
	}
}

func TestTheSameBytesAreFound(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("same", 3)
	var page atelier.DuplicatePage
	s.json("GET", "/api/results/duplicates", nil, http.StatusOK, &page)
	before := len(page.Groups)
	if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE results SET sha256 = (SELECT sha256 FROM results WHERE id = ?), bytes = ? WHERE id = ?",
		string(res[0].ID), res[0].Bytes, string(res[2].ID)); err != nil {
		t.Fatal(err)
	}
	page = atelier.DuplicatePage{}
	s.json("GET", "/api/results/duplicates", nil, http.StatusOK, &page)
	if before != 0 || len(page.Groups) != 1 || len(page.Groups[0].Results) != 2 || page.Groups[0].Bytes != res[0].Bytes || page.Groups[0].Results[1].ID != res[2].ID {
		t.Errorf("before %d, then %+v", before, page)
	}
	s.json("DELETE", "/api/runs/"+string(res[0].RunID), nil, http.StatusNoContent, nil)
	page = atelier.DuplicatePage{}
	s.json("GET", "/api/results/duplicates", nil, http.StatusOK, &page)
	if len(page.Groups) != 0 {
		t.Errorf("what is in the trash counts: %+v", page)
	}
}

func TestTrashedRunsComeBackOrGoForGood(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	keep, lose := s.results("kept", 1)[0], s.results("lost run", 1)[0]
	both := []atelier.RunID{keep.RunID, lose.RunID}
	var changed atelier.ChangedRuns
	s.json("POST", "/api/runs/trash", atelier.ChosenRuns{IDs: both}, http.StatusOK, &changed)
	if diff := cmp.Diff(both, changed.IDs); diff != "" {
		t.Errorf("put into the trash (-want +got):\n%s", diff)
	}
	s.json("POST", "/api/runs/trash", atelier.ChosenRuns{IDs: both}, http.StatusOK, &changed)
	if len(changed.IDs) != 0 {
		t.Errorf("again: %v", changed.IDs)
	}
	s.json("POST", "/api/runs/trash", atelier.ChosenRuns{IDs: []atelier.RunID{"0190a000-0000-7000-8000-000000000000"}}, http.StatusNotFound, nil)
	var page atelier.ResultPage
	s.json("GET", "/api/results?trashed=1&q=dress", nil, http.StatusOK, &page)
	if len(page.Results) != 2 {
		t.Errorf("%d results in the trash", len(page.Results))
	}
	s.json("POST", "/api/runs/restore", atelier.ChosenRuns{IDs: both[:1]}, http.StatusOK, &changed)
	if len(changed.IDs) != 1 || changed.IDs[0] != keep.RunID || s.run(keep.RunID).Trashed {
		t.Errorf("taken out: %v", changed.IDs)
	}

	// The one that stays uses the same mask as the one that goes, and one of its files is kept by another row.
	lost, err := s.db.LoadResult(t.Context(), lose.ID)
	s.check(err)
	run, err := s.db.LoadRun(t.Context(), lose.RunID)
	s.check(err)
	if run.MaskSHA256 == "" || lost.HeatSHA == "" {
		t.Fatal("the run has no mask, or was not compared")
	}
	age(t, s, 29*24*time.Hour, lose.RunID, lost.SHA256, run.MaskSHA256)
	s.check(s.bff.Jobs().Purge(t.Context()))
	if !s.run(lose.RunID).Trashed {
		t.Fatal("purged a day early")
	}
	age(t, s, 30*24*time.Hour+time.Minute, lose.RunID)
	socket := s.listen("")
	s.check(s.bff.Jobs().Purge(t.Context()))
	s.eventOf(socket, atelier.EventRun, func(data json.RawMessage) bool {
		var r atelier.Run
		return json.Unmarshal(data, &r) == nil && r.ID == lose.RunID && r.Gone
	})
	s.json("GET", "/api/runs/"+string(lose.RunID), nil, http.StatusNotFound, nil)
	if s.store.Has(lost.SHA256) {
		t.Error("a file of the run is still there")
	}
	if !s.store.Has(run.MaskSHA256) {
		t.Error("a mask that another run uses is gone")
	}
	if _, err := s.store.Thumb(t.Context(), lost.SHA256, 320); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its thumbnail is still there: %v", err)
	}
	s.json("GET", "/api/results?q=dress", nil, http.StatusOK, &page)
	if len(page.Results) != 1 || page.Results[0].ID != keep.ID {
		t.Errorf("what is left: %+v", page.Results)
	}
}

func TestSingleResultsAreThrownAwayAndTakenBack(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("throw", 3)
	run := res[0].RunID
	socket := s.listen("")
	act := func(path string, res ...atelier.Result) []atelier.ResultID {
		t.Helper()
		var changed atelier.ChangedResults
		s.json("POST", "/api/results/"+path, atelier.ChosenResults{IDs: ids(res)}, http.StatusOK, &changed)
		return changed.IDs
	}
	trash := func(want ...atelier.Result) {
		t.Helper()
		var page atelier.RunPage
		s.json("GET", "/api/runs?trashed=1", nil, http.StatusOK, &page)
		var got []atelier.Result
		for _, r := range page.Runs {
			got = append(got, r.Results...)
		}
		if diff := cmp.Diff(ids(want), ids(got)); diff != "" {
			t.Errorf("in the trash (-want +got):\n%s", diff)
		}
	}
	if got := act("trash", res[1]); !slices.Equal(got, ids(res[1:2])) {
		t.Fatalf("thrown away: %v", got)
	}
	s.eventOf(socket, atelier.EventResult, func(data json.RawMessage) bool {
		var r atelier.Result
		return json.Unmarshal(data, &r) == nil && r.ID == res[1].ID && r.Trashed
	})
	if got := act("trash", res[1]); len(got) != 0 {
		t.Errorf("thrown away again: %v", got)
	}
	if got := s.run(run); got.Trashed || !slices.Equal(ids(got.Results), []atelier.ResultID{res[0].ID, res[2].ID}) {
		t.Errorf("the run is %+v", got)
	}
	trash(res[1])
	for path, body := range map[string]any{"zips": atelier.StartZip{IDs: ids(res)}, "psds": atelier.StartLayers{IDs: ids(res)}} {
		if e := s.json("POST", "/api/"+path, body, http.StatusBadRequest, nil).error(t); !strings.Contains(e.Fields["ids"], "trash") {
			t.Errorf("%s of what was thrown away: %+v", path, e)
		}
	}
	s.json("POST", "/api/results/"+string(res[1].ID)+"/lock", nil, http.StatusConflict, nil)

	// With its last result a run goes too, and comes back with the first, or whole.
	act("trash", res[0], res[2])
	if !s.run(run).Trashed {
		t.Error("a run without results is not in the trash")
	}
	trash(res...)
	act("restore", res[2])
	if got := s.run(run); got.Trashed || len(got.Results) != 1 || got.Results[0].ID != res[2].ID {
		t.Errorf("with its first result back the run is %+v", got)
	}
	act("trash", res[2])
	s.json("POST", "/api/runs/"+string(run)+"/restore", nil, http.StatusOK, nil)
	if got := s.run(run); got.Trashed || len(got.Results) != 3 {
		t.Errorf("taken out whole, the run is %+v", got)
	}
	trash()

	// For good: the row, its file and nothing else.
	lost, err := s.db.LoadResult(t.Context(), res[1].ID)
	s.check(err)
	act("trash", res[1])
	ageResult := func(d time.Duration) {
		then := time.Now().Add(-d)
		_, err := s.db.Write.ExecContext(t.Context(), "UPDATE results SET trashed_at = ? WHERE id = ?", then.UnixMilli(), string(res[1].ID))
		s.check(err)
		age(t, s, d, "", lost.SHA256)
		s.check(s.bff.Jobs().Purge(t.Context()))
	}
	if ageResult(29 * 24 * time.Hour); !s.store.Has(lost.SHA256) {
		t.Fatal("purged a day early")
	}
	if ageResult(30*24*time.Hour + time.Minute); s.store.Has(lost.SHA256) {
		t.Error("the file of a purged result is still there")
	}
	s.json("POST", "/api/results/restore", atelier.ChosenResults{IDs: ids(res[1:2])}, http.StatusNotFound, nil)
	if got := s.run(run); len(got.Results) != 2 || s.send("GET", res[0].File, nil, nil).status != http.StatusOK {
		t.Errorf("what is left: %+v", got)
	}

	// At once, where that is asked for; what is not in the trash stays.
	purge := func(chosen atelier.PurgeTrash) (got atelier.PurgedTrash) {
		t.Helper()
		s.json("POST", "/api/trash/purge", chosen, http.StatusOK, &got)
		s.untilNoJobs("purge")
		return got
	}
	act("trash", res[0])
	if got := purge(atelier.PurgeTrash{Runs: []atelier.RunID{run}, Results: []atelier.ResultID{res[0].ID, res[2].ID}}); got != (atelier.PurgedTrash{Results: 1}) {
		t.Errorf("deleted at once: %+v", got)
	}
	s.eventOf(socket, atelier.EventResult, func(data json.RawMessage) bool {
		var r atelier.Result
		return json.Unmarshal(data, &r) == nil && r.ID == res[0].ID && r.Gone
	})
	if got := s.run(run); !slices.Equal(ids(got.Results), ids(res[2:])) || s.send("GET", res[0].File, nil, nil).status != http.StatusNotFound {
		t.Errorf("what is left: %+v", got)
	}
	for _, odd := range []atelier.PurgeTrash{{}, {All: true, Runs: []atelier.RunID{run}}} {
		s.json("POST", "/api/trash/purge", odd, http.StatusBadRequest, nil)
	}
	act("trash", res[2])
	if got := purge(atelier.PurgeTrash{All: true}); got != (atelier.PurgedTrash{Runs: 1, Results: 1}) {
		t.Errorf("the whole trash: %+v", got)
	}
	s.json("GET", "/api/runs/"+string(run), nil, http.StatusNotFound, nil)
}

// age makes a run lie in the trash for so long, and files as old.
func age(t *testing.T, s *studio, d time.Duration, run atelier.RunID, files ...string) {
	t.Helper()
	then := time.Now().Add(-d)
	if _, err := s.db.Write.ExecContext(context.WithoutCancel(t.Context()), "UPDATE runs SET trashed_at = ? WHERE id = ?", then.UnixMilli(), string(run)); err != nil {
		t.Fatal(err)
	}
	for _, sha := range files {
		s.check(os.Chtimes(filepath.Join(s.folder, "files", "blobs", sha[:2], sha[2:4], sha), then, then))
	}
}

func TestTheProtectedPixelsAreLockedIn(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	img, keep := testpics.Garment(540, 620, 3)
	source := s.upload(testpics.PNG(img))
	start := removal("lock", source)
	start.Mask = &atelier.MaskInput{PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(keep))}
	run := s.startRun(start)
	res := s.untilState(run.ID, atelier.StateDone).Results[0]
	var locked, again atelier.Result
	s.json("POST", "/api/results/"+string(res.ID)+"/lock", nil, http.StatusCreated, &locked)
	if locked.LockedFrom != res.ID || locked.RunID != run.ID || locked.Index != 1 || locked.Kind != "image" || !locked.Stored || locked.Preview == "" {
		t.Fatalf("the locked result is %+v", locked)
	}
	got := s.image(locked.File)
	for y := range keep.H {
		for x := range keep.W {
			if keep.Kept(x, y) && got.NRGBAAt(x, y) != img.NRGBAAt(x, y) {
				t.Fatalf("(%d, %d) is %v, and was %v", x, y, got.NRGBAAt(x, y), img.NRGBAAt(x, y))
			}
		}
	}
	s.json("POST", "/api/results/"+string(res.ID)+"/lock", nil, http.StatusCreated, &again)
	if again.ID != locked.ID || len(s.run(run.ID).Results) != 2 {
		t.Errorf("locked again: %+v", again)
	}
	s.until(run.ID, "compared", func(r atelier.Run) bool {
		f := r.Results[1].Fidelity
		return f != nil && f.Comparable && f.Score == 1 && !f.Changed
	})
	e := s.json("POST", "/api/results/"+string(locked.ID)+"/lock", nil, http.StatusConflict, nil).error(t)
	if !strings.Contains(e.Message, "already") {
		t.Errorf("locked twice: %+v", e)
	}
}

func TestWhatWasFreeIsNotCompared(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	for name, tt := range map[string]struct{ change, code, reason string }{
		"pose":    {`values_json = '{"pose":"freePose"}'`, atelier.ApartFreePose, "The pose was free, so the product may move with it."},
		"no mask": {`mask_sha256 = '', values_json = '{}'`, atelier.ApartNothing, "Nothing was kept in this run."},
	} {
		res := s.results("free "+name, 1)[0]
		if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET "+tt.change+" WHERE id = ?", string(res.RunID)); err != nil {
			t.Fatal(err)
		}
		// While the first look is not quite over, there is no second one.
		done := s.until(res.RunID, "looked at", func(r atelier.Run) bool {
			s.check(s.db.Tx(t.Context(), s.bff.Jobs().Score(res.ID)))
			return r.Results[0].Fidelity != nil && !r.Results[0].Fidelity.Comparable
		})
		if got := done.Results[0]; got.Fidelity.Reason != tt.reason || got.Fidelity.Code != tt.code || got.Fidelity.Changed || got.Score != nil {
			t.Errorf("%s: %+v", name, got.Fidelity)
		}
		if e := s.json("POST", "/api/results/"+string(res.ID)+"/lock", nil, http.StatusConflict, nil).error(t); e.Message != tt.reason {
			t.Errorf("%s, locking it: %+v", name, e)
		}
	}
}

func TestALayeredFileIsMadeOfASelection(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	img, keep := testpics.Garment(540, 620, 3)
	source := s.upload(testpics.PNG(img))
	start := removal("layers", source)
	start.Mask = &atelier.MaskInput{PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(keep))}
	start.Values["batchCount"] = 2
	run := s.startRun(start)
	res := s.untilState(run.ID, atelier.StateDone).Results
	var out atelier.Layers
	s.json("POST", "/api/psds", atelier.StartLayers{IDs: []atelier.ResultID{res[1].ID, res[0].ID}, Name: "Spring"}, http.StatusCreated, &out)
	file := s.send("GET", out.File, nil, nil)
	if d := file.header.Get("Content-Disposition"); d != `attachment; filename="Spring.psd"` || int64(len(file.body)) != out.Bytes {
		t.Errorf("%d bytes of %d, named %s", len(file.body), out.Bytes, d)
	}
	got, read, err := other.Decode(bytes.NewReader(file.body), &other.DecodeOptions{})
	if err != nil || read != len(file.body) || got.Config.Rect != image.Rect(0, 0, 540, 620) {
		t.Fatalf("another reader: %v, %v", err, got.Config.Rect)
	}
	var names []string
	for _, l := range got.Layer {
		names = append(names, fmt.Sprint(l.UnicodeName, " ", l.Visible(), " ", len(l.Layer)))
	}
	want := []string{"Source true 0", "Red dress 1 false 0", "Red dress 2 true 0", "Kept pixels false 1"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Fatalf("the layers (-want +got):\n%s", diff)
	}
	inner := got.Layer[3].Layer[0]
	if m := inner.Channel[-2].Data; !bytes.Equal(m, hard(keep).Pix) {
		t.Error("the layer mask is not the mask")
	}
	for i, channel := range []int{0, 1, 2} {
		for at, v := range inner.Channel[channel].Data {
			if v != img.Pix[4*at+i] {
				t.Fatalf("channel %d of the source differs at %d", channel, at)
			}
		}
	}
	top := s.image(res[1].File)
	for at, v := range got.Layer[2].Channel[1].Data {
		if v != top.Pix[4*at+1] {
			t.Fatalf("a result's layer differs at %d", at)
		}
	}
	many := make([]atelier.ResultID, atelier.MaxChosen+1)
	for i := range many {
		many[i] = atelier.ResultID(fmt.Sprint(i))
	}
	for name, ids := range map[string][]atelier.ResultID{"nothing": nil, "too many": many} {
		if e := s.json("POST", "/api/psds", atelier.StartLayers{IDs: ids}, 400, nil).error(t); e.Fields["ids"] == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Runs of one source that protected different parts of it have that source once, and each part by itself; the file names all agents that
// had a hand in it.
func TestALayeredFileHasEveryRegionOfItsSources(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	source, _ := testpics.Garment(540, 620, 3)
	asset := s.upload(testpics.PNG(source))
	begin := func(key string, protect image.Rectangle) atelier.Result {
		start := removal(key, asset)
		keep := mask.New(540, 620)
		keep.FillRect(protect, 255)
		start.Mask = &atelier.MaskInput{PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(keep))}
		return s.untilState(s.startRun(start).ID, atelier.StateDone).Results[0]
	}
	upper, lower, again := begin("upper", image.Rect(120, 120, 400, 240)), begin("lower", image.Rect(120, 320, 400, 500)), begin("again", image.Rect(120, 120, 400, 240))
	auto := begin("auto", image.Rect(0, 0, 9, 9))
	for _, change := range []string{
		`mask_sha256 = '', agent = 'aimodel', version = 'v1.0', values_json = '{"maskType":"autoSubjectSegment"}' WHERE id = '` + string(auto.RunID) + "'",
		`values_json = '{"pose":"freePose"}' WHERE id = '` + string(again.RunID) + "'",
	} {
		if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET "+change); err != nil {
			t.Fatal(err)
		}
	}
	var out atelier.Layers
	s.json("POST", "/api/psds", atelier.StartLayers{IDs: ids([]atelier.Result{upper, lower, again, auto})}, http.StatusCreated, &out)
	file := s.send("GET", out.File, nil, nil).body
	got, _, err := other.Decode(bytes.NewReader(file), &other.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	regions := map[string]int{}
	for _, l := range got.Layer {
		names = append(names, l.UnicodeName)
		if len(l.Layer) == 1 {
			regions[string(l.Layer[0].Channel[-2].Data)]++
		}
	}
	want := []string{"Source", "Red dress 1", "Red dress 1", "Red dress 1", "Red dress 1", "Kept pixels, region 1", "Kept pixels, region 2", "Kept pixels, region 3"}
	if diff := cmp.Diff(want, names); diff != "" || len(regions) != 3 {
		t.Errorf("%d different regions, layers (-want +got):\n%s", len(regions), diff)
	}
	if want := "<xmp:CreatorTool>Atelier, removeBG v1.0, aimodel v1.0</xmp:CreatorTool>"; !bytes.Contains(file, []byte(want)) {
		t.Errorf("the file does not say %s", want)
	}
}

// Pictures of several shapes lie in the middle of a document that holds all of them, each with its own pixels.
func TestALayeredFileScalesNothingDown(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	var res []atelier.Result
	want := map[string]image.Rectangle{"Source 1": image.Rect(40, 0, 580, 620), "Source 2": image.Rect(0, 50, 620, 570)}
	for i, size := range []image.Point{{X: 540, Y: 620}, {X: 620, Y: 520}} {
		img, keep := testpics.Garment(size.X, size.Y, 3)
		start := removal(fmt.Sprint("shape", i), s.upload(testpics.PNG(img)))
		start.Mask = &atelier.MaskInput{PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(keep))}
		res = append(res, s.untilState(s.startRun(start).ID, atelier.StateDone).Results...)
	}
	var out atelier.Layers
	s.json("POST", "/api/psds", atelier.StartLayers{IDs: ids(res)}, http.StatusCreated, &out)
	got, _, err := other.Decode(bytes.NewReader(s.send("GET", out.File, nil, nil).body), &other.DecodeOptions{})
	if err != nil || got.Config.Rect != image.Rect(0, 0, 620, 620) {
		t.Fatalf("the document: %v, %v", got.Config.Rect, err)
	}
	results := 0
	for _, l := range got.Layer {
		if rect, ok := want[l.UnicodeName]; ok && l.Rect != rect {
			t.Errorf("%s lies at %v, want %v", l.UnicodeName, l.Rect, rect)
		}
		for _, r := range res {
			if l.UnicodeName != "Red dress 1" || l.Rect.Size() != image.Pt(r.Width, r.Height) {
				continue
			}
			results++
			img := s.image(r.File)
			for at, v := range l.Channel[1].Data {
				if v != img.Pix[4*at+1] {
					t.Fatalf("a result of %d × %d differs at %d", r.Width, r.Height, at)
				}
			}
		}
	}
	if results != 2 {
		t.Errorf("%d results have their own size", results)
	}

	_, err = s.db.Write.ExecContext(t.Context(), "UPDATE results SET width = CASE WHEN id = $1 THEN 12000 ELSE 4000 END, height = CASE WHEN id = $1 THEN 4000 ELSE 12000 END", string(res[0].ID))
	s.check(err)
	if e := s.json("POST", "/api/psds", atelier.StartLayers{IDs: ids(res)}, http.StatusBadRequest, nil).error(t); !strings.Contains(e.Fields["ids"], "12000 × 12000, over the limit of 100 megapixels") {
		t.Errorf("a document too large to hold: %+v", e)
	}
}

func hard(p mask.Plane) mask.Plane {
	p = p.Clone()
	p.Threshold(mask.Level)
	return p
}

// One request changes so many places on boards that nobody else waits for long.
func TestNobodyPutsTooMuchOnBoardsAtOnce(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	ids, boards := make([]atelier.ResultID, atelier.MaxChosen), make([]atelier.BoardID, 100)
	for i := range ids {
		ids[i] = atelier.ResultID(fmt.Sprint("result", i))
	}
	for i := range boards {
		boards[i] = atelier.BoardID(fmt.Sprint("board", i))
	}
	change := func(results, add, remove, want int) atelier.Error {
		t.Helper()
		return s.json("PATCH", "/api/results", atelier.UpdateResults{IDs: ids[:results], AddBoards: boards[:add], RemoveBoards: boards[:remove]}, want, nil).error(t)
	}
	for _, at := range [][3]int{{1000, 11, 10}, {101, 100, 100}, {1000, 100, 100}} {
		if e := change(at[0], at[1], at[2], http.StatusBadRequest); !strings.Contains(e.Fields["boards"], "too many at once") {
			t.Errorf("%v: %+v", at, e)
		}
	}
	for _, at := range [][3]int{{1000, 10, 10}, {100, 100, 100}, {1000, 0, 0}} {
		change(at[0], at[1], at[2], http.StatusNotFound) // as many as that are looked for
	}
}
