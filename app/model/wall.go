package model

import (
	"slices"

	"atelier/atelier"
)

// Wall lists what the gallery shows of its runs: every result that is here or still on its way, and one cell for a run
// that gave nothing.
func Wall(runs Runs, starred bool) []Shot {
	var shots []Shot
	for _, run := range runs {
		shown := slices.DeleteFunc(slices.Clone(run.Results), func(r atelier.Result) bool {
			return r.Status == atelier.Failed || starred && !r.Starred
		})
		for _, result := range shown {
			shots = append(shots, Shot{Run: run, Result: result})
		}
		if len(shown) > 0 || starred {
			continue
		}
		shot := Shot{Run: run}
		if len(run.Results) > 0 {
			shot.Result = run.Results[0]
		}
		shots = append(shots, shot)
	}
	return shots
}
