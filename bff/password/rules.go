package password

import (
	"crypto/rand"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
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

// popular are words that lists of leaked passwords are full of beside those. Two of them with figures around are soon guessed; three
// unrelated ones are a good password, so these count only as long as there are no more.
var popular = []string{
	"manchester", "barcelona", "juventus", "realmadrid", "arsenal", "rangers", "yankees", "steelers", "cowboys", "patriots", "lakers",
	"christopher", "alexander", "elizabeth", "stephanie", "charlotte", "benjamin", "victoria", "samantha", "nicholas", "jonathan", "veronica",
	"gabriel", "patricia", "michelle", "jessica", "matthew", "anthony", "charlie", "william", "richard", "brandon", "melissa", "rebecca",
	"natasha", "andrew", "joshua", "daniel", "thomas", "robert", "george", "hannah", "ashley", "amanda", "nicole", "sophie", "martin",
	"butterfly", "chocolate", "babygirl", "babyboy", "beautiful", "forever", "diamond", "cookie", "cheese", "banana", "orange", "purple",
	"yellow", "silver", "golden", "flower", "angel", "lucky", "happy", "friends", "family", "thunder", "phoenix", "hunter", "killer", "ninja",
	"warrior", "spiderman", "mustang", "corvette", "ferrari", "mercedes", "porsche", "yamaha", "suzuki", "honda", "harley", "davidson", "guitar",
	"hockey", "soccer", "tennis", "golfer", "skater", "america", "australia", "california", "germany", "deutschland", "london", "berlin", "paris",
	"metallica", "slipknot", "nirvana", "eminem", "pikachu", "minecraft", "fortnite", "naruto", "zelda", "tinkerbell", "jesus", "christ", "heaven",
	"motherfucker", "fucking", "fuckyou", "asshole", "bitch", "pussy", "unbelievable", "impossible", "microsoft", "windows", "android", "iphone",
	"united", "company", "office", "server", "system", "database", "temporary", "access", "unknown", "nothing", "schatz", "hallo", "sommer",
	"frühling", "herbst", "geheim", "fussball", "bonjour", "soleil", "doudou", "amour",
}

// Refuse gives the sentence why a password is not taken for the account of a name, "" when it is. There is no rule about kinds
// of characters: length is what counts, and that it is not the first thing somebody tries.
func Refuse(plain, name string) string {
	n := utf8.RuneCountInString(plain)
	switch {
	case !utf8.ValidString(plain):
		return words.PasswordUnread
	case n < atelier.PasswordMin:
		return words.PasswordShort(n, atelier.PasswordMin)
	case n > atelier.PasswordMax:
		return words.PasswordLong(n, atelier.PasswordMax)
	case used(plain):
		return words.PasswordUsed
	case easy(plain, name):
		return words.PasswordEasy
	}
	return ""
}

// easy says whether little is left of a password when everything that is tried first is taken out of it.
func easy(plain, name string) bool {
	rest := fold(years.ReplaceAllString(plain, "\x00"))
	if strings.Trim(plain, "0123456789") == "" {
		return !numbers(plain)
	}
	if repeats(rest) || walks(plain) || alternates(plain) {
		return true
	}
	cut := func(words []string) (found int) {
		for _, word := range words {
			if len(word) >= 2 && strings.Contains(rest, word) {
				rest = strings.ReplaceAll(rest, word, "\x00")
				found++
			}
		}
		return found
	}
	cut(strings.Fields(fold(name)))
	named := rest
	if cut(obvious); few(runs(rest)) {
		return true
	}
	rest = named
	found := cut(popular) // first: some of the others are parts of these
	cut(obvious)
	return found <= 2 && few(runs(rest))
}

// years stand at the end of many a password.
var years = regexp.MustCompile(`(19|20)[0-9]{2}`)

// few says whether less than three letters are left.
func few(rest string) bool {
	left := map[rune]bool{}
	for _, r := range rest {
		if unicode.IsLetter(r) || r > unicode.MaxASCII {
			left[r] = true
		}
	}
	return len(left) < 3
}

// keys are the places of the keys of a keyboard, row by row, each row half a key further to the right; with what the row of figures gives
// together with Shift.
var keys = []string{"1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"}

const shifted = "!@#$%^&*()"

// walks says whether fingers went from key to neighbouring key for most of a password, or from letter to letter of the alphabet: along
// a row, down the columns, to and fro between two rows.
func walks(plain string) bool {
	var before rune
	near, steps := 0, 0
	for _, r := range strings.ToLower(plain) {
		if before != 0 {
			steps++
			if beside(before, r) {
				near++
			}
		}
		before = r
	}
	return near*10 >= steps*7
}

// beside says whether two characters are the same, follow one another, or lie side by side on a keyboard.
func beside(a, b rune) bool {
	if d := a - b; d >= -1 && d <= 1 {
		return true
	}
	row, at := key(a)
	other, place := key(b)
	if row < 0 || other < 0 {
		return false
	}
	// Each row begins half a key to the right of the one above: under a key lie the one at its place and the one before.
	switch d := place - at; other - row {
	case 0:
		return d == 1 || d == -1
	case 1:
		return d == 0 || d == -1
	case -1:
		return d == 0 || d == 1
	}
	return false
}

func key(r rune) (row, at int) {
	if i := strings.IndexRune(shifted, r); i >= 0 {
		return 0, i
	}
	for row, line := range keys {
		if i := strings.IndexRune(line, r); i >= 0 {
			return row, i
		}
	}
	return -1, 0
}

// alternates says whether a password is two rows told in turns: a1b2c3d4e5f6.
func alternates(plain string) bool {
	var turns [2][]rune
	for i, r := range []rune(strings.ToLower(plain)) {
		turns[i%2] = append(turns[i%2], r)
	}
	return walks(string(turns[0])) && walks(string(turns[1]))
}

// numbers says whether a password of digits alone has many of them, with many different neighbours, such as dice would throw.
func numbers(plain string) bool {
	pairs := map[string]bool{}
	for i := 1; i < len(plain); i++ {
		pairs[plain[i-1:i+1]] = true
	}
	return len(plain) >= 16 && len(pairs) >= 12
}

// fold writes a password as its letters would be said: small, with the usual figures read as the letters they stand for.
func fold(s string) string {
	return strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t").Replace(strings.ToLower(s))
}

// repeats says whether a password is one piece of at most eight characters over and over.
func repeats(s string) bool {
	r := []rune(s)
	for size := 1; size <= 8 && size*2 <= len(r); size++ {
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
