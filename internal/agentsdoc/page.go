package main

import (
	"fmt"
	"slices"
	"strings"

	"atelier/catalog"
)

// families are the parts of the page: the family's letter, its heading, and what it is for.
var families = []struct{ letter, heading, about string }{
	{"original", "The original agents", "Fashion and product photographs. All but the try-on also live on the task surface."},
	{"A", "Family A: one picture in, pictures out", "Portraits, looks and drawing styles."},
	{"B", "Family B: several pictures in, a picture out", "Try-ons, groups, collages."},
	{"C", "Family C: posters, logos and layouts", "Pictures made out of words."},
	{"D", "Family D: general pictures", "The document omits the names of these agents and of their engines. Each one here stands for a variant of the shape under a neutral name; a catalog file gives the names of an account."},
	{"E", "Family E: videos", "The document omits the names of these agents and of their engines. Each one here stands for a variant of the shape under a neutral name; a catalog file gives the names of an account."},
	{"F", "Family F: a video in, a video out", "Cleaning, enlarging, faces."},
	{"G", "Family G: portraits, still or moving", "The document omits the names of these agents. One stands for the shape; a catalog file gives the names of an account."},
}

// page is docs/agents.md.
func page(agents []catalog.Agent) string {
	var b strings.Builder
	b.WriteString(`<!-- Written by internal/agentsdoc out of the catalog (make generate). Change catalog/ instead. -->
# Agents

Every agent of the two API documents, and one that accounts offer beside them ([spec-gaps.md](spec-gaps.md)): what it does,
what it takes, and what is refused. All are at version v1.0.
An operator's catalog file (` + "`ATELIER_CATALOG`" + `, see [overlay.example.yaml](overlay.example.yaml)) may add, change and hide agents; ` + "`atelier agents`" + ` shows what is then offered.

How to read the tables: *needed* fields must be given; for the others the *default* is what the service takes when nothing is sent.
A count such as 0–6 is how many files a field takes. "Run" and "task" are the two surfaces of the API. What is only *noted* is accepted.

`)
	for _, f := range families {
		fmt.Fprintf(&b, "- [%s](#%s): %d\n", f.heading, anchor(f.heading), len(of(agents, f.letter)))
	}
	for _, f := range families {
		family(&b, f.heading, f.about, of(agents, f.letter))
	}
	return b.String()
}

func of(agents []catalog.Agent, family string) []catalog.Agent {
	return slices.DeleteFunc(slices.Clone(agents), func(a catalog.Agent) bool { return a.Family != family })
}

// anchor is how a heading is linked to.
func anchor(heading string) string {
	return strings.ReplaceAll(strings.ToLower(strings.NewReplacer(":", "", ",", "").Replace(heading)), " ", "-")
}

func family(b *strings.Builder, heading, about string, agents []catalog.Agent) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", heading, about)
	b.WriteString("| Agent | Title | What it does | Takes | Makes | Surfaces | The embedded service |\n|---|---|---|---|---|---|---|\n")
	for _, a := range agents {
		row(b, "`"+a.Name+"`", a.Title, a.Summary, a.Takes(), makes(a), surfaces(a.Surfaces), does(a))
	}
	for _, alike := range catalog.Shapes(agents) {
		shape(b, alike)
	}
}

func shape(b *strings.Builder, agents []catalog.Agent) {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = "`" + a.Name + "`"
	}
	a := agents[0]
	fmt.Fprintf(b, "\n### %s\n\n", strings.Join(names, ", "))
	b.WriteString("| Field | Needed | Takes | Default | Meaning |\n|---|---|---|---|---|\n")
	for _, f := range a.Files {
		row(b, "`"+f.Name+"`", yes(f.Min > 0), fileTakes(f), "", meaning(f.Title, f.Help))
	}
	for _, p := range a.Params {
		where := ""
		if len(p.Surfaces) > 0 {
			where = " (" + surfaces(p.Surfaces) + " only)"
		}
		row(b, "`"+p.Name+"`"+where, needed(a, p), paramTakes(p), defaults(a, p), meaning(p.Title, p.Help))
	}
	if a.ResultIn != "" {
		fmt.Fprintf(b, "\nResults are read from the field `%s`, whatever is made.\n", a.ResultIn)
	}
	if len(a.Rules) > 0 {
		b.WriteString("\nRules:\n\n")
		for _, r := range a.Rules {
			fmt.Fprintf(b, "- %s%s. *%s*\n", r.Markdown(), onlyOn(r.Surfaces), r.Message)
		}
	}
}

// does says whether the embedded service does all that an agent promises, and what it does.
func does(a catalog.Agent) string {
	if a.Exact {
		return "Exact. " + a.EmbeddedText()
	}
	return "Approximate. " + a.EmbeddedText()
}

func meaning(title, help string) string {
	if help == "" {
		return title
	}
	return title + ". " + help
}

func onlyOn(list []catalog.Surface) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + surfaces(list) + " only)"
}

func surfaces(list []catalog.Surface) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

func makes(a catalog.Agent) string {
	if a.MakesBy != "" {
		return "video or image, by `" + a.MakesBy + "`"
	}
	return string(a.Makes)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func fileTakes(f catalog.File) string {
	var words strings.Builder
	words.WriteString(f.Counts() + " " + map[catalog.Media]string{catalog.Image: "image", catalog.Video: "video", catalog.Audio: "sound"}[f.Media])
	if f.Max > 1 {
		words.WriteString("s")
	}
	for i, role := range f.Roles {
		words.WriteString(fmt.Sprintf("; %d %s", i+1, role))
	}
	if f.ParamOnly {
		words.WriteString("; sent among the params")
	}
	return words.String()
}

func needed(a catalog.Agent, p catalog.Param) string {
	var on []catalog.Surface
	for _, s := range a.Surfaces {
		if p.On(s) && p.RequiredOn(s) {
			on = append(on, s)
		}
	}
	switch {
	case len(on) == 0:
		return ""
	case len(on) == len(a.Surfaces) || len(p.Surfaces) > 0:
		return "yes"
	}
	return "on the " + surfaces(on) + " surface"
}

// defaults tells the default, of each surface where they differ.
func defaults(a catalog.Agent, p catalog.Param) string {
	var words []string
	for _, s := range a.Surfaces {
		if d := p.DefaultOn(s); p.On(s) && d != nil {
			words = append(words, fmt.Sprintf("%v (%s)", d, s))
		}
	}
	if len(words) == 0 {
		return ""
	}
	first, same := p.DefaultOn(a.Surfaces[0]), true
	for _, s := range a.Surfaces {
		same = same && (!p.On(s) || p.DefaultOn(s) == first)
	}
	if same || len(words) == 1 {
		word, _, _ := strings.Cut(words[0], " (")
		return word
	}
	return strings.Join(words, ", ")
}

// paramTakes tells the values of a param.
func paramTakes(p catalog.Param) string {
	kinds := map[catalog.Kind]string{
		catalog.Text: "text", catalog.Int: "whole number", catalog.Bool: "true or false", catalog.Colour: "colour as #RRGGBB",
		catalog.Preset: "id of one of the " + p.PresetKind, catalog.Tags: "ids of tags of the " + p.PresetKind,
		catalog.MaskPNG: "PNG in base64", catalog.MaskURL: "address of a PNG", catalog.Strings: "list out of",
	}
	var words []string
	if kind, ok := kinds[p.Kind]; ok {
		words = append(words, kind)
	}
	if p.Kind == catalog.Duration && p.Min != nil && p.Max != nil {
		words = append(words, fmt.Sprintf("%ds to %ds", *p.Min, *p.Max))
	} else if p.Kind != catalog.Preset {
		words = append(words, limits(p)...)
	}
	var values []string
	for _, o := range p.Options {
		values = append(values, "`"+o.Value+"`")
	}
	if len(values) > 0 {
		words = append(words, strings.Join(values, " "))
	}
	out := strings.Join(words, " ")
	if p.Lenient {
		out += "; another number is replaced by the default"
	}
	return out
}

func limits(p catalog.Param) []string {
	unit := ""
	if p.Unit != "" {
		unit = " " + p.Unit
	}
	switch {
	case p.Min != nil && p.Max != nil:
		return []string{fmt.Sprintf("%d to %d%s", *p.Min, *p.Max, unit)}
	case p.Max != nil:
		return []string{fmt.Sprintf("at most %d%s", *p.Max, unit)}
	case p.Min != nil:
		return []string{fmt.Sprintf("at least %d%s", *p.Min, unit)}
	}
	return nil
}

// row writes one row of a table.
func row(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		b.WriteString("|")
		if c != "" {
			b.WriteString(" " + strings.ReplaceAll(c, "|", "\\|"))
		}
		b.WriteString(" ")
	}
	b.WriteString("|\n")
}
