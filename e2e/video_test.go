package e2e

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
)

// One agent of each family that makes videos, from the list to the player, frame by frame, and to the file.
func TestVideosAreMadeLookedAtAndDownloaded(t *testing.T) {
	videotest.Tool(t)
	tests := []struct {
		agent string
		fill  func(b *tab)
	}{
		{"text-to-video", func(b *tab) {
			b.write("a slow turn over a green hill")
			b.setNumber("duration", "3")
		}},
		{"ai-video-enhancer", func(b *tab) {
			b.click("slot-videos")
			b.waitFor(sel("asset-add"))
			b.pick(writeFile(b.t, "walk.mp4", videotest.Make(b.t, videotest.Film{Width: 320, Height: 240, Seconds: 2})))
			b.waitFor(sel("slot-file"))
			b.choose("videoSize", "2K")
		}},
		{"portrait-motion", func(b *tab) { b.upload("person.jpg", portrait(b.t)) }},
	}
	for _, tt := range tests {
		t.Run(tt.agent, func(t *testing.T) {
			s := newStudio(t)
			b := openTab(t, 1440, 900)
			b.signIn(s)
			b.chooseAgent(tt.agent)
			tt.fill(b)
			b.waitUntil(`document.querySelector('` + sel("generate") + `').textContent.trim() === "Generate 1 video"`)
			b.generate()
			b.waitForResults(1)
			b.shot("video-" + tt.agent)
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
			b.shot("video-lightbox-" + tt.agent)

			href := b.attribute(sel("download"), "href")
			data, header, err := s.fetch(t.Context(), href, b.cookies())
			if err != nil {
				t.Fatal(err)
			}
			facts, err := container.Read(bytes.NewReader(data), int64(len(data)))
			if err != nil || !facts.HasVideo() || facts.Seconds <= 0 {
				t.Errorf("what is downloaded of %s is no video: %+v, %v", id, facts, err)
			}
			if d := header.Get("Content-Disposition"); !strings.HasPrefix(d, "attachment") {
				t.Errorf("Content-Disposition %q", d)
			}
		})
	}
}

// The last frame of any video begins the next one, whether its agent gives one or not.
func TestTheLastFrameOfAVideoBeginsTheNext(t *testing.T) {
	videotest.Tool(t)
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
}
