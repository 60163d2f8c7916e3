package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"atelier/imaging/compose"
	"atelier/service/engine"
	"atelier/service/presets"
	"atelier/service/render"
)

// text is the named param as a string, "" when absent.
func text(req render.Request, name string) string {
	s, _ := req.Values[name].(string)
	return strings.TrimSpace(s)
}

// Values of the params that decide how an agent works (Task API, "aimodel v1.0" and "Shared mask and execution
// parameters").
const (
	sameAsPhoto     = "originalImagePose"
	asInScene       = "referenceImagePose"
	refersToOrigin  = "referToOrigin"
	automaticWords  = "auto"
	keepsLikeOrigin = "Keep the light and colours of the original."
)

// sent says which number a picture has among those that are sent, from 1; 0 where it is not sent.
type sent struct{ garment, model, place int }

// prompt gives the words for a request: of the presets, the user and the agent.
func prompt(req render.Request, a agent, how How, at sent, mode engine.Mode) string {
	own := a.pictures
	if mode == engine.Text {
		own = a.words
	}
	if how.Prompt != "" {
		own = how.Prompt
	}
	said := text(req, "textDescription")
	parts := []string{}
	switch req.Agent {
	case "virtualtryon":
		if text(req, "descriptionType") == automaticWords || said == "" {
			parts = append(parts, worn(at))
		}
		said = numbered(said, at)
	case "aimodel":
		if mode == engine.Edit {
			parts = append(parts, posed(req, at))
		} else if who := someone(req, at); who != "" && text(req, "maskType") != "autoSubjectSegment" {
			parts = append(parts, "The person: "+who+".")
		}
	}
	if strings.Contains(own, "{text}") {
		own = strings.ReplaceAll(own, "{text}", strings.TrimRight(said, ". "))
		said = ""
	}
	if a.textFirst {
		parts = append(parts, said, place(req, at), own)
	} else {
		parts = append(parts, own, said, place(req, at))
	}
	if text(req, "generatedContent") == refersToOrigin {
		parts = append(parts, keepsLikeOrigin)
	}
	return sentences(parts)
}

// sentences joins what is not empty, each ended by a point.
func sentences(parts []string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if !strings.ContainsAny(p[len(p)-1:], ".!?") {
			p += "."
		}
		out = append(out, p)
	}
	return strings.Join(out, " ")
}

// worn is the description of a try-on that the user leaves to the service.
func worn(at sent) string {
	who, where := "A fashion model", ""
	if at.model > 0 {
		who = fmt.Sprintf("The person of image %d", at.model)
	}
	if at.place > 0 {
		where = fmt.Sprintf(", in the place of image %d, without anybody else", at.place)
	}
	return fmt.Sprintf("%s wears the garment of image %d%s", who, at.garment, where)
}

// kept names what each mask type of aimodel keeps (Run API, "Mask and enum semantics").
var kept = map[string]string{
	"autoApparelSegment": "clothes", "autoUpperApparelSegment": "upper garment",
	"autoLowerApparelSegment": "lower garment",
	"autoHumanSegment":        "clothes and figure", "inverseAutoHumanSegment": "head and face",
}

// posed is what aimodel asks for in another pose.
func posed(req render.Request, at sent) string {
	who := someone(req, at)
	if who == "" {
		who = "A person"
	}
	what, ok := kept[text(req, "maskType")]
	if !ok {
		what = "clothes"
	}
	says := fmt.Sprintf(
		"%s with exactly the %s of image %d, unchanged in cut, colours and details; pose: ",
		capital(who),
		what,
		at.garment,
	)
	if text(req, "pose") == asInScene && at.place > 0 {
		return says + fmt.Sprintf("as the person in image %d", at.place)
	}
	return says + "free"
}

// someone names the fashion model of a request: by its preset's words, or by its picture's number.
func someone(req render.Request, at sent) string {
	if m := req.Who; m != nil {
		return described(*m)
	}
	if at.model > 0 {
		return fmt.Sprintf("the person of image %d", at.model)
	}
	return ""
}

func described(m presets.FashionModel) string {
	who := "model"
	switch {
	case slices.ContainsFunc(m.Tags, func(t presets.Tag) bool { return t.Name == "Women" }):
		who = "woman"
	case slices.ContainsFunc(m.Tags, func(t presets.Tag) bool { return t.Name == "Men" }):
		who = "man"
	}
	says := fmt.Sprintf("a %s %s, %s style", m.Nationality, who, strings.ToLower(m.Style))
	if len(m.Words) > 0 {
		says += ", hair " + strings.Join(m.Words, ", ")
	}
	return says
}

// place names the location of a request: by its preset's words, or by its picture's number.
func place(req render.Request, at sent) string {
	switch p := req.Place; {
	case text(req, "maskType") == "autoHumanSegment" && req.Agent == "aimodel":
		return "" // only the face is redrawn
	case p != nil:
		words := []string{p.Name}
		for _, w := range p.Categories {
			words = add(words, w)
		}
		for _, t := range p.Tags {
			words = add(words, t.Name)
		}
		return strings.Join(append(words, lit(p.Light)), ", ")
	case at.place > 0 && req.Agent != "virtualtryon":
		return fmt.Sprintf("The place of image %d, without anybody in it", at.place)
	}
	return ""
}

// add adds a word in small letters unless it is among the words already.
func add(words []string, w string) []string {
	w = strings.ToLower(w)
	if slices.ContainsFunc(words, func(known string) bool { return strings.Contains(strings.ToLower(known), w) }) {
		return words
	}
	return append(words, w)
}

// lit describes a preset's light; presets.Light gives the scales.
func lit(l presets.Light) string {
	const hard, soft, warm, cool, dark, dim = 0.3, 0.6, 0.3, -0.2, 0.3, 0.6
	says := ""
	switch {
	case l.Softness <= hard:
		says = "hard "
	case l.Softness >= soft:
		says = "soft "
	}
	switch {
	case l.Warmth >= warm:
		says += "warm "
	case l.Warmth <= cool:
		says += "cool "
	}
	says += "light "
	switch side := (compose.Light{Angle: l.Angle}).Side(); {
	case l.Behind:
		says += "from behind"
	case side > 0.5:
		says += "from the right"
	case side < -0.5:
		says += "from the left"
	default:
		says += "from above"
	}
	switch {
	case l.Level <= dark:
		says += ", at night"
	case l.Level <= dim:
		says += ", dim"
	}
	return says
}

// figure is how users call the pictures of a try-on (Run API, "virtualtryon").
var figure = regexp.MustCompile(`(?i)\bfig(?:ure|\.)?\s*([123])\b`)

// numbered replaces "Figure n" by the number that the picture is sent with; one that is not sent is called by what it
// is.
func numbered(said string, at sent) string {
	return figure.ReplaceAllStringFunc(said, func(match string) string {
		n, name := 0, ""
		switch figure.FindStringSubmatch(match)[1] {
		case "1":
			n, name = at.garment, "the garment"
		case "2":
			n, name = at.model, "the model"
		default:
			n, name = at.place, "the background"
		}
		if n == 0 {
			return name
		}
		return "image " + strconv.Itoa(n)
	})
}

// negative gives what to avoid: of the user and of the operator.
func negative(req render.Request, how How) string {
	parts := []string{}
	for _, s := range []string{text(req, "negTextDescription"), how.Negative} {
		if s = strings.Trim(s, " ."); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// quality is how much work a request asks for: of the param quality, or of the engine's name (Run API, "Family D" and
// "Original agents as run agents"); "" where neither says.
func quality(req render.Request) string {
	switch text(req, "quality") {
	case "low":
		return "low"
	case "medium":
		return "medium"
	case "high", "xhigh", "max":
		return "high"
	}
	switch text(req, "generateVersion") {
	case "lite":
		return "low"
	case "serviceFlash":
		return "medium"
	case "pro", "servicePro", "partnerPro":
		return "high"
	}
	return ""
}

// clearBackground are words that ask for a picture without a background.
var clearBackground = regexp.MustCompile(
	`(?i)\btransparent\b|\b(?:no|without(?: a)?|remove(?: the)?) (?:background|backdrop)\b`,
)

// transparent reports whether a request asks for a picture without a background, in a file that can hold one.
func transparent(req render.Request) bool {
	return text(req, "outputFormat") != "jpeg" && clearBackground.MatchString(text(req, "textDescription"))
}
