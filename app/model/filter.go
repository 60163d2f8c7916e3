package model

import (
	"net/url"
	"strings"

	"atelier/atelier"
)

// Filter is what the gallery shows. It is also its address, so that a view can be kept and passed on.
type Filter struct {
	Agent   string
	Status  atelier.Status
	Query   string
	Starred bool
}

// ReadFilter reads a filter from the query of an address; what it does not know is ignored.
func ReadFilter(q url.Values) Filter {
	f := Filter{Agent: q.Get("agent"), Query: q.Get("q"), Starred: q.Get("starred") == "1"}
	switch s := atelier.Status(q.Get("status")); s {
	case atelier.Success, atelier.Failed, atelier.Running, atelier.Pending:
		f.Status = s
	}
	return f
}

// Address is the gallery's address with this filter.
func (f Filter) Address() string {
	q := url.Values{}
	if f.Agent != "" {
		q.Set("agent", f.Agent)
	}
	if f.Status != "" {
		q.Set("status", string(f.Status))
	}
	if text := strings.TrimSpace(f.Query); text != "" {
		q.Set("q", text)
	}
	if f.Starred {
		q.Set("starred", "1")
	}
	if len(q) == 0 {
		return "/gallery"
	}
	return "/gallery?" + q.Encode()
}

// Empty says whether everything is shown.
func (f Filter) Empty() bool { return f == Filter{} }

// Runs is the question to the server.
func (f Filter) Runs(cursor string, limit int) atelier.RunFilter {
	return atelier.RunFilter{
		Cursor: cursor, Limit: limit, Agent: f.Agent, Status: f.Status, Query: strings.TrimSpace(f.Query), Starred: f.Starred,
	}
}

// Admits says whether a run that just arrived belongs to the view. A text search is the server's business: a run that
// matches is shown when the list is loaded again.
func (f Filter) Admits(r atelier.Run) bool {
	if f.Agent != "" && r.Agent != f.Agent || f.Status != "" && r.Status != f.Status || strings.TrimSpace(f.Query) != "" || r.Trashed {
		return false
	}
	if !f.Starred {
		return true
	}
	for _, result := range r.Results {
		if result.Starred {
			return true
		}
	}
	return false
}
