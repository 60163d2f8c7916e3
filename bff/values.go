package bff

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"atelier/atelier"
	"atelier/bff/words"
)

// maxValues is how many bytes the values of a run take at most as JSON: they are searched through, read with each look at it and sent with
// each event of it.
const maxValues = 256 << 10

// checkWeight refuses values of a run that are too much together, and names the largest of them.
func checkWeight(values map[string]any) error {
	total, most, largest := 1, 0, ""
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n := jsonSize(name) + jsonSize(values[name]) + 2
		if total += n; n > most {
			most, largest = n, name
		}
	}
	if total <= maxValues {
		return nil
	}
	if len(largest) > 60 {
		largest = strings.ToValidUTF8(largest[:60], "") + "…"
	}
	return atelier.FieldError(largest, words.RunValuesLarge(maxValues>>10, (total+1<<10-1)>>10, largest))
}

// jsonSize is how many bytes a value takes as JSON. Of a text that is too large by itself it is no more than known: nothing is made of it.
func jsonSize(value any) int {
	switch v := value.(type) {
	case string:
		if len(v) > maxValues {
			return len(v) + 2
		}
	case []any:
		n := 1 + max(1, len(v))
		for _, item := range v {
			n += jsonSize(item)
		}
		return n
	case map[string]any:
		n := 1 + max(1, len(v))
		for name, item := range v {
			n += jsonSize(name) + 1 + jsonSize(item)
		}
		return n
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return 0 // what came as JSON can be written as JSON
	}
	return len(raw)
}
