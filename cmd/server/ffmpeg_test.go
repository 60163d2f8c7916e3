package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/imaging/video"
	"atelier/imaging/video/videotest"
	"atelier/internal/killable"
)

// page is a browser's page of a studio that runs.
type page struct {
	t    *testing.T
	base string
	http *http.Client
}

const pageToken = "a-token-for-scripts-0123"

// openPage starts the server and signs in.
func openPage(t *testing.T, vars map[string]string) *page {
	t.Helper()
	all := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir(), "ATELIER_LAUNCH_TOKEN": pageToken}
	maps.Copy(all, vars)
	started(t, all)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t, "http://" + all["ATELIER_LISTEN"], &http.Client{Jar: jar, Timeout: time.Minute}}
	p.ask(http.MethodPost, "/api/session", atelier.Login{Token: pageToken}, http.StatusOK, nil)
	return p
}

// ask sends a value, or bytes as they are, and reads the answer into out.
func (p *page) ask(method, path string, in any, want int, out any) {
	p.t.Helper()
	body, raw := in.([]byte)
	if !raw && in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			p.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if in != nil && !raw {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("X-Atelier", "1")
	req.Header.Set("Origin", p.base)
	resp, err := p.http.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	answer, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		p.t.Fatal(err)
	}
	if resp.StatusCode != want {
		p.t.Fatalf("%s %s = %d %s, want %d", method, path, resp.StatusCode, answer, want)
	}
	if data, ok := out.(*[]byte); ok {
		*data = answer
	} else if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			p.t.Fatal(err)
		}
	}
}

// settled waits for the end of a run.
func (p *page) settled(id atelier.RunID) atelier.Run {
	p.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(5 * time.Minute); ; {
		var body atelier.RunBody
		if p.ask(http.MethodGet, "/api/runs/"+string(id), nil, http.StatusOK, &body); body.Run.State.Final() {
			return body.Run
		}
		select {
		case <-tick.C:
		case <-end:
			p.t.Fatalf("the run never ends: %+v", body.Run)
		}
	}
}

func TestSlowTheServerMakesVideosWithTheInstalledFFmpeg(t *testing.T) {
	film := videotest.Make(t, videotest.Film{Seconds: 1, Title: "SAMPLE"})
	p := openPage(t, nil)
	var session atelier.Session
	if p.ask(http.MethodGet, "/api/session", nil, http.StatusOK, &session); session.NoVideo != "" {
		t.Errorf("the browser is told %q", session.NoVideo)
	}
	var a atelier.Asset
	p.ask(http.MethodPost, "/api/assets?name=walk.mp4", film, http.StatusCreated, &a)
	var body atelier.RunBody
	p.ask(http.MethodPost, "/api/runs", atelier.StartRun{
		IntentKey: "a-video-of-the-server", Agent: "video-watermark-remover", Version: "v1.0", Files: map[string][]string{"videos": {string(a.ID)}},
	}, http.StatusAccepted, &body)
	run := p.settled(body.Run.ID)
	if run.Status != "Success" || len(run.Results) != 1 {
		t.Fatalf("the run ended as %+v", run)
	}
	var made, thumb []byte
	p.ask(http.MethodGet, run.Results[0].File, nil, http.StatusOK, &made)
	p.ask(http.MethodGet, run.Results[0].Thumb, nil, http.StatusOK, &thumb)
	if run.Results[0].Kind != "video" || !bytes.Contains(made[:64], []byte("ftyp")) || len(thumb) == 0 {
		t.Errorf("the result is %+v, %d bytes", run.Results[0], len(made))
	}
	// It says where it comes from, and is a film all the same.
	if n := bytes.Count(made, []byte("digitalsourcetype/")); n != 1 {
		t.Errorf("the film says %d times where it comes from", n)
	}
	p.ask(http.MethodPost, "/api/assets?name=again.mp4", made, http.StatusCreated, &a)
	if a.Kind != "video" || a.Seconds < .9 {
		t.Errorf("brought again it is %+v", a)
	}
}

func TestWithoutFFmpegTheStudioSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p := openPage(t, map[string]string{"ATELIER_MEDIA_BYTES": "50MB"})
	var session atelier.Session
	p.ask(http.MethodGet, "/api/session", nil, http.StatusOK, &session)
	if session.NoVideo != video.ErrMissing.Error() || session.Limits.MediaBytes != 50<<20 {
		t.Errorf("the browser is told %q and a limit of %d", session.NoVideo, session.Limits.MediaBytes)
	}
	var body atelier.RunBody
	p.ask(http.MethodPost, "/api/runs", atelier.StartRun{
		IntentKey: "a-video-without-ffmpeg", Agent: "text-to-video", Version: "v1.0",
		Values: map[string]any{"textDescription": "a calm sea", "duration": "3s"},
	}, http.StatusAccepted, &body)
	run := p.settled(body.Run.ID)
	if run.Status != "Failed" || len(run.Results) == 0 || !strings.Contains(run.Results[0].Error, "apt-get install") {
		t.Errorf("the run ended as %+v", run)
	}
}
