package upstreamtest

import (
	"net/url"
	"time"
)

// listScenarios: Task API, "List tasks".
func listScenarios() []scenario {
	const (
		path = "/openapi/v1/agent/task/list"
		from = `Task API, "List tasks"`
	)
	page := func(p *probe, query string) object { return p.data(p.get(path + query)) }
	created := func(p *probe, task object) time.Time {
		at, err := time.Parse(time.RFC3339Nano, p.text(task, "createdAt"))
		if err != nil {
			p.stop("createdAt %v is not RFC 3339: %v", task["createdAt"], err)
		}
		return at
	}
	refuses := func(query string) func(p *probe) { return func(p *probe) { p.refused(p.get(path + query)) } }
	return []scenario{
		{name: "a new task is listed first", from: from, check: func(p *probe) {
			id := p.create("removeBG")
			tasks := p.list(page(p, ""), "tasks")
			p.want(len(tasks) > 0 && len(tasks) <= 10, "%d tasks without a limit, want 1 to 10", len(tasks))
			for i, task := range tasks {
				if task["taskId"] == id {
					p.want(i == 0 || created(p, task).Equal(created(p, tasks[0])), "the newest task is number %d", i+1)
					p.want(task["agentName"] == "removeBG" && task["agentVersion"] == "v1.0", "agent is %v %v", task["agentName"], task["agentVersion"])
					p.want(p.nested(task, "initParams")["taskName"] == "conformance", "initParams are %v", task["initParams"])
					p.list(task, "executions")
					_, offset := created(p, task).Zone()
					p.want(offset == 0, "createdAt %v is not UTC", task["createdAt"])
					return
				}
			}
			p.complain("the task %s is not listed", id)
		}},
		{name: "pages follow one another without gap or repetition", from: from, check: func(p *probe) {
			start := time.Now().Add(-10 * time.Minute).UTC().Format(time.RFC3339)
			mine := map[string]bool{}
			for range 3 {
				mine[p.create("aipose")] = true
			}
			seen := map[any]bool{}
			last := time.Now().Add(24 * time.Hour)
			query := "?limit=2&createdAfter=" + url.QueryEscape(start)
			cursor := ""
			for range 200 {
				d := page(p, query+cursor)
				tasks := p.list(d, "tasks")
				p.want(len(tasks) <= 2, "%d tasks on a page of 2", len(tasks))
				for _, task := range tasks {
					p.want(!seen[task["taskId"]], "task %v is on two pages", task["taskId"])
					seen[task["taskId"]] = true
					at := created(p, task)
					p.want(!at.After(last), "%v is newer than the task before it", task["taskId"])
					last = at
				}
				more, ok := d["hasMore"].(bool)
				if !ok {
					p.stop("hasMore is %v", d["hasMore"])
				}
				if !more {
					p.absent(d, "nextCursor") // "Present only when hasMore is true"
					break
				}
				cursor = "&cursor=" + url.QueryEscape(p.text(d, "nextCursor"))
			}
			for id := range mine {
				p.want(seen[id], "the task %s is on no page", id)
			}
		}},
		{name: "bounds are taken in every form of RFC 3339", from: from, check: func(p *probe) {
			for _, at := range []string{"2026-01-31T09:30:00Z", "2026-01-31T09:30:00.123456789Z", "2026-01-31T09:30:00+02:00", "2026-01-31T09:30:00-00:00"} {
				page(p, "?createdAfter="+url.QueryEscape(at))
			}
		}},
		{name: "times of creation can be compared as texts", from: from, check: func(p *probe) {
			p.create("removeBG")
			p.create("removeBG")
			last := ""
			for _, task := range p.list(page(p, "?limit=20"), "tasks") {
				at := p.text(task, "createdAt")
				p.want(last == "" || (at <= last && len(at) == len(last)), "%s stands after %s", at, last)
				last = at
			}
		}},
		{name: "a limit of 1 gives one task", from: from, check: func(p *probe) {
			p.task("aipose")
			p.task("removeBG")
			d := page(p, "?limit=1")
			p.want(len(p.list(d, "tasks")) == 1, "%d tasks", len(p.list(d, "tasks")))
			p.want(d["hasMore"] == true, "hasMore is %v with at least two tasks", d["hasMore"])
		}},
		{name: "a limit of 20 is allowed", from: from, check: func(p *probe) { p.list(page(p, "?limit=20"), "tasks") }},
		// ASSUMED [limit of task list]: refused rather than brought into the range; the document gives the range alone.
		{name: "a limit of 0 is refused", from: from, check: refuses("?limit=0")},
		{name: "a limit of 21 is refused", from: from, check: refuses("?limit=21")},
		{name: "a limit that is negative, broken or in words is refused", from: from, check: func(p *probe) {
			for _, limit := range []string{"-1", "1.5", "ten"} {
				p.refused(p.get(path + "?limit=" + limit))
			}
		}},
		{name: "a cursor lives on with another limit; the next page is taken", from: from, check: func(p *probe) {
			p.task("aipose")
			p.task("removeBG")
			d := page(p, "?limit=1")
			first := p.list(d, "tasks")
			next := p.list(page(p, "?limit=2&cursor="+url.QueryEscape(p.text(d, "nextCursor"))), "tasks")
			p.want(len(next) > 0 && len(first) == 1 && next[0]["taskId"] != first[0]["taskId"], "the second page begins with the first task")
		}},
		{name: "a time in another zone is the same time, and is taken", from: from, check: func(p *probe) {
			p.create("aipose")
			at := created(p, p.first(page(p, "?limit=1"), "tasks"))
			for _, zone := range []*time.Location{time.UTC, time.FixedZone("east", 5*3600+1800), time.FixedZone("west", -9*3600)} {
				found := p.list(page(p, "?limit=1&createdAfter="+url.QueryEscape(at.In(zone).Format(time.RFC3339Nano))), "tasks")
				p.want(len(found) == 1 && created(p, found[0]).Equal(at), "createdAfter %s finds %v", at.In(zone), found)
			}
		}},
		{name: "nothing lies in the future, and its empty list is taken", from: from, check: func(p *probe) {
			d := page(p, "?createdAfter="+url.QueryEscape(time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339)))
			p.want(len(p.list(d, "tasks")) == 0, "tasks: %v", d["tasks"])
			p.want(d["hasMore"] == false, "hasMore is %v", d["hasMore"])
			p.absent(d, "nextCursor")
		}},
		{name: "a bound without a time of day or a zone is refused", from: from, check: func(p *probe) {
			for _, at := range []string{"2026-01-01", "2026-01-01T00:00:00", "1767225600"} {
				p.refused(p.get(path + "?createdBefore=" + at))
			}
		}},
		{name: "the lower bound is inclusive and the upper bound exclusive", from: from, check: func(p *probe) {
			id := p.create("aipose")
			var at time.Time
			for _, task := range p.list(page(p, "?limit=20"), "tasks") {
				if task["taskId"] == id {
					at = created(p, task)
				}
			}
			if at.IsZero() {
				p.stop("the task is not listed")
			}
			holds := func(after, before time.Time) bool {
				q := "?limit=20&createdAfter=" + url.QueryEscape(after.UTC().Format(time.RFC3339Nano)) + "&createdBefore=" + url.QueryEscape(before.UTC().Format(time.RFC3339Nano))
				for _, task := range p.list(page(p, q), "tasks") {
					if task["taskId"] == id {
						return true
					}
				}
				return false
			}
			p.want(holds(at, at.Add(time.Minute)), "createdAfter=createdAt leaves the task out")
			p.want(!holds(at.Add(-time.Minute), at), "createdBefore=createdAt does not leave the task out")
			p.want(!holds(at.Add(time.Second), at.Add(time.Minute)), "a later createdAfter does not leave the task out")
		}},
		{name: "an upper bound before the lower one is refused", from: `Task API, "Errors"`, check: refuses("?createdAfter=2026-01-02T00:00:00Z&createdBefore=2026-01-01T00:00:00Z")},
		{name: "an upper bound equal to the lower one is refused", from: `Task API, "Errors"`, check: refuses("?createdAfter=2026-01-02T00:00:00Z&createdBefore=2026-01-02T00:00:00Z")},
		{name: "a bound that is no RFC 3339 time is refused", from: from, check: refuses("?createdAfter=yesterday")},
		{name: "a cursor that was never given is refused", from: from, check: refuses("?cursor=conformance")},
		{name: "a cursor is valid only for its time filters", from: from, check: func(p *probe) {
			p.task("aipose")
			p.task("removeBG")
			d := page(p, "?limit=1&createdAfter=2020-01-01T00:00:00Z")
			p.refused(p.get(path + "?limit=1&createdAfter=2021-01-01T00:00:00Z&cursor=" + url.QueryEscape(p.text(d, "nextCursor"))))
		}},
		{name: "a cursor is valid only for its key", from: from, two: true, check: func(p *probe) {
			p.task("aipose")
			p.task("removeBG")
			d := page(p, "?limit=1")
			p.refused(p.send("GET", path+"?limit=1&cursor="+url.QueryEscape(p.text(d, "nextCursor")), p.on.OtherKey, "", nil))
		}},
		{name: "a cursor is refused to another key of the account", from: from, same: true, check: func(p *probe) {
			p.task("aipose")
			p.task("removeBG")
			d := page(p, "?limit=1")
			p.refused(p.send("GET", path+"?limit=1&cursor="+url.QueryEscape(p.text(d, "nextCursor")), p.on.SecondKey, "", nil))
		}},
		{name: "another key of the account does not list the task, and its own list is taken", from: from, same: true, check: func(p *probe) {
			id := p.create("aipose")
			for _, task := range p.list(p.data(p.send("GET", path+"?limit=20", p.on.SecondKey, "", nil)), "tasks") {
				p.want(task["taskId"] != id, "the second key lists %s", id)
			}
		}},
		{name: "a cursor that was changed is refused", from: from, check: func(p *probe) {
			p.task("aipose")
			p.task("removeBG")
			c := []byte(p.text(page(p, "?limit=1"), "nextCursor"))
			c[len(c)/2] ^= 1
			p.refused(p.get(path + "?limit=1&cursor=" + url.QueryEscape(string(c))))
		}},
		{name: "another key does not see the task", from: from, two: true, check: func(p *probe) {
			id := p.create("aipose")
			a := p.send("GET", path+"?limit=20", p.on.OtherKey, "", nil)
			for _, task := range p.list(p.data(a), "tasks") {
				p.want(task["taskId"] != id, "the other key sees %s", id)
			}
		}},
	}
}
