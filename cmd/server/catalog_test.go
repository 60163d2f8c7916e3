package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/internal/killable"
)

// TestBothHalvesOfferTheOperatorsAgents: one catalog file, read once, is what designers see, what is checked before a run
// and what the embedded service serves and describes.
func TestBothHalvesOfferTheOperatorsAgents(t *testing.T) {
	const token = "a-token-for-this-test"
	address := killable.Address(t)
	started(t, map[string]string{
		"ATELIER_LISTEN": address, "ATELIER_DATA": t.TempDir(), "ATELIER_LAUNCH_TOKEN": token,
		"ATELIER_CATALOG": catalogFile(t, `
hide: [z-image]
add:
  - name: house-pictures
    like: image-light
    title: House pictures
    summary: Makes a picture with the engines of the house.
    models: [{name: plain, wire: house/plain-2}]
`),
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	send := func(method, path, body string) (int, []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Atelier", "1")
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(resp.Body)
		if cerr := resp.Body.Close(); err != nil || cerr != nil {
			t.Fatal(err, cerr)
		}
		return resp.StatusCode, data
	}
	if code, data := send(http.MethodPost, "/api/session", `{"token":"`+token+`"}`); code != http.StatusOK {
		t.Fatalf("log in: %d %s", code, data)
	}
	_, data := send(http.MethodGet, "/api/agents", "")
	var offered struct {
		Agents []catalog.Agent `json:"agents"`
	}
	if err := json.Unmarshal(data, &offered); err != nil {
		t.Fatal(err)
	}
	set := catalog.NewSet(offered.Agents)
	if _, ok := set.Find("house-pictures", "v1.0"); !ok {
		t.Error("the studio does not offer the operator's agent")
	}
	if _, ok := set.Find("z-image", ""); ok {
		t.Error("the studio offers a hidden agent")
	}
	if _, data := send(http.MethodGet, "/openapi/agent/openapi.yaml", ""); !strings.Contains(string(data), "house/plain-2") || strings.Contains(string(data), "z-image") {
		t.Error("the service does not describe exactly the agents that are offered")
	}
	run := func(agent string) (int, []byte) {
		return send(http.MethodPost, "/api/runs", `{"intentKey":"the-intent-of-`+agent+`","agent":"`+agent+`","version":"v1.0","values":{"textDescription":"A beach in the evening"}}`)
	}
	if code, data := run("house-pictures"); code != http.StatusAccepted {
		t.Errorf("a run of the operator's agent: %d %s", code, data)
	}
	if code, data := run("z-image"); code != http.StatusBadRequest {
		t.Errorf("a run of an agent that is not offered: %d %s", code, data)
	}
}
