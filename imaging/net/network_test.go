package net

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// networks are the embedded ones, with the range of their inputs.
var networks = map[string]struct {
	data string
	low  float32
}{
	"selfie_segmentation":       {peopleWeights, 0},
	"face_detection_full_range": {facesWeights, -1},
	"face_landmark":             {landmarkWeights, 0},
	"pose_landmark_full":        {jointWeights, 0},
}

// reference is what Google's runtime (npm @tensorflow/tfjs-tflite 0.0.1-alpha.10, and @litertjs/core 2.5.3 for
// selfie_segmentation) computes from noise: every Step-th value of an output.
type reference struct {
	Name     string
	Elements int
	Step     int
	RMS      float64
	Values   []float64
}

// noise fills an input as the references were made.
func noise(to []float32, low float32) {
	for i := range to {
		v := math.Sin(float64(i)*12.9898) * 43758.5453
		to[i] = low + (1-low)*float32(v-math.Floor(v))
	}
}

func TestNetworksMatchReference(t *testing.T) {
	t.Parallel()
	// Each runtime adds in another order and rounds differently. The logits of the joints' mask differ most.
	const tolerance = 2e-3
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string][]reference
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden) != len(networks) {
		t.Fatalf("%d networks have references, want %d", len(golden), len(networks))
	}
	for name, outputs := range golden {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, err := Read([]byte(networks[name].data))
			if err != nil {
				t.Fatal(err)
			}
			if s, ok := n.steps[len(n.steps)-1].(*transposed); ok {
				s.act = linear // the chances of noise are all about zero: compare their logits
			}
			r := n.NewRunner()
			noise(r.Input(0), networks[name].low)
			r.Run()
			if n.Outputs() != len(outputs) {
				t.Fatalf("%d outputs, want %d", n.Outputs(), len(outputs))
			}
			for i, want := range outputs {
				got := r.Output(i)
				if len(got) != want.Elements {
					t.Errorf("%s has %d values, want %d", want.Name, len(got), want.Elements)
					continue
				}
				for k, v := range want.Values {
					if off := math.Abs(float64(got[k*want.Step]) - v); off > tolerance*max(want.RMS, math.Abs(v)) {
						t.Errorf("%s[%d] = %g, want %g", want.Name, k*want.Step, got[k*want.Step], v)
					}
				}
			}
		})
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	for name, each := range networks {
		n, err := Read([]byte(each.data))
		if err != nil {
			t.Fatal(err)
		}
		r := n.NewRunner()
		if got := testing.AllocsPerRun(1, r.Run); got != 0 {
			t.Errorf("%s: %g allocations a run", name, got)
		}
	}
}

func TestRunnerForgetsItsLastRun(t *testing.T) {
	t.Parallel()
	n, err := Read([]byte(peopleWeights))
	if err != nil {
		t.Fatal(err)
	}
	fresh, used := n.NewRunner(), n.NewRunner()
	noise(used.Input(0), -1)
	used.Run()
	for _, r := range []*Runner{fresh, used} {
		noise(r.Input(0), 0)
		r.Run()
	}
	for i, v := range fresh.Output(0) {
		if used.Output(0)[i] != v {
			t.Fatalf("value %d is %g after another run, %g without", i, used.Output(0)[i], v)
		}
	}
}

func TestReadRefusesDamagedFiles(t *testing.T) {
	t.Parallel()
	whole := []byte(peopleWeights)
	for _, n := range []int{0, 7, 8, 100, len(whole) / 2, len(whole) - 1} {
		if _, err := Read(whole[:n]); err == nil {
			t.Errorf("the first %d bytes are read as a network", n)
		}
	}
	for at := 0; at < 4000; at += 37 {
		damaged := []byte(strings.Clone(peopleWeights))
		damaged[at] ^= 0x5a
		n, err := Read(damaged) // some bytes are weights or names: then it is another network
		if err == nil && n.Work() > maxWork {
			t.Errorf("byte %d: %d multiply-adds are taken", at, n.Work())
		}
	}
}

func FuzzRead(f *testing.F) {
	const quick = 1 << 26 // multiply-adds that a round of fuzzing may run
	f.Add([]byte(peopleWeights))
	f.Add([]byte(peopleWeights)[:200])
	f.Fuzz(func(_ *testing.T, data []byte) {
		n, err := Read(data)
		if err == nil && n.Work() < quick {
			n.NewRunner().Run()
		}
	})
}

func TestNoticeNamesEmbeddedNetworks(t *testing.T) {
	t.Parallel()
	for name, each := range networks {
		sum := sha256.Sum256([]byte(each.data))
		if !strings.Contains(Notice, name) || !strings.Contains(Notice, hex.EncodeToString(sum[:])) {
			t.Errorf("NOTICE does not name %s with its SHA-256, %x", name, sum)
		}
	}
}

// BenchmarkNetworks runs each network once per iteration, on one processor.
func BenchmarkNetworks(b *testing.B) {
	for name, each := range networks {
		b.Run(name, func(b *testing.B) {
			n, err := Read([]byte(each.data))
			if err != nil {
				b.Fatal(err)
			}
			r := n.NewRunner()
			noise(r.Input(0), each.low)
			for b.Loop() {
				r.Run()
			}
			b.ReportMetric(float64(n.Work())/1e6, "Mmultiply-adds")
		})
	}
}
