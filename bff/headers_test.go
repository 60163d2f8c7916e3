package bff_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/bff"
)

// guardHeaders are what every answer carries, exactly (R21). A change here is a change of what is promised.
var guardHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
		"img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
		"form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy": "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
}

func TestF17R21TheHeadersAreExactlyThese(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	tls := newIdleStudio(t, func(c *bff.Config) { c.TLS = true })
	asset := s.upload(photo(80))
	for _, path := range []string{"/", "/gallery", "/healthz", "/api/session", "/api/runs", "/api/none", "/callbacks/v1/x.y", asset.File} {
		got := map[string]string{}
		r := s.send("GET", path, nil, nil)
		for name := range guardHeaders {
			got[name] = r.header.Get(name)
		}
		want := guardHeaders
		if path == asset.File { // R20: what people bring is shown and never run
			want = with(guardHeaders, "Content-Security-Policy", "default-src 'none'; sandbox")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Server", "X-Powered-By", "Strict-Transport-Security"} {
			if v := r.header.Get(name); v != "" {
				t.Errorf("%s: %s is %q", path, name, v)
			}
		}
	}
	if r := tls.send("GET", "/healthz", nil, nil); r.status != http.StatusOK || r.header.Get("Strict-Transport-Security") != "max-age=31536000" {
		t.Errorf("over TLS: %d, %q", r.status, r.header.Get("Strict-Transport-Security"))
	}
}

func with(m map[string]string, name, value string) map[string]string {
	out := map[string]string{name: value}
	for k, v := range m {
		if k != name {
			out[k] = v
		}
	}
	return out
}
