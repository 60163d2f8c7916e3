package bff_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging/testpics"
	"atelier/imaging/video/container"
	"atelier/imaging/video/videotest"
	"atelier/service"
)

// What made a picture is not changed by what the studio is connected to later.
func TestAPictureTellsWhatMadeItWhateverTheStudioIsConnectedToNow(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"embedded": "digitalsourcetype/compositeSynthetic<", "remote": "digitalsourcetype/compositeWithTrainedAlgorithmicMedia<"} {
		t.Run("made by "+kind, func(t *testing.T) {
			t.Parallel()
			now := kind
			s := newStudio(t, func(c *bff.Config) {
				c.UpstreamKind, c.UpstreamID = now, now
				if now == "remote" {
					c.UpstreamID = "https://images.example"
				}
			})
			res := s.results("made", 1)
			for _, now = range []string{"embedded", "remote"} {
				s.restart()
				if file := s.send("GET", res[0].File, nil, nil); !bytes.Contains(file.body, []byte(want)) {
					t.Errorf("delivered while the studio is connected to %s, it does not say %q", now, want)
				}
			}
		})
	}
}

// A video, of words or of a photo, is in the container that the request names, can be played, and says in one XMP packet what made it of
// which kind of source.
func TestSlowVideoTellsItsProvenance(t *testing.T) {
	t.Parallel()
	formats := map[string]container.Format{"mp4": container.MP4, "mov": container.MOV}
	sources := []string{"algorithmicMedia", "compositeSynthetic"}
	tool := videotest.Tool(t)
	s := (&studio{
		change:    func(c *bff.Config) { c.Video = tool },
		configure: func(c *service.Config) { c.Video, c.SparseFilms = tool, 12 },
	}).move(t)
	s.start()
	photo := s.upload(testpics.JPEG(testpics.Photo(sitterWidth, sitterHeight, 3)))
	filesOf := map[string]map[string][]string{"algorithmicMedia": nil, "compositeSynthetic": {"images": {string(photo.ID)}}}
	for format, want := range formats {
		for _, source := range sources {
			files := filesOf[source]
			start := atelier.StartRun{
				IntentKey: intentKey(format + source), Agent: "advanced-video", Version: "v1.0", Files: files,
				Values: map[string]any{"textDescription": "A calm sea", "duration": "4s", "resolution": "480p", "aspectRatio": "1:1", "outputFormat": format},
			}
			run := s.settled(s.startRun(start).ID)
			if run.Status != atelier.Success {
				t.Errorf("%s of %s: %s %+v", format, source, run.State, run.Error)
				continue
			}
			data := s.send("GET", run.Results[0].File+"?download=1", nil, nil).body
			path := filepath.Join(t.TempDir(), "film")
			s.check(os.WriteFile(path, data, 0o600))
			info, err := tool.Probe(t.Context(), path)
			if err != nil || info.Format != want || info.Seconds != 4 {
				t.Errorf("%s: %+v, %v", format, info, err)
				continue
			}
			if _, err := tool.LastFrame(t.Context(), path, info); err != nil {
				t.Errorf("%s: the end of the film cannot be seen: %v", format, err)
			}
			_, packet, ok := strings.Cut(string(data), "<x:xmpmeta")
			if !ok || strings.Contains(packet, "<x:xmpmeta") {
				t.Errorf("%s of %s: there is not one packet that says where it comes from", format, source)
				continue
			}
			for _, says := range []string{"digitalsourcetype/" + source + "<", "<xmp:CreatorTool>Atelier, advanced-video v1.0<"} {
				if !strings.Contains(packet, says) {
					t.Errorf("%s of %s does not say %q", format, source, says)
				}
			}
			if parent := bytes.Contains(data, []byte("<dc:source>sha256:"+photo.SHA256)); parent != (files != nil) {
				t.Errorf("%s of %s names the photo as its source: %v", format, source, parent)
			}
			// Nothing is said of a model that was trained, nor of another program.
			for _, untrue := range []string{"AISystemUsed", "rainedAlgorithmicMedia", "Lavf"} {
				if bytes.Contains(data, []byte(untrue)) {
					t.Errorf("%s of %s says %q", format, source, untrue)
				}
			}
		}
	}
}
