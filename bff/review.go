package bff

import (
	"context"
	"net/http"
	"slices"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
)

func (s *Server) listResults(w http.ResponseWriter, r *http.Request, who visitor) error {
	f, err := resultFilter(r)
	if err != nil {
		return err
	}
	f.Cursor = r.URL.Query().Get("cursor")
	user, owner, err := s.whose(r.Context(), who, &f)
	if err != nil {
		return err
	}
	rows, next, err := s.c.DB.ListResults(r.Context(), user, f)
	if err != nil {
		return err
	}
	page := atelier.ResultPage{Results: listed(rows, owner), NextCursor: next}
	if f.Cursor == "" {
		page.Total, page.More = len(rows), false
		if next != "" {
			if page.Total, page.More, err = s.c.DB.CountResults(r.Context(), user, f, atelier.MaxTotal); err != nil {
				return err
			}
		}
	}
	return writeJSON(w, http.StatusOK, page)
}

// listed are the rows of a list, of what somebody else shows with who that is.
func listed(rows []db.ListedResult, owner *atelier.Person) []atelier.ListedResult {
	out := make([]atelier.ListedResult, len(rows))
	for i, l := range rows {
		out[i] = atelier.ListedResult{Result: l.Result.Result, Run: l.Run}
		out[i].Run.Owner = owner
	}
	return out
}

// listMonths counts the results of a list by month, for jumps.
func (s *Server) listMonths(w http.ResponseWriter, r *http.Request, who visitor) error {
	f, err := resultFilter(r)
	if err != nil {
		return err
	}
	f.Zone = r.URL.Query().Get("zone")
	user, _, err := s.whose(r.Context(), who, &f)
	if err != nil {
		return err
	}
	months, err := s.c.DB.ListMonths(r.Context(), user, f)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.ResultMonths{Months: months})
}

// duplicateGroups is how many groups one page has.
const duplicateGroups = 50

func (s *Server) listDuplicates(w http.ResponseWriter, r *http.Request, who visitor) error {
	cursor := r.URL.Query().Get("cursor")
	if len(cursor) > 64 {
		return atelier.FieldError("cursor", db.CursorForeign)
	}
	groups, next, err := s.c.DB.Duplicates(r.Context(), who.User.ID, cursor, duplicateGroups)
	if err != nil {
		return err
	}
	page := atelier.DuplicatePage{Groups: make([]atelier.DuplicateGroup, len(groups)), NextCursor: next}
	for i, g := range groups {
		page.Groups[i] = atelier.DuplicateGroup{SHA256: g[0].SHA256, Bytes: g[0].Bytes, Results: listed(g, nil)}
	}
	return writeJSON(w, http.StatusOK, page)
}

// resultFilter reads everything of a filter but its cursor.
func resultFilter(r *http.Request) (f atelier.RunFilter, err error) {
	if f, err = commonFilter(r); err != nil {
		return f, err
	}
	f.User, f.Fits = atelier.UserID(r.URL.Query().Get("user")), atelier.Fits(r.URL.Query().Get("fits"))
	if err := oneOf("fits", f.Fits, "", atelier.FitsImage, atelier.FitsVideo); err != nil {
		return f, err
	}
	return f, oneOf("sort", f.Sort, "", atelier.SortNewest, atelier.SortOldest, atelier.SortRating, atelier.SortFidelity)
}

// runFilter reads the filter of a list of runs.
func runFilter(r *http.Request) (f atelier.RunFilter, err error) {
	if f, err = commonFilter(r); err != nil {
		return f, err
	}
	if f.Cursor, err = queryCursor(r); err != nil {
		return f, err
	}
	return f, oneOf("sort", f.Sort, "", atelier.SortNewest, atelier.SortOldest)
}

func oneOf[T ~string](name string, got T, allowed ...T) error {
	if slices.Contains(allowed, got) {
		return nil
	}
	return atelier.FieldError(name, words.RequestOneOf(name, allowed))
}

func commonFilter(r *http.Request) (f atelier.RunFilter, err error) {
	q := r.URL.Query()
	f = atelier.RunFilter{
		Agent: q.Get("agent"), Status: atelier.Status(q.Get("status")), Query: q.Get("q"), Board: atelier.BoardID(q.Get("board")),
		Pick: q.Get("pick"), Sort: atelier.Sort(q.Get("sort")),
	}
	if len(f.Query) > 500 {
		return f, atelier.FieldError("q", words.RequestSearchLong)
	}
	if err := oneOf("pick", f.Pick, "", atelier.PickYes, atelier.PickNo, atelier.PickNone); err != nil {
		return f, err
	}
	if f.Limit, err = queryInt(r, "limit", pageSize); err != nil {
		return f, err
	}
	if f.Rating, err = queryInt(r, "rating", 5); err != nil {
		return f, err
	}
	for name, flag := range map[string]*bool{"starred": &f.Starred, "changed": &f.Changed, "apart": &f.Apart, "trashed": &f.Trashed} {
		if *flag, err = queryBool(r, name); err != nil {
			return f, err
		}
	}
	if f.From, err = queryTime(r, "from"); err != nil {
		return f, err
	}
	f.To, err = queryTime(r, "to")
	return f, err
}

// checkMarks refuses marks a result cannot have.
func checkMarks(rating *int, pick *string) error {
	if rating != nil && (*rating < 0 || *rating > 5) {
		return atelier.FieldError("rating", words.ResultRating)
	}
	if pick != nil {
		return oneOf("pick", *pick, "", atelier.PickYes, atelier.PickNo)
	}
	return nil
}

// checkChosen refuses selections of nothing and of too much, and gives them without repetitions.
func checkChosen[T ~string](ids []T) ([]T, error) { return checkUpTo(atelier.MaxChosen, ids) }

func checkUpTo[T ~string](most int, ids []T) ([]T, error) {
	var out []T
	seen := map[T]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 || len(out) > most {
		return nil, atelier.FieldError("ids", words.RequestChoose(most))
	}
	return out, nil
}

// maxPlaces is how many places on boards one request changes: everybody who writes waits for it.
const maxPlaces = 20_000

// updateResults marks many results alike.
func (s *Server) updateResults(w http.ResponseWriter, r *http.Request, who visitor) (err error) {
	var u atelier.UpdateResults
	if err := readJSON(w, r, maxJSON, &u); err != nil {
		return err
	}
	if u.IDs, err = checkChosen(u.IDs); err != nil {
		return err
	}
	if err := checkMarks(u.Rating, u.Pick); err != nil {
		return err
	}
	if len(u.AddBoards) > maxBoards || len(u.RemoveBoards) > maxBoards {
		return atelier.FieldError("boards", words.BoardsMany(maxBoards))
	}
	if boards := len(u.AddBoards) + len(u.RemoveBoards); len(u.IDs)*boards > maxPlaces {
		return atelier.FieldError("boards", words.BoardsAtOnce(len(u.IDs), boards, maxPlaces/boards))
	}
	results, err := s.c.DB.UpdateResults(r.Context(), who.User.ID, u)
	if err != nil {
		return err
	}
	out := atelier.ResultList{Results: make([]atelier.Result, len(results))}
	for i, res := range results {
		s.hub.Publish(who.User.ID, atelier.EventResult, string(res.ID), res.Result)
		out.Results[i] = res.Result
	}
	if len(u.AddBoards)+len(u.RemoveBoards) > 0 {
		s.tellOthers(r.Context(), who.User.ID)
	}
	return writeJSON(w, http.StatusOK, out)
}

// trashRuns puts many runs into the trash, or takes them out.
func (s *Server) trashRuns(trashed bool) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		var body atelier.ChosenRuns
		if err := readJSON(w, r, maxJSON, &body); err != nil {
			return err
		}
		ids, err := checkChosen(body.IDs)
		if err != nil {
			return err
		}
		changed, err := s.c.DB.TrashRuns(r.Context(), who.User.ID, ids, trashed)
		if err != nil {
			return err
		}
		for _, id := range changed {
			run, err := s.c.DB.FindRun(r.Context(), who.User.ID, id)
			if err != nil {
				return err
			}
			s.publishRun(run.Run, who.User.ID)
		}
		s.tellOthers(r.Context(), who.User.ID)
		return writeJSON(w, http.StatusOK, atelier.ChangedRuns{IDs: changed})
	}
}

// trashResults throws many results away by themselves, or takes them back.
func (s *Server) trashResults(trashed bool) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		var body atelier.ChosenResults
		if err := readJSON(w, r, maxJSON, &body); err != nil {
			return err
		}
		ids, err := checkChosen(body.IDs)
		if err != nil {
			return err
		}
		changed, runs, err := s.c.DB.TrashResults(r.Context(), who.User.ID, ids, trashed)
		if err != nil {
			return err
		}
		if err := s.publishResults(r.Context(), who.User.ID, changed, runs); err != nil {
			return err
		}
		s.tellOthers(r.Context(), who.User.ID)
		return writeJSON(w, http.StatusOK, atelier.ChangedResults{IDs: changed})
	}
}

// publishResults tells what became of results, and of the runs they are of.
func (s *Server) publishResults(ctx context.Context, user atelier.UserID, ids []atelier.ResultID, runs []atelier.RunID) error {
	results, err := s.c.DB.FindResults(ctx, user, ids)
	if err != nil {
		return err
	}
	for _, res := range results {
		s.hub.Publish(user, atelier.EventResult, string(res.ID), res.Result)
	}
	for _, id := range runs {
		run, err := s.c.DB.FindRun(ctx, user, id)
		if err != nil {
			return err
		}
		s.publishRun(run.Run, user)
	}
	return nil
}

// errTrashed refuses to hand over what was thrown away.
var errTrashed = atelier.FieldError("ids", words.ResultOneTrashed)
