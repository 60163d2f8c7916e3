package components

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// LightboxID is the element of the lightbox.
const LightboxID = "lightbox"

// Lightbox shows one result as large as the window, beside its source if asked, with its neighbours below.
type Lightbox struct {
	app.Compo
	Shots   []model.Shot // those that can be looked at, or the part of them around the one shown
	Before  int          // how many stand before them
	Total   int          // how many there are in all
	Key     string       // which of them
	Agent   catalog.Agent
	Lines   []model.Line // what it was made with
	Compare bool
	Heat    bool // show over it where the kept part changed
	Actual  bool // one pixel of the picture as one pixel of the screen
	Details bool
	Designs bool // who looks may make something of it
	Stops   bool // the image service can be made to stop
	Now     time.Time
	Zone    *time.Location
	Toasts  []Toast
	Keys    model.Keymap
	port    LightboxPort
}

// LightboxPort hears what is done in the lightbox.
type LightboxPort interface {
	ShotPort
	ToastPort
	CloseLightbox()
	ToggleCompare()
	ToggleZoom()
	ToggleDetails()
	ToggleHeat()
	// LockPixels asks for the original's kept pixels to be put back over a result.
	LockPixels(id atelier.ResultID)
	CopyResult(id atelier.ResultID)
	DeliverResult(id atelier.ResultID)
	BoardResult(id atelier.ResultID)
	LinkResult(id atelier.ResultID)
	CompareRun(id atelier.RunID)
	JudgeShown() VerdictPort
	Star(id atelier.ResultID, starred bool)
	ExportPSD(id atelier.RunID)
	CancelRuns(ids []atelier.RunID)
	TrashRun(id atelier.RunID)
	TrashShown()
	RestoreShown()
	// UseResult takes a result into the form as a file; with last, the last frame of a video.
	UseResult(id atelier.ResultID, last bool)
}

// VideoID is the element of the video in the lightbox.
const VideoID = "lightbox-video"

// NewLightbox makes a lightbox from its fields.
func NewLightbox(l Lightbox, port LightboxPort) *Lightbox {
	return &Lightbox{
		Shots: l.Shots, Before: l.Before, Total: l.Total, Key: l.Key, Agent: l.Agent, Lines: l.Lines, Compare: l.Compare, Heat: l.Heat, Actual: l.Actual, Details: l.Details, Designs: l.Designs, Stops: l.Stops, Now: l.Now, Zone: l.Zone, Toasts: l.Toasts, Keys: l.Keys, port: port,
	}
}

// OnMount implements app.Mounter.
func (l *Lightbox) OnMount(ctx app.Context) { l.OnUpdate(ctx) }

// OnUpdate implements app.Updater: a video that is shown is watched, so that it can be moved frame by frame.
func (l *Lightbox) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) { browser.WatchFrames(VideoID) })
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
	return El("div", "class", class, "data-testid", "lightbox", "data-result", string(shot.Result.ID)).Body(
		l.bar(shot, i),
		l.stage(shot, i),
		l.details(shot),
		l.film(i),
		Toasts(l.Toasts, l.port),
	)
}

func (l *Lightbox) bar(shot model.Shot, i int) app.UI {
	r := shot.Result
	star := KeyButton("heart", words.LightboxStar, l.Keys, model.DoFavourite)
	if r.Starred {
		star = star.Body(FilledIcon("heart"))
	}
	tools := []app.UI{If(!shot.Others(), func() app.UI {
		return star.Attr("aria-pressed", Bool(r.Starred)).Attr("data-testid", "star").OnClick(l.onStar)
	})}
	if model.IsVideo(r) {
		tools = append(tools,
			KeyButton("previous-frame", words.LightboxPreviousFrame, l.Keys, model.DoFrameBack).Attr("data-testid", "frame-back").OnClick(l.onFrameBack),
			KeyButton("next-frame", words.LightboxNextFrame, l.Keys, model.DoFrameOn).Attr("data-testid", "frame-on").OnClick(l.onFrameOn),
			KeyButton("sound", words.LightboxSound, l.Keys, model.DoMute).OnClick(l.onMute))
	} else {
		tools = append(tools,
			KeyButton("compare", words.LightboxCompare, l.Keys, model.DoSplit).Attr("aria-pressed", Bool(l.Compare)).Attr("data-testid", "compare").
				Attr("disabled", shot.Run.Asset == nil).OnClick(l.onCompare),
			KeyButton("search", words.LightboxZoom, l.Keys, model.DoZoom).Attr("aria-pressed", Bool(l.Actual)).Attr("data-testid", "zoom").OnClick(l.onZoom))
	}
	return El("header", "class", "lightbox__bar").Body(
		Box("lightbox__title",
			Text("span", "lightbox__name", l.Agent.Title),
			Text("span", "lightbox__facts", words.LightboxPlace(l.Before+i+1, max(l.Total, l.Before+len(l.Shots)), facts(r, 0))),
			If(shot.Others(), func() app.UI {
				return El("span", "class", "lightbox__facts", "data-testid", "lightbox-owner").Text(words.ShownBy(shot.Run.Owner.Name))
			}),
		),
		If(!shot.Others(), func() app.UI {
			return NewVerdict("lightbox", model.VerdictOf(l.Shots[i:i+1]), l.Keys, l.port.JudgeShown())
		}),
		Box("lightbox__tools", append(tools,
			IconButton("grid", words.LightboxCompareRun, "").Attr("data-testid", "compare-run").OnClick(l.onCompareRun),
			KeyButton("full", words.LightboxFullScreen, l.Keys, model.DoFull).OnClick(l.onFullScreen),
			KeyButton("info", words.LightboxDetails, l.Keys, model.DoDetails).Attr("aria-pressed", Bool(l.Details)).Attr("data-testid", "details").OnClick(l.onDetails),
			Keyed(El("a", "class", "icon-button", "data-testid", "download", "href", r.File+"?download=1", "download", Filename(shot),
				"aria-label", words.LightboxDownload, "id", "lightbox-download"), words.LightboxDownload, l.Keys, model.DoDownload).Body(Icon("download")),
			IconButton("close", words.Close, words.KeyEscape).Attr("data-testid", "lightbox-close").OnClick(l.onClose),
		)...),
	)
}

func (l *Lightbox) stage(shot model.Shot, i int) app.UI {
	r := shot.Result
	var picture app.UI
	alt := words.ResultOf(r.Index+1, l.Agent.Title)
	zoom := Pick(l.Actual, "actual", "fit")
	switch {
	case model.IsVideo(r):
		video := El("video", "id", VideoID, "class", "lightbox__picture lightbox__picture--video", "src", r.File, "controls", "true", "loop", "true", "preload", "metadata",
			"playsinline", "true", "aria-label", alt, "data-testid", "lightbox-video")
		if r.Thumb != "" {
			video = video.Attr("poster", Thumb(r.Thumb, 960))
		}
		if r.Width > 0 {
			video = video.Attr("width", r.Width).Attr("height", r.Height)
		}
		picture = video
	case l.Compare && shot.Run.Asset != nil && apart(*shot.Run.Asset, r):
		picture = sideBySide(*shot.Run.Asset, r, alt)
	case l.Compare && shot.Run.Asset != nil:
		picture = NewCompare(*shot.Run.Asset, r, alt)
	default:
		image := Void("img", "class", "lightbox__picture", "src", r.File, "alt", alt, "data-testid", "lightbox-picture",
			"draggable", "false", "decoding", "sync").OnClick(l.onZoom)
		if r.Width > 0 {
			image = image.Attr("width", r.Width).Attr("height", r.Height).Style("--w", words.Number(r.Width)+"px")
		}
		picture = image
	}
	return El("div", "class", "lightbox__stage", "data-zoom", zoom, "data-menu", "seen:"+shot.Key()).Style("--dpr", words.Decimal(browser.PixelRatio(), 3)).Body(
		Box("lightbox__hold", picture, l.heat(r)),
		l.badge(r),
		l.ahead(i),
		If(i > 0, func() app.UI {
			return IconButton("left", words.LightboxPrevious, "←").Class("lightbox__arrow", "lightbox__arrow--left").OnClick(l.onPrevious)
		}),
		If(i < len(l.Shots)-1, func() app.UI {
			return IconButton("right", words.LightboxNext, "→").Class("lightbox__arrow", "lightbox__arrow--right").OnClick(l.onNext)
		}),
	)
}

// ahead loads the pictures before and after, so that they are there at once when they are asked for.
func (l *Lightbox) ahead(i int) app.UI {
	hold := El("div", "class", "lightbox__ahead", "aria-hidden", "true")
	next := make([]app.UI, 0, 2)
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(l.Shots) && !model.IsVideo(l.Shots[j].Result) {
			next = append(next, Void("img", "src", l.Shots[j].Result.File, "alt", "", "decoding", "async"))
		}
	}
	return hold.Body(next...)
}

// heat lays the map of changes over the picture.
func (l *Lightbox) heat(r atelier.Result) app.UI {
	if f := r.Fidelity; l.Heat && !l.Compare && f != nil && f.Heat != "" {
		image := Void("img", "class", "lightbox__picture lightbox__heat", "src", f.Heat, "alt", words.HeatAlt, "data-testid", "heat", "draggable", "false")
		if r.Height > 0 {
			image = image.Style("--ratio", words.Decimal(float64(r.Width)/float64(r.Height), 4)).Style("--w", words.Number(r.Width)+"px")
		}
		return image
	}
	return app.Elem("span").Hidden(true)
}

// badge says whether the product is still what it was.
func (l *Lightbox) badge(r atelier.Result) app.UI {
	f := r.Fidelity
	switch {
	case f == nil:
		return app.Elem("span").Hidden(true)
	case !f.Comparable:
		return El("span", "class", "lightbox__badge", "data-testid", "fidelity").Body(SmallIcon("info"), Text("span", "", words.NotComparable(words.ApartReason(*f))))
	}
	class, icon := "lightbox__badge", "check"
	switch {
	case f.Changed:
		class, icon = class+" lightbox__badge--changed", "alert"
	case f.Doubtful():
		class, icon = class+" lightbox__badge--doubt", "help"
	}
	return El("span", "class", class, "data-testid", "fidelity").Body(
		SmallIcon(icon),
		Text("span", "", words.FidelityVerdict(*f)),
		If(f.Heat != "", func() app.UI {
			return Keyed(Button("", Pick(l.Heat, words.HeatHide, words.HeatShow), "button--link"), words.HeatShow, l.Keys, model.DoHeat).Attr("aria-pressed", Bool(l.Heat)).
				Attr("data-testid", "show-heat").OnClick(l.onHeat)
		}),
		If(l.Heat && !l.Compare && f.Heat != "", func() app.UI { return heatLegend(f.Doubtful()) }),
	)
}

// heatLegend says what the colours of the heat map mean.
func heatLegend(doubt bool) app.UI {
	return El("span", "class", "heatlegend", "data-testid", "heat-legend").Body(
		Text("span", "heatlegend__heat", words.HeatLegendChanged),
		If(doubt, func() app.UI { return Text("span", "heatlegend__doubt", words.HeatLegendDoubt) }),
	)
}

func (l *Lightbox) details(shot model.Shot) app.UI {
	if !l.Details {
		return app.Elem("aside").Hidden(true)
	}
	run, r := shot.Run, shot.Result
	rows := []app.UI{}
	row := func(name, value, wire string) {
		rows = append(rows, app.Elem("dt").Body(Text("span", "", name), If(wire != "", func() app.UI { return Text("code", "wire", wire) })),
			Text("dd", "", value))
	}
	row(words.DetailsAgent, l.Agent.Title, run.Agent)
	for _, line := range l.Lines {
		row(line.Name, line.Value, line.Wire)
	}
	if run.Asset != nil {
		row(words.DetailsSource, words.SourceFacts(run.Asset.Name, run.Asset.Width, run.Asset.Height), "")
	}
	row(words.DetailsFile, facts(r, r.Bytes), "")
	row(words.DetailsMade, words.Exact(run.CreatedAt, l.Zone), "")
	switch f := r.Fidelity; {
	case f != nil && f.Comparable:
		row(words.DetailsKeptUnchanged, words.Percent(f.Score), "")
		if f.Edge != nil {
			row(words.DetailsEdge, words.EdgeFacts(*f.Edge), "")
		}
		row(words.DetailsColourDifference, words.ColourDifference(f.DeltaE, f.SSIM), "")
	case f != nil:
		row(words.DetailsKept, words.NotComparable(words.ApartReason(*f)), "")
	case r.Score != nil:
		row(words.DetailsKeptUnchanged, words.Percent(*r.Score), "")
	}
	if r.LockedFrom != "" {
		row(words.DetailsOriginalPixels, words.DetailsOriginalPixelsBack, "")
	}
	if shot.Others() {
		return l.othersDetails(r, rows)
	}
	film, locked := model.IsVideo(r), r.LockedFrom != ""
	// What there is not for this one is hidden: were it left out, those below it would move up, each away from under the focus.
	return El("aside", "class", "lightbox__details", "aria-label", words.LightboxDetails).Body(
		El("dl", "class", "facts").Body(rows...),
		Button("close", words.RunCancelThis, "").Hidden(!model.MayCancel(run, l.Stops)).Attr("data-testid", "cancel-run").OnClick(l.onCancel),
		Button("recall", words.ResultRecall, "").Attr("data-testid", "recall").Attr("title", words.ResultRecallTip).OnClick(l.onRecall),
		Button(Pick(film, "film", "image"), words.ResultUse, "").Attr("data-testid", "use-result").OnClick(l.onUse),
		Button("copy", words.ResultCopy, "").Hidden(film).Attr("data-testid", "copy").OnClick(l.onCopy),
		Button("lock", words.ResultLock, "").Hidden(!locked && (r.Fidelity == nil || !r.Fidelity.Comparable)).Attr("data-testid", "lock").
			Attr("title", words.ResultLockTip).Attr("aria-disabled", Bool(locked)).OnClick(l.onLock),
		Button("download", words.ResultDeliver, "").Attr("data-testid", "deliver").OnClick(l.onDeliver),
		Keyed(Button("board", words.ResultBoard, ""), words.ResultBoard, l.Keys, model.DoBoard).Attr("data-testid", "board").OnClick(l.onBoard),
		Button("link", words.ResultLink, "").Attr("data-testid", "copy-link").OnClick(l.onLink),
		Button("next-frame", words.ResultUseLastFrame, "").Hidden(r.LastFrame == "").Attr("data-testid", "use-last-frame").OnClick(l.onUseLast),
		l.psd(run).Hidden(film),
		If(shot.Trashed(), func() app.UI {
			return Button("restore", words.ResultRestore, "").Attr("data-testid", "restore").OnClick(l.onRestore)
		}).Else(func() app.UI {
			return Box("lightbox__delete",
				Keyed(Button("trash", words.ResultTrash, "button--quiet"), words.ResultTrash, l.Keys, model.DoTrash).Attr("data-testid", "trash").OnClick(l.onTrash),
				Button("trash", words.RunTrash, "button--quiet").Attr("data-testid", "trash-run").OnClick(l.onTrashRun))
		}),
	)
}

// othersDetails are the details of what somebody else shows: it can be taken, and made use of as a picture of one's own.
func (l *Lightbox) othersDetails(r atelier.Result, rows []app.UI) app.UI {
	return El("aside", "class", "lightbox__details", "aria-label", words.LightboxDetails).Body(
		El("dl", "class", "facts").Body(rows...),
		If(l.Designs, func() app.UI {
			return Button(Pick(model.IsVideo(r), "film", "image"), words.ResultUse, "").Attr("data-testid", "use-result").OnClick(l.onUse)
		}),
		If(!model.IsVideo(r), func() app.UI {
			return Button("copy", words.ResultCopy, "").Attr("data-testid", "copy").OnClick(l.onCopy)
		}),
		Button("download", words.ResultDeliver, "").Attr("data-testid", "deliver").OnClick(l.onDeliver),
		Button("link", words.ResultLink, "").Attr("data-testid", "copy-link").OnClick(l.onLink),
		If(l.Designs && r.LastFrame != "", func() app.UI {
			return Button("next-frame", words.ResultUseLastFrame, "").Attr("data-testid", "use-last-frame").OnClick(l.onUseLast)
		}),
	)
}

// psd is the way to the layered file of the run, as far as it is. It is one button all the way, so that it keeps the focus.
func (l *Lightbox) psd(run atelier.Run) app.HTMLElem {
	state := atelier.PSD{}
	if run.PSD != nil {
		state = *run.PSD
	}
	box := El("div", "class", "lightbox__psd")
	switch {
	case state.Status == string(atelier.Success) && state.File != "":
		return box.Body(Button("download", words.PSDDownload, "").Attr("aria-disabled", "false").Attr("data-testid", "psd-download").
			OnClick(func(app.Context, app.Event) { browser.Download(state.File) }, Scope(state.File)))
	case state.Status != "" && state.Status != string(atelier.Failed):
		return box.Body(Button("busy", words.PSDBusy, "").Attr("aria-disabled", "true").Attr("data-testid", "psd-busy").OnClick(l.onBusy, Scope("busy")))
	}
	return box.Body(
		Button("layers", words.PSDPrepare, "").Attr("aria-disabled", "false").Attr("data-testid", "psd").OnClick(l.onPSD, Scope("idle")),
		If(state.Error != "", func() app.UI { return Text("p", "field__problem", state.Error) }),
	)
}

func (l *Lightbox) onLock(ctx app.Context, _ app.Event) {
	r := l.shot().Result
	if r.LockedFrom != "" {
		ctx.PreventUpdate()
		return
	}
	l.port.LockPixels(r.ID)
}

func (l *Lightbox) onBusy(ctx app.Context, _ app.Event) { ctx.PreventUpdate() }

// filmFrames is how many neighbours the film strip shows on either side.
const filmFrames = 12

func (l *Lightbox) film(i int) app.UI {
	frames := []app.UI{}
	for j := max(0, i-filmFrames); j < min(len(l.Shots), i+filmFrames+1); j++ {
		s := l.Shots[j]
		frame := El("button", "type", "button", "class", "film__frame"+Pick(s.Result.Pick == atelier.PickNo, " film__frame--rejected", ""), "aria-label", words.ResultJudged(l.Before+j+1, s.Result), "aria-pressed", Bool(j == i)).
			OnClick(func(app.Context, app.Event) { l.port.OpenShot(s.Key()) }, Scope(s.Key()))
		if model.IsVideo(s.Result) {
			frames = append(frames, frame.Body(Poster(s.Result, 160, "")))
			continue
		}
		frames = append(frames, frame.Body(Void("img", "src", Thumb(s.Result.Thumb, 160), "alt", "", "draggable", "false")))
	}
	return El("div", "class", "film", "role", "group", "aria-label", words.LightboxFilm).Body(frames...)
}

func (l *Lightbox) shot() model.Shot { return l.Shots[max(0, l.Index())] }

func (l *Lightbox) onClose(app.Context, app.Event)      { l.port.CloseLightbox() }
func (l *Lightbox) onCompare(app.Context, app.Event)    { l.port.ToggleCompare() }
func (l *Lightbox) onZoom(app.Context, app.Event)       { l.port.ToggleZoom() }
func (l *Lightbox) onDetails(app.Context, app.Event)    { l.port.ToggleDetails() }
func (l *Lightbox) onRecall(app.Context, app.Event)     { l.port.RecallRun(l.shot().Run.ID) }
func (l *Lightbox) onPrevious(app.Context, app.Event)   { l.step(-1) }
func (l *Lightbox) onNext(ctx app.Context, _ app.Event) { l.step(1) }
func (l *Lightbox) onUse(app.Context, app.Event)        { l.port.UseResult(l.shot().Result.ID, false) }

func (l *Lightbox) onHeat(app.Context, app.Event)       { l.port.ToggleHeat() }
func (l *Lightbox) onCopy(app.Context, app.Event)       { l.port.CopyResult(l.shot().Result.ID) }
func (l *Lightbox) onDeliver(app.Context, app.Event)    { l.port.DeliverResult(l.shot().Result.ID) }
func (l *Lightbox) onLink(app.Context, app.Event)       { l.port.LinkResult(l.shot().Result.ID) }
func (l *Lightbox) onBoard(app.Context, app.Event)      { l.port.BoardResult(l.shot().Result.ID) }
func (l *Lightbox) onCompareRun(app.Context, app.Event) { l.port.CompareRun(l.shot().Run.ID) }
func (l *Lightbox) onFullScreen(app.Context, app.Event) { browser.ToggleFullScreen(LightboxID) }

func (l *Lightbox) onUseLast(app.Context, app.Event)   { l.port.UseResult(l.shot().Result.ID, true) }
func (l *Lightbox) onFrameBack(app.Context, app.Event) { browser.StepFrame(VideoID, -1) }
func (l *Lightbox) onFrameOn(app.Context, app.Event)   { browser.StepFrame(VideoID, 1) }
func (l *Lightbox) onMute(app.Context, app.Event)      { browser.Mute(VideoID) }

func (l *Lightbox) onPSD(app.Context, app.Event)   { l.port.ExportPSD(l.shot().Run.ID) }
func (l *Lightbox) onTrash(app.Context, app.Event) { l.port.TrashShown() }

func (l *Lightbox) onCancel(app.Context, app.Event) {
	l.port.CancelRuns([]atelier.RunID{l.shot().Run.ID})
}

func (l *Lightbox) onTrashRun(app.Context, app.Event) { l.port.TrashRun(l.shot().Run.ID) }
func (l *Lightbox) onRestore(app.Context, app.Event)  { l.port.RestoreShown() }

func (l *Lightbox) onStar(app.Context, app.Event) {
	r := l.shot().Result
	l.port.Star(r.ID, !r.Starred)
}

func (l *Lightbox) step(by int) {
	if i := l.Index() + by; i >= 0 && i < len(l.Shots) {
		l.port.OpenShot(l.Shots[i].Key())
	}
}

// facts says how large a result is, of a video how long, and how many bytes, 0 for not a word about that.
func facts(r atelier.Result, bytes int64) string {
	return words.FileFacts(r.Width, r.Height, r.Seconds, bytes)
}

// Filename is what a downloaded result is called.
func Filename(s model.Shot) string {
	name := s.Run.Agent
	if s.Run.Asset != nil && s.Run.Asset.Name != "" {
		name = trimExtension(s.Run.Asset.Name) + "-" + s.Run.Agent
	}
	extension := s.Result.Format
	if extension == "" {
		extension = Pick(model.IsVideo(s.Result), "mp4", "png")
	}
	if extension == "jpeg" {
		extension = "jpg"
	}
	return name + "-" + words.Number(s.Result.Index+1) + "." + extension
}

func trimExtension(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '.' {
			return name[:i]
		}
	}
	return name
}

// apart says whether a result has another shape than its source: laid over it, it would show differences that are none.
func apart(source atelier.Asset, r atelier.Result) bool {
	return source.Width > 0 && r.Width > 0 && !model.SameShape(r.Width, r.Height, source.Width, source.Height)
}

// sideBySide shows source and result next to each other, each whole.
func sideBySide(source atelier.Asset, r atelier.Result, alt string) app.UI {
	half := func(label, src, alt string) app.UI {
		return El("div", "class", "apart__half").Body(
			Void("img", "class", "apart__picture", "src", src, "alt", alt, "draggable", "false"), Text("span", "compare__label", label))
	}
	return El("div", "class", "apart", "data-testid", "compare-apart").Body(
		Text("p", "apart__note", words.CompareApart),
		half(words.CompareSource, source.File, words.SourceNamed(source.Name)),
		half(words.CompareResult, r.File, alt))
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
	return El("div", "id", "compare", "class", "compare", "data-testid", "compare-view").
		Style("--ratio", words.Decimal(float64(width)/float64(max(height, 1)), 4)).Style("--w", words.Number(width)+"px").Body(
		Void("img", "class", "compare__picture", "src", c.Source.File, "alt", words.SourceNamed(c.Source.Name), "draggable", "false"),
		Void("img", "class", "compare__picture compare__picture--result", "src", c.Result.File, "alt", c.Alt, "draggable", "false"),
		El("span", "class", "compare__line", "aria-hidden", "true"),
		Text("span", "compare__label compare__label--source", words.CompareSource),
		Text("span", "compare__label compare__label--result", words.CompareResult),
		Void("input", "class", "compare__range", "type", "range", "min", "0", "max", "100", "step", "0.5",
			"aria-label", words.CompareSplit, "data-testid", "compare-range").OnInput(c.onSplit),
	)
}

func (c *Compare) onSplit(ctx app.Context, e app.Event) {
	browser.SetStyle("compare", "--split", textOf(e)+"%")
	ctx.PreventUpdate()
}
