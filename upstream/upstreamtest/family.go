package upstreamtest

import (
	"fmt"
	"slices"
)

// The identifiers that Run API, "Catalog of further agents" gives, by what they take.
var (
	oneImage = []string{ // exactly one, required
		"ai-aging", "ai-elf", "ai-selfie", "ai-zombie", "anime-image-converter", "bald-filter", "bangs-filter", "buzz-cut-ai", "chibi-maker", "fat-ai",
		"gender-swap", "mugshot-creator", "ps2-filter", "skin-color-changer", "ai-hair-color-changer", "hair-color-try-on", "ai-translate",
		"image-to-sketch", "ai-3d-rendering", "2d-to-3d-image-converter", "outfit-generator", "ai-ghost-mannequin-generator",
	}
	oneImageAndWords = map[string]string{"ai-headshot-generator": "A", "ai-blemish-remover": "A", "photo-wrinkle-remover": "A", "flat-lay": "C"} // with the family
	imageOptional    = []string{                                                                                                                 // one at most
		"ai-hairstyle-changer", "ai-room-planner", "ai-tattoo-generator", "ai-spray-paint", "ai-dog", "ai-action-figure-generators", "ai-flag-generator",
		"ghibli-art-create", "remove-filter-from-photo", "random-animal-generator",
	}
	twoImages  = []string{"ai-clothes-changer", "ai-face-merge", "ai-image-combiner", "image-mixer", "ai-couple-photo-maker", "ai-photoshoot"}
	tenImages  = []string{"ai-collage-maker", "ai-group-photo-generator"} // at most, one at least
	upToImages = map[string]map[string]int{                               // by family
		"B": {"baby-face-generator": 2, "ai-landscape-design-free": 2},
		"C": {"ai-poster": 6, "ai-poster-from-images": 5, "face-forge": 3},
	}
	wordsAlone = []string{"ai-infographic-generator", "flowchart-generator", "ai-logo-generator", "z-image"}
	oneVideo   = []string{
		"ai-text-remover-from-video", "logo-remover-from-video", "remove-subtitles-from-video-online-free", "remove-text-from-video-online-free",
		"video-watermark-remover", "free-4k-video-upscaler", "free-online-video-quality-enhancer", "improve-video-quality-online-free",
		"video-resolution-enhancer-online-free", "video-upscaler-online-free", "ai-video-enhancer",
	}
)

// familyScenarios: Run API, "Catalog of further agents": how many files each agent takes, which words it needs, which values
// it knows. Every request asks for one picture, should a service be more lenient.
func familyScenarios() []scenario {
	var list []scenario
	add := func(agent, what, family string, images int, params object) {
		list = append(list, scenario{
			name: "run surface refuses " + agent + " " + what, from: fmt.Sprintf(`Run API, "Family %s"`, family), paid: true,
			check: func(p *probe) {
				body := change(object{"batchCount": 1, "textDescription": "a grey cat"}, flatten(params)...)
				if images > 0 {
					body["images"] = slices.Repeat([]string{p.original()}, images)
				}
				p.refused(p.start(agent, object{"taskName": "conformance"}, body))
			},
		})
	}
	for _, agent := range oneImage {
		add(agent, "without a picture", "A", 0, nil)
		add(agent, "with two pictures", "A", 2, nil)
	}
	for agent, family := range oneImageAndWords {
		add(agent, "without a picture", family, 0, nil)
		add(agent, "with two pictures", family, 2, nil)
		add(agent, "without words", family, 1, object{"textDescription": nil})
	}
	for _, agent := range imageOptional {
		add(agent, "with two pictures", "A", 2, nil)
	}
	add("pregnant_ai", "without a picture", "A", 0, nil)
	add("pregnant_ai", "with a picture that is no address", "A", 0, object{"originalImage": "photo.jpg"})
	add("wild-graffiti-generator", "with a picture that is no address", "A", 0, object{"originalImage": "photo.jpg"})
	add("ai-ghost-mannequin-generator", "with a shape that is none", "A", 1, object{"aspectRatio": "5:4"})
	add("ai-ghost-mannequin-generator", "with a size that is none", "A", 1, object{"imageSize": "3K"})
	for _, agent := range twoImages {
		add(agent, "with one picture", "B", 1, nil)
		add(agent, "with three pictures", "B", 3, nil)
	}
	for _, agent := range tenImages {
		add(agent, "without a picture", "B", 0, nil)
		add(agent, "with eleven pictures", "B", 11, nil)
	}
	for family, agents := range upToImages {
		for agent, most := range agents {
			add(agent, fmt.Sprintf("with %d pictures", most+1), family, most+1, nil)
		}
	}
	add("ai-photoshoot", "with an engine that is none", "B", 2, object{"modelName": "jimeng"})
	add("ai-photoshoot", "with a shape that is none", "B", 2, object{"aspectRatio": "4:5"})
	add("ai-photoshoot", "with a size that is none", "B", 2, object{"modelName": "nano", "imageSize": "8K"})
	for _, agent := range wordsAlone {
		add(agent, "without words", "C", 0, object{"textDescription": nil})
	}
	add("z-image", "with a shape that is none", "C", 0, object{"aspectRatio": "auto"})
	add("ai-poster", "without words", "C", 1, object{"textDescription": nil})
	add("ai-poster", "with an engine that is none", "C", 1, object{"modelName": "qwen"})
	add("flat-lay", "with an engine that is none", "C", 1, object{"modelName": "jimeng"})
	add("flat-lay", "with a size that is none", "C", 1, object{"imageSize": "5K"})
	add("face-forge", "with an engine that is none", "C", 1, object{"modelName": "nano2"})
	add("pregnant_ai", "with its picture in images", "A", 1, nil)
	add("flat-lay", "with a shape that is none", "C", 1, object{"aspectRatio": "5:4"})
	add("ai-poster", "with a shape that is none", "C", 1, object{"modelName": "nano", "aspectRatio": "5:4"})
	add("ai-poster", "with a size that is none", "C", 1, object{"modelName": "nano2", "imageSize": "5K"})
	add("ai-poster-from-images", "with a shape that is none", "C", 1, object{"aspectRatio": "5:4"})
	add("ai-poster-from-images", "with a size that is none", "C", 1, object{"imageSize": "5K"})
	add("face-forge", "with a shape that is none", "C", 1, object{"modelName": "nano", "aspectRatio": "5:4"})
	add("face-forge", "with a size that is none", "C", 1, object{"modelName": "nano", "imageSize": "5K"})
	add("z-image", "with words that are a number", "C", 0, object{"textDescription": 7})
	add("image-to-sketch", "with a picture that is no address", "A", 0, object{"images": []string{"photo.jpg"}})
	add("replace-face-in-video-online-free", "with two faces", "F", 2, object{"videos": []string{film}})
	add("video-watermark-remover", "with a way to find marks that is none", "F", 0, object{"videos": []string{film}, "watermarkSelectType": "byHand"})
	add("video-watermark-remover", "with a film that is no address", "F", 0, object{"videos": []string{"film.mp4"}})
	for _, agent := range oneVideo {
		add(agent, "without a film", "F", 0, nil)
		add(agent, "with two films", "F", 0, object{"videos": []string{film, film}})
	}
	add("replace-face-in-video-online-free", "without a film", "F", 1, nil)
	add("replace-face-in-video-online-free", "without a face", "F", 0, object{"videos": []string{film}})
	return append(list,
		scenario{name: "one picture of each family is taken, in params", from: `Run API, "Catalog of further agents"`, costly: true, paid: true, check: func(p *probe) {
			for agent, images := range map[string]int{"image-to-sketch": 1, "ghibli-art-create": 0, "ai-image-combiner": 2, "ai-collage-maker": 10, "z-image": 0, "ai-poster": 6, "flat-lay": 1} {
				params := object{"textDescription": "a grey cat", "batchCount": 1}
				if images > 0 {
					params["images"] = slices.Repeat([]string{p.original()}, images)
				}
				got := p.ran(agent, object{"taskName": "conformance"}, params)
				p.want(len(got) == 1, "%s: %d pictures", agent, len(got))
				p.picture(got[0])
			}
		}},
		scenario{name: "files of a further agent are taken in input, too", from: `Run API, "File placement in requests"`, paid: true, check: func(p *probe) {
			p.forget(p.handle(p.start("image-to-sketch", object{"images": []string{p.original()}}, object{"batchCount": 1})))
			p.forget(p.handle(p.start("pregnant_ai", object{"originalImage": p.original()}, object{"batchCount": 1})))
		}},
		scenario{name: "every engine, shape and size of a further agent is taken", from: `Run API, "Family A"; "Family B"; "Family C"`, costly: true, paid: true, check: func(p *probe) {
			shapes := []string{"1:1", "2:3", "3:2", "4:3", "3:4", "16:9", "9:16", "21:9"}
			sizes := []string{"1K", "2K", "4K"}
			for _, a := range []struct {
				name                   string
				images                 int
				engines, shapes, sizes []string
			}{
				{"ai-ghost-mannequin-generator", 1, nil, append([]string{"auto"}, shapes...), sizes},
				{"ai-photoshoot", 2, []string{"qwen", "firered", "nano"}, append([]string{"auto"}, shapes...), sizes},
				{"z-image", 0, nil, shapes, nil},
				{"ai-poster", 0, []string{"jimeng", "nano", "nano2"}, shapes, sizes},
				{"ai-poster-from-images", 1, nil, shapes, sizes},
				{"flat-lay", 1, []string{"nano2", "nano"}, shapes, sizes},
				{"face-forge", 0, []string{"jimeng", "nano"}, shapes, sizes},
			} {
				for field, values := range map[string][]string{"modelName": a.engines, "aspectRatio": a.shapes, "imageSize": a.sizes} {
					for _, v := range values {
						params := object{"textDescription": "a grey cat", "batchCount": 1}
						if a.engines != nil && field != "modelName" {
							params["modelName"] = a.engines[len(a.engines)-1] // shapes and sizes are for some engines alone
						}
						params[field] = v
						if a.images > 0 {
							params["images"] = slices.Repeat([]string{p.original()}, a.images)
						}
						p.forget(p.handle(p.start(a.name, object{}, params)))
					}
				}
			}
		}},
		scenario{name: "an agent whose picture is optional is taken without one", from: `Run API, "Family A"; "Family B"; "Family C"`, costly: true, paid: true, check: func(p *probe) {
			for _, agent := range append(slices.Clone(imageOptional), "wild-graffiti-generator", "baby-face-generator", "ai-landscape-design-free", "ai-poster", "ai-poster-from-images", "face-forge") {
				p.forget(p.handle(p.start(agent, object{}, object{"textDescription": "a grey cat", "batchCount": 1})))
			}
		}},
		scenario{name: "an agent with words of its own is taken without any", from: `Run API, "Family A"; "Family B"`, costly: true, paid: true, check: func(p *probe) {
			for agent, images := range map[string]int{"ai-aging": 1, "ai-elf": 1, "outfit-generator": 1, "ai-face-merge": 2, "ai-clothes-changer": 2, "ai-group-photo-generator": 1} {
				p.forget(p.handle(p.start(agent, object{}, object{"images": slices.Repeat([]string{p.face()}, images), "batchCount": 1})))
			}
		}},
		scenario{name: "a further agent without a batchCount is taken for one picture", from: `Run API, "Limits"`, paid: true, check: func(p *probe) {
			id := p.handle(p.start("z-image", object{}, object{"textDescription": "a grey cat"}))
			p.want(len(p.results(p.poll(id))) == 1, "%d items", len(p.results(p.poll(id))))
			p.forget(id)
		}},
		scenario{name: "a shape without effect is no fault; it is taken", from: `Run API, "Family B"; "Family C"`, paid: true, check: func(p *probe) {
			// ASSUMED ["apply to]: "effective for the nano model only" and "apply to nano/nano2 only" refuse nothing.
			p.forget(p.handle(p.start("ai-photoshoot", object{}, object{"images": slices.Repeat([]string{p.original()}, 2), "modelName": "qwen", "imageSize": "2K", "batchCount": 1})))
			p.forget(p.handle(p.start("ai-poster", object{}, object{"textDescription": "a grey cat", "modelName": "jimeng", "aspectRatio": "16:9", "batchCount": 1})))
		}},
	)
}

// flatten gives an object as names and values in turn.
func flatten(o object) []any {
	var out []any
	for name, v := range o {
		out = append(out, name, v)
	}
	return out
}
