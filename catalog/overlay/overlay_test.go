package overlay_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/catalog/overlay"
)

func apply(t *testing.T, text string) []catalog.Agent {
	t.Helper()
	agents, err := overlay.Apply(catalog.All(), "shop.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return agents
}

func find(t *testing.T, agents []catalog.Agent, name string) catalog.Agent {
	t.Helper()
	a, ok := catalog.NewSet(agents).Find(name, "v1.0")
	if !ok {
		t.Fatalf("there is no agent %s", name)
	}
	return a
}

func values(a catalog.Agent, param string) []string {
	var out []string
	p, _ := a.Param(param)
	for _, o := range p.Options {
		out = append(out, o.Value)
	}
	return out
}

func example(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "overlay.example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestNothingChangesNothing(t *testing.T) {
	for _, text := range []string{"", "# nothing yet\n", "---\n", "hide: []\nadd: []\nchange: {}\n", "hide:\nchange:\nadd:\n"} {
		if diff := cmp.Diff(catalog.All(), apply(t, text)); diff != "" {
			t.Errorf("%q (-documents +got):\n%s", text, diff)
		}
	}
}

func TestTheExampleIsReadAndItsAgentsWork(t *testing.T) {
	agents := apply(t, string(example(t)))
	set := catalog.NewSet(agents)
	for _, hidden := range []string{"mugshot-creator", "image-studio", "reference-to-video"} {
		if _, ok := set.Find(hidden, ""); ok {
			t.Errorf("%s is offered although it is hidden", hidden)
		}
	}
	pictures := find(t, agents, "acme-image-3")
	if pictures.Family != "D" || pictures.Title != "Acme pictures" || !slices.Equal(values(pictures, "modelName"), []string{"acme-3", "acme-3-max"}) {
		t.Errorf("acme-image-3 came out as %+v", pictures)
	}
	if !slices.Equal(values(pictures, "aspectRatio"), []string{"auto", "1:1", "16:9", "9:16", "4:5"}) {
		t.Errorf("the shapes are %v", values(pictures, "aspectRatio"))
	}
	if f, _ := pictures.File("images"); f.Max != 8 || f.Help != "Up to eight pictures to go by." {
		t.Errorf("the pictures came out as %+v", f)
	}
	short := find(t, agents, "acme-video-lite")
	if p, _ := short.Param("duration"); p.Min == nil || *p.Min != 3 || *p.Max != 8 || len(p.Options) > 0 {
		t.Errorf("the lengths came out as %+v", p)
	}
	if _, ok := short.Param("generateAudio"); ok {
		t.Error("generateAudio is still there")
	}
	if got := values(find(t, agents, "acme-reference-video"), "duration"); !slices.Equal(got, []string{"5s", "10s", "-1"}) {
		t.Errorf("the lengths are %v", got)
	}
	// The whole effective catalog judges as its data say, and requests of every agent can be made.
	for _, c := range catalogtest.Cases(agents) {
		a := find(t, agents, c.Agent)
		in := c.Input(func(field string, _ int, _ catalogtest.File) string { return "https://pictures.example/" + field })
		var got []string
		for _, p := range catalog.Refusals(catalog.Check(a, c.Surface, in)) {
			got = append(got, p.Field)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.Refused, slices.Compact(got)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.Name, diff)
		}
	}
}

// What is like an agent of the task surface goes over the run surface alone, with everything else of its shape.
func TestAnAgentMayBeLikeOneOfTheTaskSurface(t *testing.T) {
	for _, name := range []string{"aimodel", "aiproduct", "aipose", "expandimage", "removeBG"} {
		a := find(t, apply(t, "add:\n  - {name: acme, like: "+name+", title: Acme, summary: Does it Acme's way.}\n"), "acme")
		shape, _ := catalog.Find(name, "")
		if !slices.Equal(a.Surfaces, []catalog.Surface{catalog.Run}) || a.Model() != name || len(a.Params) != len(shape.Params) {
			t.Errorf("like %s: %+v", name, a)
		}
		if got := catalog.SurfaceFor(a, catalog.Task, catalog.Input{}); got != catalog.Run {
			t.Errorf("like %s: it goes over the %s surface", name, got)
		}
		for _, c := range catalogtest.Cases([]catalog.Agent{a}) {
			in := c.Input(func(field string, _ int, _ catalogtest.File) string { return "https://pictures.example/" + field })
			if refused := catalog.Refusals(catalog.Check(a, c.Surface, in)); (len(refused) > 0) != (len(c.Refused) > 0) {
				t.Errorf("%s: refused %v, want %v", c.Name, refused, c.Refused)
			}
		}
	}
}

func TestTheDocumentsStayAsTheyAre(t *testing.T) {
	base := catalog.All()
	if _, err := overlay.Apply(base, "shop.yaml", example(t)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(catalog.All(), base); diff != "" {
		t.Errorf("reading an overlay changed the agents it was given (-before +after):\n%s", diff)
	}
}

func TestRealNamesGoOutAndComeBack(t *testing.T) {
	agents := apply(t, string(example(t)))
	tests := []struct {
		agent, param, ours, theirs string
	}{
		{"virtualtryon", "generateVersion", "partnerPro", "acmePro"},
		{"ai-poster", "modelName", "jimeng", "jimeng-4"},
		{"acme-image-3", "modelName", "acme-3", "acme/pictures-3.0"},
		{"acme-image-3", "modelName", "acme-3-max", "acme-3-max"},
	}
	for _, tt := range tests {
		a := find(t, agents, tt.agent)
		_, params := catalog.Encode(a, catalog.Run, catalog.Input{Values: catalog.Values{tt.param: tt.ours}})
		if params[tt.param] != tt.theirs {
			t.Errorf("%s sends %v for %s, want %s", tt.agent, params[tt.param], tt.ours, tt.theirs)
		}
		back, problems := catalog.Decode(a, catalog.Run, nil, params)
		if len(problems) > 0 || back.Values[tt.param] != tt.ours {
			t.Errorf("%s reads %v back as %v, %v", tt.agent, params[tt.param], back.Values[tt.param], problems)
		}
	}
}

// TestEnginesTakeOverTheRulesOfTheOneTheyAreLike: what the shape says of its engines is said of the account's.
func TestEnginesTakeOverTheRulesOfTheOneTheyAreLike(t *testing.T) {
	agents := apply(t, `
add:
  - {name: a, like: image-studio, title: A, summary: A., models: [{name: big, title: Big, like: pro}, {name: small, like: fast}, {name: other, like: pro}]}
  - {name: b, like: image-studio, title: B, summary: B., models: [plain]}
  - {name: c, like: image-search, title: C, summary: C., models: [{name: seeker, like: search}]}
  - {name: d, like: ai-photoshoot, title: D, summary: D., models: [one]}
  - {name: e, like: ai-photoshoot, title: E, summary: E., models: [{name: one, like: nano}]}
  - {name: f, like: image-light, title: F, summary: F., without: [modelName]}
  - {name: g, like: advanced-video, title: G, summary: G., without: [extendVideo, lastFrame]}
`)
	refused := func(name string, values catalog.Values, files map[string][]string) []string {
		a := find(t, agents, name)
		if values["textDescription"] == nil {
			values["textDescription"] = "words"
		}
		var out []string
		for _, p := range catalog.Refusals(catalog.Check(a, catalog.Run, catalog.Input{Values: values, Files: files, Draft: true})) {
			out = append(out, p.Field+": "+p.Message)
		}
		return out
	}
	pictures := func(n int) map[string][]string { return map[string][]string{"images": slices.Repeat([]string{"x"}, n)} }
	tests := []struct {
		name   string
		agent  string
		values catalog.Values
		files  map[string][]string
		want   []string
	}{
		{"sixteen with one like pro", "a", catalog.Values{"modelName": "other"}, pictures(16), nil},
		{"two with one like fast", "a", catalog.Values{"modelName": "small"}, pictures(2), []string{"images: Pictures: at most 1 with small."}},
		{"4:5 with one like pro", "a", catalog.Values{"modelName": "big", "aspectRatio": "4:5"}, nil, nil},
		{"4:5 with one like fast", "a", catalog.Values{"modelName": "small", "aspectRatio": "4:5"}, nil, []string{"aspectRatio: Shape: 4:5, 5:4 only with Big, other."}},
		{"five where all are like standard", "b", catalog.Values{}, pictures(5), []string{"images: Pictures: at most 4 with plain."}},
		{"a tool where all may", "c", catalog.Values{"tools": []any{"web_search"}}, nil, nil},
		{"3K without engines, by the standard one", "f", catalog.Values{"imageSize": "3K"}, nil, []string{`imageSize: Size: "3K" is not one of 1K, 2K, 4K.`}},
		{"a first frame", "g", catalog.Values{"aspectRatio": "16:9"}, map[string][]string{"firstFrame": {"x"}}, []string{"aspectRatio: With a first frame, the shape is adaptive: that of the frame."}},
		{"a direction with nothing to continue", "g", catalog.Values{"extendDirection": "forward"}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, refused(tt.agent, tt.values, tt.files)); diff != "" {
				t.Errorf("refusals (-want +got):\n%s", diff)
			}
		})
	}
	for name, model := range map[string]string{"a": "image-studio", "d": "ai-photoshoot", "image-edit": "image-edit"} {
		if got := find(t, agents, name).Model(); got != model {
			t.Errorf("%s is made like %q, want %q", name, got, model)
		}
	}
	if got := values(find(t, agents, "b"), "aspectRatio"); slices.Contains(got, "4:5") {
		t.Errorf("b offers %v; no engine of its takes 4:5", got)
	}
	if _, ok := find(t, agents, "d").Param("imageSize"); ok {
		t.Error("d has a size that none of its engines reads")
	}
	if a := find(t, agents, "e"); len(a.Rules) != 0 {
		t.Errorf("e has rules that always hold: %+v", a.Rules)
	}
	if _, ok := find(t, agents, "g").Param("extendDirection"); ok {
		t.Error("g has a direction and nothing to continue")
	}
	if body, err := json.Marshal(agents); err != nil || strings.Contains(string(body), `\u0000`) {
		t.Errorf("an engine that is not there shows in the catalog: %v", err)
	}
}

// TestEveryMistakeIsReportedWithItsPlace: all at once, in the order of the file, and no agents come out.
func TestEveryMistakeIsReportedWithItsPlace(t *testing.T) {
	const head = "add:\n  - {name: x, like: image-studio, title: X, summary: Y., "
	tests := []struct {
		name, text string
		want       []string
	}{
		{"no YAML", "hide: [a, b\nadd: 1", []string{"2:1:"}},
		{"a list", "- a", []string{"1:1: the file is a mapping, not a list"}},
		{"two documents", "hide: []\n---\nhide: []\n", []string{"3:1: a second document"}},
		{"unknown part", "hidden: [ai-dog]", []string{`1:1: "hidden" is no part`}},
		{"twice", "hide: []\nhide: []\n", []string{"2:1:"}},
		{"anchors", "hide: &all [ai-dog]\n", []string{"1:7: anchors"}},
		{"tags", "hide: [!!str ai-dog]\n", []string{"1:8: anchors"}},
		{"deep", "hide: " + strings.Repeat("[", 20) + strings.Repeat("]", 20), []string{"too deep"}},
		{"hopelessly deep", "hide:\n" + strings.Repeat("[", 100_000), []string{"2:97: values lie too deep"}},
		{"too long", strings.Repeat("#", 128<<10+1), []string{"1:1: the file has 131073 bytes; at most 131072 are read"}},
		{"hiding what is not there", "hide:\n  - ai-dog\n  - ai-cat\n  - ai-dog\n", []string{`3:5: there is no agent "ai-cat"`, "4:5: ai-dog is hidden twice"}},
		{"hide a text", "hide: ai-dog", []string{"1:7: hide is a list, not a text"}},
		{"changing what is not there", "change:\n  ai-cat: {title: Cat}\n", []string{`2:3: there is no agent "ai-cat" to change`}},
		{"changing what is hidden", "hide: [ai-dog]\nchange:\n  ai-dog: {title: Dog}\n", []string{"3:3: ai-dog is hidden"}},
		{"nothing to go by", "add:\n  - title: X\n", []string{"2:5: an agent to add needs its name", "2:5: an agent to add needs an agent it is like"}},
		{"nothing to read", "add:\n  - {name: x, like: image-studio}\n", []string{`"x" needs a title`, `"x" needs a summary`}},
		{"like nothing", "add:\n  - {name: x, like: image-studo, title: X, summary: Y.}\n", []string{`2:21: there is no agent "image-studo" to be like`}},
		{"a name that is taken", "add:\n  - {name: ai-dog, like: image-studio, title: X, summary: Y.}\n", []string{"2:12: there is an agent ai-dog already"}},
		{"a name with blanks", "add:\n  - {name: my agent, like: image-studio, title: X, summary: Y.}\n", []string{"2:12: the name"}},
		{"one name for two", "add:\n  - {name: x, like: image-studio, title: X, summary: Y.}\n  - {name: x, like: image-edit, title: X, summary: Y.}\n", []string{"3:12: two agents are named x"}},
		{"a long title", "change:\n  ai-dog: {title: " + strings.Repeat("x", 81) + "}\n", []string{"2:19: the title has 81 characters"}},
		{"an invisible title", "change:\n  ai-dog: {title: \"a\\u0007b\"}\n", []string{"2:19: the title holds characters"}},
		{"a title that is a list", "change:\n  ai-dog: {title: [Dog]}\n", []string{"the title is a text, not a list"}},
		{"unknown word", head + "titel: X}\n", []string{`"titel" cannot be said of an agent`}},
		{"models of an agent without", "change:\n  ai-dog: {models: [a]}\n", []string{`ai-dog has no field "modelName"`}},
		{"no models", head + "models: []}\n", []string{"models is empty"}},
		{"two models of a name", head + "models: [a, b, a]}\n", []string{`two models are named "a"`}},
		{"a model like nothing", head + "models: [{name: a, like: huge}]}\n", []string{`no model "huge" to be like; it has standard, fast, pro`}},
		{"a model without a name", head + "models: [{title: A}]}\n", []string{"a model needs its name"}},
		{"a model with more", head + "models: [{name: a, price: 3}]}\n", []string{`"price" cannot be said of a model`}},
		{"a model that is a list", head + "models: [[a]]}\n", []string{"a model is a name"}},
		{"options of a text", head + "options: {textDescription: [a]}}\n", []string{"textDescription is not chosen out of a set"}},
		{"options of nothing", head + "options: {colour: [a]}}\n", []string{`x has no field "colour"`}},
		{"no options", head + "options: {imageSize: []}}\n", []string{"imageSize needs one value"}},
		{"an option twice", head + "options: {imageSize: [1K, 1K]}}\n", []string{"1K stands here twice"}},
		{"models among the options", head + "options: {modelName: [a]}}\n", []string{"engines are given under models"}},
		{"a new value of an original", "change:\n  aimodel: {options: {pose: [sitting]}}\n", []string{`pose has no value "sitting"`}},
		{"a default that is gone", "change:\n  aimodel: {options: {pose: [freePose]}}\n", []string{"2:13: pose is originalImagePose by default, which is not allowed"}},
		{"a value that rules need", "change:\n  advanced-video: {options: {aspectRatio: [\"16:9\"]}}\n", []string{"2:20: aspectRatio must keep adaptive"}},
		{"lengths that are none", "change:\n  image-to-video: {durations: [5, 6s, 07s]}\n", []string{`2:32: the length "5"`, `2:39: the length "07s"`}},
		{"lengths from behind", "change:\n  image-to-video: {durations: {from: 9s, to: 3s}}\n", []string{"durations begin at 9s and end at 3s"}},
		{"lengths with one end", "change:\n  image-to-video: {durations: {from: 9s}}\n", []string{"durations need from and to"}},
		{"lengths of a picture", head + "durations: [5s]}\n", []string{`x has no field "duration"`}},
		{"a shape without quotes", head + "options: {aspectRatio: [16:9]}}\n", []string{`not a mapping; a word with a colon, such as "16:9", needs quotes`}},
		{"a limit that is none", head + "limits: {images: many}}\n", []string{`the limit "many" of images`}},
		{"a negative limit", head + "limits: {images: -1}}\n", []string{`the limit "-1" of images`}},
		{"a limit from behind", head + "limits: {images: {min: 3, max: 2}}}\n", []string{"begins at 3 and ends at 2"}},
		{"too many files", head + "limits: {images: 101}}\n", []string{"images takes 1 to 100 files"}},
		{"a limit that an engine cannot keep", head + "limits: {images: {min: 2}}}\n", []string{"needs 2 files and allows 1"}},
		{"two originals", "change:\n  aimodel: {limits: {originalImage: 2}}\n", []string{"originalImage is one file"}},
		{"limits of a choice", head + "limits: {imageSize: 3}}\n", []string{"imageSize has no limits"}},
		{"a default that is not allowed", head + "defaults: {imageSize: 9K}}\n", []string{"imageSize is 9K by default", `"9K" is not one of`}},
		{"a default of one engine", head + "defaults: {aspectRatio: 4:5}}\n", []string{"aspectRatio is 4:5 by default", "Pro engine only"}},
		{"a default count", head + "defaults: {batchCount: some}}\n", []string{"batchCount is some by default"}},
		{"without what is not there", head + "without: [colour]}\n", []string{`x has no field "colour"`}},
		{"without what decides", "change:\n  portrait-motion: {without: [generatedType]}\n", []string{"generatedType decides what portrait-motion makes"}},
		{"a wire value of nothing", "change:\n  aimodel: {wire: {pose: {sitting: s}}}\n", []string{`pose has no value "sitting"`}},
		{"one wire value for two", "change:\n  aimodel: {wire: {pose: {freePose: p, referenceImagePose: p}}}\n", []string{`"p" means both`}},
		{"a wire value that is another's name", "change:\n  aimodel: {wire: {pose: {freePose: referenceImagePose}}}\n", []string{`"referenceImagePose" means both`}},
		{"an indecent name", "add:\n  - {name: ai-undress-pro, like: image-edit, title: X, summary: Y.}\n", []string{"2:12: agents that undress or sexualise people are not offered here"}},
		{"an indecent title", "change:\n  ai-dog: {title: Clothes remover}\n", []string{"2:19: agents that undress"}},
		{"an indecent engine", head + "models: [NudeGen]}\n", []string{"agents that undress"}},
		{"several at once", "hide: [a]\nchange:\n  b: {}\nadd:\n  - {name: c, like: d, title: T, summary: S.}\n", []string{"1:8:", "3:3:", "5:21:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			agents, err := overlay.Apply(catalog.All(), "shop.yaml", []byte(tt.text))
			if err == nil || agents != nil {
				t.Fatalf("got %d agents and error %v", len(agents), err)
			}
			at := 0
			for _, want := range tt.want {
				i := strings.Index(err.Error()[at:], want)
				if i < 0 {
					t.Fatalf("the report lacks %q, or has it out of order:\n%v", want, err)
				}
				at += i
			}
			for line := range strings.Lines(err.Error()) {
				if !strings.HasPrefix(line, "shop.yaml:") {
					t.Errorf("the line %q does not say where", line)
				}
			}
		})
	}
}

func TestHidingEverythingIsRefused(t *testing.T) {
	var text strings.Builder
	text.WriteString("hide:\n")
	for _, a := range catalog.All() {
		text.WriteString("  - " + a.Name + "\n")
	}
	if _, err := overlay.Apply(catalog.All(), "shop.yaml", []byte(text.String())); err == nil || !strings.Contains(err.Error(), "none is left") {
		t.Errorf("error = %v", err)
	}
}

func TestTheNameOfAHiddenAgentMayBeTaken(t *testing.T) {
	agents := apply(t, "hide: [image-to-video]\nadd:\n  - {name: image-to-video, like: frames-to-video, title: Ours, summary: Ours.}\n")
	if a := find(t, agents, "image-to-video"); a.Title != "Ours" {
		t.Errorf("image-to-video is %q", a.Title)
	}
}

func TestDecentNamesAreNotMistaken(t *testing.T) {
	for _, title := range []string{
		"Sundress studio", "Striped shirt", "Clothes wrinkle remover", "Background remover", "Dress try-on", "Pop ornament", "Off-shoulder dress", "Watermark remover",
		"Undercoat", "Sketch of a bra", "Shirt designer", "Middlesex county map",
	} {
		if _, err := overlay.Apply(catalog.All(), "shop.yaml", []byte("change:\n  ai-dog: {title: "+title+"}\n")); err != nil {
			t.Errorf("%q is refused: %v", title, err)
		}
	}
	for _, title := range []string{
		"Undress anyone", "AI undresser", "AIUndress", "clothesRemover", "Remove clothes", "cloth_eraser", "Nude maker", "Nudify", "DeepNude", "Naked filter", "Sexy selfie", "Porn", "NSFW pictures",
		"Take off dress", "Strip dress", "Erotic art", "Topless beach",
	} {
		if _, err := overlay.Apply(catalog.All(), "shop.yaml", []byte("change:\n  ai-dog: {title: "+title+"}\n")); err == nil {
			t.Errorf("%q is taken", title)
		}
	}
}

// FuzzApply: whatever a file holds, either every problem has its place, or there is a catalog whose agents can be asked.
func FuzzApply(f *testing.F) {
	f.Add(example(f))
	for _, text := range []string{
		"", "hide: [ai-dog]", "change: {ai-poster: {models: [{name: a, like: nano}]}}", "add:\n- {name: a, like: advanced-video, title: A, summary: B., without: [firstFrame, modelName]}",
		"a: &b [*b]", "? {a: b}\n: c", "hide: !!binary x", "\xff\xfe", "change:\n  portrait-motion:\n    options: {generatedType: [image]}\n    defaults: {generatedType: image}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		agents, err := overlay.Apply(catalog.All(), "shop.yaml", data)
		if err != nil {
			if agents != nil {
				t.Fatal("there is an error and there are agents")
			}
			return
		}
		if len(agents) == 0 {
			t.Fatal("no agent is left and nothing was said")
		}
		for _, a := range agents {
			for _, s := range a.Surfaces {
				in := catalog.Fill(a, s, catalog.Input{})
				for _, p := range catalog.Refusals(catalog.Check(a, s, in)) {
					if _, isParam := a.Param(p.Field); isParam && in.Values[p.Field] != nil {
						t.Fatalf("%s: its own default is refused: %v", a.Name, p)
					}
				}
				catalog.Encode(a, s, in)
			}
		}
	})
}
