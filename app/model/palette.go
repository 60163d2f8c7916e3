package model

import "strings"

// Command is something the palette offers.
type Command struct {
	ID    string // told back when it is chosen
	Icon  string
	Title string
	Hint  string // its shortcut, or what kind of thing it is
	Words string // found by these too
}

// paletteShown is how many commands the palette lists at a time.
const paletteShown = 12

// Match lists the commands that fit what was typed, the best first: every word of it must begin a word of the command, or
// stand within one; a command whose title begins with it comes before others. With nothing typed the first ones are listed.
func Match(commands []Command, typed string) []Command {
	words := strings.Fields(strings.ToLower(typed))
	type ranked struct {
		command Command
		rank    int
	}
	var found []ranked
	for _, c := range commands {
		rank, ok := 0, true
		title, other := strings.ToLower(c.Title), strings.ToLower(c.Words)
		for _, w := range words {
			switch {
			case strings.HasPrefix(title, w):
			case strings.Contains(title, " "+w):
				rank++
			case strings.Contains(title, w):
				rank += 3
			case strings.Contains(other, w):
				rank += 4
			default:
				ok = false
			}
		}
		if ok {
			found = append(found, ranked{c, rank})
		}
	}
	out := make([]Command, 0, paletteShown)
	for _, f := range Ordered(found, func(r ranked) int { return r.rank })[:min(len(found), paletteShown)] {
		out = append(out, f.command)
	}
	return out
}
