package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recovering are the names of what keeps a panic from leaving a goroutine.
var recovering = []string{"recover", "survive", "guarded", "note"}

// recoveredElsewhere lists the goroutines whose work does its own recovering, by the file and what they call.
var recoveredElsewhere = map[string]string{
	"upstream/inprocess.go serve":            "serve answers with the panic as an error",
	"upstream/inprocess.go CloseWithError":   "only closes a pipe",
	"internal/outbound/outbound.go cancel":   "only notes and cancels",
	"cmd/server/main.go stop":                "only lets signals go",
	"imaging/analysis/cache.go leave":        "only counts and cancels",
	"imaging/encodepng.go pack":              "parallel.Group gives a panic back to who waits",
	"imaging/heic/heic.go stop":              "only sets a byte",
	"imaging/parallel/parallel.go":           "parallel.Group gives a panic back to who waits",
	"imaging/psd/pack.go":                    "parallel.Group gives a panic back to who waits",
	"bff/hub/client.go write":                "write recovers first thing",
	"bff/jobs/engine.go sweeping":            "each of its steps is guarded",
	"bff/jobs/engine.go tidying":             "each of its steps is guarded",
	"bff/jobs/sweep.go cancel":               "only waits and cancels",
	"bff/entry.go look":                      "endRevoked survives",
	"service/engine/comfyui/watch.go listen": "parallel.Group gives a panic back to who waits",
	"service/engine/comfyui/watch.go shut":   "only closes a socket",
	"service/engine/runner.go NewTicker":     "parallel.Group gives a panic back to who waits",
	"service/engine/sdapi/sdapi.go poll":     "parallel.Group gives a panic back to who waits",
	"service/interruptions.go sweepSoon":     "only asks for a sweep",
	"service/service.go sweepEachMinute":     "each of its steps is guarded",
	"service/service.go upkeepEachDay":       "each of its steps is guarded",
	"cmd/server/listen.go Serve":             "net/http recovers for each request",
	"internal/killable/killable.go":          "is for tests",
	"internal/packwasm/main.go":              "packs the client when it is built; no server runs in it",
}

// R22: a panic in a goroutine of the server would end the process with everything that is under way.
func TestR22EveryGoroutineOfTheServerSurvivesAPanic(t *testing.T) {
	used := map[string]bool{}
	root := filepath.Join("..", "..")
	for _, s := range sources(t) {
		if s.test || strings.HasPrefix(s.dir, "app") || strings.HasPrefix(s.dir, "cmd/wasm") || strings.HasPrefix(s.dir, "cmd/selectwasm") || s.dir == "e2e" || strings.HasSuffix(s.dir, "test") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.file)))
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, s.file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			body := goroutine(n)
			if body == nil {
				return true
			}
			calls := called(body)
			for _, name := range recovering {
				if calls[name] {
					return true
				}
			}
			for known := range recoveredElsewhere {
				file, call, _ := strings.Cut(known, " ")
				if file == s.file && (call == "" || calls[call]) {
					used[known] = true
					return true
				}
			}
			t.Errorf("%s: a panic in this goroutine would end the process: recover in it", set.Position(n.Pos()))
			return true
		})
	}
	for known := range recoveredElsewhere {
		if !used[known] {
			t.Errorf("%s is listed and there is no such goroutine", known)
		}
	}
}

// goroutine gives what runs in a goroutine that n starts, nil when n starts none: a go statement, x.Go(func), x.DoChan(key, func) of
// singleflight, or AfterFunc(when, func) of time and context.
func goroutine(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
			return n.Args[0]
		}
		if ok && (sel.Sel.Name == "DoChan" || sel.Sel.Name == "AfterFunc") && len(n.Args) == 2 {
			return n.Args[1]
		}
	}
	return nil
}

// called gives the names of everything that is called below n, or of n itself when it is the name of a function or method.
func called(n ast.Node) map[string]bool {
	names := map[string]bool{}
	switch f := n.(type) {
	case *ast.Ident:
		names[f.Name] = true
	case *ast.SelectorExpr:
		names[f.Sel.Name] = true
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch f := call.Fun.(type) {
			case *ast.Ident:
				names[f.Name] = true
			case *ast.SelectorExpr:
				names[f.Sel.Name] = true
			}
		}
		return true
	})
	return names
}
