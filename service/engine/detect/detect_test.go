package detect

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"atelier/service/engine"
	"atelier/service/engine/comfyui/comfyuitest"
	"atelier/service/engine/enginetest"
	"atelier/service/engine/openai/openaitest"
	"atelier/service/engine/sdapi/sdapitest"
	"atelier/service/engine/sdcpp/sdcpptest"
)

// engineAt makes an engine for an address.
func engineAt(t *testing.T, a engine.Access, o Options) *Engine {
	t.Helper()
	e, err := New(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestProbeFindsProtocol(t *testing.T) {
	t.Parallel()
	for protocol, url := range map[string]string{
		"comfyui": comfyuitest.New(t, comfyuitest.Dialect{New: true}).URL,
		"sdcpp":   sdcpptest.New(t, sdcpptest.Dialect{}).URL,
		"sdapi":   sdapitest.New(t, sdapitest.Forge()).URL,
		"openai":  openaitest.New(t, openaitest.OpenAI("gpt-image-1")).URL,
	} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			e := engineAt(t, engine.Access{URL: url}, Options{})
			a, err := e.Probe(t.Context())
			if err != nil || a.Protocol != protocol {
				t.Fatalf("found %q, %v", a.Protocol, err)
			}
			job := engine.Job{
				Mode:     engine.Text,
				Prompt:   "a red chair",
				Size:     enginetest.SizeOf(a),
				Seed:     3,
				Strength: 1,
			}
			if file, err := enginetest.Make(
				t.Context(),
				t,
				e,
				engine.IDOf("execution", 0, 1),
				job,
			); err != nil ||
				len(file) == 0 {
				t.Errorf("%d bytes, %v", len(file), err)
			}
		})
	}
	if names := Protocols(); !slices.Equal(names, []string{"comfyui", "sdcpp", "sdapi", "openai"}) {
		t.Errorf("the protocols are %v", names)
	}
}

func TestForcedProtocolIsNotReplaced(t *testing.T) {
	t.Parallel()
	e := engineAt(t, engine.Access{URL: sdapitest.New(t, sdapitest.Forge()).URL}, Options{Protocol: "comfyui"})
	if a, err := e.Probe(t.Context()); err == nil {
		t.Errorf("a WebUI was found to be %q", a.Protocol)
	}
	if _, err := New(
		engine.Access{URL: "http://127.0.0.1:1"},
		Options{Protocol: "comfy"},
	); err == nil ||
		!strings.Contains(err.Error(), "comfyui") {
		t.Errorf("an unknown protocol: %v", err)
	}
	if _, err := New(engine.Access{URL: "127.0.0.1:8188"}, Options{}); err == nil {
		t.Error("an address without a scheme was taken")
	}
}

func TestProbeTellsFailuresApart(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	knocks := 0
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		knocks++
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(gateway.Close)
	for name, tt := range map[string]struct {
		access engine.Access
		want   engine.Reason
	}{
		"another server":       {engine.Access{URL: other.URL}, engine.Refused},
		"no server":            {engine.Access{URL: gone.URL}, engine.Unreachable},
		"a gateway without it": {engine.Access{URL: gateway.URL}, engine.Unreachable},
		"a wrong key of ComfyUI": {
			engine.Access{URL: comfyuitest.New(t, comfyuitest.Dialect{Key: "right"}).URL, Key: "wrong"},
			engine.Unauthorized,
		},
		"a wrong password of a WebUI": {
			engine.Access{URL: sdapitest.New(t, sdapitest.Dialect{BasicAuth: "ada:right"}).URL, Key: "ada:wrong"},
			engine.Unauthorized,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := engineAt(t, tt.access, Options{})
			_, err := e.Probe(t.Context())
			if engine.ReasonOf(err) != tt.want || strings.Contains(err.Error(), "wrong") {
				t.Errorf("the error is %v", err)
			}
			if _, err := e.Begin(
				t.Context(),
				engine.IDOf("execution", 0, 1),
				engine.Job{Mode: engine.Text},
			); err == nil {
				t.Error("an engine of an unknown protocol begins")
			}
		})
	}
	if knocks != 1 {
		t.Errorf("a gateway that answers 502 was asked %d times", knocks)
	}
}
