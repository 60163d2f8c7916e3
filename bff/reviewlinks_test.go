package bff_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
)

// client is somebody with a review link and no account.
type client struct {
	*studio
	link atelier.ReviewLink
	at   string // path of the link's sheet
}

func (s *studio) reviewLink(c atelier.CreateReviewLink) *client {
	s.t.Helper()
	out := &client{studio: s}
	s.json("POST", "/api/review-links", c, http.StatusCreated, &out.link)
	u, err := url.Parse(out.link.URL)
	s.check(err)
	out.at = u.Path
	return out
}

// look asks for a page as a browser without a session does, coming from a letter of another site's.
func (c *client) look(path string) (r reply) {
	c.t.Helper()
	c.as(c.newBrowser(), func() {
		r = c.send("GET", path, nil, func(q *http.Request) {
			q.Header.Del("X-Atelier")
			q.Header.Set("Sec-Fetch-Site", "cross-site")
		})
	})
	return r
}

// say sends what a page's script does.
func (c *client) say(path string, said map[string]any) (r reply) {
	c.t.Helper()
	c.as(c.newBrowser(), func() { r = c.try(path, said) })
	return r
}

func (c *client) answers() atelier.ReviewAnswers {
	c.t.Helper()
	var out atelier.ReviewAnswers
	c.json("GET", "/api/review-links/"+string(c.link.ID), nil, http.StatusOK, &out)
	return out
}

// Who has a review link and no account sees what was chosen for them, answers it and tells that they are done; the designer hears it at
// once. Nothing else of the studio's can be had under the link.
func TestAClientWithALinkSeesChoosesAndComments(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	results := s.results("client", 3)
	socket := s.listen("")
	c := s.reviewLink(atelier.CreateReviewLink{IDs: ids(results[:2]), Title: "Spring <b>coats</b>", Note: "Which two?", Days: 3})
	heard := func(ok func(atelier.ReviewLink) bool) {
		t.Helper()
		s.eventOf(socket, atelier.EventReview, func(data json.RawMessage) bool {
			var l atelier.ReviewLink
			return json.Unmarshal(data, &l) == nil && l.ID == c.link.ID && ok(l)
		})
	}
	if l := c.link; l.Results != 2 || l.Picked != 0 || len(l.Thumbs) != 2 || l.DoneAt != nil || l.Ended(time.Now()) || !l.Ended(l.ExpiresAt) || !l.Local || l.ExpiresAt.Sub(l.CreatedAt) < 71*time.Hour {
		t.Errorf("the link is %+v", l)
	}
	page := c.look(c.at)
	text := string(page.body)
	if page.status != http.StatusOK || page.header.Get("Content-Type") != "text/html; charset=utf-8" || page.header.Get("Cache-Control") != "no-store" ||
		page.header.Get("X-Robots-Tag") != "noindex, nofollow" || page.header.Get("Set-Cookie") != "" {
		t.Errorf("the page is %d, %v", page.status, page.header)
	}
	if !strings.Contains(text, "Spring &lt;b&gt;coats&lt;/b&gt;") || strings.Contains(text, "<b>") || !strings.Contains(text, "Which two?") || strings.Count(text, "data-ask") != 2 {
		t.Errorf("the page is %s", text)
	}
	run := s.run(results[0].RunID)
	for what, secret := range map[string]string{
		"run": string(run.ID), "result": string(results[0].ID), "agent": run.Agent, "source": run.Asset.Name, "picture": string(run.Asset.ID), "user": "local",
	} {
		if strings.Contains(text, secret) {
			t.Errorf("the page tells the %s (%s)", what, secret)
		}
	}
	for path, want := range map[string]int{
		"/1": 200, "/2": 200, "/3": 404, "/0": 404, "/01": 404, "/x": 404, "/1/thumb?w=160": 200, "/3/thumb": 404, "/1/file": 404, "/1/source": 404, "/1/heat": 404, "x": 404,
	} {
		if r := c.look(c.at + path); r.status != want {
			t.Errorf("%s = %d, want %d", path, r.status, want)
		} else if path == "/1/thumb?w=160" && r.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("a picture is kept: %q", r.header.Get("Cache-Control"))
		}
	}
	s.as(s.newBrowser(), func() {
		if r := s.send("GET", results[0].File, nil, nil); r.status != http.StatusUnauthorized {
			t.Errorf("the studio's own address = %d", r.status)
		}
	})

	var state map[string]int
	s.check(json.Unmarshal(c.say(c.at+"/1", map[string]any{"pick": "pick", "comment": " Lovely,\nbut darker. "}).body, &state))
	if diff := cmp.Diff(map[string]int{"picked": 1, "rejected": 0, "open": 1}, state); diff != "" {
		t.Errorf("the script is told (-want +got):\n%s", diff)
	}
	heard(func(l atelier.ReviewLink) bool { return l.Picked == 1 && l.Comments == 1 })
	c.say(c.at+"/2", map[string]any{"pick": "reject"})
	c.say(c.at+"/2", map[string]any{"comment": "No collar"})
	said := func() (out []string) {
		for _, a := range c.answers().Answers {
			out = append(out, fmt.Sprintf("%d %s %q %s", a.Number, a.Pick, a.Comment, a.Result.Run.ID))
		}
		return out
	}
	of := string(results[0].RunID)
	if diff := cmp.Diff([]string{`1 pick "Lovely,\nbut darker." ` + of, `2 reject "No collar" ` + of}, said()); diff != "" {
		t.Errorf("what is said (-want +got):\n%s", diff)
	}
	if text := html.UnescapeString(string(c.look(c.at).body)); !strings.Contains(text, "Lovely,\nbut darker.") || strings.Count(text, `aria-pressed="true"`) != 2 {
		t.Errorf("the page does not show what was said: %s", text)
	}
	c.say(c.at+"/1", map[string]any{"pick": ""})
	if got := c.answers(); got.Answers[0].Pick != "" || got.Answers[0].Comment == "" || got.Link.Picked != 0 {
		t.Errorf("an answer taken back: %+v", got)
	}
	if r := c.say(c.at, map[string]any{"name": "Ada", "words": "Thank you"}); r.status != http.StatusOK {
		t.Errorf("done = %d %s", r.status, r.body)
	}
	heard(func(l atelier.ReviewLink) bool {
		return l.DoneAt != nil && l.DoneName == "Ada" && l.DoneWords == "Thank you"
	})
	// What the client says changes nothing of the designer's own.
	var page1 atelier.ResultPage
	s.json("GET", "/api/results", nil, http.StatusOK, &page1)
	for _, r := range page1.Results {
		if r.Pick != "" || r.Rating != 0 {
			t.Errorf("the client marked %+v", r.Result)
		}
	}
}

// With downloads the files can be had too. They say how they came to be, and not what made them of what.
func TestALinkGivesFilesOnlyWhereItSays(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	results := s.results("files", 2)
	film, n, err := s.store.Put(t.Context(), strings.NewReader("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"))
	s.check(err)
	s.check(s.db.SetStored(t.Context(), results[1].ID, db.Stored{Blob: db.Blob{SHA256: film, Format: "mp4", Bytes: n}, Kind: "video", Width: 4, Height: 4, Seconds: 1}))
	c := s.reviewLink(atelier.CreateReviewLink{IDs: ids(results), Title: "Coats", Days: 1, Downloads: true})
	r := c.look(c.at + "/1/file?download")
	if r.status != http.StatusOK || !bytes.HasPrefix(r.body, []byte("\x89PNG")) || !strings.HasPrefix(r.header.Get("Content-Disposition"), `attachment; filename="Coats 1.`) ||
		r.header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" || r.header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("the file is %d, %v, %d bytes", r.status, r.header, len(r.body))
	}
	run := s.run(results[0].RunID)
	for i, res := range results {
		own, shown := s.send("GET", res.File, nil, nil), c.look(fmt.Sprintf("%s/%d/file", c.at, i+1))
		for what, secret := range map[string]string{"agent": run.Agent, "source": "dc:source", "studio": "CreatorTool"} {
			if !bytes.Contains(own.body, []byte(secret)) || bytes.Contains(shown.body, []byte(secret)) {
				t.Errorf("file %d tells the owner the %s: %v, the client: %v", i+1, what, bytes.Contains(own.body, []byte(secret)), bytes.Contains(shown.body, []byte(secret)))
			}
		}
		if !bytes.Contains(shown.body, []byte("digitalsourcetype/compositeSynthetic")) {
			t.Errorf("file %d does not say how it came to be", i+1)
		}
	}
}

// A film can be watched, also in parts, where files are not handed over, and is told apart from a picture; without a preview it has none.
func TestAFilmBehindALinkCanBeWatched(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	results := s.results("film", 2)
	for i, set := range []string{"kind = 'video', format = 'mp4', poster_sha = sha256", "kind = 'video', format = 'mp4'"} {
		_, err := s.db.Write.ExecContext(t.Context(), "UPDATE results SET "+set+" WHERE id = ?", string(results[i].ID))
		s.check(err)
	}
	c := s.reviewLink(atelier.CreateReviewLink{IDs: ids(results), Title: "Films", Days: 1})
	if len(c.link.Thumbs) != 1 {
		t.Errorf("%d pictures stand for the link, want the one preview there is", len(c.link.Thumbs))
	}
	for path, want := range map[string]int{"/1/thumb": 200, "/2/thumb": 404, "/1/file": 200, "/2/file": 200} {
		r := c.look(c.at + path)
		if r.status != want || want == 200 && strings.HasSuffix(path, "file") && (r.header.Get("Content-Type") != "video/mp4" || !strings.HasPrefix(r.header.Get("Content-Disposition"), "inline") || r.header.Get("Accept-Ranges") != "bytes") {
			t.Errorf("%s = %d, %v", path, r.status, r.header)
		}
	}
	if r := c.look(c.at + "/1/file?download"); !strings.HasPrefix(r.header.Get("Content-Disposition"), "inline") {
		t.Errorf("it is handed over: %q", r.header.Get("Content-Disposition"))
	}
	sheet, one, other := string(c.look(c.at).body), string(c.look(c.at+"/1").body), string(c.look(c.at+"/2").body)
	if strings.Count(sheet, "<img") != 1 || !strings.Contains(sheet, `aria-label="Video 2"`) || !strings.Contains(one, "<video") || !strings.Contains(one, "poster=") || !strings.Contains(other, "<video") || strings.Contains(other, "poster=") {
		t.Errorf("the pages are\n%s\n%s\n%s", sheet, one, other)
	}
}

// However a link ends, its pages, pictures and answers are gone with the next request, and those with a made-up proof never were.
func TestALinkThatEndedShowsNothing(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	s, owner, results := g.studio, g.owner, g.shown
	var c *client
	s.as(owner, func() {
		c = s.reviewLink(atelier.CreateReviewLink{IDs: ids(results), Title: "Coats", Days: 1, Downloads: true})
	})
	path := "/api/review-links/" + string(c.link.ID)
	one := atelier.ChosenResults{IDs: ids(results[:1])}
	open := func(what string, want int, paths ...string) {
		t.Helper()
		for _, p := range paths {
			r := c.look(c.at + p)
			if r.status != want {
				t.Errorf("%s: %q = %d, want %d", what, p, r.status, want)
			}
			if page := p == "" || p == "/1"; page && want == http.StatusNotFound && (!strings.Contains(string(r.body), "Ask the sender") || strings.Contains(string(r.body), "Coats")) {
				t.Errorf("%s: %q says %s", what, p, r.body)
			}
		}
		if r := c.say(c.at+"/1", map[string]any{"pick": "pick"}); (r.status == http.StatusNotFound) != (want == http.StatusNotFound) {
			t.Errorf("%s: an answer = %d", what, r.status)
		}
	}
	all := []string{"", "/1", "/1/thumb", "/1/file"}
	open("new", 200, all...)
	forged := *c
	forged.at = c.at[:len(c.at)-1] + map[bool]string{true: "B", false: "A"}[strings.HasSuffix(c.at, "A")]
	if r := forged.look(forged.at); r.status != http.StatusNotFound {
		t.Errorf("a made-up proof = %d", r.status)
	}
	s.as(owner, func() { s.json("POST", "/api/results/trash", one, http.StatusOK, nil) })
	open("the picture in the trash", 404, all[1:]...)
	if got := string(c.look(c.at).body); strings.Count(got, "data-ask") != 1 || !strings.Contains(got, `id="p2"`) {
		t.Errorf("what is left keeps no number: %s", got)
	}
	s.as(owner, func() { s.json("POST", "/api/results/restore", one, http.StatusOK, nil) })
	open("out of the trash", 200, all...)
	g.change(atelier.UpdateAccount{Disabled: ptr(true)})
	open("its owner disabled", 404, all...)
	g.change(atelier.UpdateAccount{Disabled: ptr(false)})
	g.change(atelier.UpdateAccount{Role: ptr(atelier.Viewer)})
	open("its owner a viewer", 404, all...)
	g.change(atelier.UpdateAccount{Role: ptr(atelier.Designer)})
	open("its owner back", 200, all...)
	g.signInOwner()
	owner = g.owner
	s.as(owner, func() {
		s.json("PATCH", path, atelier.UpdateReviewLink{}, http.StatusOK, nil)
	})
	open("ended", 404, all...)
	until := func(at time.Time, want int) (l atelier.ReviewLink) {
		t.Helper()
		s.as(owner, func() { s.json("PATCH", path, atelier.UpdateReviewLink{Until: &at}, want, &l) })
		return l
	}
	for _, never := range []time.Time{{}, c.link.CreatedAt, time.Now().AddDate(0, 0, atelier.MaxReviewDays).Add(time.Hour)} {
		until(never, http.StatusBadRequest)
	}
	open("ended, and asked for a time that cannot be", 404, all...)
	if l := until(c.link.ExpiresAt, http.StatusOK); !l.ExpiresAt.Equal(c.link.ExpiresAt) || l.URL != c.link.URL {
		t.Errorf("with the end it had it is %+v, was %+v", l, c.link)
	}
	open("its end taken back", 200, all...)
	s.as(owner, func() {
		s.json("PATCH", path, atelier.UpdateReviewLink{}, http.StatusOK, nil)
	})
	open("ended again", 404, all...)
	s.as(owner, func() {
		if got := c.answers(); got.Link.Picked != 1 || got.Answers[0].Pick != "pick" {
			t.Errorf("what was said went with the link: %+v", got)
		}
		var l atelier.ReviewLink
		if s.json("PATCH", path, atelier.UpdateReviewLink{Days: 90}, http.StatusOK, &l); l.URL != c.link.URL {
			t.Errorf("its address is another: %s", l.URL)
		}
	})
	open("taken up again", 200, all...)
	s.as(owner, func() {
		s.json("POST", "/api/results/trash", one, http.StatusOK, nil)
		s.json("POST", "/api/trash/purge", atelier.PurgeTrash{Results: one.IDs}, http.StatusOK, nil)
		if got := c.answers(); len(got.Answers) != 1 || got.Answers[0].Number != 2 {
			t.Errorf("a picture that is gone for good: %+v", got)
		}
		s.json("DELETE", path, nil, http.StatusNoContent, nil)
		var list atelier.ReviewLinkList
		if s.json("GET", "/api/review-links", nil, http.StatusOK, &list); len(list.Links) != 0 {
			t.Errorf("deleted, it is listed: %+v", list)
		}
	})
	open("deleted", 404, all...)
}

func TestReviewLinksHaveLimits(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	results := s.results("limits", 1)
	one := ids(results)
	good := func() atelier.CreateReviewLink { return atelier.CreateReviewLink{IDs: one, Title: "T", Days: 1} }
	try := func(field string, want int, change func(*atelier.CreateReviewLink)) {
		t.Helper()
		body := good()
		change(&body)
		r := s.try("/api/review-links", body)
		if r.status != want || want == http.StatusBadRequest && r.error(t).Fields[field] == "" {
			t.Errorf("%s = %d %.300s, want %d", field, r.status, r.body, want)
		}
	}
	umlauts := func(n int) string { return strings.Repeat("ä", n) }
	for days, want := range map[int]int{-1: 400, 0: 400, 1: 201, 90: 201, 91: 400} {
		try("days", want, func(c *atelier.CreateReviewLink) { c.Days = days })
	}
	for n, want := range map[int]int{0: 400, 1: 201, 100: 201, 101: 400} {
		try("title", want, func(c *atelier.CreateReviewLink) { c.Title = umlauts(n) })
	}
	try("title", 400, func(c *atelier.CreateReviewLink) { c.Title = "  " })
	for n, want := range map[int]int{2000: 201, 2001: 400} {
		try("note", want, func(c *atelier.CreateReviewLink) { c.Note = umlauts(n) })
	}
	many := func(n int) []atelier.ResultID {
		out := make([]atelier.ResultID, n)
		for i := range out {
			out[i] = atelier.ResultID(fmt.Sprint("r", i))
		}
		return out
	}
	for n, want := range map[int]int{0: 400, 200: 404, 201: 400} { // 200 that are not there are not too many
		try("ids", want, func(c *atelier.CreateReviewLink) { c.IDs = many(n) })
	}
	c := s.reviewLink(good())
	for days, want := range map[int]int{-1: 400, 0: 200, 90: 200, 91: 400} {
		s.json("PATCH", "/api/review-links/"+string(c.link.ID), atelier.UpdateReviewLink{Days: days}, want, nil)
	}
	s.json("PATCH", "/api/review-links/"+string(c.link.ID), atelier.UpdateReviewLink{Days: 1}, 200, nil)
	for field, most := range map[string]int{"comment": 1000, "words": 1000, "name": 80} {
		path := c.at
		if field == "comment" {
			path += "/1"
		}
		for n, want := range map[int]int{most: 200, most + 1: 400} {
			r := c.say(path, map[string]any{field: strings.Repeat("𝔸", n)})
			if r.status != want {
				t.Errorf("%s of %d characters = %d", field, n, r.status)
			}
		}
	}
	if r := c.say(c.at+"/1", map[string]any{"pick": "maybe"}); r.status != 400 {
		t.Errorf("another answer = %d", r.status)
	}
	if r := c.say(c.at+"/1", map[string]any{"comment": strings.Repeat("x", 20_000)}); r.status != 413 {
		t.Errorf("an answer of 20 KB = %d", r.status)
	}
	if got := c.answers().Answers[0]; got.Comment != strings.Repeat("𝔸", 1000) || got.Pick != "" {
		t.Errorf("what was refused was kept: %+v", got)
	}
	s.json("POST", "/api/results/trash", atelier.ChosenResults{IDs: one}, http.StatusOK, nil)
	try("ids", 400, func(*atelier.CreateReviewLink) {})
	s.json("POST", "/api/results/restore", atelier.ChosenResults{IDs: one}, http.StatusOK, nil)
	var list atelier.ReviewLinkList
	s.json("GET", "/api/review-links", nil, http.StatusOK, &list)
	for range 200 - len(list.Links) {
		s.json("POST", "/api/review-links", good(), http.StatusCreated, nil)
	}
	s.json("POST", "/api/review-links", good(), http.StatusConflict, nil)
	s.json("GET", "/api/review-links", nil, http.StatusOK, &list)
	if len(list.Links) != 200 || list.Links[0].Results != 1 {
		t.Errorf("%d links, the first %+v", len(list.Links), list.Links[0])
	}
}

// A link takes answers as fast as anybody can give them, and no flood; another link goes on.
func TestAReviewLinkTakesNoFloodOfAnswers(t *testing.T) {
	t.Parallel()
	s := newStudio(t, func(c *bff.Config) {
		now := time.Now()
		c.Now = func() time.Time { return now } // nothing is given back meanwhile
	})
	results := s.results("flood", 1)
	c := s.reviewLink(atelier.CreateReviewLink{IDs: ids(results), Title: "One", Days: 1})
	other := s.reviewLink(atelier.CreateReviewLink{IDs: ids(results), Title: "Two", Days: 1})
	answer := map[string]any{"pick": "pick"}
	for i := range 100 {
		if r := c.say(c.at+"/1", answer); r.status != http.StatusOK {
			t.Fatalf("answer %d = %d %s", i, r.status, r.body)
		}
	}
	if r := c.say(c.at+"/1", answer); r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") == "" {
		t.Errorf("answer 101 = %d", r.status)
	}
	if r := other.say(other.at+"/1", answer); r.status != http.StatusOK {
		t.Errorf("another link = %d", r.status)
	}
}
