package catalog

import "reflect"

// Shapes groups agents that take the same fields under the same rules, in the order of the first of each.
func Shapes(agents []Agent) [][]Agent {
	var out [][]Agent
next:
	for _, a := range agents {
		for i, shape := range out {
			if alike(shape[0], a) {
				out[i] = append(shape, a)
				continue next
			}
		}
		out = append(out, []Agent{a})
	}
	return out
}

func alike(a, b Agent) bool {
	return reflect.DeepEqual(a.Files, b.Files) && reflect.DeepEqual(a.Params, b.Params) && reflect.DeepEqual(a.Rules, b.Rules) && reflect.DeepEqual(a.Surfaces, b.Surfaces)
}
