package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"atelier/upstream"
)

// What gets into a line by mistake does not come out of it, in either form of the log; what is no secret does.
func TestSecretsThatGetIntoALineDoNotComeOut(t *testing.T) {
	t.Parallel()
	const secret = "canary0123456789-of_a_secret"
	address, err := url.Parse("https://images.example.com/x.png?a=1&X-Amz-Signature=" + secret + "&b=2")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json"} {
		var b bytes.Buffer
		log := newLogger(config{LogFormat: format}, &b)
		log.Info("names", "password", secret, "Authorization", "Bearer "+secret, "set_cookie", secret, "apiKey", upstream.Secret(secret), "header", "plain")
		log.Info("texts", "path", "/callbacks/v1/0190a0b0."+secret, "link", "http://127.0.0.1:8080/#launch="+secret, "share", "/media/0190."+secret+" and on", "review", "https://studio.example.com/review/0190."+secret+"/3")
		log.Info("files", "path", "/openapi/files/"+secret+".png", "preset", "/openapi/files/presets/location-1001.webp")
		log.Info("others", "error", &url.Error{Op: "Get", URL: address.String(), Err: errors.New("broken")}, "url", address)
		log.With("token", secret).WithGroup("g").Info("kept with it", "status", http.StatusTeapot)
		if strings.Contains(b.String(), secret) {
			t.Errorf("%s shows a secret:\n%s", format, &b)
		}
		for _, kept := range []string{"plain", "names", "0190a0b0", "b=2", "images.example.com", "broken", "and on", "/openapi/files/presets/location-1001.webp", "418", redacted} {
			if !strings.Contains(b.String(), kept) {
				t.Errorf("%s does not show %q:\n%s", format, kept, &b)
			}
		}
	}
}
