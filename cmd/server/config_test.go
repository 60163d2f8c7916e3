package main

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/catalog"
	"atelier/service"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestTheDefaultsAreAStudioOnThisMachine(t *testing.T) {
	c, err := loadConfig(env(map[string]string{"HOME": "/home/ada"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:8080" || !c.embedded() || c.Data != "/home/ada/.local/share/atelier" || c.Surface != "auto" || c.MaskPNG != "rgba" {
		t.Errorf("defaults are %+v", c)
	}
}

func TestEveryProblemIsReportedAtOnce(t *testing.T) {
	tests := []struct {
		name string
		vars map[string]string
		want []string // names that must appear in the report
	}{
		{"nothing known about the user", map[string]string{"HOME": ""}, []string{"ATELIER_DATA"}},
		{"an open port without TLS", map[string]string{"ATELIER_LISTEN": "0.0.0.0:8080"}, []string{"ATELIER_LISTEN", "ATELIER_TLS_CERT", "ATELIER_PUBLIC_URL"}},
		{"an account without a key", map[string]string{"ATELIER_UPSTREAM_URL": "https://images.example.com"}, []string{"ATELIER_API_KEY"}},
		{"a key without an account", map[string]string{"ATELIER_API_KEY": "abc"}, []string{"ATELIER_UPSTREAM_URL"}},
		{"a key with its prefix", map[string]string{"ATELIER_UPSTREAM_URL": "https://images.example.com", "ATELIER_API_KEY": "Bearer abc"}, []string{"Bearer"}},
		{"plain http to elsewhere", map[string]string{"ATELIER_UPSTREAM_URL": "http://images.example.com", "ATELIER_API_KEY": "abc"}, []string{"https"}},
		{"half a certificate", map[string]string{"ATELIER_TLS_CERT": "a.pem"}, []string{"ATELIER_TLS_KEY"}},
		{"certificates that are none", map[string]string{"ATELIER_TLS_CERT": "/nowhere/a.pem", "ATELIER_TLS_KEY": "/nowhere/b.pem", "ATELIER_SURFACE": "both"}, []string{"ATELIER_TLS_CERT", "/nowhere/a.pem", "ATELIER_SURFACE"}},
		{"a password in an address", map[string]string{"ATELIER_UPSTREAM_URL": "https://ana:abc@images.example.com"}, []string{"ATELIER_UPSTREAM_URL", "password"}},
		{"public profiles", map[string]string{"ATELIER_DEBUG_LISTEN": "0.0.0.0:6060"}, []string{"ATELIER_DEBUG_LISTEN"}},
		{"a short token", map[string]string{"ATELIER_LAUNCH_TOKEN": "short"}, []string{"ATELIER_LAUNCH_TOKEN", "16"}},
		{"two at once", map[string]string{"ATELIER_SURFACE": "both", "ATELIER_LOG": "loud"}, []string{"ATELIER_SURFACE", "ATELIER_LOG"}},
		{"an empty file", map[string]string{"ATELIER_LISTEN_FILE": os.DevNull}, []string{"ATELIER_LISTEN_FILE"}},
		{"a missing file", map[string]string{"ATELIER_API_KEY_FILE": "/nowhere/key"}, []string{"ATELIER_API_KEY_FILE"}},
		{"switches that are none", map[string]string{"ATELIER_SERVICE_SWITCHES": "slow=soon,fast concurrencyLimit=0"}, []string{"ATELIER_SERVICE_SWITCHES: slow:", `ATELIER_SERVICE_SWITCHES: there is no switch "fast"`, "ATELIER_SERVICE_SWITCHES: concurrencyLimit:"}},
		{"switches of somebody else's service", map[string]string{"ATELIER_SERVICE_SWITCHES": "codeAsString", "ATELIER_UPSTREAM_URL": "https://images.example.com", "ATELIER_API_KEY": "abc"}, []string{"ATELIER_SERVICE_SWITCHES"}},
		{"videos by an address nobody knows", map[string]string{"ATELIER_MEDIA_ROUTE": "url"}, []string{"ATELIER_PUBLIC_URL"}},
		{"no day in the trash", map[string]string{"ATELIER_TRASH_DAYS": "0"}, []string{"ATELIER_TRASH_DAYS"}},
		{"too many days in the trash", map[string]string{"ATELIER_TRASH_DAYS": "3651"}, []string{"ATELIER_TRASH_DAYS"}},
		{"sizes that are none", map[string]string{"ATELIER_MEDIA_BYTES": "much"}, []string{"ATELIER_MEDIA_BYTES"}},
		{"more than the service takes", map[string]string{"ATELIER_MEDIA_BYTES": "1GB"}, []string{"ATELIER_MEDIA_BYTES"}},
		{"hosts that are none", map[string]string{"ATELIER_ASSET_HOSTS": "https://a.example a.example/x ana@a.example a.example:"}, []string{`"https://a.example"`, `"a.example/x"`, `"ana@a.example"`, `"a.example:"`}},
		{"a studio below a path", map[string]string{"ATELIER_PUBLIC_URL": "https://studio.example.com/atelier"}, []string{"ATELIER_PUBLIC_URL", "/atelier"}},
		{"given twice", map[string]string{"ATELIER_SURFACE": "task", "ATELIER_SURFACE_FILE": "x"}, []string{"ATELIER_SURFACE_FILE"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			vars := map[string]string{"HOME": "/home/ada"}
			maps.Copy(vars, tt.vars)
			_, err := loadConfig(env(vars))
			if err == nil {
				t.Fatal("no problem was reported")
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not mention %s", err, w)
				}
			}
			if strings.Contains(err.Error(), "abc") {
				t.Errorf("the report shows the key: %q", err)
			}
			if _, told := tt.vars["ATELIER_UPSTREAM_URL"]; told && strings.Contains(err.Error(), "no ATELIER_UPSTREAM_URL") {
				t.Errorf("the report says that an address is missing: %q", err)
			}
		})
	}
}

// What is misspelt is told, whatever it was meant to be; hosts are taken as they are written.
func TestNamesThatMeanNothingAreTold(t *testing.T) {
	c, err := loadConfig(env(map[string]string{"HOME": "/h", "ATELIER_ASSET_HOSTS": "images.example.com, 10.0.0.7:9000 [::1]:9000"}))
	if err != nil || len(c.AssetHosts) != 3 {
		t.Fatalf("hosts: %q, %v", c.AssetHosts, err)
	}
	got := c.strangers([]string{"ATELIER_LISTN=x", "ATELIER_LISTEN=x", "ATELIER_API_KEY_FILE=x", "ATELIER_APIKEY=x", "ATELIER_CATALOG=", "ATELIER_TEST_ROUNDS=3", "HOME=/h", "PATH"})
	if !slices.Equal(got, []string{"ATELIER_APIKEY", "ATELIER_LISTN"}) {
		t.Errorf("names that mean nothing: %q", got)
	}
}

func TestAValueMayComeFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("secret-key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig(env(map[string]string{"HOME": "/h", "ATELIER_UPSTREAM_URL": "https://images.example.com", "ATELIER_API_KEY_FILE": file}))
	if err != nil {
		t.Fatal(err)
	}
	if string(c.APIKey) != "secret-key" {
		t.Error("the key in the file was not read")
	}
	if c.DownloadURL != c.UpstreamURL {
		t.Errorf("download host = %q, want the same as the service", c.DownloadURL)
	}
}

// Whatever can be given can be given as a file, and a file that is not there is told by its name, all of them at once.
func TestEveryValueMayComeFromAFile(t *testing.T) {
	c, err := loadConfig(env(map[string]string{"HOME": "/h"}))
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"HOME": "/h"}
	for name := range c.asked {
		if !strings.HasSuffix(name, "_FILE") {
			vars[name+"_FILE"] = "/nowhere/" + name
		}
	}
	_, err = loadConfig(env(vars))
	if err == nil || len(vars) < 25 {
		t.Fatalf("%d files that are not there: %v", len(vars)-1, err)
	}
	for name, file := range vars {
		if name != "HOME" && !strings.Contains(err.Error(), name+": the file cannot be read: open "+file) {
			t.Errorf("nothing tells that %s is not there", name)
		}
	}
}

// catalogFile writes a catalog file and gives its path.
func catalogFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "catalog.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestACatalogFileChangesWhatIsOffered(t *testing.T) {
	file := catalogFile(t, "hide: [ai-dog]\nadd:\n  - {name: house-video, like: image-to-video, title: House video, summary: Sets one picture in motion.}\n")
	c, err := loadConfig(env(map[string]string{"HOME": "/h", "ATELIER_CATALOG": file}))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, a := range c.Agents {
		names[a.Name] = true
	}
	if names["ai-dog"] || !names["house-video"] || !names["aimodel"] {
		t.Errorf("what is offered: %v", names)
	}
	var table, all strings.Builder
	for out, args := range map[*strings.Builder][]string{&table: {"agents"}, &all: {"agents", "--json"}} {
		if err := run(t.Context(), args, env(map[string]string{"ATELIER_CATALOG": file}), out, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(table.String(), "house-video") || strings.Contains(table.String(), "ai-dog") {
		t.Errorf("`atelier agents` shows:\n%s", table.String())
	}
	var list []catalog.Agent
	if err := json.Unmarshal([]byte(all.String()), &list); err != nil || len(list) != len(c.Agents) {
		t.Errorf("`atelier agents --json` gives %d agents, %v", len(list), err)
	}
	if err := run(t.Context(), []string{"agents", "--yaml"}, env(nil), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Errorf("an unknown word gives %v", err)
	}
}

// TestABrokenCatalogFileIsReportedAlikeEverywhere: nothing starts on half a catalog.
func TestABrokenCatalogFileIsReportedAlikeEverywhere(t *testing.T) {
	file := catalogFile(t, "hide: [ai-dog, ai-cat]\nadd:\n  - {name: x, like: y, title: X, summary: Z.}\n")
	for _, command := range []string{"agents", "config", "serve"} {
		var out strings.Builder
		err := run(t.Context(), []string{command}, env(map[string]string{"HOME": t.TempDir(), "ATELIER_CATALOG": file}), &out, io.Discard)
		if err == nil || out.Len() > 0 {
			t.Fatalf("%s: error %v, printed %q", command, err, out.String())
		}
		for _, want := range []string{"ATELIER_CATALOG", file + `:1:16: there is no agent "ai-cat" to hide`, file + `:3:21: there is no agent "y" to be like`} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s does not report %q: %v", command, want, err)
			}
		}
	}
	if _, err := loadAgents(env(map[string]string{"ATELIER_CATALOG": filepath.Join(t.TempDir(), "none.yaml")})); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestTheServiceIsAsDocumentedUnlessSwitchesAreGiven(t *testing.T) {
	c, err := loadConfig(env(map[string]string{"HOME": "/h"}))
	if err != nil || c.Switches != (service.Switches{}) {
		t.Errorf("without a word: %+v, %v", c.Switches, err)
	}
	c, err = loadConfig(env(map[string]string{"HOME": "/h", "ATELIER_SERVICE_SWITCHES": "codeAsString, slow=2s"}))
	if want := (service.Switches{CodeAsString: true, Slow: 2 * time.Second}); err != nil || c.Switches != want {
		t.Errorf("two words: %+v, %v", c.Switches, err)
	}
}

func TestMasksMayGoOutByAddress(t *testing.T) {
	for given, want := range map[string]string{"": "base64", "base64": "base64", "url": "url"} {
		c, err := loadConfig(env(map[string]string{"HOME": "/h", "ATELIER_MASK_ROUTE": given}))
		if err != nil || c.MaskRoute != want {
			t.Errorf("ATELIER_MASK_ROUTE=%s gives %q, %v", given, c.MaskRoute, err)
		}
	}
}
