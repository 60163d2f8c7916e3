package bff

import (
	"context"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/db"
	"atelier/internal/sqldb"
	"atelier/upstream"
)

// startRun records what the user wants and answers at once; the image service hears of it afterwards.
func (s *Server) startRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.StartRun
	if err := readJSON(w, r, maxRequest, &body); err != nil {
		return err
	}
	if n := len(body.IntentKey); n < 16 || n > 64 || strings.Trim(body.IntentKey, keyCharacters) != "" {
		return atelier.FieldError("intentKey", words.RunKey)
	}
	// The same key again is the same run, even if what came with it could not be started any more.
	if run, err := s.c.DB.FindRunByIntent(r.Context(), who.User.ID, body.IntentKey); err == nil {
		return writeJSON(w, http.StatusAccepted, atelier.RunBody{Run: run.Run})
	} else if atelier.CodeOf(err) != atelier.NotFound {
		return err
	}
	if body.Account != "" && body.Account != stamp(s.jobs.Account(r.Context())) {
		return atelier.Refuse(atelier.Conflict, words.RunOtherAccount)
	}
	run, err := s.intent(r.Context(), who.User.ID, body)
	if err != nil {
		return err
	}
	if !body.Unsure {
		if err := s.keepsClearly(r.Context(), run); err != nil {
			return err
		}
	}
	return s.record(w, r, run)
}

const keyCharacters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"

// record commits an intent together with the job that serves it, and answers.
func (s *Server) record(w http.ResponseWriter, r *http.Request, run db.Run, also ...db.Then) error {
	id, err := db.NewRunID()
	if err != nil {
		return err
	}
	run.ID = id
	agent, _ := s.agent(run.Agent, run.Version)
	results := catalog.Results(agent, catalog.Surface(run.Surface), run.Values)
	stored, created, err := s.create(r.Context(), run, append(also, s.c.DB.Ask(r.Context(), run.UserID, id, results), s.jobs.Submit(id)))
	if err != nil {
		return err
	}
	if created {
		s.publishRun(stored.Run, run.UserID)
		s.tellAllowance(r.Context(), run.UserID)
	}
	return writeJSON(w, http.StatusAccepted, atelier.RunBody{Run: stored.Run})
}

// create stores a run for the account that the request was checked for, as long as that is the current one.
func (s *Server) create(ctx context.Context, run db.Run, then []db.Then) (stored db.Run, created bool, err error) {
	s.connections.recording.RLock()
	defer s.connections.recording.RUnlock()
	run.Upstream = s.jobs.Account(ctx).ID
	if s.jobs.Account(context.Background()).ID != run.Upstream {
		return stored, false, atelier.Refuse(atelier.Conflict, words.RunOtherAccount)
	}
	stored, created, err = s.c.DB.CreateRun(ctx, run, then...)
	for range 3 {
		if !sqldb.IsUnique(err) {
			break
		}
		// Somebody has the name: one in thousands of millions, so hardly ever the next one too.
		if run.Tag, err = s.newTag(run.Title); err != nil {
			return stored, false, err
		}
		stored, created, err = s.c.DB.CreateRun(ctx, run, then...)
	}
	return stored, created, err
}

// intent checks a wish against the catalog and makes the run of it. Everything wrong is told at once.
func (s *Server) intent(ctx context.Context, user atelier.UserID, body atelier.StartRun) (db.Run, error) {
	agent, ok := s.agent(body.Agent, body.Version)
	if !ok {
		return db.Run{}, atelier.FieldError("agent", words.RunAgent)
	}
	title := plainLine(body.Title)
	if utf8.RuneCountInString(title) > 200 {
		return db.Run{}, atelier.FieldError("title", words.RunTitleLong)
	}
	if body.Board != "" {
		if _, err := s.c.DB.FindBoard(ctx, user, body.Board); err != nil {
			return db.Run{}, err
		}
	}
	for _, name := range []string{"customMask", "customMaskUrl"} {
		if _, given := body.Values[name]; given {
			return db.Run{}, atelier.FieldError(name, words.RunMaskAmongValues)
		}
	}
	if err := checkWeight(body.Values); err != nil {
		return db.Run{}, err
	}
	files, err := s.files(ctx, user, agent, body.Files)
	if err != nil {
		return db.Run{}, err
	}
	run := db.Run{
		Run: atelier.Run{
			IntentKey: body.IntentKey, Agent: agent.Name, Version: agent.Version, Title: title, Status: atelier.Pending,
			State: atelier.StateRecorded, Values: body.Values, Files: body.Files, Board: body.Board, Asset: files.source,
		},
		UserID: user,
	}
	if run.Values == nil {
		run.Values = map[string]any{}
	}
	if run.Files == nil {
		run.Files = map[string][]string{}
	}
	if body.Mask != nil {
		if err := s.maskOf(ctx, user, files, *body.Mask, &run); err != nil {
			return db.Run{}, err
		}
	}
	// A draft: the addresses of pictures and mask are known once they are uploaded.
	in := catalog.Input{Values: maps.Clone(run.Values), Files: run.Files, Media: files.media, Draft: true}
	if files.source != nil {
		in.SourceWidth, in.SourceHeight = files.source.Width, files.source.Height
	}
	if run.MaskSHA256 != "" {
		in.Values["customMask"] = run.MaskSHA256 // stands for the mask, which has been checked
	}
	surface := s.surfaceFor(agent, in)
	run.Surface = atelier.Surface(surface)
	if err := problems(catalog.Check(agent, surface, in)); err != nil {
		return db.Run{}, err
	}
	if err := s.usesPresets(ctx, user, agent, catalog.Fill(agent, surface, in).Values); err != nil {
		return db.Run{}, err
	}
	if run.Title == "" {
		run.Title = agent.Title
	}
	if run.Search, err = s.searchText(ctx, run, files.names); err != nil {
		return db.Run{}, err
	}
	run.Tag, err = s.newTag(run.Title)
	return run, err
}

// surfaceFor chooses the API a run goes over: the task surface wherever the agent is there, because it can be listed and so
// a lost run can be found.
func (s *Server) surfaceFor(a catalog.Agent, in catalog.Input) catalog.Surface {
	prefer := catalog.Task
	if s.c.Surface == "run" {
		prefer = catalog.Run
	}
	return catalog.SurfaceFor(a, prefer, in)
}

// problems turns what the catalog found into one error; notes refuse nothing.
func problems(found []catalog.Problem) error {
	refusals := catalog.Refusals(found)
	if len(refusals) == 0 {
		return nil
	}
	fields := map[string]string{}
	for _, p := range refusals {
		if _, there := fields[p.Field]; !there {
			fields[p.Field] = p.Message
		}
	}
	return &atelier.Error{Code: atelier.Invalid, Message: words.RunMarked(refusals[0].Message, len(fields)-1), Fields: fields}
}

// inputs are the files of a run, looked up.
type inputs struct {
	source *atelier.Asset // the picture that is worked on, when it is an asset
	names  []string
	media  map[string][]catalog.Facts // of each file, as far as known
}

// maxFields is how many bytes the names take under which a run is given files: far more than those of any agent.
const maxFields = 4096

// files looks the files of a run up: ids of assets, and https addresses as they are.
func (s *Server) files(ctx context.Context, user atelier.UserID, agent catalog.Agent, given map[string][]string) (inputs, error) {
	in := inputs{media: map[string][]catalog.Facts{}}
	sourceField := ""
	if f, ok := agent.Source(); ok {
		sourceField = f.Name
	}
	total, names := 0, 0
	for _, field := range slices.Sorted(maps.Keys(given)) {
		if names += len(field); names > maxFields {
			return in, atelier.FieldError("files", words.RunFieldsLong(maxFields))
		}
		takes, known := agent.File(field)
		in.media[field] = make([]catalog.Facts, len(given[field]))
		for i, ref := range given[field] {
			if total++; total > 100 {
				return in, atelier.FieldError(field, words.RunManyFiles)
			}
			if strings.Contains(ref, "://") {
				u, err := url.Parse(ref)
				if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || len(ref) > 2048 {
					return in, atelier.FieldError(field, words.RunFileElsewhere)
				}
				continue
			}
			a, err := s.c.DB.FindAsset(ctx, user, atelier.AssetID(ref))
			if atelier.CodeOf(err) == atelier.NotFound {
				return in, atelier.FieldError(field, words.RunFileGone)
			}
			if err != nil {
				return in, err
			}
			if known {
				if err := s.fits(ctx, field, takes, a); err != nil {
					return in, err
				}
			}
			in.names = append(in.names, a.Name)
			in.media[field][i] = catalog.Facts{Seconds: a.Seconds, Width: a.Width, Height: a.Height, Container: a.Format}
			if a.Kind == "image" && i == 0 && (field == sourceField || in.source == nil) {
				in.source = &a.Asset
			}
		}
	}
	return in, nil
}

// fits refuses a file of another kind than its place takes, and one the image service has no way to get.
func (s *Server) fits(ctx context.Context, field string, takes catalog.File, a db.Asset) error {
	if a.Kind != string(takes.Media) {
		return atelier.FieldError(field, words.RunFileKind(takes.Title, string(takes.Media), a.Name, a.Kind))
	}
	if a.Kind != "image" && s.jobs.Account(ctx).NoMedia {
		return atelier.FieldError(field, words.RunNoPublicAddress)
	}
	return nil
}

// maskOf gives a run its own copy of the mask it was asked with.
func (s *Server) maskOf(ctx context.Context, user atelier.UserID, files inputs, given atelier.MaskInput, run *db.Run) error {
	if (given.PNG == "") == (given.MaskID == "") {
		return atelier.FieldError("mask", words.RunMaskOnce)
	}
	if files.source == nil {
		return atelier.FieldError("mask", words.RunMaskAlone)
	}
	if given.PNG != "" {
		m, err := s.c.Store.TakeMask(ctx, given.PNG, "mask", files.source.Width, files.source.Height)
		run.MaskSHA256 = m.SHA256
		return err
	}
	m, err := s.c.DB.FindMask(ctx, user, given.MaskID)
	if err != nil {
		return err
	}
	if m.Width != files.source.Width || m.Height != files.source.Height {
		return atelier.FieldError("mask", words.RunMaskSize(m.Name, m.Width, m.Height, files.source.Width, files.source.Height))
	}
	run.MaskID, run.MaskSHA256 = m.ID, m.SHA256
	return nil
}

func (s *Server) listRuns(w http.ResponseWriter, r *http.Request, who visitor) error {
	f, err := runFilter(r)
	if err != nil {
		return err
	}
	runs, next, err := s.c.DB.ListRuns(r.Context(), who.User.ID, f)
	if err != nil {
		return err
	}
	page := atelier.RunPage{Runs: make([]atelier.Run, len(runs)), NextCursor: next}
	for i := range runs {
		s.jobs.Expect(r.Context(), &runs[i])
		page.Runs[i] = runs[i].Run
	}
	return writeJSON(w, http.StatusOK, page)
}

// findRun gives a run: one's own, or what is shown of another's.
func (s *Server) findRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.c.DB.VisibleRun(r.Context(), who.User.ID, atelier.RunID(r.PathValue("id")))
	if err != nil {
		return err
	}
	if run.Owner == nil {
		s.jobs.Expect(r.Context(), &run)
	}
	return writeJSON(w, http.StatusOK, atelier.RunBody{Run: run.Run})
}

func (s *Server) run(r *http.Request, who visitor) (db.Run, error) {
	return s.c.DB.FindRun(r.Context(), who.User.ID, atelier.RunID(r.PathValue("id")))
}

// retryRun starts a run that has ended once more, with everything it had. Asking twice while the new one is under way gives
// the same new run. ?unsure=true is StartRun.Unsure.
func (s *Server) retryRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	old, err := s.run(r, who)
	if err != nil {
		return err
	}
	if !old.State.Final() {
		return atelier.Refuse(atelier.Conflict, words.RunUnderWay)
	}
	key, err := s.c.DB.RetryKey(r.Context(), who.User.ID, old.ID)
	if err != nil {
		return err
	}
	agent, ok := s.agent(old.Agent, old.Version)
	if !ok {
		return atelier.Refuse(atelier.Conflict, words.RunAgentGone)
	}
	// Runs that were made elsewhere are kept as runs of the task surface, whatever their values need.
	surface := catalog.SurfaceFor(agent, catalog.Surface(old.Surface), catalog.Input{Values: old.Values, Files: old.Files, Draft: true})
	if err := checkWeight(old.Values); err != nil {
		return err
	}
	if err := s.samePresets(r.Context(), old); err != nil {
		return err
	}
	if r.URL.Query().Get("unsure") != "true" {
		if err := s.keepsClearly(r.Context(), old); err != nil {
			return err
		}
	}
	tag, err := s.newTag(old.Title)
	if err != nil {
		return err
	}
	var also []db.Then
	if old.State == atelier.StateUnconfirmed {
		also = append(also, s.c.DB.DismissRun(who.User.ID, old.ID, givenUp(words.EndedRunAgain)))
		defer s.republish(r.Context(), who.User.ID, old.ID)
	}
	return s.record(w, r, db.Run{
		Run: atelier.Run{
			IntentKey: key, Agent: old.Agent, Version: old.Version, Title: old.Title,
			Status: atelier.Pending, State: atelier.StateRecorded, Values: old.Values, Files: old.Files, MaskID: old.MaskID, Asset: old.Asset,
			Board: old.Board, Surface: atelier.Surface(surface),
		},
		UserID: who.User.ID, RetryOf: old.ID, Tag: tag, MaskSHA256: old.MaskSHA256, Search: old.Search,
	}, also...)
}

// samePresets refuses to start a run again with presets of another account: their numbers mean something else here.
func (s *Server) samePresets(ctx context.Context, old db.Run) error {
	now := s.jobs.Account(ctx)
	if old.Upstream == "" || old.Upstream == now.ID || old.Upstream == now.Kind { // as versions before accounts were told apart named it
		return nil
	}
	agent, _ := s.agent(old.Agent, old.Version)
	for _, p := range agent.Params {
		if _, given := old.Values[p.Name].(float64); given && p.Kind == catalog.Preset {
			return atelier.Refuse(atelier.Conflict, words.RunOtherPresets)
		}
	}
	return nil
}

// sendNext has a run that waits sent before all others, or in its turn again.
func (s *Server) sendNext(next bool) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		run, err := s.run(r, who)
		if err != nil {
			return err
		}
		if err := s.jobs.SendNext(r.Context(), run.ID, next); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

func (s *Server) trashRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	if _, err := s.setTrashed(r, who, true); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) restoreRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.setTrashed(r, who, false)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.RunBody{Run: run.Run})
}

func (s *Server) setTrashed(r *http.Request, who visitor, trashed bool) (db.Run, error) {
	if _, err := s.c.DB.TrashRuns(r.Context(), who.User.ID, []atelier.RunID{atelier.RunID(r.PathValue("id"))}, trashed); err != nil {
		return db.Run{}, err
	}
	run, err := s.run(r, who)
	if err != nil {
		return db.Run{}, err
	}
	s.publishRun(run.Run, who.User.ID)
	s.tellOthers(r.Context(), who.User.ID)
	return run, nil
}

// estimate tells what a run would cost, where the image service can say so.
func (s *Server) estimate(w http.ResponseWriter, r *http.Request, who visitor) error {
	if !s.jobs.Account(r.Context()).Estimates {
		return atelier.Refuse(atelier.NotFound, words.RunNoCosts)
	}
	var body atelier.StartRun
	if err := readJSON(w, r, maxRequest, &body); err != nil {
		return err
	}
	run, err := s.intent(r.Context(), who.User.ID, body)
	if err != nil {
		return err
	}
	agent, _ := s.agent(run.Agent, run.Version)
	in := catalog.Input{Values: run.Values, Files: map[string][]string{}}
	if run.MaskSHA256 != "" {
		byURL, err := s.c.DB.WantsMaskURL(r.Context(), s.jobs.Account(r.Context()).ID)
		if err != nil {
			return err
		}
		if byURL {
			in.Values["customMaskUrl"] = "https://studio.invalid/mask.png" // as with the pictures below
		} else {
			png, err := s.c.Store.MaskPNG(r.Context(), run.MaskSHA256, s.c.MaskPNG == "palette")
			if err != nil {
				return err
			}
			in.Values["customMask"] = base64.StdEncoding.EncodeToString(png)
		}
	}
	if err := s.jobs.AddTransparent(r.Context(), agent, &in); err != nil {
		return err
	}
	for field, refs := range run.Files {
		for range refs {
			// ASSUMED [Cost of a run]: the cost depends on the values alone, so the pictures need not be uploaded for it.
			in.Files[field] = append(in.Files[field], "https://studio.invalid/picture")
		}
	}
	init, params := catalog.Encode(agent, catalog.Run, in)
	e, err := s.jobs.Account(r.Context()).Client.EstimatePower(r.Context(), upstream.RunStart{
		Agent: upstream.RunAgent{Name: run.Agent, Version: run.Version}, Input: init, Params: params,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.Estimate{TotalPower: e.TotalPower, Type: e.Type, NotEnough: e.PaidPowerNotEnough, Estimated: e.IsEstimated})
}
