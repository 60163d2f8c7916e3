package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"atelier/catalog"
	"atelier/catalog/overlay"
	"atelier/service"
	"atelier/upstream"
)

// config is what the operator chose, from ATELIER_… variables; each can be given as a file too, in NAME_FILE.
type config struct {
	Listen          string
	Data            string
	UpstreamURL     string // empty = the embedded service
	DownloadURL     string
	APIKey          upstream.Secret
	PublicURL       string
	CallbackListen  string
	CallbackAllow   []netip.Prefix
	AssetHosts      []string
	CatalogFile     string
	Agents          []catalog.Agent // those of the documents as CatalogFile changes them; never changed
	Surface         string          // auto, task, run
	MaskRoute       string          // base64, url
	MaskPNG         string          // rgba, palette
	DebugListen     string
	LogLevel        slog.Level
	LogFormat       string // text, json
	TLSCert, TLSKey string
	TLSAuto         bool   // a certificate for PublicURL's name is fetched and renewed (ACME)
	Users           string // auto, single, team
	TrustedProxies  []netip.Prefix
	LaunchToken     upstream.Secret
	RunIdempotency  bool
	Estimates       bool
	RequestRate     float64          // requests a second to the image service
	MediaRoute      string           // auto, upload, url
	TrashDays       int              // how long a run stays in the trash
	MediaBytes      int64            // of a video or sound; 0 = the studio's own limit
	Switches        service.Switches // of the embedded service, for trying clients
	Granted         granted          // what slow clients are granted; not for the operator to choose
	asked           map[string]bool  // the names that mean something
}

// embedded says whether the image service runs in this process.
func (c config) embedded() bool { return c.UpstreamURL == "" }

// team says whether people have accounts: they do as soon as others can reach the studio, unless the operator says otherwise.
func (c config) team() bool {
	if c.Users == "auto" {
		return !loopback(c.Listen) || len(c.TrustedProxies) > 0
	}
	return c.Users == "team"
}

// tls says whether we speak https ourselves.
func (c config) tls() bool { return c.TLSCert != "" || c.TLSAuto }

// environment reads variables and collects every problem, so that the operator sees all of them at once.
type environment struct {
	get      func(string) string
	readFile func(string) ([]byte, error)
	asked    map[string]bool
	problems []error
}

func (e *environment) fail(name, format string, args ...any) {
	e.problems = append(e.problems, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...)))
}

// text gives the variable, or the contents of the file its _FILE twin names, or the fallback.
func (e *environment) text(name, fallback string) string {
	if e.asked != nil {
		e.asked[name], e.asked[name+"_FILE"] = true, true
	}
	v, file := e.get(name), e.get(name+"_FILE")
	switch {
	case v != "" && file != "":
		e.fail(name, "given both directly and as %s_FILE; give one", name)
	case file != "":
		b, err := e.readFile(file)
		if err != nil {
			e.fail(name+"_FILE", "the file cannot be read: %v", err)
			return fallback
		}
		if v = strings.TrimSpace(string(b)); v == "" {
			e.fail(name+"_FILE", "the file is empty")
		}
	}
	if v == "" {
		return fallback
	}
	return v
}

func (e *environment) oneOf(name string, allowed ...string) string {
	v := e.text(name, allowed[0])
	if !slices.Contains(allowed, v) {
		e.fail(name, "%q is none of %s", v, strings.Join(allowed, ", "))
		return allowed[0]
	}
	return v
}

func (e *environment) flag(name string) bool {
	v := e.text(name, "false")
	b, err := strconv.ParseBool(v)
	if err != nil {
		e.fail(name, "%q is neither true nor false", v)
	}
	return b
}

// bytes reads a size: a whole number of bytes, or one with KB, MB or GB behind it (1 KB = 1024 bytes); 0 when none is given.
func (e *environment) bytes(name string) int64 {
	v := e.text(name, "")
	if v == "" {
		return 0
	}
	number, shift := strings.ToUpper(v), 0
	for i, unit := range []string{"KB", "MB", "GB"} {
		if cut, ok := strings.CutSuffix(number, unit); ok {
			number, shift = strings.TrimSpace(cut), 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64>>shift {
		e.fail(name, "%q is not a size such as 200MB", v)
		return 0
	}
	return n << shift
}

// days reads a whole number of days from 1 to 3650.
func (e *environment) days(name string, fallback int) int {
	v := e.text(name, "")
	if v == "" {
		return fallback
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 3650 {
		e.fail(name, "%q is not a number of days from 1 to 3650", v)
		return fallback
	}
	return n
}

// perSecond reads a rate: a number from 0.5 to 1000.
func (e *environment) perSecond(name string, fallback float64) float64 {
	v := e.text(name, "")
	if v == "" {
		return fallback
	}
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || !(n >= .5 && n <= 1000) {
		e.fail(name, "%q is not a number of requests a second from 0.5 to 1000", v)
		return fallback
	}
	return n
}

func (e *environment) list(name string) []string {
	return strings.FieldsFunc(e.text(name, ""), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}

// hosts reads a list of host or host:port.
func (e *environment) hosts(name string) (hosts []string) {
	for _, v := range e.list(name) {
		u, err := url.Parse("https://" + v)
		if err != nil || u.Host != v || u.Hostname() == "" || strings.HasSuffix(v, ":") {
			e.fail(name, "%q is not a host such as images.example.com or 10.0.0.7:9000", v)
			continue
		}
		hosts = append(hosts, v)
	}
	return hosts
}

// strangers gives the names among variables that look like ours and mean nothing: one that is misspelt would be passed over in silence.
func (c config) strangers(environ []string) (names []string) {
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "ATELIER_") && !strings.HasPrefix(name, "ATELIER_TEST_") && !c.asked[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// switches reads the switches of the embedded service, each problem by itself.
func (e *environment) switches(name string) service.Switches {
	sw, err := service.ParseSwitches(e.list(name))
	if err != nil {
		for problem := range strings.Lines(err.Error()) {
			e.fail(name, "%s", strings.TrimSpace(problem))
		}
	}
	return sw
}

func (e *environment) networks(name string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range e.list(name) {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			e.fail(name, "%q is not a network such as 203.0.113.0/24", s)
			continue
		}
		if p.Bits() == 0 {
			e.fail(name, "%s is everybody; name the networks that are meant", s)
			continue
		}
		out = append(out, p)
	}
	return out
}

// baseURL reads an http(s) address without path, query or user name; http only towards this machine unless plain is set.
func (e *environment) baseURL(name, fallback string) string {
	v := strings.TrimRight(e.text(name, fallback), "/")
	if v == "" {
		return ""
	}
	if strings.Contains(v, "@") { // it may hold a password, which is not shown
		e.fail(name, "leave out the name and password; an address is such as https://images.example.com")
		return ""
	}
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http") {
		e.fail(name, "%q is not an address such as https://images.example.com", v)
		return ""
	}
	if u.Scheme == "http" && !loopback(u.Host) {
		e.fail(name, "%q must use https; http is only for this machine", v)
	}
	return v
}

func (e *environment) address(name, fallback string) string {
	v := e.text(name, fallback)
	if v == "" {
		return ""
	}
	if _, port, err := net.SplitHostPort(v); err != nil || port == "" {
		e.fail(name, "%q is not an address such as 127.0.0.1:8080", v)
		return ""
	}
	return v
}

// loadConfig reads the whole configuration; the error holds every problem found.
func loadConfig(getenv func(string) string) (config, error) {
	e := &environment{get: getenv, readFile: os.ReadFile, asked: map[string]bool{}}
	c := config{
		asked:          e.asked,
		Granted:        ordinary,
		Listen:         e.address("ATELIER_LISTEN", "127.0.0.1:8080"),
		Data:           e.text("ATELIER_DATA", defaultData(getenv)),
		UpstreamURL:    e.baseURL("ATELIER_UPSTREAM_URL", ""),
		APIKey:         upstream.Secret(e.text("ATELIER_API_KEY", "")),
		PublicURL:      e.baseURL("ATELIER_PUBLIC_URL", ""),
		CallbackListen: e.address("ATELIER_CALLBACK_LISTEN", ""),
		CallbackAllow:  e.networks("ATELIER_CALLBACK_ALLOW"),
		AssetHosts:     e.hosts("ATELIER_ASSET_HOSTS"),
		CatalogFile:    e.text(catalogVariable, ""),
		Surface:        e.oneOf("ATELIER_SURFACE", "auto", "task", "run"),
		MaskRoute:      e.oneOf("ATELIER_MASK_ROUTE", "base64", "url"),
		MaskPNG:        e.oneOf("ATELIER_MASK_PNG", "rgba", "palette"),
		DebugListen:    e.address("ATELIER_DEBUG_LISTEN", ""),
		LogFormat:      "text",
		TLSCert:        e.text("ATELIER_TLS_CERT", ""),
		TLSKey:         e.text("ATELIER_TLS_KEY", ""),
		TLSAuto:        e.flag("ATELIER_TLS_AUTO"),
		Users:          e.oneOf("ATELIER_USERS", "auto", "single", "team"),
		TrustedProxies: e.networks("ATELIER_TRUSTED_PROXIES"),
		LaunchToken:    upstream.Secret(e.text("ATELIER_LAUNCH_TOKEN", "")),
		RunIdempotency: e.flag("ATELIER_RUN_IDEMPOTENCY"),
		Estimates:      e.flag("ATELIER_ESTIMATES"),
		RequestRate:    e.perSecond("ATELIER_REQUEST_RATE", 10),
		MediaRoute:     e.oneOf("ATELIER_MEDIA_ROUTE", "auto", "upload", "url"),
		MediaBytes:     e.bytes("ATELIER_MEDIA_BYTES"),
		TrashDays:      e.days("ATELIER_TRASH_DAYS", 30),
		Switches:       e.switches("ATELIER_SERVICE_SWITCHES"),
	}
	c.DownloadURL = e.baseURL("ATELIER_DOWNLOAD_URL", c.UpstreamURL)
	c.Agents = e.agents(c.CatalogFile)
	e.log(&c)
	e.check(c)
	return c, errors.Join(e.problems...)
}

const catalogVariable = "ATELIER_CATALOG"

// agents gives the agents of the documents as the catalog file changes them; nil when it has a problem.
func (e *environment) agents(file string) []catalog.Agent {
	if file == "" {
		return catalog.All()
	}
	data, err := e.readFile(file)
	if err != nil {
		e.fail(catalogVariable, "the catalog file cannot be read: %v", err)
		return nil
	}
	agents, err := overlay.Apply(catalog.All(), file, data)
	if err != nil {
		e.fail(catalogVariable, "the catalog file has problems:\n%v", err)
	}
	return agents
}

// loadAgents gives the agents that are offered, whatever else the configuration says.
func loadAgents(getenv func(string) string) ([]catalog.Agent, error) {
	e := &environment{get: getenv, readFile: os.ReadFile}
	agents := e.agents(e.text(catalogVariable, ""))
	return agents, errors.Join(e.problems...)
}

func (e *environment) log(c *config) {
	for _, word := range e.list("ATELIER_LOG") {
		if word == "text" || word == "json" {
			c.LogFormat = word
			continue
		}
		if err := c.LogLevel.UnmarshalText([]byte(word)); err != nil {
			e.fail("ATELIER_LOG", "%q is neither a level (debug, info, warn, error) nor a format (text, json)", word)
		}
	}
}

// check finds what is wrong between variables.
func (e *environment) check(c config) {
	if c.Data == "" {
		e.fail("ATELIER_DATA", "say where data is kept: no user data folder is known here")
	}
	if !c.embedded() && c.APIKey == "" {
		e.fail("ATELIER_API_KEY", "the image service at ATELIER_UPSTREAM_URL needs a key")
	}
	if c.APIKey != "" && e.get("ATELIER_UPSTREAM_URL") == "" && e.get("ATELIER_UPSTREAM_URL_FILE") == "" {
		e.fail("ATELIER_API_KEY", "a key is given but no ATELIER_UPSTREAM_URL to use it at")
	}
	if !c.embedded() && c.Switches != (service.Switches{}) {
		e.fail("ATELIER_SERVICE_SWITCHES", "the switches are those of the embedded service; ATELIER_UPSTREAM_URL names another")
	}
	if strings.HasPrefix(strings.ToLower(string(c.APIKey)), "bearer ") {
		e.fail("ATELIER_API_KEY", `give the raw key, without "Bearer"`)
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		e.fail("ATELIER_TLS_CERT", "a certificate and its key (ATELIER_TLS_KEY) are given together")
	} else if c.TLSCert != "" {
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			e.fail("ATELIER_TLS_CERT", "the certificate and its key cannot be read: %v", err)
		}
	}
	for _, l := range []struct{ name, address string }{{"ATELIER_LISTEN", c.Listen}, {"ATELIER_CALLBACK_LISTEN", c.CallbackListen}} {
		if l.address != "" && !loopback(l.address) && !c.tls() && len(c.TrustedProxies) == 0 {
			e.fail(l.name, "%s is reachable by others: give ATELIER_TLS_CERT and ATELIER_TLS_KEY, or ATELIER_TLS_AUTO, or name the proxy that does TLS in ATELIER_TRUSTED_PROXIES", l.address)
		}
	}
	if c.TLSAuto && c.TLSCert != "" {
		e.fail("ATELIER_TLS_AUTO", "a certificate is given already (ATELIER_TLS_CERT); choose one of the two")
	}
	if c.TLSAuto && !strings.HasPrefix(c.PublicURL, "https://") {
		e.fail("ATELIER_TLS_AUTO", "a certificate is fetched for the name in ATELIER_PUBLIC_URL, such as https://studio.example.com")
	}
	if c.team() && c.LaunchToken != "" {
		e.fail("ATELIER_LAUNCH_TOKEN", "where people have accounts (ATELIER_USERS), scripts sign in by name and password")
	}
	if u, err := url.Parse(c.PublicURL); err == nil && u.Path != "" {
		e.fail("ATELIER_PUBLIC_URL", "the studio is served at the root of its address and not below %s", u.Path)
	}
	if c.Listen != "" && !loopback(c.Listen) && c.PublicURL == "" {
		e.fail("ATELIER_PUBLIC_URL", "say under which address browsers reach %s, such as https://studio.example.com", c.Listen)
	}
	if c.DebugListen != "" && !loopback(c.DebugListen) {
		e.fail("ATELIER_DEBUG_LISTEN", "%s is reachable by others; profiles and metrics are for this machine alone", c.DebugListen)
	}
	if n := len(c.LaunchToken); n > 0 && n < 16 {
		e.fail("ATELIER_LAUNCH_TOKEN", "it has %d characters; 16 is the least", n)
	}
	if c.MediaRoute == "url" && c.PublicURL == "" {
		e.fail("ATELIER_MEDIA_ROUTE", "the image service fetches videos from ATELIER_PUBLIC_URL, which is not given")
	}
	if c.embedded() && c.MediaBytes > service.MediaBytes {
		e.fail("ATELIER_MEDIA_BYTES", "the embedded image service takes at most %d bytes", int64(service.MediaBytes))
	}
	if v := e.text("ATELIER_DATABASE_URL", ""); v != "" {
		e.fail("ATELIER_DATABASE_URL", "this version keeps its data in SQLite; leave it empty")
	}
}

// loopback says whether host or host:port can be reached from this machine only.
func loopback(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// defaultData follows the XDG convention: a folder of the user's own.
func defaultData(getenv func(string) string) string {
	if base := getenv("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "atelier")
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "atelier")
	}
	return ""
}
