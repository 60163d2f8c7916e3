package db

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"atelier/atelier"
)

// way is where a stretch is read from. CROSS JOIN keeps the order of the tables: the first one gives the order of the list, so
// that a page is read and nothing is sorted.
type way struct {
	from      string   // tables; "" = made of the lists below
	run       string   // column of the run's id that is known first
	order     string   // column that is in the order of the runs
	owner     string   // table whose owner is known first; "" = r
	match     string   // of a search that is looked up; "" = none
	among     []string // runs to look at, in this order; nil = none
	rows      []int64  // results to look at, in this order; nil = none
	runsFirst bool     // runs are looked at before their results
	alone     bool     // without runs
}

// byRuns goes through the runs and the results of each.
func byRuns(f atelier.RunFilter) way {
	return way{from: "runs r INDEXED BY " + liveRuns(f) + " CROSS JOIN " + resultsOfRun(f), run: "r.id", order: "r.id"}
}

// byWords goes through what a search finds and the results of each run.
func byWords(f atelier.RunFilter, match string) way {
	return way{from: "run_search CROSS JOIN " + resultsOfOne(f) + " CROSS JOIN runs r", run: "run_search.run_id", order: "run_search.rowid", match: match}
}

// onBoard goes through what is on a board. Where something is asked of the results, an index answers before they are looked at.
func onBoard(f atelier.RunFilter) way {
	w := way{from: "board_results b CROSS JOIN results s CROSS JOIN runs r", run: "b.run_id", order: "b.run_id", owner: "s"}
	plain := f
	plain.Board, plain.User = "", ""
	if probe := (&query{}); probe.marks(plain) || f.Status != "" || f.Sort != "" || f.User != "" {
		w.from, w.owner = "board_results b CROSS JOIN "+resultsOfRun(f)+" CROSS JOIN runs r", ""
	}
	return w
}

// byScore goes through the results that were compared in the order of their scores.
func byScore(f atelier.RunFilter) way {
	index := "results_by_score"
	if f.Changed {
		index = "results_changed_by_score"
	}
	return way{from: "results s INDEXED BY " + index + " CROSS JOIN runs r", run: "s.run_id", order: "s.run_id", owner: "s"}
}

// tables are those of a way; the lists among them become arguments of the query.
func (w way) tables(q *query, f atelier.RunFilter) string {
	switch {
	case w.alone:
		from, _, _ := strings.Cut(w.from, " CROSS JOIN runs r")
		return from
	case w.rows != nil:
		text, _ := json.Marshal(w.rows) // numbers can always be written
		return "json_each(" + q.arg(string(text)) + ") j CROSS JOIN results s CROSS JOIN runs r"
	case w.from != "":
		return w.from
	case w.runsFirst:
		return q.list(w.among) + " j CROSS JOIN runs r INDEXED BY " + liveRuns(f) + " CROSS JOIN " + resultsOfOne(f)
	}
	return q.list(w.among) + " j CROSS JOIN " + resultsOfOne(f) + " CROSS JOIN runs r"
}

// resultQuery is the conditions of a stretch that is read in a way.
func resultQuery(user atelier.UserID, f atelier.RunFilter, s stretch, w way) (*query, error) {
	q := &query{}
	if w.owner == "s" {
		q.add("s.user_id = ", string(user))
	} else {
		q.add("r.user_id = ", string(user))
	}
	dir := spanOf(f)
	switch {
	case w.order == "run_search.rowid":
		q.add("run_search MATCH ", w.match)
		if err := errors.Join(q.number(">=", dir.from), q.number("<", dir.to)); err != nil {
			return nil, err
		}
	case w.match != "":
		q.add("s.run_id IN (SELECT run_id FROM run_search WHERE run_search MATCH ", w.match)
		q.clauses[len(q.clauses)-1] += ")"
		q.between(w.run, dir)
	default:
		q.between(w.run, dir)
	}
	if w.rows != nil {
		q.say("s.rowid = j.value")
	} else if w.run != "s.run_id" && w.run != "r.id" {
		q.say("s.run_id = " + w.run)
		if placed(f) && w.run != "b.run_id" {
			q.say("b.run_id = " + w.run)
		}
	}
	if !w.alone {
		q.say("r.id = s.run_id")
		if w.runsFirst {
			q.say("r.id = " + w.run)
		}
		q.runsWithout(f)
	}
	if f.Trashed {
		q.say("(r.trashed_at > 0 OR s.trashed_at > 0)")
	} else {
		q.say("s.trashed_at = 0")
	}
	q.marks(f)
	q.status(f)
	switch {
	case s.rating > 0:
		q.stars(s.rating)
	case s.column == "":
	case s.blank && s.column == ratingColumn:
		q.say("s.rating = 0")
	case s.blank:
		q.say(s.column + " IS NULL")
	case s.column == ratingColumn:
		q.say("s.rating > 0")
	default:
		q.say(s.column + " IS NOT NULL")
	}
	if s.same != nil {
		q.add(s.column+" = ", s.same.value)
		q.add("s.run_id = ", s.same.run)
		q.add("s.idx > ", s.same.index)
	}
	if s.below != nil {
		q.say("(" + s.column + ", s.run_id) < (" + q.arg(s.below.value) + ", " + q.arg(s.below.run) + ")")
	}
	if s.after != nil {
		if err := q.after(*s.after, w, dir); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// after adds that what is listed comes behind a place in the order of the runs. Its first condition is what an index can begin at.
func (q *query) after(at place, w way, dir span) error {
	less := "<"
	if dir.oldest {
		less = ">"
	}
	column, value := w.run, any(at.run)
	if w.order == "run_search.rowid" {
		n, err := searchNumber(at.run)
		if err != nil {
			return err
		}
		column, value = w.order, n
	}
	run := q.arg(value)
	q.say(column + " " + less + "= " + run)
	q.say("(" + column + " " + less + " " + run + " OR s.idx > " + q.arg(at.index) + ")")
	return nil
}

// orderBy is the order of a stretch that is read in a way.
func (w way) orderBy(f atelier.RunFilter, s stretch) string {
	dir := spanOf(f).direction()
	switch {
	case w.order == "run_search.rowid":
		return w.order + dir // the results of a run come in the order of their index
	case w.rows != nil:
		return w.order
	case w.order == "j.key":
		return "j.key, s.idx"
	case s.valued():
		return s.column + " DESC, " + w.order + dir + ", s.idx"
	}
	return w.order + dir + ", s.idx"
}

// listed reads the first n results of a stretch in a way.
func (d *DB) listed(ctx context.Context, user atelier.UserID, f atelier.RunFilter, s stretch, w way, n int) ([]ListedResult, error) {
	q, err := resultQuery(user, f, s, w)
	if err != nil {
		return nil, err
	}
	return d.listedRows(ctx, listedColumns+" FROM "+w.tables(q, f)+" WHERE "+q.where()+" ORDER BY "+w.orderBy(f, s)+q.limit(n), q.args...)
}
