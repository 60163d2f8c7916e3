package password

import (
	"crypto/rand"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/atelier"
)

// obvious are the words that most guessed passwords are made of, folded as fold does.
var obvious = []string{
	"password", "passwort", "passphrase", "motdepasse", "contrasena", "welcome", "willkommen", "letmein", "iloveyou", "princess",
	"sunshine", "football", "baseball", "basketball", "superman", "batman", "starwars", "pokemon", "dragon", "monkey", "master",
	"shadow", "michael", "jennifer", "jordan", "liverpool", "chelsea", "computer", "internet", "samsung", "google", "facebook",
	"trustno", "whatever", "freedom", "secret", "administrator", "admin", "root", "login", "user", "guest", "default", "change",
	"changeme", "please", "test", "testing", "hello", "summer", "winter", "spring", "autumn", "qwerty", "azerty", "qwertz", "asdf",
	"zxcv", "abc", "one", "two", "three", "four", "my", "me", "the", "is", "new", "old", "studio", "atelier", "designer", "design",
}

// rows are what fingers run along.
var rows = []string{"qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "abcdefghijklmnopqrstuvwxyz", "01234567890"}

// Refuse gives the sentence why a password is not taken for the account of a name, "" when it is. There is no rule about kinds
// of characters: length is what counts, and that it is not the first thing somebody tries.
func Refuse(plain, name string) string {
	n := utf8.RuneCountInString(plain)
	switch {
	case !utf8.ValidString(plain):
		return "The password holds characters that cannot be read."
	case n < atelier.PasswordMin:
		return fmt.Sprintf("The password has %d characters; it needs at least %d.", n, atelier.PasswordMin)
	case n > atelier.PasswordMax:
		return fmt.Sprintf("The password has %d characters; at most %d are taken.", n, atelier.PasswordMax)
	case easy(plain, name):
		return "This password is easy to guess. A few unrelated words make a good one."
	}
	return ""
}

// easy says whether little is left of a password when everything that is tried first is taken out of it.
func easy(plain, name string) bool {
	rest := fold(plain)
	if repeats(rest) {
		return true
	}
	cut := func(word string) {
		if len(word) >= 2 {
			rest = strings.ReplaceAll(rest, word, "\x00")
		}
	}
	for _, word := range strings.Fields(fold(name)) {
		cut(word)
	}
	for _, word := range obvious {
		cut(word)
	}
	left := map[rune]bool{}
	for _, r := range runs(rest) {
		if unicode.IsLetter(r) || r > unicode.MaxASCII {
			left[r] = true
		}
	}
	return len(left) < 3 && !numbers(plain)
}

// numbers says whether a password is digits alone with many different neighbours, such as dice would throw.
func numbers(plain string) bool {
	pairs := map[string]bool{}
	for i := range len(plain) {
		if plain[i] < '0' || plain[i] > '9' {
			return false
		}
		if i > 0 {
			pairs[plain[i-1:i+1]] = true
		}
	}
	return len(plain) >= 16 && len(pairs) >= 12
}

// fold writes a password as its letters would be said: small, with the usual figures read as the letters they stand for.
func fold(s string) string {
	return strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t").Replace(strings.ToLower(s))
}

// repeats says whether a password is one piece of at most five characters over and over.
func repeats(s string) bool {
	r := []rune(s)
	for size := 1; size <= 5 && size*2 <= len(r); size++ {
		same := true
		for i := size; i < len(r) && same; i++ {
			same = r[i] == r[i-size]
		}
		if same {
			return true
		}
	}
	return false
}

// runs drops what stands side by side on a keyboard or in the alphabet, four or more at a time, forwards or backwards.
func runs(s string) string {
	for _, row := range rows {
		for _, line := range []string{fold(row), fold(reverse(row)), row, reverse(row)} {
			for size := len(line); size >= 4; size-- {
				for at := 0; at+size <= len(line); at++ {
					s = strings.ReplaceAll(s, line[at:at+size], "\x00")
				}
			}
		}
	}
	return s
}

func reverse(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// Make makes up a password of 100 random bits, in groups that can be read out.
func Make() string {
	text := strings.ToLower(rand.Text())
	return text[:5] + "-" + text[5:10] + "-" + text[10:15] + "-" + text[15:20]
}
