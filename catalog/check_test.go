package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
)

const (
	photo   = "https://pictures.example/dress.jpg"
	maskPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

// valid is a request that every surface of the agent takes.
func valid(agent string) catalog.Input {
	in := catalog.Input{Files: map[string][]string{"originalImage": {photo}}, Values: catalog.Values{}}
	switch agent {
	case "aimodel":
		in.Values = catalog.Values{"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": 7.0}
	case "aiproduct":
		in.Values = catalog.Values{"generatedContent": "referToOrigin", "maskType": "autoSubjectSegment", "textDescription": "on marble"}
	case "aipose":
		in.Values = catalog.Values{"textDescription": "hands in the pockets"}
	case "expandimage":
		in.Values = catalog.Values{"targetWidth": 2000.0, "targetHeight": 1000.0}
		in.SourceWidth, in.SourceHeight = 800, 600
	case "removeBG":
		in.Values = catalog.Values{"maskType": "autoSubjectSegment", "backgroundHex": "#FF8800"}
	case "virtualtryon":
		in.Values = catalog.Values{"generateVersion": "serviceFlash", "descriptionType": "auto"}
	}
	return in
}

// with gives the input with some values set; nil takes a value away.
func with(in catalog.Input, pairs ...any) catalog.Input {
	in.Values = maps.Clone(in.Values)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			delete(in.Values, pairs[i].(string))
		} else {
			in.Values[pairs[i].(string)] = pairs[i+1]
		}
	}
	return in
}

func fields(problems []catalog.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Field)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func notes(problems []catalog.Problem) []string {
	return fields(slices.DeleteFunc(slices.Clone(problems), func(p catalog.Problem) bool { return !p.Note }))
}

const (
	task = catalog.Task
	run  = catalog.Run
)

func TestCheckRefusesWhatTheDocumentsRefuse(t *testing.T) {
	set := func(pairs ...any) []any { return pairs }
	tests := []struct {
		name    string
		agent   string
		surface catalog.Surface
		set     []any
		want    []string // fields refused
		notes   []string // fields with a note
	}{
		// Task API, "aimodel v1.0"
		{"complete", "aimodel", task, nil, nil, nil},
		{"complete", "aimodel", run, nil, nil, nil},
		{"look missing", "aimodel", task, set("generatedContent", nil), []string{"generatedContent"}, nil},
		{"look blank", "aimodel", task, set("generatedContent", " "), []string{"generatedContent"}, nil},
		{"look unknown", "aimodel", task, set("generatedContent", "wild"), []string{"generatedContent"}, nil},
		{"look in other letters", "aimodel", task, set("generatedContent", "FreeCreation"), []string{"generatedContent"}, nil},
		{"look a number", "aimodel", task, set("generatedContent", 1.0), []string{"generatedContent"}, nil},
		{"look like the photo", "aimodel", run, set("generatedContent", "referToOrigin"), nil, nil},
		{"mask type missing", "aimodel", task, set("maskType", nil), []string{"maskType"}, nil},
		{"mask type unknown", "aimodel", run, set("maskType", "autoHatSegment"), []string{"maskType"}, nil},
		{"upper apparel", "aimodel", task, set("maskType", "autoUpperApparelSegment"), nil, nil},
		{"lower apparel", "aimodel", task, set("maskType", "autoLowerApparelSegment"), nil, nil},
		{"subject", "aimodel", task, set("maskType", "autoSubjectSegment"), nil, nil},
		{"inverse human", "aimodel", task, set("maskType", "inverseAutoHumanSegment"), nil, nil},
		{"custom without mask", "aimodel", task, set("maskType", "custom"), []string{"customMask"}, nil},
		{"custom without mask", "aimodel", run, set("maskType", "custom"), []string{"customMask"}, nil},
		{"custom with mask", "aimodel", task, set("maskType", "custom", "customMask", maskPNG), nil, nil},
		{"custom with mask address", "aimodel", run, set("maskType", "custom", "customMaskUrl", photo), nil, nil},
		{"custom with both", "aimodel", run, set("maskType", "custom", "customMask", maskPNG, "customMaskUrl", photo), []string{"customMaskUrl"}, nil},
		{"custom with both", "aimodel", task, set("maskType", "custom", "customMask", maskPNG, "customMaskUrl", photo), nil, nil},
		{"custom with blank address", "aimodel", run, set("maskType", "custom", "customMask", maskPNG, "customMaskUrl", ""), nil, nil},
		{"mask with data URI", "aimodel", task, set("maskType", "custom", "customMask", "data:image/png;base64,"+maskPNG), []string{"customMask"}, nil},
		{"mask a JPEG", "aimodel", task, set("maskType", "custom", "customMask", "/9j/4AAQSkZJRg=="), []string{"customMask"}, nil},
		{"mask no base64", "aimodel", task, set("maskType", "custom", "customMask", "iVBORw0KGgo***"), []string{"customMask"}, nil},
		{"mask cut off", "aimodel", task, set("maskType", "custom", "customMask", maskPNG[:len(maskPNG)-1]), []string{"customMask"}, nil},
		{"mask with line breaks", "aimodel", task, set("maskType", "custom", "customMask", maskPNG[:40]+"\n"+maskPNG[40:]), nil, nil},
		{"mask a number", "aimodel", task, set("maskType", "custom", "customMask", 1.0), []string{"customMask"}, nil},
		{"mask address not http", "aimodel", task, set("maskType", "custom", "customMaskUrl", "ftp://a/b.png"), []string{"customMaskUrl"}, nil},
		{"mask without custom", "aimodel", task, set("customMask", maskPNG), nil, []string{"customMask"}},
		{"neither scene, model nor words", "aimodel", task, set("locationId", nil), []string{"locationId"}, nil},
		{"neither scene, model nor words", "aimodel", run, set("locationId", nil), []string{"locationId"}, nil},
		{"tags alone", "aimodel", task, set("locationId", nil, "locationTagIds", []any{3.0}), []string{"locationId"}, nil},
		{"words alone", "aimodel", task, set("locationId", nil, "textDescription", "at the sea"), nil, nil},
		{"blank words alone", "aimodel", task, set("locationId", nil, "textDescription", "  "), []string{"locationId"}, nil},
		{"model alone", "aimodel", task, set("locationId", nil, "fashionModelId", 9.0), nil, nil},
		{"scene id above 2^31", "aimodel", task, set("locationId", 4294967297.0), nil, nil},
		{"scene id as text", "aimodel", task, set("locationId", "4294967297"), nil, nil},
		{"scene id zero", "aimodel", task, set("locationId", 0.0), []string{"locationId"}, nil},
		{"scene id negative", "aimodel", task, set("locationId", -3.0), []string{"locationId"}, nil},
		{"scene id one", "aimodel", task, set("locationId", 1.0), nil, nil},
		{"scene id broken", "aimodel", task, set("locationId", 1.5), []string{"locationId"}, nil},
		{"scene id words", "aimodel", task, set("locationId", "loft"), []string{"locationId"}, nil},
		{"scene tags", "aimodel", task, set("locationTagIds", []any{1.0, "2"}), nil, nil},
		{"scene tags not a list", "aimodel", task, set("locationTagIds", 1.0), []string{"locationTagIds"}, nil},
		{"scene tag not a number", "aimodel", task, set("locationTagIds", []any{"loft"}), []string{"locationTagIds"}, nil},
		{"scene tag zero", "aimodel", task, set("locationTagIds", []any{0.0}), []string{"locationTagIds"}, nil},
		{"model tags", "aimodel", run, set("fashionModelTagIds", []any{12.0}), nil, nil},
		{"model tags empty", "aimodel", run, set("fashionModelTagIds", []any{}), nil, nil},
		{"things to avoid", "aimodel", run, set("negTextDescription", "hats"), nil, nil},
		{"things to avoid a list", "aimodel", run, set("negTextDescription", []any{"hats"}), []string{"negTextDescription"}, nil},
		{"pose of the photo", "aimodel", task, set("pose", "originalImagePose"), nil, nil},
		{"pose of the reference", "aimodel", task, set("pose", "referenceImagePose"), nil, nil},
		{"pose free", "aimodel", run, set("pose", "freePose"), nil, nil},
		{"pose unknown", "aimodel", run, set("pose", "sitting"), []string{"pose"}, nil},
		{"pose blank", "aimodel", run, set("pose", ""), nil, nil},
		{"model with subject kept", "aimodel", task, set("maskType", "autoSubjectSegment", "fashionModelId", 2.0), nil, []string{"fashionModelId"}},
		{"model with subject kept", "aimodel", run, set("maskType", "autoSubjectSegment", "fashionModelId", 2.0), nil, []string{"fashionModelId"}},
		{"scene with face redrawn", "aimodel", task, set("maskType", "autoHumanSegment"), nil, []string{"locationId"}},
		{"model with face redrawn", "aimodel", task, set("maskType", "autoHumanSegment", "locationId", nil, "fashionModelId", 2.0), nil, nil},
		{"jpg", "aimodel", task, set("resultImageFormat", "jpg"), nil, nil},
		{"png", "aimodel", task, set("resultImageFormat", "png"), nil, nil},
		{"webp results", "aimodel", task, set("resultImageFormat", "webp"), []string{"resultImageFormat"}, nil},
		{"jpeg by another name", "aimodel", task, set("resultImageFormat", "jpeg"), []string{"resultImageFormat"}, nil},
		{"own size", "aimodel", task, set("resizeToOriginalImage", true), nil, nil},
		{"own size as text", "aimodel", task, set("resizeToOriginalImage", "false"), nil, nil},
		{"own size a number", "aimodel", task, set("resizeToOriginalImage", 1.0), []string{"resizeToOriginalImage"}, nil},
		{"unknown param", "aimodel", task, set("seed", 42.0), nil, []string{"seed"}},

		// "batchCount": 1 to 16; out of range is replaced by the default
		{"no count", "aimodel", task, nil, nil, nil},
		{"count 1", "aimodel", task, set("batchCount", 1.0), nil, nil},
		{"count 16", "aimodel", task, set("batchCount", 16.0), nil, nil},
		{"count as text", "aimodel", run, set("batchCount", "16"), nil, nil},
		{"count 0", "aimodel", task, set("batchCount", 0.0), nil, []string{"batchCount"}},
		{"count 17", "aimodel", task, set("batchCount", 17.0), nil, []string{"batchCount"}},
		{"count 17 as text", "aimodel", run, set("batchCount", "17"), nil, []string{"batchCount"}},
		{"count -1", "aimodel", run, set("batchCount", -1.0), nil, []string{"batchCount"}},
		{"count 2.5", "aimodel", task, set("batchCount", 2.5), nil, []string{"batchCount"}},
		{"count 2.5 as text", "aimodel", run, set("batchCount", "2.5"), nil, []string{"batchCount"}},
		{"count with too many digits", "aimodel", run, set("batchCount", "9999999999999999999999"), nil, []string{"batchCount"}},
		{"no count", "aimodel", task, set("batchCount", true), []string{"batchCount"}, nil},
		{"count words", "aimodel", task, set("batchCount", "four"), []string{"batchCount"}, nil},
		{"count huge", "aimodel", task, set("batchCount", 1e300), nil, []string{"batchCount"}},

		// "aiproduct v1.0"
		{"complete", "aiproduct", task, nil, nil, nil},
		{"complete", "aiproduct", run, nil, nil, nil},
		{"custom with mask", "aiproduct", task, set("maskType", "custom", "customMask", maskPNG), nil, nil},
		{"custom without mask", "aiproduct", task, set("maskType", "custom"), []string{"customMask"}, nil},
		{"apparel is not for products", "aiproduct", task, set("maskType", "autoApparelSegment"), []string{"maskType"}, nil},
		{"human is not for products", "aiproduct", run, set("maskType", "autoHumanSegment"), []string{"maskType"}, nil},
		{"look missing", "aiproduct", task, set("generatedContent", nil), []string{"generatedContent"}, nil},
		{"mask type missing", "aiproduct", run, set("maskType", nil), []string{"maskType"}, nil},
		{"neither scene nor words", "aiproduct", task, set("textDescription", nil), []string{"locationId"}, nil},
		{"model does not count", "aiproduct", task, set("textDescription", nil, "fashionModelId", 3.0), []string{"locationId"}, []string{"fashionModelId"}},
		{"scene alone", "aiproduct", run, set("textDescription", nil, "locationId", 3.0), nil, nil},
		{"pose is not for products", "aiproduct", run, set("pose", "freePose"), nil, []string{"pose"}},
		{"jpg", "aiproduct", task, set("resultImageFormat", "jpg", "resizeToOriginalImage", true), nil, nil},
		{"count 17", "aiproduct", run, set("batchCount", 17.0), nil, []string{"batchCount"}},

		// "aipose v1.0"
		{"complete", "aipose", task, nil, nil, nil},
		{"pose missing", "aipose", task, set("textDescription", nil), []string{"textDescription"}, nil},
		{"pose missing", "aipose", run, set("textDescription", ""), []string{"textDescription"}, nil},
		{"pose a number", "aipose", run, set("textDescription", 5.0), []string{"textDescription"}, nil},
		{"engine lite", "aipose", run, set("generateVersion", "lite"), nil, nil},
		{"engine pro", "aipose", run, set("generateVersion", "pro"), nil, nil},
		{"engine unknown", "aipose", run, set("generateVersion", "max"), []string{"generateVersion"}, nil},
		{"engine on the task surface", "aipose", task, set("generateVersion", "pro"), nil, []string{"generateVersion"}},
		{"count 3", "aipose", task, set("batchCount", 3.0), nil, nil},

		// "expandimage v1.0": source 800 × 600, target 2000 × 1000
		{"complete", "expandimage", task, nil, nil, nil},
		{"complete", "expandimage", run, nil, nil, nil},
		{"width missing", "expandimage", task, set("targetWidth", nil), []string{"targetWidth"}, nil},
		{"height missing", "expandimage", run, set("targetHeight", nil), []string{"targetHeight"}, nil},
		{"width 4095", "expandimage", task, set("targetWidth", 4095.0), nil, nil},
		{"width 4096", "expandimage", task, set("targetWidth", 4096.0), nil, nil},
		{"width 4097", "expandimage", task, set("targetWidth", 4097.0), []string{"targetWidth"}, nil},
		{"height 4096", "expandimage", run, set("targetHeight", 4096.0), nil, nil},
		{"height 4097", "expandimage", run, set("targetHeight", 4097.0), []string{"targetHeight"}, nil},
		{"width 0", "expandimage", task, set("targetWidth", 0.0), []string{"targetWidth"}, nil},
		{"width 1", "expandimage", task, set("targetWidth", 1.0), nil, nil},
		{"height -1", "expandimage", task, set("targetHeight", -1.0), []string{"targetHeight"}, nil},
		{"width broken", "expandimage", task, set("targetWidth", 100.5), []string{"targetWidth"}, nil},
		{"width as text", "expandimage", task, set("targetWidth", "2000"), nil, nil},
		{"left -791", "expandimage", task, set("fillLeft", -791.0), nil, nil},
		{"left -792", "expandimage", task, set("fillLeft", -792.0), nil, nil},
		{"left -793", "expandimage", task, set("fillLeft", -793.0), []string{"fillLeft"}, nil},
		{"left 1991", "expandimage", task, set("fillLeft", 1991.0), nil, nil},
		{"left 1992", "expandimage", task, set("fillLeft", 1992.0), nil, nil},
		{"left 1993", "expandimage", task, set("fillLeft", 1993.0), []string{"fillLeft"}, nil},
		{"left 0", "expandimage", run, set("fillLeft", 0.0), nil, nil},
		{"left as text", "expandimage", run, set("fillLeft", "-793"), []string{"fillLeft"}, nil},
		{"left words", "expandimage", run, set("fillLeft", "middle"), []string{"fillLeft"}, nil},
		{"top -592", "expandimage", task, set("fillTop", -592.0), nil, nil},
		{"top -593", "expandimage", task, set("fillTop", -593.0), []string{"fillTop"}, nil},
		{"top 992", "expandimage", run, set("fillTop", 992.0), nil, nil},
		{"top 993", "expandimage", run, set("fillTop", 993.0), []string{"fillTop"}, nil},
		{"left without width", "expandimage", task, set("targetWidth", nil, "fillLeft", 5000.0), []string{"targetWidth"}, nil},
		{"mask is not for it", "expandimage", task, set("maskType", "custom"), nil, []string{"maskType"}},

		// "removeBG v1.0"
		{"colour", "removeBG", task, nil, nil, nil},
		{"backdrop", "removeBG", task, set("backgroundHex", nil, "backgroundId", 4.0), nil, nil},
		{"transparent", "removeBG", task, set("backgroundHex", nil), nil, nil},
		{"transparent", "removeBG", run, set("backgroundHex", nil), nil, nil},
		{"backdrop and colour", "removeBG", run, set("backgroundId", 4.0), nil, []string{"backgroundHex"}},
		{"small letters", "removeBG", run, set("backgroundHex", "#a1b2c3"), nil, nil},
		{"colour without hash", "removeBG", run, set("backgroundHex", "FF8800"), []string{"backgroundHex"}, nil},
		{"colour of five", "removeBG", run, set("backgroundHex", "#FF880"), []string{"backgroundHex"}, nil},
		{"colour of seven", "removeBG", run, set("backgroundHex", "#FF88000"), []string{"backgroundHex"}, nil},
		{"colour with G", "removeBG", run, set("backgroundHex", "#GG8800"), []string{"backgroundHex"}, nil},
		{"colour by name", "removeBG", run, set("backgroundHex", "red"), []string{"backgroundHex"}, nil},
		{"mask type missing", "removeBG", task, set("maskType", nil), []string{"maskType"}, nil},
		{"apparel is not for it", "removeBG", task, set("maskType", "autoApparelSegment"), []string{"maskType"}, nil},
		{"custom with mask address", "removeBG", run, set("maskType", "custom", "customMaskUrl", photo), nil, nil},
		{"custom without mask", "removeBG", run, set("maskType", "custom"), []string{"customMask"}, nil},

		// Run API, "virtualtryon"
		{"complete", "virtualtryon", run, nil, nil, nil},
		{"not a task agent", "virtualtryon", task, nil, []string{"agent"}, nil},
		{"engine missing", "virtualtryon", run, set("generateVersion", nil), []string{"generateVersion"}, nil},
		{"engine unknown", "virtualtryon", run, set("generateVersion", "flash"), []string{"generateVersion"}, nil},
		{"description missing", "virtualtryon", run, set("descriptionType", nil), []string{"descriptionType"}, nil},
		{"description unknown", "virtualtryon", run, set("descriptionType", "mine"), []string{"descriptionType"}, nil},
		{"own words missing", "virtualtryon", run, set("descriptionType", "custom"), []string{"textDescription"}, nil},
		{"own words", "virtualtryon", run, set("descriptionType", "custom", "textDescription", "Figure 2 wears Figure 1"), nil, nil},
		{"words beside auto", "virtualtryon", run, set("textDescription", "smiling"), nil, nil},
		{"shape with the fast engine", "virtualtryon", run, set("aspectRatio", "1:1"), []string{"aspectRatio"}, nil},
		{"shape with high quality", "virtualtryon", run, set("generateVersion", "servicePro", "aspectRatio", "21:9"), nil, nil},
		{"shape unknown", "virtualtryon", run, set("generateVersion", "servicePro", "aspectRatio", "4:5"), []string{"aspectRatio"}, nil},
		{"partner without size", "virtualtryon", run, set("generateVersion", "partnerPro"), []string{"imageSize"}, nil},
		{"partner with size", "virtualtryon", run, set("generateVersion", "partnerPro", "imageSize", "4K", "aspectRatio", "9:16"), nil, nil},
		{"partner with 3K", "virtualtryon", run, set("generateVersion", "partnerPro", "imageSize", "3K"), []string{"imageSize"}, nil},
		{"size with the fast engine", "virtualtryon", run, set("imageSize", "1K"), nil, []string{"imageSize"}},
		{"count 17", "virtualtryon", run, set("batchCount", 17.0), nil, []string{"batchCount"}},
	}
	if len(tests) < 120 {
		t.Fatalf("%d cases; the documents hold at least 120", len(tests))
	}
	for _, tt := range tests {
		t.Run(tt.agent+"/"+string(tt.surface)+"/"+tt.name, func(t *testing.T) {
			a, ok := catalog.Find(tt.agent, "v1.0")
			if !ok {
				t.Fatalf("Find(%q) found nothing", tt.agent)
			}
			got := catalog.Check(a, tt.surface, with(valid(tt.agent), tt.set...))
			if diff := cmp.Diff(tt.want, fields(catalog.Refusals(got))); diff != "" {
				t.Errorf("refused fields (-want +got):\n%s\n%v", diff, got)
			}
			if diff := cmp.Diff(tt.notes, notes(got)); diff != "" {
				t.Errorf("noted fields (-want +got):\n%s\n%v", diff, got)
			}
		})
	}
}

func TestCheckLooksAtFiles(t *testing.T) {
	tests := []struct {
		name  string
		agent string
		files map[string][]string
		want  []string
		notes []string
	}{
		{"one photo", "aimodel", map[string][]string{"originalImage": {photo}}, nil, nil},
		{"plain http", "aimodel", map[string][]string{"originalImage": {"http://a.example/b.png"}}, nil, nil},
		{"port and query", "aimodel", map[string][]string{"originalImage": {"https://a.example:8443/b?c=d&e=%20f"}}, nil, nil},
		{"no photo", "aimodel", nil, []string{"originalImage"}, nil},
		{"blank photo", "aimodel", map[string][]string{"originalImage": {""}}, []string{"originalImage"}, nil},
		{"two photos", "aimodel", map[string][]string{"originalImage": {photo, photo}}, []string{"originalImage"}, nil},
		{"a path", "aimodel", map[string][]string{"originalImage": {"/home/me/dress.jpg"}}, []string{"originalImage"}, nil},
		{"a file address", "aimodel", map[string][]string{"originalImage": {"file:///etc/passwd"}}, []string{"originalImage"}, nil},
		{"a data address", "aimodel", map[string][]string{"originalImage": {"data:image/png;base64,AAAA"}}, []string{"originalImage"}, nil},
		{"no host", "aimodel", map[string][]string{"originalImage": {"https:///b.png"}}, []string{"originalImage"}, nil},
		{"port alone", "aimodel", map[string][]string{"originalImage": {"https://:80/b.png"}}, []string{"originalImage"}, nil},
		{"a password inside", "aimodel", map[string][]string{"originalImage": {"https://me:pw@a.example/b.png"}}, []string{"originalImage"}, nil},
		{"a blank inside", "aimodel", map[string][]string{"originalImage": {"https://a.example/b c.png"}}, []string{"originalImage"}, nil},
		{"a line break inside", "aimodel", map[string][]string{"originalImage": {"https://a.example/b\nc.png"}}, []string{"originalImage"}, nil},
		{"far too long", "aimodel", map[string][]string{"originalImage": {"https://a.example/" + strings.Repeat("b", 9000)}}, []string{"originalImage"}, nil},
		{"unknown field", "aimodel", map[string][]string{"originalImage": {photo}, "images": {photo}}, nil, []string{"images"}},
		{"garment alone", "virtualtryon", map[string][]string{"originalImage": {photo}}, nil, nil},
		{"garment, model and scene", "virtualtryon", map[string][]string{"originalImage": {photo}, "fashionModelImage": {photo}, "locationImage": {photo}}, nil, nil},
		{"no garment", "virtualtryon", map[string][]string{"fashionModelImage": {photo}}, []string{"originalImage"}, nil},
		{"two scenes", "virtualtryon", map[string][]string{"originalImage": {photo}, "locationImage": {photo, photo}}, []string{"locationImage"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _ := catalog.Find(tt.agent, "")
			in := valid(tt.agent)
			in.Files = tt.files
			got := catalog.Check(a, catalog.Run, in)
			if diff := cmp.Diff(tt.want, fields(catalog.Refusals(got))); diff != "" {
				t.Errorf("refused fields (-want +got):\n%s\n%v", diff, got)
			}
			if diff := cmp.Diff(tt.notes, notes(got)); diff != "" {
				t.Errorf("noted fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTaskNameHasAtMostTwentyCharacters(t *testing.T) {
	a, _ := catalog.Find("aipose", "")
	for n, want := range map[int]int{0: 0, 19: 0, 20: 0, 21: 1} {
		in := valid("aipose")
		in.TaskName = strings.Repeat("ü", n)
		if got := catalog.Check(a, catalog.Task, in); len(got) != want {
			t.Errorf("a name of %d characters: %v, want %d problems", n, got, want)
		}
	}
}

func TestOffsetsAreNotHeldAgainstASourceOfUnknownSize(t *testing.T) {
	a, _ := catalog.Find("expandimage", "")
	in := with(valid("expandimage"), "fillLeft", -3000.0, "fillTop", 993.0)
	in.SourceWidth, in.SourceHeight = 0, 0
	if got := fields(catalog.Check(a, catalog.Task, in)); !slices.Equal(got, []string{"fillTop"}) {
		t.Errorf("problems with %v, want only fillTop: it is beyond the canvas whatever the photo's size", got)
	}
}

func TestDraftNeedsNoAddressesYet(t *testing.T) {
	a, _ := catalog.Find("aimodel", "")
	in := with(valid("aimodel"), "maskType", "custom", "customMask", "on the canvas")
	in.Files = map[string][]string{"originalImage": {"0197f1c2"}}
	in.Draft = true
	if got := catalog.Check(a, catalog.Task, in); got != nil {
		t.Errorf("Check(draft) = %v, want nothing", got)
	}
	in.Draft = false
	if got := fields(catalog.Check(a, catalog.Task, in)); !slices.Equal(got, []string{"customMask", "originalImage"}) {
		t.Errorf("problems with %v, want customMask and originalImage", got)
	}
}

func TestMessagesNameTheFieldAndTheLimit(t *testing.T) {
	tests := []struct {
		agent string
		set   []any
		want  string
	}{
		{"expandimage", []any{"targetWidth", 5000.0}, "Width must be 1 to 4096 px; it is 5000."},
		{"expandimage", []any{"fillLeft", 3000.0}, "From the left must be -792 to 1992 px; it is 3000. At least 8 px of the photo's width must stay on the canvas."},
		{"expandimage", []any{"batchCount", 99.0}, "Images must be 1 to 16; 4 is used instead."},
		{"aipose", []any{"textDescription", nil}, "Describe a pose."},
		{"removeBG", []any{"backgroundHex", "red"}, `Background colour: "red" is not of the form #RRGGBB.`},
		{"removeBG", []any{"maskType", "x"}, `What to keep: "x" is not one of autoSubjectSegment, custom.`},
	}
	for _, tt := range tests {
		a, _ := catalog.Find(tt.agent, "")
		got := catalog.Check(a, catalog.Task, with(valid(tt.agent), tt.set...))
		if len(got) != 1 || got[0].Message != tt.want {
			t.Errorf("Check(%s, %v) = %v, want %q", tt.agent, tt.set, got, tt.want)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	a, _ := catalog.Find("aimodel", "")
	in := valid("aimodel")
	b.ReportAllocs()
	for b.Loop() {
		catalog.Check(a, catalog.Task, in)
	}
}
