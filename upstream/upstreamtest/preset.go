package upstreamtest

import (
	"fmt"
	"slices"
)

// custom is one of the two kinds of presets that a caller makes.
type custom struct {
	what    string // in the path: myFashionModel, myLocation
	called  string // in headings
	id      string // the field that names it
	listing string // its list in agent info
	body    func(p *probe) object
}

func (c custom) path(verb string) string { return "/openapi/v1/agent/" + c.what + "/" + verb }

func customs() []custom {
	return []custom{
		{what: "myFashionModel", called: "my fashion model", id: "fashionModelId", listing: "fashionModels", body: func(p *probe) object {
			return object{"images": []string{p.face()}, "name": "Conformance", "agentName": "aimodel", "agentVersion": "v1.0"}
		}},
		{what: "myLocation", called: "my location", id: "locationId", listing: "locations", body: func(p *probe) object {
			return object{"image": p.original(), "name": "Conformance", "agentName": "aimodel", "agentVersion": "v1.0"}
		}},
	}
}

// presetScenarios: Task API, "Create my fashion model" to "Delete my location".
func presetScenarios() []scenario {
	var list []scenario
	for _, c := range customs() {
		making, asking, deleting := fmt.Sprintf(`Task API, "Create %s"`, c.called), fmt.Sprintf(`Task API, "Query %s"`, c.called), fmt.Sprintf(`Task API, "Delete %s"`, c.called)
		ask := func(p *probe, id int64) answer { return p.get(c.path("query") + "?" + c.id + "=" + fmt.Sprint(id)) }
		remove := func(p *probe, id int64) answer { return p.post(c.path("delete"), object{c.id: id}) }
		refuses := func(pairs ...any) func(p *probe) {
			return func(p *probe) { p.refused(p.post(c.path("create"), change(c.body(p), pairs...))) }
		}
		list = append(list,
			scenario{name: c.what + " lives from prepare to its deletion", from: making + `; "Custom fashion model and custom location"`, paid: true, check: func(p *probe) {
				id := p.number(p.data(p.post(c.path("create"), c.body(p))), c.id)
				p.want(id > 0, "the id is %d", id)
				var last object
				p.await(c.what+" is made", func() bool {
					last = p.data(ask(p, id))
					p.want(slices.Contains([]any{"prepare", "complete", "failed"}, last["status"]), "status is %v", last["status"])
					return last["status"] == "complete" || last["status"] == "failed"
				})
				p.want(p.number(last, c.id) == id, "%s is %v", c.id, last[c.id])
				p.want(last["name"] == "Conformance", "name is %v", last["name"])
				if last["status"] == "complete" {
					p.link(p.text(last, "cover"))
					p.want(p.offered(c, id), "%d is not among the %s that agent info offers", id, c.listing)
				}
				a := remove(p, id)
				p.accepted(a)
				p.absent(a.json, "data")
				p.refused(ask(p, id))
				p.want(!p.offered(c, id), "the deleted %d is still offered", id)
			}},
			scenario{name: c.what + " needs a name", from: making, paid: true, check: refuses("name", nil)},
			scenario{name: c.what + " belongs to aimodel", from: making, paid: true, check: refuses("agentName", "removeBG")},
			scenario{name: c.what + " belongs to v1.0", from: making, paid: true, check: refuses("agentVersion", nil)},
			scenario{name: c.what + " needs an agent", from: making, paid: true, check: refuses("agentName", nil)},
			scenario{name: c.what + " of another version is refused", from: making, paid: true, check: refuses("agentVersion", "v99.0")},
			scenario{name: c.what + " of a picture over 5 MB is refused", from: making + `; "Limits"`, paid: true, check: func(p *probe) {
				large := p.text(p.data(p.upload("/openapi/v1/asset/upload/image", p.on.Key, "image", "image/png", overFiveMiB())), "image")
				body := c.body(p)
				if body["images"] != nil {
					body["images"] = []string{large}
				} else {
					body["image"] = large
				}
				a := p.post(c.path("create"), body)
				if a.json["success"] != true {
					p.refused(a)
					return
				}
				// ASSUMED [When the pictures of custom presets]: a service that looks at the file later says failed.
				id := p.number(p.data(a), c.id)
				p.await(c.what+" is looked at", func() bool { return p.data(ask(p, id))["status"] != "prepare" })
				p.want(p.data(ask(p, id))["status"] == "failed", "its status is %v", p.data(ask(p, id))["status"])
			}},
			scenario{name: c.what + " is listed as one's own from the start, is taken when it is complete", from: making + `; "Custom fashion model and custom location"`, paid: true, check: func(p *probe) {
				id := p.number(p.data(p.post(c.path("create"), c.body(p))), c.id)
				p.want(p.offered(c, id), "%d is not among the %s of agent info", id, c.listing)
				p.await(c.what+" is made", func() bool { return p.data(ask(p, id))["status"] == "complete" })
				params := change(object{"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "batchCount": 1}, c.id, id)
				p.want(len(p.made("aimodel", params)) == 1, "not one picture")
				p.accepted(remove(p, id))
				p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": p.task("aimodel"), "params": params}))
			}},
			scenario{name: c.what + " is not used before it is complete", from: `Task API, "Custom fashion model and custom location"`, paid: true, check: func(p *probe) {
				id := p.number(p.data(p.post(c.path("create"), c.body(p))), c.id)
				params := change(object{"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "batchCount": 1}, c.id, id)
				if a := p.post("/openapi/v1/agent/task/execute", object{"taskId": p.task("aimodel"), "params": params}); a.json["success"] == true {
					p.want(p.data(ask(p, id))["status"] == "complete", "one that is %v is taken", p.data(ask(p, id))["status"])
				} else {
					p.refused(a)
				}
				p.accepted(remove(p, id))
			}},
			scenario{name: c.what + " is refused to be deleted when it is unknown", from: deleting, check: func(p *probe) { p.refused(remove(p, 999999999)) }},
			scenario{name: c.what + " is refused to be deleted without its id", from: deleting, check: func(p *probe) { p.refused(p.post(c.path("delete"), object{})) }},
			scenario{name: c.what + " is refused to be asked for by a word", from: asking, check: func(p *probe) { p.refused(p.get(c.path("query") + "?" + c.id + "=first")) }},
			scenario{name: c.what + " that is unknown is not answered with one", from: asking, check: func(p *probe) { p.refused(ask(p, 999999999)) }},
			scenario{name: c.what + " is asked for by its id", from: asking, check: func(p *probe) { p.refused(p.get(c.path("query"))) }},
		)
	}
	four := `Task API, "Create my fashion model"`
	models := customs()[0]
	return append(list,
		scenario{name: "a fashion model needs a picture", from: four, paid: true, check: func(p *probe) {
			p.refused(p.post(models.path("create"), change(models.body(p), "images", []string{})))
		}},
		scenario{name: "a fashion model of four pictures is taken", from: four, paid: true, check: func(p *probe) {
			id := p.number(p.data(p.post(models.path("create"), change(models.body(p), "images", slices.Repeat([]string{p.face()}, 4)))), models.id)
			d := p.data(p.get(models.path("query") + "?" + models.id + "=" + fmt.Sprint(id)))
			p.want(len(p.strings(d, "images")) == 4, "images are %v", d["images"])
			p.accepted(p.post(models.path("delete"), object{models.id: id}))
		}},
		scenario{name: "a fashion model of pictures that are no list is refused", from: four, paid: true, check: func(p *probe) {
			p.refused(p.post(models.path("create"), change(models.body(p), "images", p.original())))
		}},
		scenario{name: "a fashion model that could not be made is not used", from: `Task API, "FashionModel"; "Custom fashion model and custom location"`, paid: true, check: func(p *probe) {
			wall := p.text(p.data(p.upload("/openapi/v1/asset/upload/image", p.on.Key, "image", "image/png", pngOf(flat(600, 600)))), "image")
			a := p.post(models.path("create"), change(models.body(p), "images", []string{wall}))
			if a.json["success"] != true {
				p.refused(a) // a service may look for the face at once
				return
			}
			id, status := p.number(p.data(a), models.id), ""
			p.await("the fashion model is looked at", func() bool {
				status = p.text(p.data(p.get(models.path("query")+"?"+models.id+"="+fmt.Sprint(id))), "status")
				return status != "prepare"
			})
			params := object{"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "batchCount": 1, models.id: id}
			if status == "failed" {
				p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": p.task("aimodel"), "params": params}))
			}
			p.accepted(p.post(models.path("delete"), object{models.id: id}))
		}},
		scenario{name: "a fashion model has at most four pictures", from: four, paid: true, check: func(p *probe) {
			p.refused(p.post(models.path("create"), change(models.body(p), "images", slices.Repeat([]string{p.original()}, 5))))
		}},
		scenario{name: "a fashion model tells the pictures it is made of, and is taken", from: `Task API, "MyFashionModel"`, paid: true, check: func(p *probe) {
			id := p.number(p.data(p.post(models.path("create"), models.body(p))), models.id)
			images := p.strings(p.data(p.get(models.path("query")+"?"+models.id+"="+fmt.Sprint(id))), "images")
			p.want(len(images) == 1, "images are %v", images)
			p.picture(images[0])
			p.accepted(p.post(models.path("delete"), object{models.id: id}))
		}},
		scenario{name: "a location tells the picture it is made of, and is taken", from: `Task API, "MyLocation"`, paid: true, check: func(p *probe) {
			places := customs()[1]
			id := p.number(p.data(p.post(places.path("create"), places.body(p))), places.id)
			p.picture(p.text(p.data(p.get(places.path("query")+"?"+places.id+"="+fmt.Sprint(id))), "image"))
			p.accepted(p.post(places.path("delete"), object{places.id: id}))
		}},
		scenario{name: "a custom preset of a picture that is no address is refused", from: `Task API, "Create my fashion model"; "Create my location"`, paid: true, check: func(p *probe) {
			p.refused(p.post(models.path("create"), change(models.body(p), "images", []string{"photo.png"})))
			places := customs()[1]
			p.refused(p.post(places.path("create"), change(places.body(p), "image", "photo.png")))
		}},
		scenario{name: "a custom preset with a name that is a number is refused", from: `Task API, "Create my fashion model"; "Create my location"`, paid: true, check: func(p *probe) {
			for _, c := range customs() {
				p.refused(p.post(c.path("create"), change(c.body(p), "name", 7)))
			}
		}},
		scenario{name: "a location needs a picture", from: `Task API, "Create my location"`, paid: true, check: func(p *probe) {
			places := customs()[1]
			p.refused(p.post(places.path("create"), change(places.body(p), "image", nil)))
		}},
	)
}

// offered looks for a preset of the caller's own in agent info.
func (p *probe) offered(c custom, id int64) bool {
	for n := 1; ; n++ {
		d := p.data(p.get("/openapi/v1/agent/info?agentName=aimodel&agentVersion=v1.0&pageSize=100&resourceType=" + c.listing + "&page=" + decimal(n)))
		for _, o := range p.list(d, c.listing) {
			if p.number(o, "id") == id {
				p.want(o["type"] == "Yours", "type is %v, want Yours", o["type"])
				return true
			}
		}
		if p.nested(p.nested(d, "pagination"), c.listing)["isLastPage"] != false {
			return false
		}
	}
}
