package password

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"atelier/atelier"
)

func TestR16AHashIsArgon2idOfTheLeastRecommendedCost(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	hash, err := h.Hash(t.Context(), "correct horse battery staple")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`).MatchString(hash) {
		t.Errorf("the hash is %q", hash)
	}
	again, err := h.Hash(t.Context(), "correct horse battery staple")
	if err != nil || again == hash {
		t.Errorf("two hashes of one password are %q and %q, %v; want different salts", hash, again, err)
	}
	for plain, want := range map[string]bool{"correct horse battery staple": true, "correct horse battery stapl": false, "": false, "Correct horse battery staple": false} {
		if ok, err := h.Matches(t.Context(), hash, plain); err != nil || ok != want {
			t.Errorf("Matches(%q) = %v, %v, want %v", plain, ok, err, want)
		}
	}
	if ok, err := h.Matches(t.Context(), "", "correct horse battery staple"); err != nil || ok {
		t.Errorf("for a name that nobody has: %v, %v", ok, err)
	}
}

// The RFC 9106 parameters of another program's hash are taken as they stand.
func TestAHashOfAnotherCostIsRead(t *testing.T) {
	t.Parallel()
	// "password", salt "somesalt", from the reference implementation's own test vectors (argon2 test.c, version 0x13).
	const vector = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
	if ok, err := NewHasher().Matches(t.Context(), vector, "password"); err != nil || !ok {
		t.Errorf("Matches = %v, %v", ok, err)
	}
}

func TestADamagedHashIsNoPasswordAndNoPanic(t *testing.T) {
	t.Parallel()
	const good = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
	bad := []string{
		"x", "$", "$$$$$", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "m=256", "m=99999999", 1), strings.Replace(good, "m=256", "m=0", 1), strings.Replace(good, "t=2", "t=0", 1),
		strings.Replace(good, "t=2", "t=4000000000", 1), strings.Replace(good, "p=1", "p=0", 1), strings.Replace(good, "m=256,", "", 1),
		strings.Replace(good, "c29tZXNhbHQ", "!", 1), strings.Replace(good, "c29tZXNhbHQ", "", 1), good[:len(good)-30], good + "$x",
	}
	for n := range good {
		if n < 62 {
			bad = append(bad, good[:n])
		}
	}
	for _, hash := range bad {
		if hash == "" {
			continue
		}
		if ok, err := NewHasher().Matches(t.Context(), hash, "password"); ok || !errors.Is(err, ErrHash) {
			t.Errorf("%q: %v, %v", hash, ok, err)
		}
	}
}

func TestR16OnlyTwoHashesAreMadeAtOnceAndWaitingEnds(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	h.slots <- struct{}{}
	h.slots <- struct{}{}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := h.Hash(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a third hash: %v", err)
	}
	<-h.slots
	<-h.slots
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := h.Hash(t.Context(), "x"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestPasswordsAreLongAndNotObvious(t *testing.T) {
	t.Parallel()
	pattern, max := strings.Repeat("vK3-", atelier.PasswordMin/4), strings.Repeat("ab cde fghi jk", 20)
	good := []string{
		"correct horse battery staple", "Tr7-mpolin unter Glas", "wolken fahren rad", "красивый закат моря", "花鳥風月山水雨雪桜梅竹松", "9182736450564738", max[:atelier.PasswordMax],
		"yellow guitar heaven", "kxQ7vT2mZr9wLp", "vier blaue Teller im Garten", "Rechnung Mond Giraffe", "purple elephant 7 stapler",
	}
	for _, p := range good {
		if why := Refuse(p, "Ada Lovelace"); why != "" {
			t.Errorf("%q is refused: %s", p, why)
		}
	}
	if why := Refuse(max[:atelier.PasswordMax]+"x", ""); !strings.Contains(why, "129") {
		t.Errorf("129 characters: %q", why)
	}
	bad := []string{
		"", "elevenchars", "\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe\xff\xfe", pattern, "aaaaaaaaaaaaaaaa", "abababababababab", "password1234", "P@ssw0rd2026!", "passwordpassword",
		"qwertyuiop123", "1234567890123456", "abcdefghijklmnop", "LetMeInPlease!", "adalovelace1", "Ada Lovelace 1815", "zyxwvutsrqpo", "qwertyqwerty", "welcome2atelier", "000000000000", "administrator1",
		"            ", "iloveyou1234", "asdfghjkl;12",
		// What stands in lists of the ten thousand most frequent, and what is made after their pattern.
		"1qaz2wsx3edc", "1q2w3e4r5t6y", "zaq12wsxcde3", "!QAZ2wsx#EDC", "1q2w3e4r5t6y7u8i", "q1w2e3r4t5y6", "qazwsxedcrfv", "1qaz@WSX3edc", "zxcvbnm,./12",
		"qwe123asd456", "a1b2c3d4e5f6", "1a2b3c4d5e6f", "123qwe123qwe", "abc123abc123", "1234qwerasdf", "qweasdzxc123", "poiuytrewq12", "0987654321qw",
		"aaaabbbbcccc", "112233445566", "147258369147", "asdf1234asdf1234", "manchesterunited", "christopher1!", "motherfucker1", "unbelievable", "chocolateangel", "realmadrid2026",
		"harleydavidson", "babygirl12345", "butterfly2024!", "Sommer2026!!!!", "iloveyouforever", "spiderman1234", "passwordpassword1",
	}
	for _, p := range bad {
		if Refuse(p, "Ada Lovelace") == "" {
			t.Errorf("%q is taken", p)
		}
	}
}

// R16: what the rules do not see and many people use is refused, with what else is usually done to it.
func TestR16PasswordsOfManyPeopleAreRefused(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"sonyericsson", "SonyEricsson", "leavemealone", "whosyourdaddy", "needforspeed", "professional", "Professional2026!", "international", "4815162342lost", "ghjcnjgfhjkm", "mailcreated5240"} {
		if why := Refuse(p, "Ada"); !strings.HasPrefix(why, "This password is too common") {
			t.Errorf("%q: %q", p, why)
		}
	}
	for _, p := range []string{"a professional giraffe", "international mud soup", "sony under the ericsson tree"} {
		if why := Refuse(p, "Ada"); why != "" {
			t.Errorf("%q is refused: %s", p, why)
		}
	}
	if n := len(leaked()); n < 250 || !slices.IsSorted(slices.Collect(strings.Lines(fingerprints))) {
		t.Errorf("%d fingerprints, in order: %t", n, slices.IsSorted(slices.Collect(strings.Lines(fingerprints))))
	}
}

// R16: of a list of the most frequent passwords, one a line, none is taken. The list is no part of the project.
func TestR16NoPasswordOfAListIsTaken(t *testing.T) {
	t.Parallel()
	name := os.Getenv("ATELIER_PASSWORDS")
	if name == "" {
		t.Skip("ATELIER_PASSWORDS names no list of passwords")
	}
	list, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	n, long := 0, 0
	for line := range strings.Lines(string(list)) {
		p := strings.TrimRight(line, "\r\n")
		n++
		if utf8.RuneCountInString(p) >= atelier.PasswordMin {
			long++
		}
		if Refuse(p, "Ada Lovelace") == "" {
			t.Errorf("%q is taken", p)
		}
	}
	t.Logf("%d passwords, %d of them long enough", n, long)
}

func TestMadeUpPasswordsAreTakenAndDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 500 {
		p := Make()
		if why := Refuse(p, "Ada"); why != "" || seen[p] || len(p) != 23 {
			t.Fatalf("made up %q: %s", p, why)
		}
		seen[p] = true
	}
}

func FuzzParse(f *testing.F) {
	f.Add("$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4")
	f.Add("$argon2id$v=19$m=,t=,p=$$")
	f.Fuzz(func(t *testing.T, hash string) {
		c, key, err := parse(hash)
		if err == nil && (c.memory > maxMemory || c.passes > maxPasses || c.threads == 0 || len(c.salt) < 8 || int(c.length) != len(key)) {
			t.Errorf("%q is read as %+v", hash, c)
		}
	})
}
