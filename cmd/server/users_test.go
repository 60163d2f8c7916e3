package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme"

	"atelier/internal/killable"
	"atelier/service"
	"atelier/upstream"
	"atelier/web"
)

// certificate writes a certificate for 127.0.0.1 that is its own authority.
func certificate(t *testing.T) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "studio"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(cert)
	return certFile, keyFile, roots
}

// A studio that others reach speaks TLS, has accounts, and is set up by who reads its terminal.
func TestR18AStudioForATeamSpeaksTLSAndIsSetUpFromItsTerminal(t *testing.T) {
	cert, key, roots := certificate(t)
	address, data := killable.Address(t), t.TempDir()
	vars := map[string]string{
		"ATELIER_LISTEN": address, "ATELIER_DATA": data, "ATELIER_PUBLIC_URL": "https://" + address, "ATELIER_TLS_CERT": cert, "ATELIER_TLS_KEY": key, "ATELIER_USERS": "team",
		"ATELIER_CALLBACK_LISTEN": killable.Address(t), "ATELIER_DEBUG_LISTEN": killable.Address(t),
	}
	line, stop := started(t, vars)
	_, code, ok := strings.Cut(strings.Fields(line)[1], "https://"+address+"/#setup=")
	if !ok {
		t.Fatalf("it printed %q, want the address with the setup code", line)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}}
	post := func(path, body string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Atelier", "1")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp
	}
	resp := post("/api/setup", `{"code":"`+code+`","name":"Ada","password":"wolken fahren rad"}`)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("setting up = %d", resp.StatusCode)
	}
	if c := resp.Header.Get("Set-Cookie"); !strings.HasPrefix(c, "__Host-atelier=") || !strings.Contains(c, "Secure") || !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Lax") || !strings.Contains(c, "Path=/") {
		t.Errorf("the cookie is %q", c)
	}
	if got := resp.Header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
		t.Errorf("Strict-Transport-Security is %q", got)
	}
	// The terminal manages accounts while the server runs.
	command := func(args ...string) string {
		var out bytes.Buffer
		if err := run(t.Context(), append([]string{"users"}, args...), env(vars), &out, io.Discard); err != nil {
			t.Fatalf("users %v: %v", args, err)
		}
		return out.String()
	}
	_, password, _ := strings.Cut(strings.TrimSpace(command("create", "Ben Okri", "viewer")), "password: ")
	login := func(password string) int {
		return post("/api/session", `{"name":"ben okri","password":"`+password+`"}`).StatusCode
	}
	if got := login(password); got != http.StatusOK {
		t.Errorf("signing in with the printed password %q = %d", password, got)
	}
	if list := command("list"); !strings.Contains(list, "Ben Okri") || !strings.Contains(list, "viewer") || !strings.Contains(list, "admin") || strings.Contains(list, "argon2") {
		t.Errorf("the list:\n%s", list)
	}
	asked := map[string]string{"nobody": "", "an administrator": cookieOf(resp)}
	asked["a viewer"] = cookieOf(post("/api/session", `{"name":"ben okri","password":"`+password+`"}`))
	command("role", "Ben Okri", "designer")
	asked["a designer"] = cookieOf(post("/api/session", `{"name":"ben okri","password":"`+password+`"}`))
	besideTheStudio(t, vars, client, asked)
	if said := command("allow", "ben okri", "40"); said != "Ben Okri: 40 results a month\n" {
		t.Errorf("allow says %q", said)
	}
	if list := command("list"); !regexp.MustCompile(`(?m)^Ben Okri .* 0 +40$`).MatchString(list) || !regexp.MustCompile(`(?m) 0 +any$`).MatchString(list) {
		t.Errorf("the list with numbers:\n%s", list)
	}
	command("allow", "Ben Okri", "any")
	command("disable", "Ben Okri")
	if got := login(password); got != http.StatusUnauthorized {
		t.Errorf("disabled, signing in = %d", got)
	}
	command("enable", "Ben Okri")
	_, next, _ := strings.Cut(strings.TrimSpace(command("password", "Ben Okri")), "new password: ")
	if got := []int{login(password), login(next)}; got[0] != http.StatusUnauthorized || got[1] != http.StatusOK {
		t.Errorf("old and new password = %v", got)
	}
	for _, bad := range [][]string{
		{},
		{"list", "x"},
		{"create"},
		{"create", "Eve", "root"},
		{"create", "ada"},
		{"role", "Ada", "viewer"},
		{"disable", "Ada"},
		{"disable", "Nobody"},
		{"frobnicate", "Ada"},
		{"allow", "Ada"},
		{"allow", "Ada", "-1"},
		{"allow", "Ada", "1000001"},
		{"allow", "Ada", "many"},
		{"allow", "Nobody", "3"},
	} {
		if err := run(t.Context(), append([]string{"users"}, bad...), env(vars), io.Discard, io.Discard); err == nil {
			t.Errorf("users %v passes", bad)
		}
	}
	// Nothing older than TLS 1.2 is spoken, and nothing plain.
	_, err := (&tls.Dialer{Config: &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS11}}).DialContext(t.Context(), "tcp", address)
	if err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	line, _ = started(t, vars)
	if strings.Contains(line, "setup") || !strings.Contains(line, "https://"+address) {
		t.Errorf("started again it printed %q", line)
	}
	raw, err := os.ReadFile(filepath.Join(data, "studio.db"))
	if err != nil || bytes.Contains(raw, []byte("wolken fahren rad")) || bytes.Contains(raw, []byte(next)) {
		t.Errorf("the database holds a password (%v)", err)
	}
}

// cookieOf is the cookie an answer sets.
func cookieOf(r *http.Response) string {
	cookie, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
	return cookie
}

// F7, beside the studio's own routes: the image service is for who has a key, whatever session they have; pages, samples and examples are
// for everybody; the port for callbacks and the one for the operator serve nothing else.
func besideTheStudio(t *testing.T, vars map[string]string, client *http.Client, cookies map[string]string) {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"keys", "create", "client"}, env(vars), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	key, _, _ := strings.Cut(out.String(), "\n")
	ask := func(method, url, cookie, key string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if req.URL.Host == vars["ATELIER_CALLBACK_LISTEN"] {
			req.Host = vars["ATELIER_LISTEN"] // as a proxy sends it on that has the public name
		}
		if cookie != "" {
			req.Header.Set("Cookie", cookie)
		}
		if key != "" {
			req.Header.Set("Authorization", key)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	studio := "https://" + vars["ATELIER_LISTEN"]
	blanks := regexp.MustCompile(`\{[^}]*\}`)
	cells, open := 0, 0
	for route, isOpen := range service.Routes() {
		method, path, _ := strings.Cut(route, " ")
		url := studio + blanks.ReplaceAllString(path, "none")
		if isOpen {
			open++
		}
		for who, cookie := range cookies {
			for _, wrong := range []string{"", "a key of nobody"} {
				cells++
				if got := ask(method, url, cookie, wrong); (got == http.StatusUnauthorized) == isOpen {
					t.Errorf("%s by %s with the key %q = %d", route, who, wrong, got)
				}
			}
		}
		cells++
		if got := ask(method, url, "", key); got == http.StatusUnauthorized || got == http.StatusForbidden || got >= 500 {
			t.Errorf("%s with a key = %d", route, got)
		}
	}
	if open != 3 {
		t.Errorf("%d routes of the image service take no key, want its description, files and previews", open)
	}
	pages := http.StatusOK
	if site, err := web.Load(nil); err != nil || !site.Built() {
		pages = http.StatusServiceUnavailable // they say that the client is missing
	}
	for url, want := range map[string]int{
		studio + "/": pages, studio + "/gallery": pages, studio + "/web/samples/none.webp": 404, studio + examplesPath + "none": 404, studio + "/metrics": 404, studio + "/debug/pprof/": 404,
		"https://" + vars["ATELIER_CALLBACK_LISTEN"] + "/api/session": 404, "https://" + vars["ATELIER_CALLBACK_LISTEN"] + "/": 404,
		"https://" + vars["ATELIER_CALLBACK_LISTEN"] + upstream.PathTaskList: 404, "https://" + vars["ATELIER_CALLBACK_LISTEN"] + "/callbacks/v1/probe/x": 200,
		"http://" + vars["ATELIER_DEBUG_LISTEN"] + "/metrics": 200, "http://" + vars["ATELIER_DEBUG_LISTEN"] + "/api/session": 404, "http://" + vars["ATELIER_DEBUG_LISTEN"] + upstream.PathTaskList: 404,
	} {
		for who, cookie := range cookies {
			cells++
			if got := ask(http.MethodGet, url, cookie, ""); got != want {
				t.Errorf("%s by %s = %d, want %d", url, who, got, want)
			}
		}
	}
	t.Logf("%d cells", cells)
}

// D9: what others can reach is not served in the clear, unless a proxy that does TLS is named.
func TestD9AnOpenPortNeedsTLSOrAProxyThatDoesIt(t *testing.T) {
	public := map[string]string{"ATELIER_PUBLIC_URL": "https://studio.example.com", "HOME": "/h"}
	cert, key, _ := certificate(t)
	tests := []struct {
		name string
		vars map[string]string
		want string // "" = it starts
		team bool
	}{
		{"this machine", map[string]string{}, "", false},
		{"this machine by name", map[string]string{"ATELIER_LISTEN": "localhost:1"}, "", false},
		{"every address", map[string]string{"ATELIER_LISTEN": "0.0.0.0:1"}, "ATELIER_LISTEN", true},
		{"every address, IPv6", map[string]string{"ATELIER_LISTEN": "[::]:1"}, "ATELIER_LISTEN", true},
		{"no address", map[string]string{"ATELIER_LISTEN": ":1"}, "ATELIER_LISTEN", true},
		{"one of the network", map[string]string{"ATELIER_LISTEN": "192.168.1.2:1"}, "ATELIER_LISTEN", true},
		{"a name", map[string]string{"ATELIER_LISTEN": "studio.example.com:1"}, "ATELIER_LISTEN", true},
		{"callbacks in the clear", map[string]string{"ATELIER_CALLBACK_LISTEN": "0.0.0.0:2"}, "ATELIER_CALLBACK_LISTEN", false},
		{"with a certificate", map[string]string{"ATELIER_LISTEN": "0.0.0.0:1", "ATELIER_TLS_CERT": cert, "ATELIER_TLS_KEY": key}, "", true},
		{"with one that is fetched", map[string]string{"ATELIER_LISTEN": "0.0.0.0:443", "ATELIER_TLS_AUTO": "true"}, "", true},
		{"both", map[string]string{"ATELIER_LISTEN": "0.0.0.0:443", "ATELIER_TLS_AUTO": "true", "ATELIER_TLS_CERT": cert, "ATELIER_TLS_KEY": key}, "ATELIER_TLS_AUTO", true},
		{"one that is fetched for nothing", map[string]string{"ATELIER_TLS_AUTO": "true", "ATELIER_PUBLIC_URL": ""}, "ATELIER_TLS_AUTO", false},
		{"behind a proxy", map[string]string{"ATELIER_LISTEN": "0.0.0.0:1", "ATELIER_TRUSTED_PROXIES": "10.0.0.0/8"}, "", true},
		{"behind a proxy on this machine", map[string]string{"ATELIER_TRUSTED_PROXIES": "127.0.0.1/32"}, "", true},
		{"behind anybody", map[string]string{"ATELIER_LISTEN": "0.0.0.0:1", "ATELIER_TRUSTED_PROXIES": "0.0.0.0/0"}, "ATELIER_TRUSTED_PROXIES", true},
		{"this machine in IPv6's spelling", map[string]string{"ATELIER_LISTEN": "[::ffff:127.0.0.1]:1"}, "", false},
		{"the network in IPv6's spelling", map[string]string{"ATELIER_LISTEN": "[::ffff:192.168.1.2]:1"}, "ATELIER_LISTEN", true},
		{"a name like this machine's", map[string]string{"ATELIER_LISTEN": "localhost.example.com:1"}, "ATELIER_LISTEN", true},
		{"one person behind a proxy", map[string]string{"ATELIER_TRUSTED_PROXIES": "127.0.0.1/32", "ATELIER_USERS": "single"}, "", false},
		{"a token for a team", map[string]string{"ATELIER_USERS": "team", "ATELIER_LAUNCH_TOKEN": "0123456789abcdef"}, "ATELIER_LAUNCH_TOKEN", true},
		{"others", map[string]string{"ATELIER_USERS": "many"}, "ATELIER_USERS", false},
	}
	for _, tt := range tests {
		c, err := loadConfig(func(name string) string {
			if v, ok := tt.vars[name]; ok {
				return v
			}
			return public[name]
		})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want a word about %q", tt.name, err, tt.want)
		}
		if c.team() != tt.team {
			t.Errorf("%s: accounts %v, want %v", tt.name, c.team(), tt.team)
		}
	}
}

func TestCertificatesAreFetchedForThePublicNameAlone(t *testing.T) {
	c, err := certificates(config{TLSAuto: true, PublicURL: "https://studio.example.com", Data: t.TempDir()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if c.MinVersion != tls.VersionTLS12 || !strings.Contains(strings.Join(c.NextProtos, " "), acme.ALPNProto) {
		t.Errorf("TLS %x, protocols %v", c.MinVersion, c.NextProtos)
	}
	for _, name := range []string{"other.example.com", "studio.example.com.evil.example", "", "127.0.0.1"} {
		if _, err := c.GetCertificate(&tls.ClientHelloInfo{ServerName: name}); err == nil {
			t.Errorf("a certificate for %q", name)
		}
	}
	if c, err := certificates(config{}, slog.New(slog.DiscardHandler)); c != nil || err != nil {
		t.Errorf("without TLS: %v, %v", c, err)
	}
	if _, err := certificates(config{TLSCert: "none.pem", TLSKey: "none.pem"}, slog.New(slog.DiscardHandler)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("files that are missing: %v", err)
	}
}
