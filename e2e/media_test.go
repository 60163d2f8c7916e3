package e2e

import (
	"bytes"
	"encoding/json"
	"testing"

	"atelier/atelier"
	"atelier/imaging/video/videotest"
)

// Videos and sounds: checked in the browser before a byte is sent, played in the form, kept over a reload.
func TestVideosAndSoundsAreCheckedAndPlayed(t *testing.T) {
	t.Parallel()
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
	const rule = "Each video must be MP4 or MOV, 480p or 720p, and last 2 to 30 seconds."
	bring("videos", "short.mp4", videotest.Make(t, videotest.Film{Width: 848, Height: 480, Seconds: 1}))
	b.waitUntil(`(document.querySelector('` + sel("upload-problem") + `')?.textContent ?? "").includes("` + rule + `")`)
	if n := evaluate[int](b, `performance.getEntriesByType("resource").filter(e => e.name.includes("/api/assets?name=")).length`); n != 0 {
		t.Errorf("the film that breaks the rule was sent")
	}

	// The film tells where it was taken in a box of XMP; the studio takes that out, and nothing else.
	const place = "0123456789abcdef<exif:GPSLatitude>48,51.5N"
	walk := videotest.Make(t, videotest.Film{Width: 848, Height: 480, Seconds: 3, Sound: true})
	located := append(append(bytes.Clone(walk), 0, 0, 0, byte(8+len(place))), "uuid"+place...)
	bring("videos", "walk.mp4", located)
	b.waitUntil(`(document.querySelector('` + sel("field-videos") + `').textContent).includes("3 s, 848 × 480, MP4")`)
	b.waitUntil(`document.querySelector('` + sel("field-videos") + ` video').readyState >= 1`)
	data, _, err := s.fetch(t.Context(), "/api/assets", b.cookies())
	if err != nil {
		t.Fatal(err)
	}
	var page atelier.AssetPage
	if err := json.Unmarshal(data, &page); err != nil || len(page.Assets) == 0 {
		t.Fatalf("%d files, %v", len(page.Assets), err)
	}
	stored, _, err := s.fetch(t.Context(), page.Assets[0].File, b.cookies())
	if err != nil || len(stored) != len(located) || !bytes.HasPrefix(stored, walk) || bytes.Contains(stored, []byte("48,51.5N")) {
		t.Errorf("%d bytes of %d are stored, %v", len(stored), len(located), err)
	}
	bring("audios", "voice.wav", videotest.Tone(1.5))
	b.waitUntil(`(document.querySelector('` + sel("field-audios") + `').textContent).includes("1.5 s, WAV")`)
	b.waitUntil(`document.querySelector('` + sel("field-audios") + ` audio').readyState >= 1`)
	// References exclude a first frame, and the form says so.
	b.waitUntil(`document.querySelector('` + sel("field-firstFrame") + `').closest(".field--closed")?.textContent.includes("cannot be combined with")`)
	b.shot("media-in-the-form")

	b.reload()
	b.waitUntil(`document.querySelectorAll('` + sel("slot-file") + `').length === 2`)
	b.click("slot-remove")
	b.waitUntil(`document.querySelectorAll('` + sel("slot-file") + `').length === 1`)
}
