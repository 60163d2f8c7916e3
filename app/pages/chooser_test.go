package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/atelier"
)

// What one file is chosen from is asked for by kind and read to the end; a page that cannot be had is said, and what is there stays.
func TestFilesToChooseFromAreAskedForByKindAndToTheEnd(t *testing.T) {
	b := openStudio(t)
	down := false
	b.answers["GET /api/assets"] = func(r browser.Request) (int, any) {
		switch {
		case down:
			return 503, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.UpstreamBusy, Message: "The studio is busy."}}
		case strings.Contains(r.URL, "cursor=two"):
			return 200, atelier.AssetPage{Assets: []atelier.Asset{{ID: "old", Kind: "video", Name: "old.mp4"}}}
		}
		return 200, atelier.AssetPage{Assets: []atelier.Asset{{ID: "young", Kind: "video", Name: "young.mp4"}}, NextCursor: "two"}
	}
	b.do(func(app.Context) { b.studio.ChooseAgent("ai-video-enhancer") })
	b.do(func(app.Context) { b.studio.PickSlot("videos", 0) })
	if !slices.Contains(b.asked, "GET /api/assets?kind=video&limit=48") {
		t.Errorf("asked %q", b.asked)
	}
	down = true
	b.do(func(app.Context) { b.studio.MoreFiles() })
	if html := b.html(); !strings.Contains(html, "young.mp4") || !strings.Contains(html, "The studio is busy.") || !strings.Contains(html, "Try again") {
		t.Error("a page that cannot be had is not said, or takes the first one away")
	}
	down = false
	b.do(func(app.Context) { b.studio.MoreFiles() })
	if html := b.html(); !strings.Contains(html, "old.mp4") || strings.Contains(html, "asset-more") {
		t.Error("the last page is not there, or not the last")
	}
	b.do(func(app.Context) { b.studio.ChooseFile(b.studio.chooser.assets[1]) })
	if got := b.studio.form.Files["videos"]; len(got) != 1 || got[0].ID != "old" {
		t.Errorf("the place holds %+v", got)
	}
	b.on("GET /api/results", 200, atelier.ResultPage{})
	b.do(func(app.Context) { b.studio.PickSlot("videos", 1) })
	b.do(func(app.Context) { b.studio.ChooseFrom(true) })
	if !strings.Contains(b.html(), "No result fits here yet.") || !slices.Contains(b.asked, "GET /api/results?fits=video&limit=48&status=Success") {
		t.Errorf("no results: %q", b.asked)
	}
}
