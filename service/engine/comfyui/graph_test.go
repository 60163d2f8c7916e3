package comfyui

import (
	"encoding/json"
	"image"
	"maps"
	"slices"
	"testing"

	"atelier/service/engine"
)

// FuzzWorkflow reads graphs with marks, fills them and cuts references out: what comes out is a graph again, without a
// mark that has a value, and of no node that was not there.
func FuzzWorkflow(f *testing.F) {
	for _, mode := range modes {
		data, err := graphs.ReadFile("graphs/" + string(mode) + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "a red chair", int64(1), 1)
	}
	for _, inputs := range []string{
		`"inputs":{"x":"%prompt% %image%","y":["%seed%",["2"],{"z":"%width%"}]}`,
		`"inputs":{"image":"%image%","b":["2",0]}},"2":{"class_type":"A","inputs":{"a":["1",0],"image":"%ref1%"}`,
		`"_meta":{"title":"@seed @size"},"inputs":{"seed":1e400,"width":true}`,
	} {
		f.Add([]byte(`{"1":{"class_type":"A",`+inputs+`}}`), "%seed%", int64(1)<<62, 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, prompt string, seed int64, pictures int) {
		w, err := readWorkflow("fuzz", data)
		if err != nil {
			return
		}
		classes := map[string]*class{}
		for _, n := range w.graph {
			c := &class{output: n.Class == "SaveImage", inputs: map[string]input{}}
			for name := range n.Inputs {
				c.inputs[name] = input{optional: len(name)%2 == 0}
			}
			classes[n.Class] = c
		}
		g := w.graph.clone()
		if g.cutReferences(pictures, classes) != nil || len(g) == 0 {
			return
		}
		for id := range g {
			if _, there := w.graph[id]; !there {
				t.Fatalf("node %s was not there", id)
			}
		}
		job := engine.Job{Prompt: prompt, Seed: seed, Size: image.Pt(640, 480), Strength: 0.5}
		filled := g.fill(valuesOf(job, []string{"a.png"}, "m.png"))
		text, err := json.Marshal(filled)
		if err != nil {
			t.Fatal(err)
		}
		again, err := readGraph(text)
		if err != nil {
			t.Fatalf("the filled graph cannot be read: %v", err)
		}
		if !slices.Equal(slices.Sorted(maps.Keys(again)), slices.Sorted(maps.Keys(g))) {
			t.Fatal("filling changes the nodes")
		}
		if !stringMark.MatchString(prompt) {
			for id, n := range again {
				for _, mark := range []string{"prompt", "seed", "width", "image", "mask"} {
					if (node{Inputs: n.Inputs}).uses(mark) && !overlaps(g[id], mark) {
						t.Fatalf("node %s still has %%%s%%", id, mark)
					}
				}
			}
		}
	})
}

// overlaps reports whether a mark may come about by filling: percent signs of text around a filled one.
func overlaps(n node, mark string) bool {
	found := false
	eachString(n.Inputs, func(s string) {
		for range len(stringMark.FindAllString(s, -1)) {
			found = found || len(s) > len(mark)+2
		}
	})
	return found
}
