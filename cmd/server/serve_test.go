package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	runtimedebug "runtime/debug"
	"strings"
	"testing"
	"time"

	"atelier/bff"
	"atelier/imaging/probe"
	"atelier/internal/killable"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/service/presets"
	"atelier/upstream"
)

// started runs a command line until the test ends and gives the first line it prints.
func started(t testing.TB, vars map[string]string, args ...string) (line string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, args, env(vars), w, io.Discard)
		_ = w.CloseWithError(io.EOF)
		done <- err
	}()
	stop = func() error {
		cancel()
		select {
		case err := <-done:
			done <- nil
			return err
		case <-time.After(time.Minute):
			return errors.New("the server did not end")
		}
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("the server printed nothing: %v", errors.Join(err, stop()))
	}
	return line, stop
}

func status(t *testing.T, method, url string, header ...string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestR8TheStudioStartsSaysWhereToGoAndEnds(t *testing.T) {
	address, debug, data := killable.Address(t), killable.Address(t), t.TempDir()
	vars := map[string]string{"ATELIER_LISTEN": address, "ATELIER_DEBUG_LISTEN": debug, "ATELIER_DATA": data}
	line, stop := started(t, vars)
	if !strings.Contains(line, "http://"+address+"/#launch=") {
		t.Errorf("it printed %q, want the one-time address", line)
	}
	// R8: the process collects earlier near its memory's end, unless its operator has said how near.
	if got := runtimedebug.SetMemoryLimit(-1); os.Getenv("GOMEMLIMIT") == "" && got != service.SoftMemory {
		t.Errorf("the memory limit is %d, want %d", got, int64(service.SoftMemory))
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/api/session": 401, "/openapi/agent/openapi.yaml": 200, "/openapi/v1/agent/task/list": 401, "/web/samples/none.webp": 404, "//openapi/v1/agent/task/list": 404, "/x/../openapi/": 404, "/openapi": 404} {
		if got := status(t, http.MethodGet, "http://"+address+path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	for _, sample := range presets.Samples() {
		path := samplesPath + sample.Slug + ".webp"
		resp, err := (&http.Client{}).Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		facts, err := probe.Read(data, int64(len(data)))
		if err != nil || len(probe.Upload.Check(facts)) > 0 || facts.Format != probe.WebP {
			t.Errorf("%s is no picture the studio takes: %+v, %v", path, facts, err)
		}
	}
	resp, err := (&http.Client{}).Get("http://" + debug + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	for _, name := range []string{"atelier_sockets", "atelier_panics_total", "atelier_upstream_seconds", "process_resident_memory_bytes", "go_goroutines"} {
		if resp.StatusCode != http.StatusOK || !strings.Contains(string(numbers), "\n"+name) {
			t.Errorf("metrics: %d, %v, want %s among them", resp.StatusCode, err, name)
		}
	}
	_, port, _ := strings.Cut(debug, ":")
	for _, host := range []string{"evil.example:" + port, "127.0.0.1.evil.example", "evil.localhost:" + port, "0.0.0.0:" + port} {
		if got := status(t, http.MethodGet, "http://"+debug+"/metrics", "Host", host); got != http.StatusMisdirectedRequest {
			t.Errorf("metrics under the name %q: %d, want 421", host, got)
		}
	}
	for site, want := range map[string]int{"cross-site": 421, "same-site": 421, "none": 200} {
		if got := status(t, http.MethodGet, "http://"+debug+"/debug/pprof/cmdline", "Sec-Fetch-Site", site); got != want {
			t.Errorf("profiles asked for by a page (%s): %d, want %d", site, got, want)
		}
	}
	if got := status(t, http.MethodGet, "http://"+address+"/metrics"); got != http.StatusNotFound {
		t.Errorf("metrics where everybody reaches them: %d, want 404", got)
	}
	if err := run(t.Context(), nil, env(map[string]string{"ATELIER_LISTEN": address, "ATELIER_DATA": t.TempDir()}), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "ATELIER_LISTEN") {
		t.Errorf("a second server at the same address: %v", err)
	}
	// One process owns a data folder.
	other := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": data}
	if err := run(t.Context(), nil, env(other), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second server on the same folder: %v", err)
	}
	// Nobody else reads anything of it, whatever the folder lets in: neither while it runs nor afterwards.
	if err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || path == data {
			return nil // it was there a moment ago
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", path, info.Mode())
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Errorf("ending: %v", err)
	}
	for _, name := range []string{"studio.db", "callback.key", "service/service.db", "service/studio.key"} {
		info, err := os.Stat(filepath.Join(data, name))
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", name, info.Mode())
		}
	}
}

func TestAnOutsideClientUsesTheServiceWithAKeyOfItsOwn(t *testing.T) {
	vars := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir()}
	line, _ := started(t, vars, "service")
	if !strings.Contains(line, "/openapi/") {
		t.Errorf("it printed %q", line)
	}
	// A key is made beside the running server.
	var out bytes.Buffer
	if err := run(t.Context(), []string{"keys", "create", "shop"}, env(vars), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	raw, _, _ := strings.Cut(out.String(), "\n")
	client, err := upstream.New(upstream.Options{BaseURL: "http://" + vars["ATELIER_LISTEN"], Key: upstream.Secret(raw)})
	if err != nil {
		t.Fatal(err)
	}
	info, err := client.AgentInfo(t.Context(), upstream.AgentInfoQuery{AgentName: "removeBG", AgentVersion: "v1.0"})
	if err != nil || len(info.Backgrounds) < 8 {
		t.Fatalf("agent info: %d backgrounds, %v; want at least 8", len(info.Backgrounds), err)
	}
	out.Reset()
	if err := run(t.Context(), []string{"keys", "list"}, env(vars), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), raw) || !strings.Contains(out.String(), raw[len(raw)-4:]) {
		t.Errorf("the list is %q, want the key's last four characters and no more", out.String())
	}
	id := strings.Fields(strings.Split(out.String(), "\n")[1])[0]
	again, revoked := bytes.Buffer{}, bytes.Buffer{}
	if err := run(t.Context(), []string{"keys", "create", "shop"}, env(vars), &again, io.Discard); err != nil || !strings.Contains(again.String(), "had keys before") {
		t.Errorf("a second key of an account: %v, %q", err, again.String())
	}
	if err := run(t.Context(), []string{"keys", "create", "studio"}, env(vars), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "Choose another name") {
		t.Errorf("a key of the studio's own account: %v", err)
	}
	if err := run(t.Context(), []string{"keys", "revoke", id}, env(vars), &revoked, io.Discard); err != nil || !strings.Contains(revoked.String(), id) {
		t.Fatalf("revoke: %v, %q", err, revoked.String())
	}
	if _, err := client.AgentInfo(t.Context(), upstream.AgentInfoQuery{AgentName: "removeBG", AgentVersion: "v1.0"}); upstream.KindOf(err) != upstream.Key {
		t.Errorf("with a revoked key: %v", err)
	}
}

// A proxy that ends TLS hands requests on over http: the links in the answers are those of the public address all the same.
func TestLinksForOutsideClientsBeginWithThePublicAddress(t *testing.T) {
	vars := map[string]string{
		"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir(),
		"ATELIER_PUBLIC_URL": "https://studio.example.com", "ATELIER_TRUSTED_PROXIES": "127.0.0.1/32",
	}
	started(t, vars, "service")
	var out bytes.Buffer
	if err := run(t.Context(), []string{"keys", "create", "shop"}, env(vars), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	raw, _, _ := strings.Cut(out.String(), "\n")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+vars["ATELIER_LISTEN"]+"/openapi/v1/agent/info?agentName=removeBG&agentVersion=v1.0", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "studio.example.com"
	req.Header.Set("Authorization", raw)
	req.Header.Set("X-Forwarded-Proto", "https")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var info struct{ Data upstream.AgentInfo }
	if err := json.NewDecoder(resp.Body).Decode(&info); err != nil || len(info.Data.Backgrounds) == 0 {
		t.Fatalf("agent info: %v, %+v", err, info)
	}
	for _, b := range info.Data.Backgrounds {
		if !strings.HasPrefix(b.Image, "https://studio.example.com/openapi/files/") {
			t.Fatalf("a link is %s", b.Image)
		}
	}
}

// Layered files may have a host of their own: the service answers there, the studio does not, and the studio itself does not
// leave for the network to read them.
func TestTheHostOfLayeredFilesIsServed(t *testing.T) {
	for _, half := range []string{"studio", "service"} {
		vars := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir(), "ATELIER_DOWNLOAD_URL": "https://Files.example.com"}
		var args []string
		if half == "service" {
			args = []string{half}
		}
		_, stop := started(t, vars, args...)
		for path, want := range map[string]int{"/openapi/agent/openapi.yaml": 200, "/openapi/v1/agent/task/list": 401, "/openapi/files/none.psd": 404, "/": 421, "/api/session": 421, "/healthz": 421} {
			if got := status(t, http.MethodGet, "http://"+vars["ATELIER_LISTEN"]+path, "Host", "files.example.com"); got != want {
				t.Errorf("%s, %s under the host of layered files: %d, want %d", half, path, got, want)
			}
		}
		if got := status(t, http.MethodGet, "http://"+vars["ATELIER_LISTEN"]+"/openapi/agent/openapi.yaml", "Host", "other.example.com"); got != http.StatusMisdirectedRequest {
			t.Errorf("%s, under another host: %d, want 421", half, got)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}

	cfg, err := loadConfig(env(map[string]string{"ATELIER_DATA": t.TempDir(), "ATELIER_DOWNLOAD_URL": "https://Files.example.com"}))
	if err != nil {
		t.Fatal(err)
	}
	images, err := openService(t.Context(), cfg, nil, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := images.Close(); err != nil {
			t.Error(err)
		}
	}()
	var c bff.Config
	if err := connect(t.Context(), &c, cfg, images, bff.NewMeter()); err != nil {
		t.Fatal(err)
	}
	_, err = c.Outbound.Get(t.Context(), "https://Files.example.com/openapi/files/none.psd", 1<<20)
	if answered, ok := errors.AsType[*outbound.StatusError](err); !ok || answered.Status != http.StatusNotFound {
		t.Errorf("the studio asks for a layered file: %v, want the service's 404", err)
	}
}

func TestCommandsThatNeedNoServer(t *testing.T) {
	vars := map[string]string{"ATELIER_DATA": t.TempDir(), "ATELIER_UPSTREAM_URL": "https://images.example.com", "ATELIER_API_KEY": "a-very-secret-key"}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"version"}, version},
		{[]string{"--version"}, version},
		{[]string{"version", "-licences"}, "selfie_segmentation.tflite"},
		{[]string{"version", "--licences"}, "GNU Lesser General Public License"},
		{[]string{"help"}, "usage:"},
		{[]string{"agents"}, "removeBG"},
		{[]string{"config"}, "images.example.com"},
		{[]string{"-h"}, "usage:"},
		{[]string{"serve", "--help"}, "usage:"},
		{[]string{"service", "-h"}, "usage:"},
		{[]string{"backup", "--help"}, "usage:"},
		{[]string{"keys", "create", "--help"}, "usage:"},
		{[]string{"frobnicate", "-help"}, "usage:"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), tt.args, env(vars), &out, io.Discard); err != nil || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%v: %q, %v; want %q in it", tt.args, out.String(), err, tt.want)
		}
		if strings.Contains(out.String(), "a-very-secret-key") {
			t.Errorf("%v shows the key", tt.args)
		}
	}
	for _, args := range [][]string{{"frobnicate"}, {"serve", "8080"}, {"studio", "--port=80"}, {"service", "now"}, {"version", "2"}, {"config", "show"}} {
		if err := run(t.Context(), args, env(vars), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "`atelier help` lists") {
			t.Errorf("%v: %v, want a refusal that names the help", args, err)
		}
	}
	if left, err := os.ReadDir(vars["ATELIER_DATA"]); err != nil || len(left) != 0 {
		t.Errorf("commands that need no server leave %v, %v in the data folder", left, err)
	}
}

func TestTheCallbackListenerServesNothingElse(t *testing.T) {
	reached := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for path, want := range map[string]int{
		"/callbacks/v1/x": 204, "/callbacks/v1/probe/x": 204, "/api/runs": 404, "/": 404, "/callbacks": 404, "/openapi/v1/agent/task/list": 404, "/metrics": 404,
	} {
		w := httptest.NewRecorder()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://studio"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		onlyCallbacks(reached).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}
