package e2e

import (
	"bytes"
	"image"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/imaging"
	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
)

func TestJourneyMakesAndPlaysVideo(t *testing.T) {
	t.Parallel()
	videoIsMade(t, "text-to-video", func(b *tab) {
		b.write("a slow turn over a green hill")
		b.setNumber("duration", "3")
	})
}

// Videos are made from a video and from a photo too.
func TestVideosAreMadePlayedAndDownloaded(t *testing.T) {
	t.Parallel()
	for agent, fill := range map[string]func(b *tab){
		"ai-video-enhancer": func(b *tab) {
			b.click("slot-videos")
			b.waitFor(sel("asset-add"))
			b.pick(writeFile(b.t, "walk.mp4", videotest.Make(b.t, videotest.Film{Width: 320, Height: 240, Seconds: 2})))
			b.waitFor(sel("slot-file"))
			b.choose("videoSize", "2K")
		},
		"portrait-motion": func(b *tab) { b.upload("person.jpg", portrait(b.t)) },
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			videoIsMade(t, agent, fill)
		})
	}
}

// videoIsMade makes a video with an agent, plays it frame by frame and downloads the file.
func videoIsMade(t *testing.T, agent string, fill func(b *tab)) {
	t.Helper()
	videotest.Tool(t)
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent(agent)
	fill(b)
	b.waitUntil(`document.querySelector('` + sel("generate") + `').textContent.trim() === "Generate 1 video"`)
	b.generate()
	b.waitForResults(1)
	b.shot("video-" + agent)
	id := b.openGallery(1)[0]
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-video"))
	const video = `document.getElementById("lightbox-video")`
	b.waitUntil(video + `.readyState >= 2`)
	if n := b.count(sel("compare")); n != 0 {
		t.Error("a video is offered for comparison with its source")
	}
	b.press(".")
	b.press(".")
	b.waitUntil(video + `.currentTime > 0.03 && ` + video + `.paused`)
	before := evaluate[float64](b, video+`.currentTime`)
	b.press(",")
	b.waitUntil(video + `.currentTime < ` + strconv.FormatFloat(before, 'f', -1, 64))
	muted := evaluate[bool](b, video+`.muted`)
	b.press("m")
	b.waitUntil(video + `.muted === ` + map[bool]string{true: "false", false: "true"}[muted])
	b.shot("video-lightbox-" + agent)

	path := b.downloadOpen()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := container.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil || !facts.HasVideo() || facts.Seconds <= 0 || filepath.Ext(path) != ".mp4" {
		t.Errorf("what is downloaded of %s, %s, is no video: %+v, %v", id, filepath.Base(path), facts, err)
	}
}

// The last frame of any video begins the next one, whether its agent gives one or not.
func TestLastFrameOfVideoStartsTheNext(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("text-to-video")
	b.write("a slow turn over a green hill")
	b.setNumber("duration", "3")
	b.generate()
	b.waitForResults(1)
	b.chooseAgent("advanced-video")
	b.openGallery(1)
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-video"))
	b.click("details")
	b.waitFor(sel("use-last-frame"))
	b.audited("access-video")
	b.click("use-last-frame")
	b.waitUntil(`document.querySelectorAll('` + sel("field-firstFrame") + " " + sel("slot-file") + `').length === 1`)
	b.waitUntil(`document.querySelector('` + sel("input-aspectRatio") + `').readOnly`)                                                                                                                                 // the shape now follows the frame
	b.waitUntil(`document.querySelector('` + sel("field-firstFrame") + `').getBoundingClientRect().bottom < innerHeight && document.querySelector('` + sel("field-firstFrame") + `').getBoundingClientRect().top > 0`) // and is seen
	b.shot("video-last-frame")

	// And the next one is made: it begins where the first ends.
	b.write("the turn goes on")
	b.choose("resolution", "480p")
	b.setNumber("duration", "4")
	b.generate()
	ids := b.openGallery(2)
	made := b.runs(s)[0]
	if made.Agent != "advanced-video" || len(made.Files["firstFrame"]) != 1 {
		t.Fatalf("the run is of %s with %v", made.Agent, made.Files)
	}
	if status, err := s.service().Run(t.Context(), made.ExecutionID); err != nil || len(status.Executions) != 1 || status.Executions[0].Params["firstFrame"] == nil {
		t.Errorf("the service was asked for %+v, %v", status, err)
	}
	var films [2]string // the first one, the next
	for i, id := range ids {
		b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card") + `[data-result="` + id + `"]`)))
		b.waitFor(sel("lightbox-video"))
		films[1-i] = b.downloadOpen()
		b.click("lightbox-close")
		b.waitUntil(`!document.querySelector("dialog[open]")`)
	}
	look := func(path string, last bool) *image.NRGBA {
		t.Helper()
		info, err := tool.Probe(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		frame := func() (*image.NRGBA, error) { return tool.Frame(t.Context(), path, info, 0) }
		if last {
			frame = func() (*image.NRGBA, error) { return tool.LastFrame(t.Context(), path, info) }
		}
		img, err := frame()
		if err != nil {
			t.Fatal(err)
		}
		return imaging.Cover(img, 160, 90)
	}
	next := look(films[1], false)
	toEnd, toBegin := difference(next, look(films[0], true)), difference(next, look(films[0], false))
	if toEnd > 6 || toEnd*2 > toBegin {
		t.Errorf("the next video begins with a picture that differs by %.1f from the end of the first, and by %.1f from its begin", toEnd, toBegin)
	}
}

// difference is the mean difference of two pictures of one size, 0 to 255.
func difference(a, b *image.NRGBA) float64 {
	sum := 0.0
	for i := range a.Pix {
		sum += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix)) * 4 / 3 // alpha is the same
}
