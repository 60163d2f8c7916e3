package bff

import (
	"mime"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"atelier/atelier"
)

func FuzzAFileNameNeverLeavesItsHeaderOrFolder(f *testing.F) {
	for _, s := range []string{"dress.jpg", `a"b\c/d`, "../../etc/passwd", "a\r\nX: 1", "\u202egpj.exe", "röntgen", strings.Repeat("x", 500), "", " . ", "\x00", "\xff\xfe", "con", "a;b=c", "%0d%0a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := atelier.FileName(s)
		if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > 150 || strings.ContainsAny(name, `/\:*?"<>|`) || name == ".." {
			t.Errorf("FileName(%q) = %q", s, name)
		}
		for _, r := range name {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("FileName(%q) = %q holds %q", s, name, r)
			}
		}
		header := disposition(s+".png", true)
		if strings.ContainsAny(header, "\r\n\x00") {
			t.Errorf("disposition(%q) = %q", s, header)
		}
		kind, params, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || params["filename"] != atelier.FileName(s+".png") {
			t.Errorf("disposition(%q) = %q, read as %q %q, %v", s, header, kind, params["filename"], err)
		}
	})
}

func FuzzNoProofIsGuessed(f *testing.F) {
	s := &Server{c: Config{CallbackKey: []byte("0123456789abcdef")}}
	f.Add("a.b")
	f.Add(".")
	f.Add("0190a0b0-0000-7000-8000-000000000000." + strings.Repeat("A", 22))
	f.Fuzz(func(t *testing.T, token string) {
		subject, ok := s.proven(callbacks, token)
		if ok && token != subject+"."+s.proof(callbacks, subject) {
			t.Errorf("%q was believed", token)
		}
		if _, ok := s.proven(images, token); ok {
			t.Errorf("%q was believed for another purpose", token)
		}
	})
}

func FuzzAQueryIsReadOrRefused(f *testing.F) {
	f.Add("limit=10&cursor=&starred=1&from=2026-01-01&q=x")
	f.Add("limit=-1&cursor=%27%20OR%201=1&to=9999-99-99")
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/runs", nil)
		r.URL.RawQuery = query
		filter, err := runFilter(r)
		if err == nil && (filter.Limit < 0 || filter.Limit > pageSize || filter.Cursor != "" && !isID(filter.Cursor)) {
			t.Errorf("%q is read as %+v", query, filter)
		}
	})
}

func TestOnlyTrustedProxiesSayWhereAClientIs(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"nobody between", "192.0.2.7:1234", nil, "192.0.2.7"},
		{"a client makes it up", "192.0.2.7:1234", []string{"203.0.113.9"}, "192.0.2.7"},
		{"a proxy says nothing", "10.1.2.3:1234", nil, "10.1.2.3"},
		{"a proxy says who", "10.1.2.3:1234", []string{"203.0.113.9"}, "203.0.113.9"},
		{"a proxy after something made up", "10.1.2.3:1234", []string{"127.0.0.1, 203.0.113.9"}, "203.0.113.9"},
		{"two proxies", "10.1.2.3:1234", []string{"1.1.1.1, 203.0.113.9, 10.9.9.9"}, "203.0.113.9"},
		{"two headers", "10.1.2.3:1234", []string{"1.1.1.1", "203.0.113.9"}, "203.0.113.9"},
		{"nonsense", "10.1.2.3:1234", []string{"x, unknown"}, "10.1.2.3"},
		{"nonsense before the truth", "10.1.2.3:1234", []string{"<script>, 203.0.113.9"}, "203.0.113.9"},
		{"IPv6", "[fd00::1]:1234", []string{"2001:db8::5"}, "2001:db8::5"},
		{"IPv4 in IPv6", "[::ffff:10.1.2.3]:1234", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"all trusted", "10.1.2.3:1234", []string{"10.0.0.5"}, "10.0.0.5"},
	}
	for _, tt := range tests {
		for _, trusted := range []bool{true, false} {
			s := &Server{}
			want := netip.MustParseAddrPort(tt.peer).Addr().Unmap().String()
			if trusted {
				s.c.TrustedProxies, want = proxies, tt.want
			}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr, r.Header = tt.peer, http.Header{"X-Forwarded-For": tt.forwarded}
			if got := s.ip(r); got != want {
				t.Errorf("%s (trusted %v): %s, want %s", tt.name, trusted, got, want)
			}
		}
	}
}

func TestTagsFitAndDiffer(t *testing.T) {
	t.Parallel()
	seen, foreign, alike := map[string]bool{}, 0, 0
	s, other := &Server{namesKey: []byte("0123456789abcdef")}, &Server{namesKey: []byte("fedcba9876543210")}
	for _, title := range []string{"Red dress", "", "röntgen 7", "a very long title indeed", "~~~", "- - -", "日本", "ab cdefgh-"} {
		for range 50 {
			tag, err := s.newTag(title)
			if err != nil {
				t.Fatal(err)
			}
			label, random, found := strings.Cut(tag, "~")
			if !found || len(tag) > 20 || label == "" || len(random) != tagRandom+tagProof || seen[tag] || strings.Trim(random, crockford) != "" {
				t.Errorf("newTag(%q) = %q", title, tag)
			}
			seen[tag] = true
			if !s.named(tag) {
				t.Errorf("%q is not the studio's", tag)
			}
			for _, like := range []string{"x" + tag, tag + "0", tag[1:], tag[:len(tag)-1]} {
				if s.named(like) {
					alike++
				}
			}
			if other.named(tag) {
				foreign++
			}
		}
	}
	// 15 bits: one of 32,768 names that are another studio's, or only resemble one's own, is taken for one's own.
	if foreign > 1 || alike > 2 {
		t.Errorf("of %d names %d are another studio's too, and %d that resemble them are the studio's", len(seen), foreign, alike)
	}
	for _, name := range []string{"", "~", "a~", "~0123456789", "a name of somebody's", "0123456789~0123456789"} {
		if s.named(name) {
			t.Errorf("%q is the studio's", name)
		}
	}
}
