package render

import (
	"regexp"
	"slices"
	"strings"
)

// decided is a sentence such as "if it fits then wear it, else alter it".
type decided struct {
	asked, yes string
	no         string // "" where it is not said
}

var (
	conditional = regexp.MustCompile(`(?i)^(?:and\s+|then\s+|but\s+)?(?:if|when|in case|should)\s+(.+)$`)
	consequence = regexp.MustCompile(`(?i)\s*(?:,\s*then\s+|,\s*|:\s+|\s+then\s+)`)
	conditionIn = regexp.MustCompile(`(?i),\s+(?:and\s+|then\s+|but\s+)?if\s`)
	compound    = regexp.MustCompile(`(?i)(?:some|any|every|no)(?:thing|body|one|where)$|\b(?:who|what|where|how|nothing)$`)
)

// readDecision reads a sentence that begins with a condition. What follows a yes begins after a comma or a "then"; where there is neither,
// with a word that tells somebody to do something, or is as long as what follows a no.
func readDecision(s string) (d decided, ok bool) {
	m := conditional.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return decided{}, false
	}
	head, no := m[1], ""
	for _, at := range otherwise.FindAllStringIndex(m[1], -1) {
		if !compound.MatchString(m[1][:at[0]]) { // not "something else"
			head, no = m[1][:at[0]], m[1][at[1]:]
			break
		}
	}
	if at := consequence.FindStringIndex(head); at != nil && at[0] > 0 && at[1] < len(head) {
		return decided{head[:at[0]], head[at[1]:], no}, true
	}
	said := strings.Fields(head)
	at := told(said)
	if at < 0 && no != "" {
		at = len(said) - len(strings.Fields(no))
	}
	if at < 1 || at >= len(said) {
		return decided{}, false
	}
	return decided{strings.Join(said[:at], " "), strings.Join(said[at:], " "), no}, true
}

// told is the place of the first word after the first that tells somebody to do something, -1 when there is none.
func told(said []string) int {
	for i := 1; i < len(said); i++ {
		if slices.Contains(commands, strings.ToLower(strings.Trim(said[i], ",.;:"))) {
			return i
		}
	}
	return -1
}

// commands are the words that steps of flow charts begin with most.
var commands = strings.Fields("accept add adjust alert alter apply approve archive ask assign bake begin book bring build buy call cancel change charge " +
	"check choose clean close collect complete confirm contact continue correct create cut decline delete deliver discard dispatch do draw edit email " +
	"end enter escalate exit export fill finish fix fold forward get give go hand hold inform invite invoice iron issue keep leave load log mail make " +
	"measure mend mix move notify offer open order pack paint pay pick place plan post prepare press print proceed publish push put record redo refund " +
	"refuse reject release remove reorder repair repeat replace reply report request reset resend restart restock retry return review save schedule " +
	"search send set sew ship show sign sketch skip start stop store submit take talk tell test throw try turn update upload use wait warn wash wear wrap write")

// listedDecision reads a sentence that lists steps with a condition among them: "check the stock, if available ship it, else reorder, notify
// the customer". What stands behind the branches follows both. It is nil where there is no such condition.
func listedDecision(s string) (parts []string) {
	at := conditionIn.FindStringIndex(s)
	if at == nil {
		return nil
	}
	items := listed.Split(strings.Trim(strings.TrimPrefix(s[at[0]:], ","), " "), -1)
	// The condition with its first branch, then, if there is one, the other.
	until := 1
	first := items[0]
	if _, whole := readDecision(first); !whole && len(items) > 1 && elseFirst.FindString(items[1]) == "" {
		first += ", " + items[1]
		until = 2
	}
	if until < len(items) && elseFirst.MatchString(items[until]) {
		first += " " + items[until]
		until++
	}
	if _, ok := readDecision(first); !ok {
		return nil
	}
	parts = append(listed.Split(s[:at[0]], -1), first)
	for _, rest := range items[until:] {
		for _, p := range connectors.Split(" "+rest, -1) {
			p = strings.TrimPrefix(strings.TrimSpace(p), "and ")
			if p = strings.TrimPrefix(p, "then "); p != "" {
				parts = append(parts, p)
			}
		}
	}
	return parts
}
