package bff_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
)

// reach says whose business a route is.
type reach int

const (
	everybodys reach = iota // who may use it at all, gets something of their own or of nobody's
	owners                  // it is about one thing of somebody's: for all others there is no such thing
	opened                  // without a session
)

// cell is what the matrix says about one route.
type cell struct {
	reach reach
	owner int                  // what its owner, or who may use it, is answered
	body  func(*things) any    // of the request; nil = none
	path  func(*things) string // of the request; nil = of the pattern, with the owner's thing in it
	raw   bool                 // the body is a picture
	shown bool                 // everybody gets it too, while it is shown
}

// things are what the owner has; every route about one of them gets its id.
type things struct {
	asset  atelier.Asset
	mask   atelier.Mask
	board  atelier.Board
	run    atelier.Run
	result atelier.ResultID
	preset int64
	place  int64
	task   string
	zip    string
	psd    string
	link   string
	user   atelier.UserID
	// session is another browser of theirs.
	session string
}

// matrix has a line for every route: one that is missing fails TestF7EveryRouteForEveryRole.
var matrix = map[string]cell{
	"GET /healthz":                   {reach: opened, owner: 200},
	"GET /readyz":                    {reach: opened, owner: 200},
	"POST /callbacks/v1/{token}":     {reach: opened, owner: 404, path: func(*things) string { return "/callbacks/v1/x.y" }},
	"GET /media/{token}":             {reach: opened, owner: 404, path: func(*things) string { return "/media/x.y" }},
	"POST /api/session":              {reach: opened, owner: 401, body: func(*things) any { return atelier.Login{Password: "of nobody"} }},
	"POST /api/session/link":         {reach: opened, owner: 404},
	"GET /api/entry":                 {reach: opened, owner: 200},
	"POST /api/setup":                {reach: opened, owner: 409, body: func(*things) any { return atelier.Setup{Code: "x"} }},
	"GET /api/session":               {owner: 200},
	"DELETE /api/session":            {owner: 204},
	"GET /api/sessions":              {owner: 200},
	"DELETE /api/sessions":           {owner: 204},
	"DELETE /api/sessions/{id}":      {reach: owners, owner: 204},
	"POST /api/password":             {owner: 400, body: func(*things) any { return atelier.ChangePassword{Current: "not the password"} }},
	"GET /api/users":                 {owner: 200},
	"POST /api/users":                {owner: 400, body: func(*things) any { return atelier.CreateAccount{Name: "X", Role: "none"} }},
	"PATCH /api/users/{id}":          {owner: 400, body: func(*things) any { return atelier.UpdateAccount{Role: ptr(atelier.Role("none"))} }, path: func(o *things) string { return "/api/users/" + string(o.user) }},
	"GET /api/connection":            {owner: 200},
	"PUT /api/connection":            {owner: 400, body: func(*things) any { return atelier.Connect{Address: "none"} }},
	"DELETE /api/connection":         {owner: 409}, // the studio of the test can be given none
	"GET /api/events":                {owner: 403}, // without the studio's own page as its origin
	"GET /api/agents":                {owner: 200},
	"GET /api/agents/{name}/presets": {owner: 200, path: func(*things) string { return "/api/agents/aimodel/presets?kind=locations" }},
	"GET /api/agents/{name}/usual":   {owner: 200, path: func(*things) string { return "/api/agents/aimodel/usual" }},
	"GET /api/costs":                 {owner: 200},
	"GET /api/favourites":            {owner: 200},
	"PATCH /api/favourites":          {owner: 400, body: func(*things) any { return atelier.ChangeFavourites{Add: []atelier.Favourite{{Kind: "none", ID: 1}}} }},
	"GET /api/images/{token}":        {owner: 404, path: func(*things) string { return "/api/images/x.y" }},
	"POST /api/assets":               {owner: 201, raw: true},
	"GET /api/assets":                {owner: 200},
	"GET /api/assets/{id}":           {reach: owners, owner: 200},
	"GET /api/assets/{id}/file":      {reach: owners, owner: 200},
	"GET /api/assets/{id}/thumb":     {reach: owners, owner: 200},
	"GET /api/assets/{id}/faces":     {reach: owners, owner: 200},
	"POST /api/masks": {reach: owners, owner: 201, body: func(o *things) any {
		return atelier.CreateMask{AssetID: o.asset.ID, Name: "dress", PNG: halfMask(530, 560)}
	}},
	"GET /api/masks":                  {owner: 200},
	"GET /api/masks/{id}/file":        {reach: owners, owner: 200},
	"GET /api/masks/{id}/thumb":       {reach: owners, owner: 200},
	"POST /api/masks/preview":         {owner: 400, body: func(o *things) any { return atelier.PreviewMask{AssetID: o.asset.ID, MaskType: "none"} }},
	"PATCH /api/masks/{id}":           {reach: owners, owner: 200, body: func(*things) any { return atelier.RenameMask{Name: "another"} }},
	"DELETE /api/masks/{id}":          {reach: owners, owner: 204},
	"POST /api/runs":                  {owner: 400, body: func(*things) any { return atelier.StartRun{IntentKey: "0123456789abcdef", Agent: "none"} }},
	"POST /api/estimates":             {owner: 400, body: func(*things) any { return atelier.StartRun{Agent: "none"} }},
	"GET /api/runs":                   {owner: 200},
	"GET /api/runs/{id}":              {reach: owners, owner: 200, shown: true},
	"DELETE /api/runs/{id}":           {reach: owners, owner: 204},
	"POST /api/runs/{id}/retry":       {reach: owners, owner: 202},
	"POST /api/runs/{id}/next":        {reach: owners, owner: 409},
	"DELETE /api/runs/{id}/next":      {reach: owners, owner: 409},
	"POST /api/runs/{id}/cancel":      {reach: owners, owner: 409},
	"POST /api/runs/{id}/uncancel":    {reach: owners, owner: 200},
	"POST /api/runs/cancel":           {reach: owners, owner: 200, body: func(o *things) any { return atelier.ChosenRuns{IDs: []atelier.RunID{o.run.ID}} }},
	"POST /api/runs/uncancel":         {reach: owners, owner: 200, body: func(o *things) any { return atelier.ChosenRuns{IDs: []atelier.RunID{o.run.ID}} }},
	"POST /api/runs/{id}/restore":     {reach: owners, owner: 200},
	"GET /api/runs/{id}/mask":         {reach: owners, owner: 200},
	"POST /api/runs/{id}/psd":         {reach: owners, owner: 202},
	"GET /api/runs/{id}/psd":          {reach: owners, owner: 200},
	"GET /api/runs/{id}/psd/file":     {reach: owners, owner: 200},
	"GET /api/results/thumbs":         {owner: 200, path: func(o *things) string { return "/api/results/thumbs?of=" + string(o.result) }},
	"GET /api/results/{id}/file":      {reach: owners, owner: 200, shown: true},
	"GET /api/results/{id}/thumb":     {reach: owners, owner: 200, shown: true},
	"GET /api/results/{id}/lastframe": {reach: owners, owner: 200, shown: true},
	"GET /api/results/{id}/source":    {reach: owners, owner: 200, shown: true},
	"PATCH /api/results/{id}":         {reach: owners, owner: 200, body: func(*things) any { return atelier.UpdateResult{Starred: ptr(true)} }},
	"GET /callbacks/v1/probe/{nonce}": {reach: opened, owner: 200, path: func(*things) string { return "/callbacks/v1/probe/x" }},
	"POST /api/runs/trash":            {reach: owners, owner: 200, body: func(o *things) any { return atelier.ChosenRuns{IDs: []atelier.RunID{o.run.ID}} }},
	"POST /api/runs/restore":          {reach: owners, owner: 200, body: func(o *things) any { return atelier.ChosenRuns{IDs: []atelier.RunID{o.run.ID}} }},
	"POST /api/trash/purge":           {reach: owners, owner: 200, body: func(o *things) any { return atelier.PurgeTrash{Runs: []atelier.RunID{o.run.ID}} }},
	"POST /api/runs/{id}/dismiss":     {reach: owners, owner: 409},
	"DELETE /api/runs/{id}/dismiss":   {reach: owners, owner: 409},
	"POST /api/runs/{id}/adopt":       {reach: owners, owner: 409, body: func(*things) any { return atelier.AdoptRun{ExecutionID: "1"} }},
	"GET /api/results":                {owner: 200},
	"GET /api/results/dates":          {owner: 200},
	"GET /api/results/duplicates":     {owner: 200},
	"PATCH /api/results": {reach: owners, owner: 200, body: func(o *things) any {
		return atelier.UpdateResults{IDs: []atelier.ResultID{o.result}, Starred: ptr(true)}
	}},
	"POST /api/results/trash":     {reach: owners, owner: 200, body: func(o *things) any { return atelier.ChosenResults{IDs: []atelier.ResultID{o.result}} }},
	"POST /api/results/restore":   {reach: owners, owner: 200, body: func(o *things) any { return atelier.ChosenResults{IDs: []atelier.ResultID{o.result}} }},
	"GET /api/results/{id}/heat":  {reach: owners, owner: 200, shown: true},
	"POST /api/zips":              {reach: owners, owner: 201, shown: true, body: func(o *things) any { return atelier.StartZip{IDs: []atelier.ResultID{o.result}} }},
	"GET /api/zips/{id}/file":     {reach: owners, owner: 200},
	"POST /api/results/{id}/lock": {reach: owners, owner: 201},
	"POST /api/psds":              {reach: owners, owner: 201, body: func(o *things) any { return atelier.StartLayers{IDs: []atelier.ResultID{o.result}} }},
	"GET /api/psds/{id}/file":     {reach: owners, owner: 200},
	"PATCH /api/boards/{id}":      {reach: owners, owner: 200, body: func(*things) any { return atelier.UpdateBoard{Name: ptr("Mine, still")} }},
	"GET /api/boards":             {owner: 200},
	"POST /api/boards":            {owner: 201, body: func(*things) any { return atelier.CreateBoard{Name: "Of one's own"} }},
	"DELETE /api/boards/{id}":     {reach: owners, owner: 204},
	"GET /api/review-links":       {owner: 200},
	"POST /api/review-links": {reach: owners, owner: 201, body: func(o *things) any {
		return atelier.CreateReviewLink{IDs: []atelier.ResultID{o.result}, Title: "Spring", Days: 1}
	}},
	"GET /api/review-links/{id}":         {reach: owners, owner: 200},
	"PATCH /api/review-links/{id}":       {reach: owners, owner: 200, body: func(*things) any { return atelier.UpdateReviewLink{Days: 2} }},
	"DELETE /api/review-links/{id}":      {reach: owners, owner: 204},
	"GET /review/{token}":                {reach: opened, owner: 404, path: func(*things) string { return "/review/x.y" }},
	"POST /review/{token}":               {reach: opened, owner: 404, path: func(*things) string { return "/review/x.y" }},
	"GET /review/{token}/{number}":       {reach: opened, owner: 404, path: func(*things) string { return "/review/x.y/1" }},
	"POST /review/{token}/{number}":      {reach: opened, owner: 404, path: func(*things) string { return "/review/x.y/1" }},
	"GET /review/{token}/{number}/thumb": {reach: opened, owner: 404, path: func(*things) string { return "/review/x.y/1/thumb" }},
	"GET /review/{token}/{number}/file":  {reach: opened, owner: 404, path: func(*things) string { return "/review/x.y/1/file" }},
	"GET /api/fashion-models":            {owner: 200},
	"POST /api/fashion-models":           {reach: owners, owner: 201, body: func(o *things) any { return atelier.CreatePreset{Name: "x", Assets: []atelier.AssetID{o.asset.ID}} }},
	"DELETE /api/fashion-models/{id}":    {reach: owners, owner: 204},
	"GET /api/locations":                 {owner: 200},
	"POST /api/locations":                {reach: owners, owner: 201, body: func(o *things) any { return atelier.CreatePreset{Name: "x", Assets: []atelier.AssetID{o.asset.ID}} }},
	"DELETE /api/locations/{id}":         {reach: owners, owner: 204},
	"GET /api/tasks":                     {owner: 200},
	"GET /api/tasks/{id}":                {reach: owners, owner: 200},
	"DELETE /api/tasks/{id}":             {reach: owners, owner: 204},
	"POST /api/tasks/{id}/import":        {reach: owners, owner: 201},
}

// order puts routes that destroy what others are asked about behind those.
func order(pattern string) int {
	return slices.Index([]string{
		"POST /api/results/trash", "POST /api/results/restore", "POST /api/runs/trash", "POST /api/runs/restore", "POST /api/runs/{id}/restore", "DELETE /api/masks/{id}", "DELETE /api/boards/{id}", "DELETE /api/review-links/{id}", "DELETE /api/fashion-models/{id}", "DELETE /api/locations/{id}",
		"DELETE /api/runs/{id}", "DELETE /api/tasks/{id}", "POST /api/trash/purge", "DELETE /api/sessions", "DELETE /api/session",
	}, pattern)
}

// path is a route's path with the owner's thing in it.
func (o *things) path(pattern string) string {
	_, path, _ := strings.Cut(pattern, " ")
	for noun, id := range map[string]string{
		"assets": string(o.asset.ID), "masks": string(o.mask.ID), "runs": string(o.run.ID), "results": string(o.result), "boards": string(o.board.ID),
		"fashion-models": fmt.Sprint(o.preset), "locations": fmt.Sprint(o.place), "tasks": o.task, "zips": o.zip, "psds": o.psd, "review-links": o.link, "sessions": o.session,
	} {
		path = strings.Replace(path, "/api/"+noun+"/{id}", "/api/"+noun+"/"+id, 1)
	}
	return path
}

// belongings gives somebody one of everything.
func belongings(t *testing.T, s *studio, who *http.Client) *things {
	t.Helper()
	o := &things{}
	s.as(who, func() {
		var session atelier.Session
		s.json("GET", "/api/session", nil, http.StatusOK, &session)
		o.user = session.User.ID
		o.asset = s.upload(photo(70))
		s.json("POST", "/api/masks", atelier.CreateMask{AssetID: o.asset.ID, Name: "mine", PNG: halfMask(530, 560)}, http.StatusCreated, &o.mask)
		s.json("POST", "/api/boards", atelier.CreateBoard{Name: "Mine"}, http.StatusCreated, &o.board)
		o.run = s.untilState(s.startRun(removal("matrix", o.asset)).ID, atelier.StateDone)
		o.result, o.task = o.run.Results[0].ID, o.run.TaskID
		s.json("PATCH", "/api/results/"+string(o.result), atelier.UpdateResult{Boards: &[]atelier.BoardID{o.board.ID}}, http.StatusOK, nil)
		// What takes long to make is put into its place: a layered file, a video's last frame, presets.
		s.check(s.db.SetPSD(t.Context(), o.run.ID, "Success", "", o.asset.SHA256))
		if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE results SET last_sha = sha256, heat_sha = sha256 WHERE id = ?", string(o.result)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET mask_sha256 = (SELECT sha256 FROM masks WHERE id = ?) WHERE id = ?", string(o.mask.ID), string(o.run.ID)); err != nil {
			t.Fatal(err)
		}
		var zip atelier.Zip
		s.json("POST", "/api/zips", atelier.StartZip{IDs: []atelier.ResultID{o.result}}, http.StatusCreated, &zip)
		o.zip = zip.ID
		var layers atelier.Layers
		s.json("POST", "/api/psds", atelier.StartLayers{IDs: []atelier.ResultID{o.result}}, http.StatusCreated, &layers)
		o.psd = layers.ID
		var link atelier.ReviewLink
		s.json("POST", "/api/review-links", atelier.CreateReviewLink{IDs: []atelier.ResultID{o.result}, Title: "Mine", Days: 1}, http.StatusCreated, &link)
		o.link = string(link.ID)
		o.session = "0123456789abcdef"
		_, err := s.db.Write.ExecContext(t.Context(), `INSERT INTO sessions (hash, user_id, created_at, seen_at, agent) VALUES ($1, $2, $3, $3, 'another browser')`,
			o.session+" of "+string(o.user), string(o.user), time.Now().UnixMilli())
		s.check(err)
		o.preset, o.place = 700001, 700002
		for kind, id := range map[string]int64{"fashionModels": o.preset, "locations": o.place} {
			s.check(s.db.CreatePreset(t.Context(), db.Preset{Upstream: "embedded", Kind: kind, ID: id, UserID: o.user, Name: "Mine", Cover: "https://images.example.com/x.png", Status: "complete"}, ""))
		}
	})
	return o
}

// visitorOf is one of those for whom the matrix has a column.
type visitorOf struct {
	name    string
	role    atelier.Role // "" = not signed in
	owner   bool
	browser *http.Client
	shown   bool // while the owner shows the board with their result
}

// F7: every route for everybody: who is signed out, disabled or too long away is told so; who lacks the role is told that;
// what is another's is not there, but for what of it is shown, as long as it is; and methods that a path does not have are refused
// as such.
func TestF7EveryRouteForEveryRole(t *testing.T) {
	t.Parallel()
	s := newTeam(t, func(c *bff.Config) { c.Estimates = true })
	s.start()
	admin := s.browser
	_, owner := s.member("Olga", atelier.Designer)
	o := belongings(t, s, owner)
	_, other := s.member("Ben", atelier.Designer)
	_, viewer := s.member("Vera", atelier.Viewer)
	off, disabled := s.member("Dora", atelier.Designer)
	gone, expired := s.member("Egon", atelier.Designer)
	// Disabled and expired without the courtesy of ending their sessions: the sessions themselves must not open anything.
	if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE users SET disabled_at = 1 WHERE id = ?", string(off.ID)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE sessions SET seen_at = ? WHERE user_id = ?", time.Now().Add(-13*time.Hour).UnixMilli(), string(gone.ID)); err != nil {
		t.Fatal(err)
	}
	visitors := []visitorOf{
		{name: "anonymous", browser: s.newBrowser()},
		{name: "disabled", browser: disabled},
		{name: "expired", browser: expired},
		{name: "viewer", role: atelier.Viewer, browser: viewer},
		{name: "another designer", role: atelier.Designer, browser: other},
		{name: "administrator", role: atelier.Admin, browser: admin},
		{name: "owner", role: atelier.Designer, owner: true, browser: owner},
	}
	guests := []visitorOf{{name: "another viewer", role: atelier.Viewer}, {name: "another designer", role: atelier.Designer}, {name: "another administrator", role: atelier.Admin}}
	routes := s.bff.Routes()
	patterns := map[string]bool{}
	for _, r := range routes {
		patterns[r.Pattern] = true
		if _, ok := matrix[r.Pattern]; !ok {
			t.Errorf("%s has no line in the matrix: say whose business it is", r.Pattern)
		}
	}
	for pattern := range matrix {
		if !patterns[pattern] {
			t.Errorf("%s is in the matrix and is no route", pattern)
		}
	}
	if t.Failed() {
		return
	}
	slices.SortStableFunc(routes, func(a, b bff.Route) int { return order(a.Pattern) - order(b.Pattern) })
	cells := 0
	try := func(visitors []visitorOf) {
		for _, route := range routes {
			for _, v := range visitors {
				cells++
				want := v.due(route)
				s.as(v.browser, func() {
					if r := s.visit(route.Pattern, o); r.status != want {
						t.Errorf("%s, %s = %d %.200s, want %d", route.Pattern, v.name, r.status, r.body, want)
					} else if page := strings.HasPrefix(r.header.Get("Content-Type"), "text/html"); r.status >= 400 && (page && r.header.Get("X-Request-Id") == "" || !page && r.error(t).RequestID == "") {
						t.Errorf("%s, %s: the refusal has no number", route.Pattern, v.name)
					}
				})
			}
		}
	}
	for _, shown := range []bool{true, false} {
		s.show(owner, o.board.ID, shown)
		for i := range guests {
			guests[i].name, guests[i].shown = fmt.Sprintf("%s, shown %t", guests[i].name, shown), shown
			_, guests[i].browser = s.member(guests[i].name, guests[i].role)
		}
		try(guests)
	}
	try(visitors)
	if want := len(matrix) * (len(visitors) + 2*len(guests)); cells != want {
		t.Errorf("%d cells were tried, want %d", cells, want)
	}
	t.Logf("%d routes × %d visitors, and %d others before and after it was shown no longer", len(routes), len(visitors), len(guests))
}

// due is what somebody is answered by a route about the owner's things.
func (v visitorOf) due(route bff.Route) int {
	cell := matrix[route.Pattern]
	switch {
	case route.Open:
	case v.role == "":
		return http.StatusUnauthorized
	case !v.role.May(route.Least):
		return http.StatusForbidden
	case cell.reach == owners && !v.owner && (!cell.shown || !v.shown):
		return http.StatusNotFound
	}
	return cell.owner
}

// show has a board shown by its owner, or no longer.
func (s *studio) show(owner *http.Client, board atelier.BoardID, shown bool) {
	s.t.Helper()
	s.as(owner, func() {
		s.json("PATCH", "/api/boards/"+string(board), atelier.UpdateBoard{Shared: &shown}, http.StatusOK, nil)
	})
}

// visit makes the request of a route's line.
func (s *studio) visit(pattern string, o *things) reply {
	s.t.Helper()
	c := matrix[pattern]
	method, _, _ := strings.Cut(pattern, " ")
	path := o.path(pattern)
	if c.path != nil {
		path = c.path(o)
	}
	var body []byte
	kind := "application/json"
	switch {
	case c.raw:
		body, kind = photo(71), "image/jpeg"
	case c.body != nil:
		raw, err := json.Marshal(c.body(o))
		s.check(err)
		body = raw
	}
	return s.send(method, path, bytes.NewReader(body), func(r *http.Request) { r.Header.Set("Content-Type", kind) })
}

// Methods a path does not have are refused, with the list of those it has; nothing that reads changes anything.
func TestR11PathsTakeTheirMethodsAndNoOthers(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	methods := map[string][]string{} // by path
	for _, r := range s.bff.Routes() {
		method, path := concrete(r.Pattern)
		methods[path] = append(methods[path], method)
	}
	before := dump(t, s, "SELECT (SELECT count(*) FROM runs) || ' ' || (SELECT count(*) FROM assets) || ' ' || (SELECT count(*) FROM boards) || ' ' || (SELECT count(*) FROM users) || ' ' || (SELECT count(*) FROM sessions)")
	// A path may also be another one's with a name in it: DELETE /api/masks/preview is that of a mask named preview.
	served := http.NewServeMux()
	for _, r := range s.bff.Routes() {
		served.HandleFunc(r.Pattern, func(http.ResponseWriter, *http.Request) {})
	}
	n := 0
	for _, path := range slices.Sorted(maps.Keys(methods)) {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "FROBNICATE"} {
			_, pattern := served.Handler(httptest.NewRequestWithContext(t.Context(), method, path, nil))
			has := pattern != ""
			if has && method != "GET" && method != "HEAD" {
				continue // what these do, the other tests say
			}
			n++
			r := s.send(method, path, nil, nil)
			if has == (r.status == http.StatusMethodNotAllowed) {
				t.Errorf("%s %s = %d", method, path, r.status)
			}
			if !has && (r.header.Get("Allow") == "" || method != "HEAD" && r.error(t).Message == "") {
				t.Errorf("%s %s: Allow %q, %s", method, path, r.header.Get("Allow"), r.body)
			}
		}
	}
	after := dump(t, s, "SELECT (SELECT count(*) FROM runs) || ' ' || (SELECT count(*) FROM assets) || ' ' || (SELECT count(*) FROM boards) || ' ' || (SELECT count(*) FROM users) || ' ' || (SELECT count(*) FROM sessions)")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("reading changed something (-before +after):\n%s", diff)
	}
	t.Logf("%d methods of %d paths", n, len(methods))
}

// R11: nothing that reads changes anything: neither a row nor a file, of all routes, about the owner's own things. What is found out
// while reading and only saves work the next time is no change: the checksum of a file that went into an archive, the names of what the
// image service offers.
func TestR11ReadingChangesNothing(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	s.start()
	o := belongings(t, s, s.browser)
	s.stopJobs()
	var tables []string
	for name := range strings.Lines(dump(t, s, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)) {
		if name = strings.TrimSpace(name); name != "preset_names" {
			tables = append(tables, name)
		}
	}
	everything := func() map[string]string {
		t.Helper()
		all := map[string]string{}
		for _, table := range tables {
			columns := strings.Fields(dump(t, s, `SELECT name FROM pragma_table_info('`+table+`') WHERE name <> 'crc'`))
			for i, c := range columns {
				columns[i] = `quote("` + c + `")`
			}
			all[table] = dump(t, s, "SELECT "+strings.Join(columns, "||'|'||")+` FROM "`+table+`" ORDER BY 1`)
		}
		s.check(s.store.Walk(t.Context(), "", func(sha string, size int64, at time.Time) error {
			all["files"] += fmt.Sprintln(sha, size, at)
			return nil
		}))
		return all
	}
	before, read := everything(), 0
	for _, route := range s.bff.Routes() {
		if !strings.HasPrefix(route.Pattern, "GET ") {
			continue
		}
		read++
		for range 2 {
			if r := s.visit(route.Pattern, o); r.status != matrix[route.Pattern].owner {
				t.Errorf("%s = %d %s", route.Pattern, r.status, r.body)
			}
		}
	}
	if diff := cmp.Diff(before, everything()); diff != "" {
		t.Errorf("reading changed something (-before +after):\n%s", diff)
	}
	if read < 35 || len(tables) < 20 {
		t.Errorf("%d routes were read, of %d tables", read, len(tables))
	}
}

// A thing of another's cannot be used as a part of one's own either: not its picture, not its mask, not its board.
func TestNobodyUsesWhatIsAnothers(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	s.start()
	_, owner := s.member("Olga", atelier.Designer)
	o := belongings(t, s, owner)
	own := s.upload(photo(72))
	start := removal("another-picture-1", own)
	start.Mask = &atelier.MaskInput{MaskID: o.mask.ID}
	if got := s.status("POST", "/api/runs", start); got != http.StatusNotFound {
		t.Errorf("with another's mask = %d", got)
	}
	start = removal("another-picture-2", o.asset)
	if got := s.status("POST", "/api/runs", start); got != http.StatusBadRequest {
		t.Errorf("with another's picture = %d", got)
	}
	start = removal("another-picture-3", own)
	start.Board = o.board.ID
	if got := s.status("POST", "/api/runs", start); got != http.StatusNotFound {
		t.Errorf("on another's board = %d", got)
	}
	if got := s.status("POST", "/api/masks/preview", atelier.PreviewMask{AssetID: o.asset.ID, MaskType: "autoApparelSegment"}); got != http.StatusNotFound {
		t.Errorf("a mask of another's picture = %d", got)
	}
	mine := s.untilState(s.startRun(removal("mine", own)).ID, atelier.StateDone)
	if got := s.status("PATCH", "/api/results/"+string(mine.Results[0].ID), atelier.UpdateResult{Boards: &[]atelier.BoardID{o.board.ID}}); got != http.StatusNotFound {
		t.Errorf("a result on another's board = %d", got)
	}
	// The same picture brought by two is each one's own.
	again := s.upload(photo(70))
	if again.ID == o.asset.ID || again.SHA256 != o.asset.SHA256 {
		t.Errorf("the same picture: %s and %s", again.ID, o.asset.ID)
	}
	// Lists hold nothing of another's.
	for _, list := range []string{"/api/runs", "/api/assets", "/api/masks", "/api/boards", "/api/fashion-models", "/api/locations", "/api/tasks", "/api/runs?board=" + string(o.board.ID)} {
		body := string(s.send("GET", list, nil, nil).body)
		for what, id := range map[string]string{"run": string(o.run.ID), "asset": string(o.asset.ID), "mask": string(o.mask.ID), "board": string(o.board.ID), "preset": fmt.Sprint(o.preset), "task": `"` + o.task + `"`} {
			if strings.Contains(body, id) {
				t.Errorf("%s shows another's %s", list, what)
			}
		}
	}
	// Nor do events.
	socket := s.listen("")
	s.event(socket)
	s.as(owner, func() { s.upload(photo(73)) })
	fourth := s.upload(photo(74))
	for {
		e := s.event(socket)
		if e.Type == atelier.EventAsset && bytes.Contains(e.Data, []byte(fourth.ID)) {
			return
		}
		if e.Type == atelier.EventAsset || !bytes.Contains(e.Data, []byte(mine.ID)) {
			t.Errorf("an event is %s %s, want one about one's own", e.Type, e.Data)
		}
	}
}

// A task goes on belonging to who made it when its run was deleted for good: the image service still has it, with its pictures.
func TestATaskStaysItsOwnersWhenTheRunIsGone(t *testing.T) {
	t.Parallel()
	for _, surface := range []string{"task", "run"} {
		s := newTeam(t, func(c *bff.Config) { c.Surface = surface })
		s.start()
		_, owner := s.member("Olga", atelier.Designer)
		var task string
		tasks := func() string {
			t.Helper()
			return string(s.json("GET", "/api/tasks", nil, http.StatusOK, nil).body)
		}
		s.as(owner, func() {
			run := s.untilState(s.startRun(removal("gone", s.upload(photo(75)))).ID, atelier.StateDone)
			var page atelier.TaskPage
			s.json("GET", "/api/tasks", nil, http.StatusOK, &page)
			task = page.Tasks[0].ID
			s.json("DELETE", "/api/runs/"+string(run.ID), nil, http.StatusNoContent, nil)
			age(t, s, 31*24*time.Hour, run.ID)
			s.check(s.bff.Jobs().Purge(t.Context()))
			s.json("GET", "/api/runs/"+string(run.ID), nil, http.StatusNotFound, nil)
		})
		if got := tasks(); strings.Contains(got, task) {
			t.Errorf("over the %s surface, another sees %s", surface, got)
		}
		for method, path := range map[string]string{"GET": "", "POST": "/import", "DELETE": ""} {
			if got := s.status(method, "/api/tasks/"+task+path, nil); got != http.StatusNotFound {
				t.Errorf("over the %s surface, %s %s by another = %d", surface, method, path, got)
			}
		}
		s.as(owner, func() {
			if got := tasks(); !strings.Contains(got, task) {
				t.Errorf("over the %s surface, the owner sees %s", surface, got)
			}
		})
	}
}
