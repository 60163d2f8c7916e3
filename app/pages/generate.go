package pages

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"slices"
	"time"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// asked are the requests of the last press of the button that were not all answered, by what they ask for, with the keys they were sent
// under.
type asked map[string]string

// generate starts a run of the form as it stands, of every photo and with every preset there is one, or says what keeps it from starting.
// It asks first where that is much.
func (s *Studio) generate() {
	if s.sending || !s.ready {
		return
	}
	s.shown.All, s.shown.Server, s.refusal = true, nil, ""
	if text, _ := s.hint(); text != "" {
		s.core.said = text
		s.reveal()
		return
	}
	if s.much() {
		s.askFirst()
		return
	}
	s.begin()
}

// begin asks for the runs of the form, which nothing keeps from starting.
func (s *Studio) begin() {
	if s.sending {
		return
	}
	stage := s.onStage()
	photos := s.form.Photos(stage)
	var requests []atelier.StartRun
	settings := s.form.Settings()
	for _, form := range settings {
		for i, photo := range photos {
			of := s.source()
			if i > 0 {
				of.Asset = photo
			}
			requests = append(requests, form.Of(photo, stage).Start(of, "", s.titleOf(photo, form, len(settings))))
		}
	}
	for i := range requests {
		requests[i].Account = s.core.session.AccountStamp
	}
	send := func() {
		for i := range requests {
			requests[i].Mask = requests[i%len(photos)].Mask
		}
		s.request(requests)
	}
	s.sending, s.sent = true, 0
	if !s.form.PaintsMask() {
		s.request(requests)
		return
	}
	painted := s.painter.editor.Plane()
	requests[0].Mask = inWriting(painted)
	if len(photos) == 1 {
		send()
		return
	}
	painted = painted.Clone() // it may be painted on while it is moved
	s.core.do(func(ctx context.Context) func() {
		without := s.moveMasks(ctx, painted, photos, requests)
		return func() {
			if len(without) > 0 {
				s.sending = false
				s.refusal = words.FurtherUnfit(without)
				s.core.said = s.refusal
				s.reveal()
				return
			}
			send()
		}
	})
}

// inWriting is a mask as a request holds it.
func inWriting(p mask.Plane) *atelier.MaskInput {
	return &atelier.MaskInput{PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(p))}
}

// moveMasks gives the requests of all photos but the first their masks: the one that was painted on the photo before, otherwise that of the
// first, moved to where the same things are. It names the photos that have neither.
func (s *Studio) moveMasks(ctx context.Context, painted mask.Plane, photos []*atelier.Asset, requests []atelier.StartRun) (without []string) {
	first, firstErr := sketch(ctx, *photos[0])
	for i, photo := range photos[1:] {
		s.core.post(func() { s.tell(i + 1) })
		own, err := model.UnpackMask(remembered(ctx, photo.ID), photo.Width, photo.Height)
		if err == nil && !own.Empty() {
			requests[i+1].Mask = inWriting(own)
			continue
		}
		there, err := sketch(ctx, *photo)
		if firstErr != nil || err != nil {
			without = append(without, photo.Name)
			continue
		}
		align := mask.Align(first, there)
		toTheEnd(align)
		found := align.Alignment()
		moved := painted.Moved(found)
		if found.Confidence >= unfit {
			toTheEnd(moved)
		}
		if moved.Plane().Empty() {
			without = append(without, photo.Name)
			continue
		}
		requests[i+1].Mask = inWriting(moved.Plane())
	}
	return without
}

// toTheEnd does work in slices, between which the page has its turns.
func toTheEnd(job stepper) {
	over := make(chan struct{})
	browser.Slices(func() bool {
		if job.Step(workTime) {
			close(over)
			return false
		}
		return true
	})
	<-over
}

// sameBreath is how soon after a press was answered another one for the same is no new wish, as long as nothing of what
// it made is seen: it belongs to the first.
const sameBreath = 700 * time.Millisecond

// seesMade reports whether something that the last press made is there, or will never be.
func (s *Studio) seesMade() bool {
	return slices.ContainsFunc(s.making, func(id atelier.RunID) bool {
		run, known := s.core.runs.Find(id)
		return known && (len(run.Results) > 0 || run.State.Final())
	})
}

// request asks for the runs.
func (s *Studio) request(requests []atelier.StartRun) {
	if !s.made.IsZero() && (s.core.now().Sub(s.made) >= sameBreath || s.seesMade()) {
		s.asked = nil
	}
	s.made = time.Time{}
	batch := model.NewIntentKey()
	for i := range requests {
		key := batch
		if len(requests) > 1 {
			key = model.BatchKey(batch, i)
		}
		requests[i].IntentKey = s.intentKey(requests[i], key)
	}
	s.core.start(requests, s.tell, func(a answers) {
		s.sending = false
		if len(a.unclear) > 0 {
			s.askUnclear(a.unclear, len(a.runs), len(requests))
		}
		runs, err, failed := a.runs, a.err, a.failed
		switch {
		case err == nil && len(a.unclear) > 0:
		case err == nil:
			s.learn()
			s.made, s.making = s.core.now(), nil
			for _, run := range runs {
				s.making = append(s.making, run.ID)
			}
			s.shown = model.Shown{Touched: map[string]bool{}}
			s.core.said = s.form.Agent.Title + ": " + model.RunWords(runs[0])
			if len(runs) > 1 {
				s.core.said = words.RunsAsked(s.form.Agent.Title, len(runs))
			}
			if !s.slidesOver() {
				s.sheet = "peek" // on a phone the form covers what is being made
			}
		case len(requests) > 1:
			s.answerRefused(err)
			switch {
			case s.refusal == "": // who is signed in no longer is
			case !answered(err):
				s.refusal = words.FurtherWait(len(runs), len(requests), s.refusal)
			default:
				s.refusal = words.FurtherRefused(len(runs), len(requests), requests[failed].Title, s.refusal)
			}
			s.core.said = s.refusal
		default:
			s.answerRefused(err)
		}
		s.update()
	})
}

// resent hears that all runs that waited for an answer have one: the next press is another wish.
func (s *Studio) resent() {
	if !s.sending {
		s.asked, s.refusal = nil, ""
		s.update()
	}
}

// tell shows how many of the photos were worked through.
func (s *Studio) tell(n int) {
	s.sent = n
	s.update()
}

// intentKey is the one given for every new wish, except when the same request is tried again at once, or after an answer that was an error or never came:
// then it is the same wish, and must not become two runs. What it is called is no part of the wish: more presets' names may be known by then.
func (s *Studio) intentKey(request atelier.StartRun, fresh string) string {
	request.Title, request.IntentKey, request.Unsure = "", "", false
	content, err := json.Marshal(request)
	if err != nil {
		return fresh
	}
	hash := fnv.New128a() // with crypto/sha256 the client would be 2 % larger
	hash.Write(content)
	wish := string(hash.Sum(nil))
	if s.asked[wish] == "" {
		if s.asked == nil {
			s.asked = asked{}
		}
		s.asked[wish] = fresh
	}
	return s.asked[wish]
}

// answerRefused shows what the server has against the run where it belongs.
func (s *Studio) answerRefused(err error) {
	if s.core.expired(err) {
		return
	}
	e := asError(err)
	if e == nil {
		s.refusal = sentence(err)
		return
	}
	s.shown.Server = e.Fields
	s.refusal = e.Message
	s.core.said = e.Message
	s.reveal()
}

// titleOf names a run after its picture, and after its presets where the same is made with several.
func (s *Studio) titleOf(photo *atelier.Asset, form model.Form, settings int) string {
	title := form.Agent.Title
	if photo != nil {
		title = photo.Name
	}
	if settings == 1 {
		return title
	}
	return model.TitleWith(title, model.PresetNames(form.Agent, form.Values, s.core.presetsOf))
}
