package components

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/catalog"
)

// LightboxID is the element of the lightbox.
const LightboxID = "lightbox"

// Lightbox shows one result as large as the window, beside its source if asked, with its neighbours below.
type Lightbox struct {
	app.Compo
	Shots   []model.Shot // those that can be looked at
	Key     string       // which of them
	Agent   catalog.Agent
	Compare bool
	Actual  bool // one pixel of the picture as one pixel of the screen
	Details bool
	Now     time.Time
	Zone    *time.Location
	port    LightboxPort
}

// LightboxPort hears what is done in the lightbox.
type LightboxPort interface {
	ShotPort
	CloseLightbox(app.Context)
	ToggleCompare(app.Context)
	ToggleZoom(app.Context)
	ToggleDetails(app.Context)
	Star(ctx app.Context, id atelier.ResultID, starred bool)
}

// NewLightbox makes a lightbox from its fields.
func NewLightbox(l Lightbox, port LightboxPort) *Lightbox {
	return &Lightbox{
		Shots: l.Shots, Key: l.Key, Agent: l.Agent, Compare: l.Compare, Actual: l.Actual, Details: l.Details, Now: l.Now, Zone: l.Zone, port: port,
	}
}

// Index is the place of the shown shot, -1 when it is not among them.
func (l *Lightbox) Index() int {
	for i, s := range l.Shots {
		if s.Key() == l.Key {
			return i
		}
	}
	return -1
}

// Render implements app.Composer.
func (l *Lightbox) Render() app.UI {
	i := l.Index()
	if i < 0 {
		return app.Div()
	}
	shot := l.Shots[i]
	class := "lightbox__box"
	if l.Details {
		class += " lightbox__box--details"
	}
	return app.Div().Class(class).Attr("data-testid", "lightbox").Attr("data-result", string(shot.Result.ID)).Body(
		l.bar(shot, i),
		l.stage(shot, i),
		l.details(shot),
		l.film(i),
	)
}

func (l *Lightbox) bar(shot model.Shot, i int) app.UI {
	r := shot.Result
	star := IconButton("star", "Star", "S")
	if r.Starred {
		star = app.Elem("button").Attr("type", "button").Class("icon-button").Attr("aria-label", "Star").Attr("title", "Star  S").Body(FilledIcon("star"))
	}
	compare := IconButton("compare", "Compare with the source", "C").Attr("aria-pressed", boolean(l.Compare)).Attr("data-testid", "compare")
	return app.Elem("header").Class("lightbox__bar").Body(
		app.Div().Class("lightbox__title").Body(
			app.Elem("span").Class("lightbox__name").Text(l.Agent.Title),
			app.Elem("span").Class("lightbox__facts").Text(strconv.Itoa(i+1)+" of "+strconv.Itoa(len(l.Shots))+"   "+model.Dimensions(r.Width, r.Height)),
		),
		app.Div().Class("lightbox__tools").Body(
			star.Attr("aria-pressed", boolean(r.Starred)).Attr("data-testid", "star").OnClick(l.onStar),
			compare.Attr("disabled", shot.Run.Asset == nil || r.Kind == "video").OnClick(l.onCompare),
			IconButton("search", "Zoom to 100 %", "Z").Attr("aria-pressed", boolean(l.Actual)).Attr("data-testid", "zoom").OnClick(l.onZoom),
			IconButton("info", "How it was made", "").Attr("aria-pressed", boolean(l.Details)).Attr("data-testid", "details").OnClick(l.onDetails),
			app.Elem("a").Class("icon-button").Attr("data-testid", "download").Attr("href", r.File+"?download=1").Attr("download", Filename(shot)).
				Attr("aria-label", "Download").Attr("title", "Download  D").ID("lightbox-download").Body(Icon("download")),
			IconButton("close", "Close", "Esc").Attr("data-testid", "lightbox-close").OnClick(l.onClose),
		),
	)
}

func (l *Lightbox) stage(shot model.Shot, i int) app.UI {
	r := shot.Result
	var picture app.UI
	alt := "Result " + strconv.Itoa(r.Index+1) + " of " + l.Agent.Title
	zoom := map[bool]string{true: "actual", false: "fit"}[l.Actual]
	switch {
	case r.Kind == "video":
		picture = app.Elem("video").Class("lightbox__picture").Attr("src", r.File).Attr("controls", true).Attr("loop", true).Attr("aria-label", alt)
	case l.Compare && shot.Run.Asset != nil:
		picture = NewCompare(*shot.Run.Asset, r, alt)
	default:
		image := app.ElemSelfClosing("img").Class("lightbox__picture").Attr("src", r.File).Attr("alt", alt).Attr("data-testid", "lightbox-picture").Attr("draggable", "false").OnClick(l.onZoom)
		if r.Width > 0 {
			image = image.Attr("width", r.Width).Attr("height", r.Height)
		}
		picture = image
	}
	return app.Div().Class("lightbox__stage").Attr("data-zoom", zoom).Body(
		app.Div().Class("lightbox__hold").Body(picture),
		app.If(i > 0, func() app.UI {
			return IconButton("left", "Previous", "←").Class("lightbox__arrow", "lightbox__arrow--left").OnClick(l.onPrevious)
		}),
		app.If(i < len(l.Shots)-1, func() app.UI {
			return IconButton("right", "Next", "→").Class("lightbox__arrow", "lightbox__arrow--right").OnClick(l.onNext)
		}),
	)
}

func (l *Lightbox) details(shot model.Shot) app.UI {
	if !l.Details {
		return app.Elem("aside").Hidden(true)
	}
	run, r := shot.Run, shot.Result
	rows := []app.UI{}
	row := func(name, value, wire string) {
		rows = append(rows, app.Elem("dt").Body(app.Elem("span").Text(name), app.If(wire != "", func() app.UI { return app.Elem("code").Class("wire").Text(wire) })),
			app.Elem("dd").Text(value))
	}
	row("Agent", l.Agent.Title, run.Agent)
	for _, line := range model.InWords(l.Agent, run.Values) {
		row(line.Name, line.Value, line.Wire)
	}
	if run.Asset != nil {
		row("Source", run.Asset.Name+", "+model.Dimensions(run.Asset.Width, run.Asset.Height), "")
	}
	file := model.Dimensions(r.Width, r.Height)
	if r.Bytes > 0 {
		file += ", " + model.Bytes(r.Bytes)
	}
	row("File", file, "")
	row("Made", model.Exact(run.CreatedAt, l.Zone), "")
	if r.Score != nil {
		row("Kept part unchanged", model.Percent(*r.Score), "")
	}
	return app.Elem("aside").Class("lightbox__details").Attr("aria-label", "How it was made").Body(
		app.Elem("dl").Class("facts").Body(rows...),
		Button("recall", "Use these values again", "").Attr("data-testid", "recall").OnClick(l.onRecall),
	)
}

// filmFrames is how many neighbours the film strip shows on either side.
const filmFrames = 12

func (l *Lightbox) film(i int) app.UI {
	frames := []app.UI{}
	for j := max(0, i-filmFrames); j < min(len(l.Shots), i+filmFrames+1); j++ {
		s := l.Shots[j]
		frame := app.Elem("button").Attr("type", "button").Class("film__frame").Attr("aria-label", "Result "+strconv.Itoa(j+1)).Attr("aria-pressed", boolean(j == i)).
			OnClick(func(ctx app.Context, _ app.Event) { l.port.OpenShot(ctx, s.Key()) }, app.EventScope(s.Key()))
		frames = append(frames, frame.Body(app.ElemSelfClosing("img").Attr("src", Thumb(s.Result.Thumb, 160)).Attr("alt", "").Attr("draggable", "false")))
	}
	return app.Div().Class("film").Attr("role", "group").Attr("aria-label", "Neighbours").Body(frames...)
}

func (l *Lightbox) shot() model.Shot { return l.Shots[max(0, l.Index())] }

func (l *Lightbox) onClose(ctx app.Context, _ app.Event)    { l.port.CloseLightbox(ctx) }
func (l *Lightbox) onCompare(ctx app.Context, _ app.Event)  { l.port.ToggleCompare(ctx) }
func (l *Lightbox) onZoom(ctx app.Context, _ app.Event)     { l.port.ToggleZoom(ctx) }
func (l *Lightbox) onDetails(ctx app.Context, _ app.Event)  { l.port.ToggleDetails(ctx) }
func (l *Lightbox) onRecall(ctx app.Context, _ app.Event)   { l.port.RecallRun(ctx, l.shot().Run.ID) }
func (l *Lightbox) onPrevious(ctx app.Context, _ app.Event) { l.step(ctx, -1) }
func (l *Lightbox) onNext(ctx app.Context, _ app.Event)     { l.step(ctx, 1) }

func (l *Lightbox) onStar(ctx app.Context, _ app.Event) {
	r := l.shot().Result
	l.port.Star(ctx, r.ID, !r.Starred)
}

func (l *Lightbox) step(ctx app.Context, by int) {
	if i := l.Index() + by; i >= 0 && i < len(l.Shots) {
		l.port.OpenShot(ctx, l.Shots[i].Key())
	}
}

// Filename is what a downloaded result is called.
func Filename(s model.Shot) string {
	name := s.Run.Agent
	if s.Run.Asset != nil && s.Run.Asset.Name != "" {
		name = trimExtension(s.Run.Asset.Name) + "-" + s.Run.Agent
	}
	extension := s.Result.Format
	if extension == "" {
		extension = "png"
	}
	if extension == "jpeg" {
		extension = "jpg"
	}
	return name + "-" + strconv.Itoa(s.Result.Index+1) + "." + extension
}

func trimExtension(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '.' {
			return name[:i]
		}
	}
	return name
}

// Compare lays the result over its source; a line that is dragged, or moved with the arrow keys, parts the two.
type Compare struct {
	app.Compo
	Source atelier.Asset
	Result atelier.Result
	Alt    string
}

// NewCompare makes a comparison.
func NewCompare(source atelier.Asset, result atelier.Result, alt string) *Compare {
	return &Compare{Source: source, Result: result, Alt: alt}
}

// Render implements app.Composer.
func (c *Compare) Render() app.UI {
	width, height := c.Result.Width, c.Result.Height
	if width == 0 {
		width, height = c.Source.Width, c.Source.Height
	}
	return app.Div().ID("compare").Class("compare").Attr("data-testid", "compare-view").
		Style("aspect-ratio", strconv.Itoa(width)+" / "+strconv.Itoa(height)).Style("--w", strconv.Itoa(width)+"px").Body(
		app.ElemSelfClosing("img").Class("compare__picture").Attr("src", c.Source.File).Attr("alt", "Source: "+c.Source.Name).Attr("draggable", "false"),
		app.ElemSelfClosing("img").Class("compare__picture compare__picture--result").Attr("src", c.Result.File).Attr("alt", c.Alt).Attr("draggable", "false"),
		app.Elem("span").Class("compare__line").Attr("aria-hidden", "true"),
		app.Elem("span").Class("compare__label compare__label--source").Text("Source"),
		app.Elem("span").Class("compare__label compare__label--result").Text("Result"),
		app.ElemSelfClosing("input").Class("compare__range").Attr("type", "range").Attr("min", "0").Attr("max", "100").Attr("step", "0.5").
			Attr("aria-label", "How much of the source is shown, in percent").Attr("data-testid", "compare-range").OnInput(c.onSplit),
	)
}

func (c *Compare) onSplit(ctx app.Context, _ app.Event) {
	browser.SetStyle("compare", "--split", textOf(ctx)+"%")
	ctx.PreventUpdate()
}
