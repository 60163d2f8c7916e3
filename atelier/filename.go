package atelier

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// NameTemplate names delivered files: words with {title}, {agent}, {date} and {number}.
type NameTemplate string

// DefaultNames is the template where none is given.
const DefaultNames NameTemplate = "{title} {number}"

// MaxNames is how many characters a template has at most.
const MaxNames = 200

// Known says whether a template has no other words in braces than those there are.
func (t NameTemplate) Known() bool {
	rest := string(t)
	for _, word := range []string{"{title}", "{agent}", "{date}", "{number}"} {
		rest = strings.ReplaceAll(rest, word, "")
	}
	return !strings.ContainsAny(rest, "{}")
}

// Short says whether a template is no longer than MaxNames.
func (t NameTemplate) Short() bool { return utf8.RuneCountInString(string(t)) <= MaxNames }

// Fill gives the name of the nth file of all, without its ending: of a run's title, its agent's name and when it was made, the day
// in UTC. A title that is the name of a picture or video loses that one's ending. Numbers have the same length, so that they sort.
func (t NameTemplate) Fill(title, agent string, made time.Time, n, all int) string {
	if strings.TrimSpace(string(t)) == "" {
		t = DefaultNames
	}
	width := max(len(strconv.Itoa(all)), 2)
	return FileName(strings.NewReplacer(
		"{title}", WithoutEnding(title), "{agent}", agent, "{date}", made.UTC().Format(time.DateOnly), "{number}", fmt.Sprintf("%0*d", width, n),
	).Replace(string(t)))
}

// WithoutEnding is a title without the ending of the picture, video or sound that it is the name of.
func WithoutEnding(title string) string {
	if end := path.Ext(title); len(end) < len(title) && slices.Contains(fileEndings, strings.ToLower(end)) {
		return strings.TrimSuffix(title, end)
	}
	return title
}

// fileEndings are those of files a designer brings, by which a run is called that has no title of its own.
var fileEndings = strings.Fields(".jpg .jpeg .png .webp .avif .heic .heif .gif .tif .tiff .bmp .mp4 .mov .m4v .webm .mp3 .wav .m4a")

// MaxNameBytes keeps a file name below the 255 bytes of file systems, with room for an ending and a number.
const MaxNameBytes = 230

// FileName makes a name that every file system takes: no path, no control or direction characters and none that is not seen, at most 150
// characters and MaxNameBytes bytes of UTF-8, and none of the names Windows has devices by. It is no formula to a spreadsheet, so that a
// table can name the file as it is.
func FileName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == unicode.ReplacementChar, strings.ContainsRune(unseen, r):
			return -1
		case r == ';':
			return ',' // the end of a cell, where numbers are written with a comma
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Trim(name, " .")
	before, _, _ := strings.Cut(name, ".")
	if slices.Contains(deviceNames, strings.ToUpper(strings.TrimRight(before, " "))) {
		name = "_" + name
	}
	if strings.IndexAny(name, "=+-@＝＋－＠") == 0 {
		name = "_" + name
	}
	if runes := []rune(name); len(runes) > 150 {
		name = strings.TrimSpace(string(runes[:110])) + string(runes[len(runes)-40:])
	}
	for runes := []rune(name); len(name) > MaxNameBytes; {
		// The end tells more than the middle: numbers and endings are there.
		at := len(runes) * 2 / 3
		runes = append(runes[:at-1], runes[at:]...)
		name = string(runes)
	}
	if name == "" {
		return "picture"
	}
	return name
}

// unseen are characters that take no room: the soft hyphen, the space and the joiner of no width, the mark of byte order, and what ends lines
// and paragraphs. What joins letters and pictures into one stays.
const unseen = "\u00ad\u200b\u2060\ufeff\u2028\u2029"

// deviceNames are the names of files that Windows takes for devices, whatever ending they have.
var deviceNames = strings.Fields("CON PRN AUX NUL COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 LPT0 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9")
