package pages

import (
	"context"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// delivery is the dialog results are handed over from.
type delivery struct {
	shots   []model.Shot
	how     model.Delivery
	busy    string // what is being made, "" for nothing
	problem string
	nth     int // which delivery it is: the answer of an older one comes too late to change it
}

const (
	deliverID = "deliver"
	boardsID  = "boards"
)

// openDelivery asks how results are to be handed over.
func (c *core) openDelivery(shots []model.Shot) {
	if len(shots) == 0 {
		c.toast("info", words.ChooseReadyResults)
		return
	}
	how := c.review.delivery.how
	if how.Quality == 0 {
		how = model.Delivery{Template: string(atelier.DefaultNames), Quality: 90}
	}
	c.review.delivery = delivery{shots: shots, how: how, nth: c.review.delivery.nth + 1}
	c.openReview(deliverID)
}

// DeliverResult implements components.LightboxPort.
func (c *core) DeliverResult(id atelier.ResultID) { c.openDelivery(c.shown(id)) }

// BoardResult implements components.LightboxPort.
func (c *core) BoardResult(id atelier.ResultID) { c.openBoards(c.shown(id)) }

// JudgeShown implements components.LightboxPort.
func (c *core) JudgeShown() components.VerdictPort {
	return judging{c, func() []model.Shot { return c.shown(atelier.ResultID(c.viewer.key)) }}
}

// shown is the result of the lightbox with that id, or none.
func (c *core) shown(id atelier.ResultID) []model.Shot {
	for _, s := range c.viewer.shots() {
		if s.Result.ID == id {
			return []model.Shot{s}
		}
	}
	return nil
}

// CopyResult implements components.LightboxPort.
func (c *core) CopyResult(id atelier.ResultID) {
	for _, s := range c.shown(id) {
		c.do(func(ctx context.Context) func() {
			err := browser.CopyImage(ctx, client.FileAs(s.Result, atelier.StartZip{Format: "png"}))
			return func() {
				if err != nil {
					c.toast("error", words.CopyFailed)
					return
				}
				c.toast("info", words.CopyDone)
			}
		})
	}
}

// showLocked shows a picture with its original pixels. The list it was made from need not have it: its filter may leave it
// out, or it comes there later. Then it is shown beside the one it was made of.
func (c *core) showLocked(result atelier.Result, before []model.Shot) {
	if len(c.shown(result.ID)) == 0 && len(before) > 0 {
		pair := []model.Shot{{Run: before[0].Run, Result: result}, before[0]}
		c.view(pair[0].Key(), func() []model.Shot { return pair })
		return
	}
	c.OpenShot(string(result.ID))
}

// LockPixels implements components.LightboxPort: a new result with the original's kept pixels, shown when it is there.
func (c *core) LockPixels(id atelier.ResultID) {
	c.toast("info", words.LockBegins)
	c.do(func(ctx context.Context) func() {
		result, err := c.api.Lock(ctx, id)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			before := c.shown(id)
			c.spread(result)
			if c.viewer.open && c.viewer.key == string(id) {
				c.showLocked(result, before)
			}
		}
	})
}

func (c *core) renderDelivery() []app.UI {
	d := c.review.delivery
	formats := []components.Choice{{Value: "", Title: words.DeliverAsTheyAre}, {Value: "jpeg", Title: "JPEG"}, {Value: "png", Title: "PNG"}, {Value: "webp", Title: "WebP"}}
	sizes := []app.UI{app.Elem("option").Attr("value", " ").Text(words.DeliverAsTheyAre)}
	for _, s := range atelier.DeliverySizes {
		sizes = append(sizes, components.El("option", "value", s.Name, "selected", components.Bool(s.Name == d.how.Size)).Text(words.DeliverySizes[s.Name]))
	}
	problem := d.problem
	if problem == "" {
		problem = d.how.Problem()
	}
	if problem == "" && len(d.shots) > atelier.MaxZip {
		problem = words.DeliverMost(atelier.MaxZip)
	}
	pictures, others, one := 0, false, len(d.shots) == 1
	for _, s := range d.shots {
		pictures += index(!model.IsVideo(s.Result))
		others = others || s.Others()
	}
	unzipped := d.busy != "" || d.how.Problem() != "" || len(d.shots) > atelier.MaxZip
	unlayered := d.busy != "" || pictures == 0 || pictures > atelier.MaxChosen
	left := leftOut(d, pictures, !others)
	field := func(label string, control app.UI) app.UI {
		return components.El("label", "class", "deliver__field").Body(components.Text("span", "deliver__label", label), control)
	}
	example := ""
	if len(d.shots) > 0 {
		example = d.how.Example(d.shots[0], len(d.shots))
	}
	return []app.UI{components.Box("deliver",
		components.Text("p", "deliver__count", words.DeliverCount(len(d.shots))),
		components.Segmented(words.DeliverFormat, formats, d.how.Format, func(v string) {
			c.review.delivery.how.Format = v
			c.change()
		}),
		components.El("label", "class", "deliver__field").Hidden(!d.how.Lossy()).Body(
			components.Text("span", "deliver__label", words.DeliverQuality),
			components.Void("input", "type", "number", "class", "input input--number", "min", "1", "max", "100", "value", words.Number(d.how.Quality), "data-testid", "deliver-quality").OnInput(c.onQuality)),
		field(words.DeliverSize, components.El("select", "class", "input", "data-testid", "deliver-size").OnChange(c.onSize).Body(sizes...)),
		field(words.DeliverNames, components.Void("input", "class", "input", "value", d.how.Template, "data-testid", "deliver-template", "aria-describedby", "deliver-example").OnInput(c.onTemplate)),
		components.El("p", "class", "deliver__example", "id", "deliver-example").Text(words.DeliverExample(example)),
		components.El("p", "class", "field__problem", "role", "alert", "data-testid", "deliver-problem").Hidden(problem == "").Text(problem),
		components.El("p", "class", "deliver__note", "id", "deliver-left", "data-testid", "deliver-left").Hidden(left == "").Text(left),
		components.Text("p", "deliver__note", components.Pick(c.embedded(), words.DeliverMetadata, words.DeliverMetadataAI)),
		components.Box("deliver__actions",
			components.If(!others, func() app.UI { // of others' there is no mask to lay into it
				return components.Button("layers", components.Pick(d.busy == deliverPSD, words.DeliverMakingPSD, words.DeliverPSD), "").Attr("disabled", components.Bool(unlayered)).
					Attr("title", words.DeliverPSDTip).Attr("aria-describedby", "deliver-left").Attr("data-testid", "deliver-psd").OnClick(c.onLayers)
			}),
			components.Button(components.Pick(one, "", "download"), components.Pick(d.busy == deliverZip, words.DeliverPreparing, words.DeliverZip(len(d.shots))), components.Pick(one, "", "button--primary")).
				Attr("disabled", components.Bool(unzipped)).Attr("data-testid", "deliver-zip").OnClick(c.onZip),
			components.If(one, func() app.UI {
				return components.Button("download", words.DeliverDownload, "button--primary").Attr("disabled", components.Bool(unzipped)).
					Attr("data-testid", "deliver-file").OnClick(c.onFile)
			}),
		),
	)}
}

// leftOut says what a delivery cannot do with all that was chosen, "" when it can; layers says that they can be made into a layered file.
func leftOut(d delivery, pictures int, layers bool) string {
	videos := len(d.shots) - pictures
	converts := d.how.Format != "" || d.how.Size != ""
	switch {
	case layers && pictures > atelier.MaxChosen:
		return words.DeliverMostLayers(atelier.MaxChosen)
	case layers && pictures == 0 && !converts:
		return words.DeliverNoPSD
	case videos > 0 && (layers && pictures > 0 || converts):
		return words.DeliverVideos(videos, layers && pictures > 0, converts)
	}
	return ""
}

// What is being made for a delivery.
const (
	deliverZip = "zip"
	deliverPSD = "psd"
)

func (c *core) onQuality(_ app.Context, e app.Event) {
	n, err := strconv.Atoi(strings.TrimSpace(e.Get("target").Get("value").String()))
	if err != nil {
		n = 0 // said to be out of range
	}
	c.review.delivery.how.Quality = n
	c.change()
}

func (c *core) onSize(_ app.Context, e app.Event) {
	c.review.delivery.how.Size = picked(e)
	c.change()
}

func (c *core) onTemplate(_ app.Context, e app.Event) {
	c.review.delivery.how.Template = e.Get("target").Get("value").String()
	c.change()
}

func (c *core) onZip(app.Context, app.Event) {
	d := c.review.delivery
	c.deliver(deliverZip, func(ctx context.Context) (string, error) {
		z, err := c.api.Zip(ctx, d.how.Request(idsOf(d.shots), ""))
		return z.File, err
	})
}

// onFile saves the only result as it is asked for, without an archive around it. A video stays as it is.
func (c *core) onFile(app.Context, app.Event) {
	d := c.review.delivery
	result, how := d.shots[0].Result, d.how.Request(nil, "")
	if model.IsVideo(result) {
		how.Format, how.Quality, how.Size = "", 0, ""
	}
	browser.Download(client.FileAs(result, how))
	c.closeReview()
}

func (c *core) onLayers(app.Context, app.Event) {
	d := c.review.delivery
	var pictures []model.Shot
	for _, s := range d.shots {
		if !model.IsVideo(s.Result) {
			pictures = append(pictures, s)
		}
	}
	c.deliver(deliverPSD, func(ctx context.Context) (string, error) {
		l, err := c.api.Layers(ctx, atelier.StartLayers{IDs: idsOf(pictures)})
		return l.File, err
	})
}

// deliver has a file made, and saves it.
func (c *core) deliver(what string, make func(context.Context) (file string, err error)) {
	c.review.delivery.busy, c.review.delivery.problem = what, ""
	nth := c.review.delivery.nth
	c.change()
	c.do(func(ctx context.Context) func() {
		file, err := make(ctx)
		return func() {
			same := c.review.delivery.nth == nth
			if same {
				c.review.delivery.busy = ""
			}
			open := same && c.review.dialog == deliverID
			switch {
			case err == nil:
				browser.Download(file)
				c.said = words.DeliverBegins
				if open {
					c.closeReview()
				}
			case !open:
				c.failed(err)
			case !c.expired(err):
				c.review.delivery.problem = sentence(err)
			}
		}
	})
}

func idsOf(shots []model.Shot) []atelier.ResultID {
	ids := make([]atelier.ResultID, len(shots))
	for i, s := range shots {
		ids[i] = s.Result.ID
	}
	return ids
}
