package service

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"atelier/catalog"
	"atelier/catalog/overlay"
	"atelier/service/render"
	"atelier/upstream"
)

// Names of the operator's file stand in everything that clients read: defaults, params that come back, refusals.
func TestClientsReadTheNamesOfTheOperatorsFile(t *testing.T) {
	t.Parallel()
	agents, err := overlay.Apply(catalog.All(), "agents.yaml", []byte(`
change:
  virtualtryon: {wire: {generateVersion: {partnerPro: acmePro}}}
  ai-poster: {models: [{name: jimeng, wire: jimeng-4}, {name: acme, like: nano, wire: acme-5}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(c *Config) { c.Agents, c.Switches.Slow = agents, time.Hour })
	run := func(agent string, input, params map[string]any) answer {
		return w.post(upstream.PathRuns, w.key, upstream.RunStart{Agent: upstream.RunAgent{Name: agent, Version: "v1.0"}, Input: input, Params: params})
	}
	picture := w.upload(jpegOf(photo()))
	tryOn := map[string]any{"generateVersion": "acmePro", "descriptionType": "auto"}
	if a := run("virtualtryon", map[string]any{"originalImage": picture}, tryOn); !strings.Contains(a.said(), "imageSize: must be given when generateVersion is acmePro.") {
		t.Errorf("status %d, %s", a.status, a.raw)
	}
	words := map[string]any{"textDescription": "Big sale", "batchCount": 1}
	if a := w.get(upstream.PathRuns+"/"+must[upstream.RunStarted](t, run("ai-poster", map[string]any{}, words)).ExecutionID, w.key); !bytes.Contains(a.raw, []byte(`"modelName":"jimeng-4"`)) {
		t.Errorf("the params come back as %s", a.raw)
	}
	if _, raw := describe(t, w); !strings.Contains(raw, "default: jimeng-4\n") {
		t.Error("the description gives a default that its own list does not hold")
	}
	// An engine that is like another one obeys what that one obeys.
	words["modelName"], words["aspectRatio"], words["imageSize"] = "acme-5", "16:9", "1K"
	id := must[upstream.RunStarted](t, run("ai-poster", map[string]any{}, words)).ExecutionID
	e, err := w.svc.read().FindExecution(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	o, err := w.svc.orderOf(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if v := o.effective().Values; v["aspectRatio"] != "16:9" || v["imageSize"] != "1K" {
		t.Errorf("the work goes by %v", v)
	}
}

// TestAnAddedAgentWorksAsTheOneItIsLike: an agent of the operator's file, one in the shape of each family, gives the pictures
// that its model gives of the same request, and no other.
func TestAnAddedAgentWorksAsTheOneItIsLike(t *testing.T) {
	t.Parallel()
	models := map[string]string{
		"A": "image-to-sketch", "B": "ai-collage-maker", "C": "flowchart-generator", "D": "image-quality",
		"E": "frames-to-video", "F": "video-upscaler-online-free", "G": "portrait-motion", "original": "virtualtryon",
	}
	var file strings.Builder
	file.WriteString("add:\n")
	for _, model := range models {
		file.WriteString("  - {name: house-" + model + ", like: " + model + ", title: Ours, summary: As ours.}\n")
	}
	agents, err := overlay.Apply(catalog.All(), "agents.yaml", []byte(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(c *Config) { c.Agents, c.Switches.Slow = agents, time.Hour })
	picture := w.upload(jpegOf(photo()))
	params := map[string]map[string]any{
		"A": {"images": []any{picture}}, "B": {"images": []any{picture, picture}}, "C": {"textDescription": "a. b. c"},
		"D": {"textDescription": "red", "images": []any{picture}, "quality": "high"}, "G": {"images": []any{picture}, "generatedType": "image"},
		"original": {"originalImage": picture, "generateVersion": "serviceFlash", "descriptionType": "auto"},
	}
	for family, model := range models {
		ours := "house-" + model
		a, known := w.svc.cfg.Agents, false
		for _, agent := range a {
			if agent.Name == ours {
				known = true
				base, _ := catalog.Find(model, "")
				if agent.Model() != model || render.ShapeOf(agent) != render.ShapeOf(base) {
					t.Errorf("%s is like %q, of shape %q", ours, agent.Model(), render.ShapeOf(agent))
				}
			}
		}
		if !known {
			t.Errorf("%s is not offered", ours)
		}
		if params[family] == nil {
			continue // films are made by their shape
		}
		var pictures [2][]byte
		for i, name := range []string{model, ours} {
			ctx := t.Context()
			e, err := w.svc.read().FindExecution(ctx, w.startRun(name, params[family]))
			if err != nil {
				t.Fatal(err)
			}
			o, err := w.svc.orderOf(ctx, e)
			if err != nil {
				t.Fatal(err)
			}
			req, err := w.svc.request(ctx, e, o, maxPixels)
			if err != nil {
				t.Fatal(err)
			}
			req.Seed = 5
			seg, err := render.Segment(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			img, err := render.Render(ctx, req, seg)
			if err != nil {
				t.Fatal(err)
			}
			pictures[i] = img.Pix
		}
		if !bytes.Equal(pictures[0], pictures[1]) {
			t.Errorf("%s makes another picture than %s", ours, model)
		}
	}
}
