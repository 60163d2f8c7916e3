package e2e

import (
	"testing"

	"atelier/imaging/video/videotest"
)

// Videos and sounds: checked in the browser before a byte is sent, played in the form, kept over a reload.
func TestVideosAndSoundsAreBroughtCheckedAndPlayed(t *testing.T) {
	videotest.Tool(t)
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("advanced-video")
	bring := func(slot, name string, data []byte) {
		t.Helper()
		b.click("slot-" + slot)
		b.waitFor(sel("asset-add"))
		b.pick(writeFile(t, name, data))
	}
	const rule = "Films: each is MP4 or MOV, 480p or 720p, and lasts 2 to 30 seconds."
	bring("videos", "short.mp4", videotest.Make(t, videotest.Film{Width: 848, Height: 480, Seconds: 1}))
	b.waitUntil(`(document.querySelector('` + sel("upload-problem") + `')?.textContent ?? "").includes("` + rule + `")`)
	if n := evaluate[int](b, `performance.getEntriesByType("resource").filter(e => e.name.includes("/api/assets?name=")).length`); n != 0 {
		t.Errorf("the film that breaks the rule was sent")
	}

	bring("videos", "walk.mp4", videotest.Make(t, videotest.Film{Width: 848, Height: 480, Seconds: 3, Sound: true}))
	b.waitUntil(`(document.querySelector('` + sel("field-videos") + `').textContent).includes("3 s, 848 × 480, MP4")`)
	b.waitUntil(`document.querySelector('` + sel("field-videos") + ` video').readyState >= 1`)
	bring("audios", "voice.wav", videotest.Tone(1.5))
	b.waitUntil(`(document.querySelector('` + sel("field-audios") + `').textContent).includes("1.5 s, WAV")`)
	b.waitUntil(`document.querySelector('` + sel("field-audios") + ` audio').readyState >= 1`)
	// References exclude a first frame, and the form says so.
	b.waitUntil(`document.querySelector('` + sel("field-firstFrame") + `').closest(".field--closed")?.textContent.includes("it cannot be used together with")`)
	b.shot("media-in-the-form")

	b.reload()
	b.waitUntil(`document.querySelectorAll('` + sel("slot-file") + `').length === 2`)
	b.click("slot-remove")
	b.waitUntil(`document.querySelectorAll('` + sel("slot-file") + `').length === 1`)
}
