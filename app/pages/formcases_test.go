package pages

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model/modeltest"
	"atelier/atelier"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
)

// besideField finds the fields of a page beside which something is said to be wrong.
var besideField = regexp.MustCompile(`id="field-(\w+)-problem"`)

// Every request that can be made out of the catalog, filled in and sent by the button. What is refused is not sent: the page
// says so beside the very field, or at the button when it is wrong with what is on the stage. Where the form takes away what
// may not stand there, it says so in the field's place and the rest is sent. What is sent is accepted.
func TestSlowTheButtonSendsEveryRequestThatIsRightAndSaysOfTheOthersWhatIsWrong(t *testing.T) {
	b := openStudio(t).withPicture()
	b.on("POST /api/runs", http.StatusAccepted, atelier.RunBody{Run: atelier.Run{ID: "r1", CreatedAt: noon}})
	sent, without, refused := 0, 0, 0
	for _, c := range catalogtest.Cases(catalog.All()) {
		agent, _ := catalog.Find(c.Agent, c.Version)
		form, source, reason := modeltest.Fill(c, agent)
		if reason != "" {
			continue
		}
		b.later(time.Second) // each press is a wish of its own
		b.do(func(app.Context) {
			b.studio.form = form
			b.studio.choose(source.Asset)
		})
		b.do(func(app.Context) { b.studio.painter.act("clear") })
		if source.Mask {
			b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500})
		}
		b.generate()
		page := html.UnescapeString(b.html())
		var beside []string
		for _, found := range besideField.FindAllStringSubmatch(page, -1) {
			beside = append(beside, found[1])
		}
		slices.Sort(beside)
		inForm := slices.DeleteFunc(slices.Clone(c.Refused), func(f string) bool { return modeltest.OnStage(agent, f) })
		starts := b.starts(t)
		b.bodies = map[string][][]byte{}
		if len(starts) == 0 {
			refused++
			if hint, bad := b.studio.hint(); len(c.Refused) == 0 || hint == "" || !bad || !strings.Contains(page, hint) {
				t.Errorf("%s: nothing is sent, and the button says %q", c.Name, hint)
			}
			if !slices.Equal(beside, inForm) {
				t.Errorf("%s: something is said to be wrong beside %v, want %v", c.Name, beside, inForm)
			}
			continue
		}
		sent++
		if len(starts) > 1 || len(beside) > 0 {
			t.Errorf("%s: sent %d times, with problems beside %v", c.Name, len(starts), beside)
		}
		in := catalog.Input{Values: starts[0].Values, Files: starts[0].Files, Media: form.Input(source).Media, Draft: true}
		if source.Asset != nil {
			in.SourceWidth, in.SourceHeight = source.Asset.Width, source.Asset.Height
		}
		if starts[0].Mask != nil {
			in.Values["customMask"] = catalogtest.Mask
		}
		if wrong := catalog.Refusals(catalog.Check(agent, c.Surface, in)); len(wrong) > 0 {
			t.Errorf("%s: what is refused is sent: %v", c.Name, wrong)
		}
		if len(c.Refused) > 0 {
			without++
		}
		for _, field := range c.Refused {
			if starts[0].Values[field] != nil || !strings.Contains(page, `data-testid="closed-`+field+`"`) && !strings.Contains(page, `id="field-`+field+`-note"`) {
				t.Errorf("%s: sent, and nothing in the place of %s says why without it", c.Name, field)
			}
		}
	}
	t.Logf("counted: requests filled into the form: %d refused, %d sent, %d of these without what may not stand there", refused, sent, without)
	if refused < 600 || sent < 600 {
		t.Error("want 600 of both at least")
	}
}
