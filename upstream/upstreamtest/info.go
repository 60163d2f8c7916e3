package upstreamtest

// infoScenarios: Task API, "Agent info".
func infoScenarios() []scenario {
	const (
		path = "/openapi/v1/agent/info?agentVersion=v1.0&agentName="
		from = `Task API, "Agent info"`
	)
	info := func(p *probe, query string) object { return p.data(p.get(path + query)) }
	refuses := func(query string) func(p *probe) { return func(p *probe) { p.refused(p.get(path + query)) } }
	paging := func(p *probe, d object, resource string) (total int64, last bool) {
		meta := p.nested(p.nested(d, "pagination"), resource)
		last, ok := meta["isLastPage"].(bool)
		p.want(ok, "pagination.%s.isLastPage is %v", resource, meta["isLastPage"])
		return p.number(meta, "total"), last
	}
	status := func(p *probe, o object) {
		s := o["status"]
		p.want(s == "prepare" || s == "complete" || s == "failed", "status is %v", s)
	}
	kind := func(p *probe, o object) {
		p.want(o["type"] == "AI" || o["type"] == "Yours", "type is %v", o["type"])
	}
	tags := func(p *probe, o object) {
		if o["tags"] == nil {
			return
		}
		for _, tag := range p.list(o, "tags") {
			p.number(tag, "id")
			p.text(tag, "name")
		}
	}
	locations := func(p *probe, d object) {
		all := p.list(d, "locations")
		p.want(len(all) > 0, "no locations")
		for _, l := range all {
			p.want(p.number(l, "id") > 0, "id %v", l["id"])
			p.link(p.text(l, "image"))
			p.text(l, "name")
			if _, ok := l["categories"].([]any); !ok {
				p.complain("categories is %v, want a list", l["categories"])
			}
			kind(p, l)
			tags(p, l)
			if l["status"] != nil {
				status(p, l)
			}
		}
	}
	return []scenario{
		{name: "aimodel offers locations", from: `Task API, "Location"`, check: func(p *probe) { locations(p, info(p, "aimodel")) }},
		{name: "aimodel offers fashion models", from: `Task API, "FashionModel"`, check: func(p *probe) {
			all := p.list(info(p, "aimodel"), "fashionModels")
			p.want(len(all) > 0, "no fashion models")
			for _, m := range all {
				p.want(p.number(m, "id") > 0, "id %v", m["id"])
				p.link(p.text(m, "image"))
				p.text(m, "name")
				kind(p, m)
				status(p, m)
				tags(p, m)
			}
		}},
		{name: "info names the agent's version", from: from, check: func(p *probe) {
			for _, agent := range []string{"aimodel", "aiproduct", "expandimage", "removeBG"} {
				d := info(p, agent)
				p.want(d["agentVersion"] == "v1.0", "%s: agentVersion is %v", agent, d["agentVersion"])
			}
		}},
		{name: "paging says where it stands", from: from, check: func(p *probe) {
			d := info(p, "aimodel")
			at := p.nested(d, "pagination")
			p.want(p.number(at, "page") == 1 && p.number(at, "pageSize") == 50, "page %v of size %v, want 1 of 50", at["page"], at["pageSize"])
			for _, r := range []string{"locations", "fashionModels"} {
				total, last := paging(p, d, r)
				p.want(last == (total <= 50), "%s: %d in all and isLastPage %v", r, total, last)
			}
		}},
		{name: "pages of one follow one another", from: from, check: func(p *probe) {
			seen := map[int64]bool{}
			for n := 1; ; n++ {
				d := info(p, "aimodel&resourceType=locations&pageSize=1&page="+decimal(n))
				all := p.list(d, "locations")
				total, last := paging(p, d, "locations")
				p.want(len(all) == 1, "%d locations on page %d", len(all), n)
				for _, l := range all {
					id := p.number(l, "id")
					p.want(!seen[id], "location %d is on two pages", id)
					seen[id] = true
				}
				p.want(last == (int64(n) == total), "page %d of %d: isLastPage %v", n, total, last)
				if last || n == 5 {
					return
				}
			}
		}},
		{name: "a page beyond the last is empty", from: from, check: func(p *probe) {
			d := info(p, "aimodel&page=100000&pageSize=100")
			p.want(len(p.list(d, "locations")) == 0 && len(p.list(d, "fashionModels")) == 0, "it holds something")
			for _, r := range []string{"locations", "fashionModels"} {
				_, last := paging(p, d, r)
				p.want(last, "%s: isLastPage is false", r)
			}
		}},
		{name: "resourceType locations leaves fashion models out", from: from, check: func(p *probe) {
			d := info(p, "aimodel&resourceType=locations")
			p.list(d, "locations")
			p.absent(d, "fashionModels")
			p.absent(p.nested(d, "pagination"), "fashionModels")
		}},
		{name: "resourceType fashionModels leaves locations out", from: from, check: func(p *probe) {
			d := info(p, "aimodel&resourceType=fashionModels")
			p.list(d, "fashionModels")
			p.absent(d, "locations")
			p.absent(p.nested(d, "pagination"), "locations")
		}},
		{name: "aiproduct offers locations alone and does not page", from: from, check: func(p *probe) {
			d := info(p, "aiproduct")
			locations(p, d)
			p.absent(d, "fashionModels", "pagination")
		}},
		{name: "expandimage offers dimensions", from: `Task API, "Dimension"`, check: func(p *probe) {
			all := p.list(info(p, "expandimage"), "dimensions")
			p.want(len(all) > 0, "no dimensions")
			for _, d := range all {
				p.text(d, "name")
				w, h := p.number(d, "width"), p.number(d, "height")
				p.want(w >= 1 && w <= 4096 && h >= 1 && h <= 4096, "%v is %d × %d; at most 4096 each way", d["name"], w, h)
			}
		}},
		{name: "removeBG offers backgrounds", from: `Task API, "Background"`, check: func(p *probe) {
			all := p.list(info(p, "removeBG"), "backgrounds")
			p.want(len(all) > 0, "no backgrounds")
			for _, b := range all {
				p.want(p.number(b, "id") > 0, "id %v", b["id"])
				p.link(p.text(b, "image"))
				p.text(b, "name")
			}
		}},
		{name: "info offers each profile in its form", from: `Task API, "FashionModel"`, check: func(p *probe) {
			for _, m := range p.list(info(p, "aimodel&resourceType=fashionModels&pageSize=100"), "fashionModels") {
				profile, ok := m["profile"].(object)
				if !ok {
					p.want(m["profile"] == nil, "profile is %v", m["profile"])
					continue
				}
				switch profile["nationality"].(type) {
				case nil, string, float64: // "documented as int, carries text in the examples"
				default:
					p.complain("nationality is %v", profile["nationality"])
				}
				for _, field := range []string{"style", "priceDescription"} {
					_, isText := profile[field].(string)
					p.want(isText || profile[field] == nil, "%s is %v", field, profile[field])
				}
			}
		}},
		{name: "the last pages of both resources are told apart; the list is taken", from: from, check: func(p *probe) {
			d := info(p, "aimodel&pageSize=1")
			at := p.nested(d, "pagination")
			for _, r := range []string{"locations", "fashionModels"} {
				total, last := paging(p, d, r)
				p.want(len(p.list(d, r)) == int(min(total, 1)), "%s: %d on a page of 1", r, len(p.list(d, r)))
				p.want(last == (total <= 1), "%s: %d in all and isLastPage %v", r, total, last)
			}
			l, _ := paging(p, d, "locations")
			m, _ := paging(p, d, "fashionModels")
			if l == m {
				return // nothing to tell apart
			}
			d = info(p, "aimodel&pageSize=1&page="+decimal(int(min(l, m))))
			_, lastL := paging(p, d, "locations")
			_, lastM := paging(p, d, "fashionModels")
			p.want(lastL != lastM, "page %d: both isLastPage are %v with %d locations and %d models", min(l, m), lastL, l, m)
			p.want(p.number(at, "pageSize") == 1, "pageSize is %v", at["pageSize"])
		}},
		{name: "a page size of 100 is allowed", from: `Task API, "Limits"`, check: func(p *probe) {
			at := p.nested(info(p, "aimodel&pageSize=100"), "pagination")
			p.want(p.number(at, "pageSize") == 100, "pageSize is %v", at["pageSize"])
		}},
		{name: "a page size of 101 is refused", from: `Task API, "Errors"`, check: refuses("aimodel&pageSize=101")},
		{name: "a page or page size in words is refused", from: from, check: func(p *probe) {
			for _, q := range []string{"page=one", "page=1.5", "pageSize=many", "pageSize=99999999999999999999"} {
				p.refused(p.get(path + "aimodel&" + q))
			}
		}},
		{name: "an unknown resourceType is refused", from: from, check: refuses("aimodel&resourceType=shoes")},
		{name: "info of an unknown version is refused", from: from, check: func(p *probe) {
			p.refused(p.get("/openapi/v1/agent/info?agentName=aimodel&agentVersion=v99.0"))
		}},
		{name: "a page size of 0 is refused", from: `Task API, "Errors"`, check: refuses("aimodel&pageSize=0")},
		{name: "a negative page size is refused", from: `Task API, "Errors"`, check: refuses("aimodel&pageSize=-1")},
		{name: "page 0 is refused", from: `Task API, "Errors"`, check: refuses("aimodel&page=0")},
		{name: "a negative page is refused", from: `Task API, "Errors"`, check: refuses("aimodel&page=-1")},
		{name: "info of an unknown agent is refused", from: from, check: refuses("conformance-none")},
		{name: "info needs an agent name", from: from, check: func(p *probe) { p.refused(p.get("/openapi/v1/agent/info?agentVersion=v1.0")) }},
		{name: "info needs an agent version", from: from, check: func(p *probe) { p.refused(p.get("/openapi/v1/agent/info?agentName=aimodel")) }},
	}
}
