package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/imaging/testpics"
)

// The rules of the upload (Task API, "Upload image"), at, below and above each limit, as the browser checks them before a
// byte is sent.
func TestJourneyUploadNamesRuleAndNumber(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	small := testpics.Photo(520, 540, 3)
	jpeg := func(w, h int) []byte { return testpics.JPEG(testpics.Photo(w, h, 3)) }
	tests := []struct {
		name string
		data []byte
		want []string // parts of the refusal; none = it is taken
	}{
		{"513 by 513.jpg", jpeg(513, 513), nil},
		{"512 wide.jpg", jpeg(512, 600), []string{"512 × 600", "512"}},
		{"512 high.jpg", jpeg(600, 512), []string{"600 × 512", "512"}},
		{"ratio 1.99.jpg", jpeg(600, 1199), nil},
		{"ratio 2.jpg", jpeg(600, 1200), []string{"600 × 1200", "2.00", "under 2"}},
		{"wide ratio 2.jpg", jpeg(1200, 600), []string{"1200 × 600", "under 2"}},
		{"one byte less.png", testpics.PadTo(testpics.PNG(small), 10<<20-1), nil},
		{"exactly 10 MB.png", testpics.PadTo(testpics.PNG(small), 10<<20), nil},
		{"one byte more.png", testpics.PadTo(testpics.PNG(small), 10<<20+1), []string{"10.1 MB", "at most 10 MB"}},
		{"a png.png", testpics.PNG(small), nil},
		{"a jpeg.jpeg", testpics.JPEG(testpics.Photo(530, 540, 4)), nil},
		{"a webp.webp", testpics.WebP(small), nil},
		{"a jpeg called png.png", testpics.JPEG(small), nil},
		{"text.jpg", []byte(strings.Repeat("this is no picture at all ", 100)), []string{"PNG, JPEG or WebP"}},
		{"animated.png", testpics.AnimatedPNG(600, 600), []string{"animated"}},
		{"turned.jpg", testpics.Turned(testpics.Photo(640, 820, 5), "jpeg", 6), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := b.on(t)
			b.pick(writeFile(t, tt.name, tt.data))
			name := strings.TrimSuffix(strings.TrimSuffix(tt.name, ".jpg"), ".png")
			if tt.want == nil {
				b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("` + name + `") && document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)
				if n := b.count(sel("upload-problem")); n != 0 {
					t.Errorf("%d refusals are shown: %s", n, b.text(sel("upload-problem")))
				}
				return
			}
			where, dismiss := sel("patient"), sel("repair-none")
			if tt.name == "text.jpg" { // nothing can be done about it
				where, dismiss = sel("upload-problem"), sel("upload-problem")+" button"
			}
			b.waitFor(where)
			for _, w := range tt.want {
				b.says(where, w)
			}
			b.do(chromedp.Click(chromedp.CSS(dismiss)))
			b.do(chromedp.WaitNotPresent(chromedp.CSS(where)))
		})
	}
	// The turned photo is stored lying and shown standing; the last picture taken is on the stage.
	b.waitUntil(`(i => i.naturalWidth === 640 && i.naturalHeight === 820)(document.querySelector('` + sel("stage-picture") + `'))`)
	b.shot("upload-turned")
}
