package service

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"atelier/catalog"
	"atelier/catalog/overlay"
	"atelier/service/render"
)

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
