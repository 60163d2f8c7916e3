package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		{"public profiles", map[string]string{"ATELIER_DEBUG_LISTEN": "0.0.0.0:6060"}, []string{"ATELIER_DEBUG_LISTEN"}},
		{"a short token", map[string]string{"ATELIER_LAUNCH_TOKEN": "short"}, []string{"ATELIER_LAUNCH_TOKEN", "16"}},
		{"two at once", map[string]string{"ATELIER_SURFACE": "both", "ATELIER_LOG": "loud"}, []string{"ATELIER_SURFACE", "ATELIER_LOG"}},
		{"a missing file", map[string]string{"ATELIER_API_KEY_FILE": "/nowhere/key"}, []string{"ATELIER_API_KEY_FILE"}},
		{"given twice", map[string]string{"ATELIER_SURFACE": "task", "ATELIER_SURFACE_FILE": "x"}, []string{"ATELIER_SURFACE_FILE"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			vars := map[string]string{"HOME": "/home/ada"}
			for k, v := range tt.vars {
				vars[k] = v
			}
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
		})
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
