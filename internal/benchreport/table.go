package main

import (
	"strings"
	"unicode/utf8"
)

// table is rows of cells, printed with the columns in line.
type table struct {
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String is the table, its first row being the heading.
func (t *table) String() string {
	var widths []int
	var out strings.Builder
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if n == 0 {
			rule := 0
			for _, w := range widths {
				rule += w + 2
			}
			out.WriteString(strings.Repeat("─", max(0, rule-2)) + "\n")
		}
	}
	return out.String() + "\n"
}
