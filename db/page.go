package db

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"
	_ "time/tzdata" // zones have their names on machines without such data too

	"atelier/atelier"
	"atelier/db/gen"
)

// sheet is one page of a list: what is on it, and where the next one begins; nil = there is none. One of a search may be shorter than
// asked for, and even empty, when much has to be looked through for little: the next one goes on from there.
type sheet struct {
	list []found
	next *place
}

// sheet reads a page behind a place; nil is the beginning.
func (d *DB) sheet(ctx context.Context, l *lists, user atelier.UserID, f atelier.RunFilter, runs bool, at *place) (page sheet, err error) {
	w, err := l.wanted(ctx, d.reader(ctx), f, runs)
	a := l.albums[string(user)]
	if err != nil || a == nil || w.nothing {
		return sheet{}, err
	}
	s := w.all(a)
	var of search
	if f.Query != "" {
		if of, err = d.search(ctx, user, f.Query); err != nil || of.match == "" {
			return sheet{}, err
		}
	}
	var stopped *place
	if w.value != "" && (at == nil || at.valued) {
		w.having()
		if of.match == "" {
			page.list = w.highest(s, f.Limit+1, at)
		} else if page.list, stopped, err = d.finder(&w, s, of).highest(ctx, f.Limit+1, d.sizes.most, at); err != nil {
			return sheet{}, err
		}
		at = nil
	}
	if w.value != "" {
		w.only, w.rating = without, f.Rating
	}
	if none := w.value == atelier.SortRating && f.Rating > 0; stopped == nil && len(page.list) <= f.Limit && !none {
		if stopped, err = d.inOrder(ctx, &w, s, of, at, f.Limit+1, &page.list); err != nil {
			return sheet{}, err
		}
	}
	if len(page.list) > f.Limit {
		page.list = page.list[:f.Limit]
		last := w.place(page.list[f.Limit-1])
		stopped = &last
	}
	page.next = stopped
	return page, nil
}

// inOrder adds what is listed behind a place, in the order of runs, until there are n or more; stopped is how far it came when it has
// worked enough.
func (d *DB) inOrder(ctx context.Context, w *want, s stretch, of search, at *place, n int, list *[]found) (stopped *place, err error) {
	if at != nil {
		s = s.behind(at.run, w.oldest, !w.ofRuns)
	}
	add := func(more []found) {
		for _, f := range more {
			// The run the page before ended in is looked at once more.
			if at == nil || f.key() != at.run || f.index() > at.index {
				*list = append(*list, f)
			}
		}
	}
	if of.match == "" {
		for len(*list) < n && s.runs() > 0 {
			var more []found
			more, s = w.scan(s, n-len(*list), nil)
			add(more)
		}
		return nil, nil //nolint:nilnil // it went to the end
	}
	f := d.finder(w, s, of)
	for len(*list) < n && f.left.runs() > 0 && f.work < d.sizes.most {
		more, err := f.next(ctx, n-len(*list), d.sizes.most, nil)
		if err != nil {
			return nil, err
		}
		add(more)
	}
	if f.left.runs() == 0 || len(*list) >= n {
		return nil, nil //nolint:nilnil // it went to the end, or has enough
	}
	rank := f.left.to
	if w.oldest {
		rank = f.left.from - 1
	}
	last := f.left.album.at(rank)
	return &place{run: f.left.album.parts[last.part].keys[last.run], index: math.MaxUint16}, nil
}

// The rows of a page, in its order.
const (
	runPage    = "SELECT " + runColumns + " FROM json_each($1) j CROSS JOIN runs r WHERE r.id = j.value ORDER BY j.key"
	resultPage = listedColumns + ` FROM json_each($1) j CROSS JOIN results s CROSS JOIN runs r
		WHERE s.run_id = json_extract(j.value, '$[0]') AND s.idx = json_extract(j.value, '$[1]') AND r.id = s.run_id ORDER BY j.key`
)

// ListRuns gives one page of the user's runs with assets and results, newest first, or oldest first when the filter says so. A page of
// a search may be short though there is a next one.
func (d *DB) ListRuns(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (runs []Run, next string, err error) {
	f.Limit = pageLimit(f)
	if f.Sort != atelier.SortOldest {
		f.Sort = ""
	}
	var at *place
	if f.Cursor != "" {
		key, err := keyOf(f.Cursor)
		if err != nil {
			return nil, "", cursorRefused()
		}
		at = &place{run: key}
	}
	var rows []gen.Run
	err = d.inList(ctx, func(ctx context.Context, l *lists) error {
		page, err := d.sheet(ctx, l, user, f, true, at)
		if err != nil || len(page.list) == 0 {
			if page.next != nil {
				next = page.next.run.String()
			}
			return err
		}
		if page.next != nil {
			next = page.next.run.String()
		}
		ids := make([]string, len(page.list))
		for i, p := range page.list {
			ids[i] = p.key().String()
		}
		list, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		rows, err = d.runRows(ctx, runPage, string(list))
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("list runs: %w", err)
	}
	runs, err = d.completeAll(ctx, rows, f.Trashed)
	return runs, next, err
}

// ListResults gives one page of the user's results in the order of the filter. Results stand together by run. A filter that names the
// user asks for what they show, as others see it. A page of a search may be short though there is a next one.
func (d *DB) ListResults(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (page []ListedResult, next string, err error) {
	f.Limit = pageLimit(f)
	if f.Trashed && f.Sort != atelier.SortOldest {
		f.Sort = "" // the trash is in the order of its runs
	}
	at, err := parsePlace(f)
	if err != nil {
		return nil, "", err
	}
	err = d.inList(ctx, func(ctx context.Context, l *lists) error {
		s, err := d.sheet(ctx, l, user, f, false, at)
		if s.next != nil {
			next = s.next.String()
		}
		if err != nil || len(s.list) == 0 {
			return err
		}
		places := make([][2]any, len(s.list))
		for i, p := range s.list {
			places[i] = [2]any{p.key().String(), p.index()}
		}
		list, err := json.Marshal(places)
		if err != nil {
			return err
		}
		page, err = d.listedRows(ctx, resultPage, string(list))
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("list results: %w", err)
	}
	return seen(page, f), next, nil
}

// CountResults counts the results of a list up to most; more says that there are others.
func (d *DB) CountResults(ctx context.Context, user atelier.UserID, f atelier.RunFilter, most int) (n int, more bool, err error) {
	err = d.throughResults(ctx, user, f, func(list []found) bool {
		n += len(list)
		return n <= most
	})
	return min(n, most), n > most, err
}

// throughResults hands all that a filter lists to use, in the order of runs, some at a time, until it wants no more.
func (d *DB) throughResults(ctx context.Context, user atelier.UserID, f atelier.RunFilter, use func(list []found) bool) error {
	f.Cursor, f.Sort = "", ""
	const together = 1000
	err := d.inList(ctx, func(ctx context.Context, l *lists) error {
		w, err := l.wanted(ctx, d.reader(ctx), f, false)
		a := l.albums[string(user)]
		if err != nil || a == nil || w.nothing {
			return err
		}
		s := w.all(a)
		if f.Query == "" {
			var list []found
			for s.runs() > 0 {
				if list, s = w.scan(s, together, list[:0]); !use(list) {
					return nil
				}
			}
			return nil
		}
		of, err := d.search(ctx, user, f.Query)
		if err != nil || of.match == "" {
			return err
		}
		through := d.finder(&w, s, of)
		for first := true; first || through.left.runs() > 0; first = false {
			list, err := through.next(ctx, together, math.MaxInt, nil)
			if err != nil || !use(list) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count results: %w", err)
	}
	return nil
}

// ListMonths counts the results of a list by month, newest first. Months begin at midnight where the filter is, in summer as in winter.
func (d *DB) ListMonths(ctx context.Context, user atelier.UserID, f atelier.RunFilter) (months []atelier.ResultMonth, err error) {
	months = []atelier.ResultMonth{}
	var begin runKey // of the month that is counted
	zone, err := time.LoadLocation(f.Zone)
	if err != nil {
		return nil, atelier.FieldError("zone", zoneUnknown)
	}
	err = d.throughResults(ctx, user, f, func(list []found) bool {
		for _, r := range list {
			key := r.key()
			if len(months) == 0 || key.compare(begin) < 0 {
				from := monthOf(key.time().In(zone))
				months, begin = append(months, atelier.ResultMonth{From: from, To: from.AddDate(0, 1, 0)}), keyAt(from)
			}
			months[len(months)-1].Count++
		}
		return true
	})
	return months, err
}
