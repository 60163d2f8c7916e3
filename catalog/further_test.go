package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
)

// listed are the identifiers of Run API, "Catalog of further agents", as it lists them, and the neutral names that stand
// for the shapes whose identifiers it omits.
var listed = map[string]string{
	"A": `ai-aging ai-elf ai-selfie ai-zombie anime-image-converter bald-filter bangs-filter buzz-cut-ai chibi-maker fat-ai gender-swap
		mugshot-creator ps2-filter skin-color-changer ai-hair-color-changer hair-color-try-on ai-translate image-to-sketch ai-3d-rendering
		2d-to-3d-image-converter outfit-generator ai-hairstyle-changer ai-room-planner ai-tattoo-generator ai-spray-paint ai-dog
		ai-action-figure-generators ai-flag-generator ghibli-art-create remove-filter-from-photo random-animal-generator pregnant_ai
		wild-graffiti-generator ai-headshot-generator ai-blemish-remover photo-wrinkle-remover ai-ghost-mannequin-generator
		glasses-remover-from-photo`, // the last one is not in the document: docs/spec-gaps.md
	"B": `ai-clothes-changer ai-face-merge ai-image-combiner image-mixer ai-couple-photo-maker ai-collage-maker ai-group-photo-generator
		baby-face-generator ai-landscape-design-free ai-photoshoot`,
	"C": "ai-infographic-generator flowchart-generator ai-logo-generator z-image ai-poster ai-poster-from-images flat-lay face-forge",
	"D": "image-studio image-search image-light image-quality image-edit",
	"E": "image-to-video frames-to-video text-to-video reference-to-video advanced-video multimodal-video motion-transfer",
	"F": `ai-text-remover-from-video logo-remover-from-video remove-subtitles-from-video-online-free remove-text-from-video-online-free
		video-watermark-remover free-4k-video-upscaler free-online-video-quality-enhancer improve-video-quality-online-free
		video-resolution-enhancer-online-free video-upscaler-online-free ai-video-enhancer replace-face-in-video-online-free`,
	"G":        "portrait-motion",
	"original": "aimodel aiproduct aipose expandimage removeBG virtualtryon",
}

func TestEveryAgentOfTheDocumentsIsThereAndNoOther(t *testing.T) {
	got := map[string][]string{}
	for _, a := range catalog.All() {
		got[a.Family] = append(got[a.Family], a.Name)
		if a.Version != "v1.0" {
			t.Errorf("%s is at %s; every agent is at v1.0", a.Name, a.Version)
		}
		if a.Family != "original" && !slices.Equal(a.Surfaces, []catalog.Surface{run}) {
			t.Errorf("%s is on %v; the further agents are on the run surface", a.Name, a.Surfaces)
		}
		if film := strings.Contains("E F G", a.Family); film != (a.Makes == catalog.MakesVideo) {
			t.Errorf("%s of family %s makes %s", a.Name, a.Family, a.Makes)
		}
	}
	for family, names := range listed {
		want := strings.Fields(names)
		slices.Sort(want)
		slices.Sort(got[family])
		if diff := cmp.Diff(want, got[family]); diff != "" {
			t.Errorf("family %s (-document +catalog):\n%s", family, diff)
		}
	}
	if len(got) != len(listed) {
		t.Errorf("%d families, want %d", len(got), len(listed))
	}
}

// TestHowManyFilesEachAgentTakes holds the counts of the tables.
func TestHowManyFilesEachAgentTakes(t *testing.T) {
	tests := []struct {
		agents     string
		field      string
		least, max int
	}{
		{strings.Join(strings.Fields(listed["A"])[:21], " "), "images", 1, 1},
		{`ai-hairstyle-changer ai-room-planner ai-tattoo-generator ai-spray-paint ai-dog ai-action-figure-generators ai-flag-generator
			ghibli-art-create remove-filter-from-photo random-animal-generator`, "images", 0, 1},
		{"ai-headshot-generator ai-blemish-remover photo-wrinkle-remover ai-ghost-mannequin-generator flat-lay image-to-video motion-transfer portrait-motion", "images", 1, 1},
		{"pregnant_ai", "originalImage", 1, 1},
		{"wild-graffiti-generator", "originalImage", 0, 1},
		{"ai-clothes-changer ai-face-merge ai-image-combiner image-mixer ai-couple-photo-maker ai-photoshoot", "images", 2, 2},
		{"ai-collage-maker ai-group-photo-generator", "images", 1, 10},
		{"baby-face-generator ai-landscape-design-free", "images", 0, 2},
		{"ai-poster", "images", 0, 6},
		{"ai-poster-from-images", "images", 0, 5},
		{"face-forge", "images", 0, 3},
		{listed["F"] + " motion-transfer", "videos", 1, 1},
		{"replace-face-in-video-online-free", "images", 1, 1},
		{"advanced-video", "images", 0, 30},
		{"advanced-video", "videos", 0, 10},
		{"advanced-video", "audios", 0, 10},
		{"advanced-video", "extendVideo", 0, 1},
	}
	for _, tt := range tests {
		for name := range strings.FieldsSeq(tt.agents) {
			a, _ := catalog.Find(name, "")
			if f, ok := a.File(tt.field); !ok || f.Min != tt.least || f.Max != tt.max {
				t.Errorf("%s takes %d to %d %s, want %d to %d", name, f.Min, f.Max, tt.field, tt.least, tt.max)
			}
		}
	}
	for _, name := range []string{"ai-infographic-generator", "flowchart-generator", "ai-logo-generator", "z-image"} {
		if a, _ := catalog.Find(name, ""); len(a.Files) > 0 {
			t.Errorf("%s takes files; it works by words alone", name)
		}
	}
}

// TestFurtherParamsAndDefaults holds the values and defaults of the tables.
func TestFurtherParamsAndDefaults(t *testing.T) {
	const nine = "auto 1:1 2:3 3:2 3:4 4:3 9:16 16:9 21:9"
	tests := []struct {
		agent, param, options string
		standard              any
	}{
		{"ai-aging", "batchCount", "", 1},
		{"ai-ghost-mannequin-generator", "aspectRatio", nine, "1:1"},
		{"ai-ghost-mannequin-generator", "imageSize", "1K 2K 4K", "1K"},
		{"ai-photoshoot", "modelName", "qwen firered nano", "qwen"},
		{"ai-photoshoot", "aspectRatio", nine, "auto"},
		{"ai-photoshoot", "imageSize", "1K 2K 4K", "1K"},
		{"z-image", "aspectRatio", "1:1 2:3 3:2 3:4 4:3 9:16 16:9 21:9", "1:1"},
		{"ai-poster", "modelName", "jimeng nano nano2", "jimeng"},
		{"ai-poster", "aspectRatio", nine, "1:1"},
		{"ai-poster", "imageSize", "1K 2K 4K", "1K"},
		{"ai-poster-from-images", "aspectRatio", nine, "1:1"},
		{"ai-poster-from-images", "imageSize", "1K 2K 4K", "1K"},
		{"flat-lay", "modelName", "nano2 nano", "nano2"},
		{"flat-lay", "imageSize", "1K 2K 4K", "1K"},
		{"flat-lay", "aspectRatio", nine, "1:1"},
		{"face-forge", "modelName", "jimeng nano", "jimeng"},
		{"face-forge", "aspectRatio", nine, nil},
		{"image-light", "imageSize", "1K 2K 3K 4K", nil},
		{"image-quality", "quality", "low medium high xhigh max", "low"},
		{"image-studio", "outputFormat", "jpeg png", "jpeg"},
		{"image-search", "tools", "web_search", nil},
		{"advanced-video", "extendDirection", "forward backward", nil},
		{"advanced-video", "resolution", "480p 720p 1080p 4k", "720p"},
		{"advanced-video", "outputFormat", "mp4 mov", "mp4"},
		{"advanced-video", "returnLastFrame", "", false},
		{"advanced-video", "duration", "-1", nil},
		{"image-to-video", "duration", "6s 10s", nil},
		{"image-to-video", "generateAudio", "true false", nil},
		{"image-to-video", "batchCount", "", 1},
		{"video-watermark-remover", "watermarkSelectType", "autoDetect", "autoDetect"},
		{"free-4k-video-upscaler", "videoSize", "2K 4K", "4K"},
		{"ai-video-enhancer", "videoSize", "2K 4K", nil},
		{"replace-face-in-video-online-free", "batchCount", "", 1},
		{"portrait-motion", "generatedType", "video image", "video"},
	}
	for _, tt := range tests {
		a, _ := catalog.Find(tt.agent, "")
		p, ok := a.Param(tt.param)
		if !ok {
			t.Errorf("%s has no %s", tt.agent, tt.param)
			continue
		}
		got, want := []string{}, strings.Fields(tt.options)
		for _, o := range p.Options {
			got = append(got, o.Value)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s of %s offers %v, want %v", tt.param, tt.agent, got, want)
		}
		if p.DefaultOn(run) != tt.standard {
			t.Errorf("%s of %s is %v by default, want %v", tt.param, tt.agent, p.DefaultOn(run), tt.standard)
		}
	}
	for _, a := range catalog.All() {
		if p, ok := a.Param("batchCount"); a.Family == "F" && ok != (a.Name == "replace-face-in-video-online-free") {
			t.Errorf("%s: batchCount is listed for face replacement alone in family F, here it is %v", a.Name, p)
		}
	}
	wordsNeeded := strings.Fields(`ai-headshot-generator ai-blemish-remover photo-wrinkle-remover ai-infographic-generator flowchart-generator
		ai-logo-generator z-image ai-poster flat-lay`)
	for _, a := range catalog.All() {
		if p, ok := a.Param("textDescription"); ok && strings.Contains("A B C", a.Family) && p.Required != slices.Contains(wordsNeeded, a.Name) {
			t.Errorf("%s: textDescription is required: %v", a.Name, p.Required)
		}
	}
}

// TestTheRulesOfTheVideoParagraph holds Run API, "Family E", sentence by sentence.
func TestTheRulesOfTheVideoParagraph(t *testing.T) {
	words := catalog.Values{"textDescription": "a slow turn"}
	with := func(pairs ...any) catalog.Values {
		v := catalog.Values{"textDescription": "a slow turn"}
		for i := 0; i < len(pairs); i += 2 {
			v[pairs[i].(string)] = pairs[i+1]
		}
		return v
	}
	n := func(field string, count int) map[string][]string {
		return map[string][]string{field: slices.Repeat([]string{photo}, count)}
	}
	both := func(list ...map[string][]string) map[string][]string {
		out := map[string][]string{}
		for _, m := range list {
			maps.Copy(out, m)
		}
		return out
	}
	film := func(seconds float64, w, h int, container string) catalog.Facts {
		return catalog.Facts{Seconds: seconds, Width: w, Height: h, Container: container}
	}
	of := func(field string, facts ...catalog.Facts) map[string][]catalog.Facts {
		return map[string][]catalog.Facts{field: facts}
	}
	tests := []struct {
		name   string
		agent  string
		values catalog.Values
		files  map[string][]string
		media  map[string][]catalog.Facts
		want   []string
		notes  []string
	}{
		{"words alone", "advanced-video", words, nil, nil, nil, nil},
		{"no words", "advanced-video", nil, nil, nil, []string{"textDescription"}, nil},
		{"first frame", "advanced-video", words, n("firstFrame", 1), nil, nil, nil},
		{"both frames", "advanced-video", words, both(n("firstFrame", 1), n("lastFrame", 1)), nil, nil, nil},
		{"last frame alone", "advanced-video", words, n("lastFrame", 1), nil, []string{"lastFrame"}, nil},
		{"first frame and pictures", "advanced-video", words, both(n("firstFrame", 1), n("images", 1)), nil, []string{"firstFrame"}, nil},
		{"first frame and films", "advanced-video", words, both(n("firstFrame", 1), n("videos", 1)), nil, []string{"firstFrame"}, nil},
		{"first frame and sounds", "advanced-video", words, both(n("firstFrame", 1), n("audios", 1)), nil, []string{"firstFrame"}, nil},
		{"first frame and a film to continue", "advanced-video", with("extendDirection", "forward"), both(n("firstFrame", 1), n("extendVideo", 1)), nil, []string{"firstFrame"}, nil},
		{"first frame, adaptive", "advanced-video", with("aspectRatio", "adaptive"), n("firstFrame", 1), nil, nil, nil},
		{"first frame, 16:9", "advanced-video", with("aspectRatio", "16:9"), n("firstFrame", 1), nil, []string{"aspectRatio"}, nil},
		{"references, 16:9", "advanced-video", with("aspectRatio", "16:9"), n("images", 3), nil, nil, nil},
		{"continued without direction", "advanced-video", words, n("extendVideo", 1), nil, []string{"extendDirection"}, nil},
		{"continued backward", "advanced-video", with("extendDirection", "backward"), n("extendVideo", 1), nil, nil, nil},
		{"continued sideways", "advanced-video", with("extendDirection", "sideways"), n("extendVideo", 1), nil, []string{"extendDirection"}, nil},
		{"continued, 16:9", "advanced-video", with("extendDirection", "forward", "aspectRatio", "16:9"), n("extendVideo", 1), nil, []string{"aspectRatio"}, nil},
		{"direction without a film", "advanced-video", with("extendDirection", "forward"), nil, nil, nil, []string{"extendDirection"}},
		{"9 films and one to continue", "advanced-video", with("extendDirection", "forward"), both(n("videos", 9), n("extendVideo", 1)), nil, nil, nil},
		{"10 films and one to continue", "advanced-video", with("extendDirection", "forward"), both(n("videos", 10), n("extendVideo", 1)), nil, []string{"videos"}, nil},
		{"30, 10 and 10", "advanced-video", words, both(n("images", 30), n("videos", 10), n("audios", 10)), nil, nil, nil},
		{"31 pictures", "advanced-video", words, n("images", 31), nil, []string{"images"}, nil},
		{"11 films", "advanced-video", words, n("videos", 11), nil, []string{"videos"}, nil},
		{"11 sounds", "advanced-video", words, n("audios", 11), nil, []string{"audios"}, nil},
		{"51 files", "advanced-video", with("extendDirection", "forward"), both(n("images", 30), n("videos", 10), n("audios", 10), n("extendVideo", 1)), nil, []string{"images", "videos"}, nil},
		{"a good film", "advanced-video", words, n("videos", 1), of("videos", film(2, 1280, 720, "mp4")), nil, nil},
		{"an upright film", "advanced-video", words, n("videos", 1), of("videos", film(30, 480, 854, "mov")), nil, nil},
		{"a film rounded by its encoder", "advanced-video", words, n("videos", 1), of("videos", film(5, 864, 496, "mp4")), nil, nil},
		{"a film in 1080p", "advanced-video", words, n("videos", 1), of("videos", film(5, 1920, 1080, "mp4")), []string{"videos"}, nil},
		{"a film in 600 lines", "advanced-video", words, n("videos", 1), of("videos", film(5, 1066, 600, "mp4")), []string{"videos"}, nil},
		{"a WebM film", "advanced-video", words, n("videos", 1), of("videos", film(5, 1280, 720, "webm")), []string{"videos"}, nil},
		{"1.9 seconds", "advanced-video", words, n("videos", 1), of("videos", film(1.9, 1280, 720, "mp4")), []string{"videos"}, nil},
		{"30.1 seconds", "advanced-video", words, n("videos", 1), of("videos", film(30.1, 1280, 720, "mp4")), []string{"videos"}, nil},
		{"30 seconds together", "advanced-video", words, n("videos", 2), of("videos", film(14, 1280, 720, "mp4"), film(16, 854, 480, "mov")), nil, nil},
		{"30 seconds together in four parts", "advanced-video", words, n("videos", 4), of("videos", film(2.2, 854, 480, "mp4"), film(5.9, 854, 480, "mp4"), film(3.3, 854, 480, "mp4"), film(18.6, 854, 480, "mp4")), nil, nil},
		{"30.01 seconds together", "advanced-video", words, n("videos", 2), of("videos", film(14, 1280, 720, "mp4"), film(16.01, 854, 480, "mov")), []string{"videos"}, nil},
		{"31 seconds together", "advanced-video", words, n("videos", 2), of("videos", film(15, 1280, 720, "mp4"), film(16, 854, 480, "mov")), []string{"videos"}, nil},
		{"a long film to continue", "advanced-video", with("extendDirection", "forward"), n("extendVideo", 1), of("extendVideo", film(31, 1280, 720, "mp4")), []string{"extendVideo", "videos"}, nil},
		{"nothing known of a film", "advanced-video", words, n("videos", 2), of("videos", catalog.Facts{}), nil, nil},
		{"4k with the standard engine", "advanced-video", with("resolution", "4k"), nil, nil, []string{"resolution"}, nil},
		{"4k with the pro engine", "advanced-video", with("resolution", "4k", "modelName", "pro"), nil, nil, nil, nil},
		{"length chosen by the agent", "advanced-video", with("duration", "-1"), nil, nil, nil, nil},
		{"31 seconds long", "advanced-video", with("duration", "31s"), nil, nil, []string{"duration"}, nil},
		{"sound as a boolean", "advanced-video", with("generateAudio", true), nil, nil, nil, nil},
		{"sound perhaps", "advanced-video", with("generateAudio", "maybe"), nil, nil, []string{"generateAudio"}, nil},

		{"frame, adaptive", "multimodal-video", with("aspectRatio", "adaptive"), n("firstFrame", 1), nil, nil, nil},
		{"frame, 9:16", "multimodal-video", with("aspectRatio", "9:16"), n("firstFrame", 1), nil, []string{"aspectRatio"}, nil},
		{"frame and sounds", "multimodal-video", words, both(n("firstFrame", 1), n("audios", 1)), nil, []string{"firstFrame"}, nil},
		{"references, 9:16", "multimodal-video", with("aspectRatio", "9:16"), n("images", 2), nil, nil, nil},
		{"references, adaptive", "multimodal-video", with("aspectRatio", "adaptive"), n("videos", 1), nil, nil, nil},
		{"sounds alone, adaptive", "multimodal-video", with("aspectRatio", "adaptive"), n("audios", 1), nil, nil, []string{"aspectRatio"}},
		{"frame and last frame", "multimodal-video", words, both(n("firstFrame", 1), n("lastFrame", 1)), nil, nil, nil},

		{"motion without words", "motion-transfer", nil, both(n("images", 1), n("videos", 1)), nil, nil, nil},
		{"motion without a film", "motion-transfer", nil, n("images", 1), nil, []string{"videos"}, nil},
		{"face replacement without a face", "replace-face-in-video-online-free", nil, n("videos", 1), nil, []string{"images"}, nil},
		{"4:5 with the standard engine", "image-studio", with("aspectRatio", "4:5"), nil, nil, []string{"aspectRatio"}, nil},
		{"5 pictures with the standard engine", "image-studio", words, n("images", 5), nil, []string{"images"}, nil},
		{"16 pictures with the pro engine", "image-studio", with("modelName", "pro"), n("images", 16), nil, nil, nil},
		{"3K with the standard engine", "image-light", with("imageSize", "3K"), nil, nil, []string{"imageSize"}, nil},
		{"the highest quality", "image-quality", with("quality", "max"), nil, nil, []string{"quality"}, nil},
		{"1:8", "image-search", with("aspectRatio", "1:8", "modelName", "search"), nil, nil, nil, nil},
		{"search with the standard engine", "image-search", with("tools", []any{"web_search"}), nil, nil, []string{"tools"}, nil},
		{"a picture alone", "image-edit", nil, n("images", 1), nil, nil, nil},
		{"neither picture nor words", "image-edit", nil, nil, nil, []string{"images"}, nil},
		{"size without its engine", "ai-photoshoot", catalog.Values{"imageSize": "4K"}, n("images", 2), nil, nil, []string{"imageSize"}},
		{"shape without its engine", "ai-photoshoot", catalog.Values{"aspectRatio": "16:9"}, n("images", 2), nil, nil, nil},
		{"shape and size without their engine", "ai-poster", with("imageSize", "4K", "aspectRatio", "16:9"), nil, nil, nil, []string{"aspectRatio", "imageSize"}},
		{"one person", "ai-clothes-changer", nil, n("images", 1), nil, []string{"images"}, nil},
		{"three people", "ai-clothes-changer", nil, n("images", 3), nil, []string{"images"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.agent+"/"+tt.name, func(t *testing.T) {
			a, _ := catalog.Find(tt.agent, "")
			got := catalog.Check(a, run, catalog.Input{Values: tt.values, Files: tt.files, Media: tt.media})
			if diff := cmp.Diff(tt.want, fields(catalog.Refusals(got))); diff != "" {
				t.Errorf("refused fields (-want +got):\n%s%v", diff, got)
			}
			if diff := cmp.Diff(tt.notes, notes(got)); diff != "" {
				t.Errorf("noted fields (-want +got):\n%s%v", diff, got)
			}
		})
	}
}

func TestAFirstFrameSendsAdaptiveAndNothingToFollowFallsBack(t *testing.T) {
	advanced, _ := catalog.Find("advanced-video", "")
	multimodal, _ := catalog.Find("multimodal-video", "")
	frame := catalog.Input{Values: catalog.Values{"textDescription": "a slow turn"}, Files: map[string][]string{"firstFrame": {photo}}}
	for _, a := range []catalog.Agent{advanced, multimodal} {
		init, params := catalog.Encode(a, run, frame)
		if params["aspectRatio"] != "adaptive" || params["firstFrame"] != photo || init["firstFrame"] != nil {
			t.Errorf("%s sends %v and %v", a.Name, init, params)
		}
	}
	bare := catalog.Input{Values: catalog.Values{"textDescription": "a slow turn", "aspectRatio": "adaptive"}}
	if got := catalog.Fill(multimodal, run, bare).Values["aspectRatio"]; got != "16:9" {
		t.Errorf("adaptive with nothing to follow is taken as %v", got)
	}
	if got := notes(catalog.Check(multimodal, run, bare)); !slices.Equal(got, []string{"aspectRatio"}) {
		t.Errorf("adaptive with nothing to follow is noted in %v", got)
	}
	untouched := catalog.Input{Values: catalog.Values{"textDescription": "a slow turn"}}
	if got := notes(catalog.Check(multimodal, run, untouched)); !slices.Equal(got, []string{"aspectRatio"}) {
		t.Errorf("adaptive by default, with nothing to follow, is noted in %v", got)
	}
	bare.Files = map[string][]string{"images": {photo}}
	if got := catalog.Fill(multimodal, run, bare).Values["aspectRatio"]; got != "adaptive" {
		t.Errorf("adaptive with a picture is taken as %v", got)
	}
	if got := notes(catalog.Check(multimodal, run, bare)); len(got) > 0 {
		t.Errorf("adaptive with a picture is noted in %v", got)
	}
	if got := catalog.Fill(advanced, run, catalog.Input{}).Values["aspectRatio"]; got != nil {
		t.Errorf("without a first frame the shape is %v", got)
	}
}

func TestAFormKnowsWhatMayBeChosenAndHowMuchRoomThereIs(t *testing.T) {
	studio, _ := catalog.Find("image-studio", "")
	video, _ := catalog.Find("advanced-video", "")
	values := func(options []catalog.Option) (out []string) {
		for _, o := range options {
			out = append(out, o.Value)
		}
		return out
	}
	pro := catalog.Input{Values: catalog.Values{"modelName": "pro"}}
	if got := values(catalog.Choices(studio, run, catalog.Input{}, "aspectRatio")); slices.Contains(got, "4:5") || len(got) != 9 {
		t.Errorf("the standard engine offers the shapes %v", got)
	}
	if got := values(catalog.Choices(studio, run, pro, "aspectRatio")); !slices.Contains(got, "4:5") {
		t.Errorf("the pro engine offers the shapes %v", got)
	}
	frame := catalog.Input{Files: map[string][]string{"firstFrame": {photo}}}
	if got := values(catalog.Choices(video, run, frame, "aspectRatio")); !slices.Equal(got, []string{"adaptive"}) {
		t.Errorf("with a first frame the shapes are %v", got)
	}
	if got := catalog.Room(studio, run, catalog.Input{}, "images"); got != 4 {
		t.Errorf("the standard engine takes %d pictures, want 4", got)
	}
	if got := catalog.Room(studio, run, pro, "images"); got != 16 {
		t.Errorf("the pro engine takes %d pictures, want 16", got)
	}
	longer := catalog.Input{Files: map[string][]string{"extendVideo": {photo}}}
	if got := catalog.Room(video, run, longer, "videos"); got != 9 {
		t.Errorf("beside a film to continue there is room for %d films, want 9", got)
	}
	if got := catalog.Room(video, run, frame, "lastFrame"); got != 1 {
		t.Errorf("beside a first frame there is room for %d last frames, want 1", got)
	}
	if got := catalog.Room(video, run, catalog.Input{}, "lastFrame"); got != 0 {
		t.Errorf("without a first frame there is room for %d last frames, want none", got)
	}
}

func TestWhatARunMakes(t *testing.T) {
	portrait, _ := catalog.Find("portrait-motion", "")
	aging, _ := catalog.Find("ai-aging", "")
	tests := []struct {
		agent  catalog.Agent
		values catalog.Values
		want   catalog.Makes
	}{
		{portrait, nil, catalog.MakesVideo},
		{portrait, catalog.Values{"generatedType": "video"}, catalog.MakesVideo},
		{portrait, catalog.Values{"generatedType": "image"}, catalog.MakesImage},
		{portrait, catalog.Values{"generatedType": "statue"}, catalog.MakesVideo},
		{aging, nil, catalog.MakesImage},
	}
	for _, tt := range tests {
		if got := tt.agent.MakesIn(run, catalog.Input{Values: tt.values}); got != tt.want {
			t.Errorf("%s with %v makes %s, want %s", tt.agent.Name, tt.values, got, tt.want)
		}
	}
}

func TestCountsAreToldInWords(t *testing.T) {
	tests := []struct {
		agent string
		n     int
		want  string
	}{
		{"ai-clothes-changer", 1, "Person and garment: exactly 2 required, 1 given."},
		{"ai-clothes-changer", 3, "Person and garment: exactly 2 required, 3 given."},
		{"ai-collage-maker", 0, "Pictures: at least one is required."},
		{"ai-collage-maker", 11, "Pictures: at most 10 allowed, 11 given."},
		{"ai-aging", 0, "Add a photo."},
		{"image-studio", 5, "Pictures: at most 4 with the Standard engine."},
	}
	for _, tt := range tests {
		a, _ := catalog.Find(tt.agent, "")
		in := catalog.Input{Files: map[string][]string{"images": slices.Repeat([]string{photo}, tt.n)}}
		got := catalog.Refusals(catalog.Check(a, run, in))
		if !slices.ContainsFunc(got, func(p catalog.Problem) bool { return p.Field == "images" && p.Message == tt.want }) {
			t.Errorf("%s with %d pictures: %v, want %q", tt.agent, tt.n, got, tt.want)
		}
	}
}
