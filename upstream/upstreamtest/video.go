package upstreamtest

import "slices"

// videoScenarios: the rules of the advanced agent of Run API, "Family E" and of the agents of "Family G", whose identifiers the
// documents omit: the target names one of each. Every request asks for one result, should a service be more lenient.
func videoScenarios() []scenario {
	many := func(address string, n int) []string { return slices.Repeat([]string{address}, n) }
	var list []scenario
	refused := func(what string, params func(p *probe) object) {
		list = append(list, scenario{
			name: "run surface refuses the advanced video agent " + what, from: `Run API, "Family E"; "Limits"`, paid: true, video: true,
			check: func(p *probe) {
				body := change(object{"textDescription": "a slow pan", "batchCount": 1}, flatten(params(p))...)
				p.refused(p.start(p.on.VideoAgent, object{"taskName": "conformance"}, body))
			},
		})
	}
	framed := func(more object) func(p *probe) object {
		return func(p *probe) object { return change(object{"firstFrame": p.original()}, flatten(more)...) }
	}
	just := func(params object) func(*probe) object { return func(*probe) object { return params } }
	refused("with a first frame and pictures", func(p *probe) object { return object{"firstFrame": p.original(), "images": many(p.original(), 1)} })
	refused("with a first frame and films", framed(object{"videos": many(film, 1)}))
	refused("with a first frame and sounds", framed(object{"audios": many(sound, 1)}))
	refused("with a first frame and a film to continue", framed(object{"extendVideo": film, "extendDirection": "forward"}))
	refused("with a first frame that is no address", just(object{"firstFrame": "frame.png"}))
	refused("with a first frame in a shape of its own", framed(object{"aspectRatio": "16:9"}))
	refused("with a last frame alone", func(p *probe) object { return object{"lastFrame": p.original()} })
	refused("with a film to continue in a shape of its own", just(object{"extendVideo": film, "extendDirection": "forward", "aspectRatio": "1:1"}))
	refused("with a film to continue and no direction", just(object{"extendVideo": film}))
	refused("with a film to continue sideways", just(object{"extendVideo": film, "extendDirection": "sideways"}))
	refused("with a last frame and pictures", func(p *probe) object { return object{"lastFrame": p.original(), "images": many(p.original(), 1)} })
	refused("with a film to continue that is no address", just(object{"extendVideo": "film.mp4", "extendDirection": "forward"}))
	refused("with a shape that is none", just(object{"aspectRatio": "5:4"}))
	refused("with 31 pictures", func(p *probe) object { return object{"images": many(p.original(), 31)} })
	refused("with eleven films", just(object{"videos": many(film, 11)}))
	refused("with ten films and one to continue, which counts", just(object{"videos": many(film, 10), "extendVideo": film, "extendDirection": "backward"}))
	refused("with eleven sounds", just(object{"audios": many(sound, 11)}))
	refused("with a resolution that is none", framed(object{"resolution": "8k"}))
	refused("with a format that is none", framed(object{"outputFormat": "avi"}))
	refused("with a length without its unit", framed(object{"duration": "five"}))
	refused("with a length over 30 seconds", framed(object{"duration": "31s"}))
	refused("with sound in other words than true and false", framed(object{"generateAudio": "perhaps"}))
	refused("with a wish for the last frame that is neither true nor false", framed(object{"returnLastFrame": "perhaps"}))

	wrong := func(what string, params func(p *probe) object) {
		list = append(list, scenario{
			name: "run surface refuses the person-photo agent " + what, from: `Run API, "Family G"`, paid: true, person: true,
			check: func(p *probe) {
				p.refused(p.start(p.on.PersonAgent, object{"taskName": "conformance"}, change(object{"batchCount": 1}, flatten(params(p))...)))
			},
		})
	}
	wrong("without a picture", just(object{"generatedType": "image"}))
	wrong("with two pictures", func(p *probe) object { return object{"generatedType": "image", "images": many(p.original(), 2)} })
	wrong("with a type that is none", func(p *probe) object { return object{"generatedType": "gif", "images": many(p.original(), 1)} })
	return append(list,
		scenario{
			name: "a first frame in the adaptive shape is taken", from: `Run API, "Family E"`, costly: true, paid: true, video: true,
			check: func(p *probe) {
				params := object{"textDescription": "a slow pan", "firstFrame": p.original(), "aspectRatio": "adaptive", "batchCount": 1}
				p.forget(p.handle(p.start(p.on.VideoAgent, object{}, params)))
			},
		},
		scenario{
			name: "a video reaches Success with its poster and the last frame that was asked for, each a picture", from: `Run API, "Run status payload"; "Family E"`, costly: true, paid: true, video: true,
			check: func(p *probe) {
				id := p.handle(p.start(p.on.VideoAgent, object{}, object{
					"textDescription": "a slow pan", "firstFrame": p.original(), "aspectRatio": "adaptive", "resolution": "480p", "duration": "4s", "returnLastFrame": true, "batchCount": 1,
				}))
				items := p.ended(func() object { return p.poll(id) })
				p.want(len(items) == 1, "%d items for batchCount 1", len(items))
				file := p.fetch(p.text(items[0], "video"))
				p.want(len(file) > 12 && string(file[4:8]) == "ftyp", "the video begins with %q, want MP4", file[:min(len(file), 12)]) // outputFormat: "mp4 default"
				for _, field := range []string{"videoPoster", "lastFrame"} {
					if items[0][field] != nil { // "may carry"
						p.picture(p.text(items[0], field))
					}
				}
			},
		},
		scenario{
			name: "references up to their limits are taken", from: `Run API, "Family E"; "Limits"`, costly: true, paid: true, video: true,
			check: func(p *probe) {
				for _, params := range []object{
					{"images": many(p.original(), 30)},
					{"videos": many(film, 10)},
					{"audios": many(sound, 10), "images": many(p.original(), 1)},
					{"images": many(p.original(), 30), "videos": many(film, 10), "audios": many(sound, 10)},
					{"videos": many(film, 9), "extendVideo": film, "extendDirection": "forward", "aspectRatio": "adaptive"},
				} {
					p.forget(p.handle(p.start(p.on.VideoAgent, object{}, change(params, "textDescription", "a slow pan", "batchCount", 1))))
				}
			},
		},
		scenario{
			name: "a last frame beside the first is taken", from: `Run API, "Family E"`, costly: true, paid: true, video: true,
			check: func(p *probe) {
				p.forget(p.handle(p.start(p.on.VideoAgent, object{}, object{
					"textDescription": "a slow pan", "firstFrame": p.original(), "lastFrame": p.face(), "aspectRatio": "adaptive", "outputFormat": "mov", "resolution": "720p", "generateAudio": "false", "batchCount": 1,
				})))
			},
		},
		scenario{
			name: "the person-photo agent reaches Success with an image, without words", from: `Run API, "Family G"`, costly: true, paid: true, person: true,
			check: func(p *probe) {
				got := p.ran(p.on.PersonAgent, object{}, object{"images": many(p.face(), 1), "generatedType": "image", "batchCount": 1})
				p.want(len(got) == 1, "%d pictures", len(got))
				p.picture(got[0])
			},
		},
	)
}
