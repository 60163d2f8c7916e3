package model

import (
	"slices"
	"strconv"
	"strings"

	"atelier/app/words"
)

// photoEndings are the endings of pictures that are sent as they are, converted by the server, or repaired before.
var photoEndings = []string{
	".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff", ".avif", ".gif", ".bmp",
}

// IsPhoto reports whether a path names a picture that the studio takes. Hidden files are none.
func IsPhoto(path string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	return !strings.HasPrefix(name, ".") &&
		slices.ContainsFunc(photoEndings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// NaturalOrder gives the indices of paths in their natural order: 2 before 10, letters of either case alike, the
// files of a folder together.
func NaturalOrder(paths []string) []int {
	keys := make([]string, len(paths))
	for i, path := range paths {
		keys[i] = naturalKey(path) + "\x00" + strconv.Itoa(i)
	}
	slices.Sort(keys)
	order := make([]int, len(keys))
	for i, key := range keys {
		order[i], _ = strconv.Atoi(key[strings.LastIndexByte(key, 0)+1:])
	}
	return order
}

// naturalKey returns a string whose order by bytes is the natural order of path. A number is written with the count of
// its digits before them.
func naturalKey(path string) string {
	var key strings.Builder
	path = strings.ToLower(path)
	for i := 0; i < len(path); {
		from := i
		for i < len(path) && path[i] >= '0' && path[i] <= '9' {
			i++
		}
		switch {
		case i > from:
			number := strings.TrimLeft(path[from:i], "0")
			key.WriteByte('0')
			key.WriteRune(rune(len(number) + 1))
			key.WriteString(number)
		case path[i] == '/':
			key.WriteByte(1) // before every character of a name
			i++
		default:
			key.WriteByte(path[i])
			i++
		}
	}
	return key.String()
}

// DraggedPicture returns the address of the picture that was dragged from another page, "" when it was none. image is
// the address of the dragged element, list the text/uri-list.
func DraggedPicture(image, list string) string {
	if strings.Contains(image, ":") { // not relative to a page that is not known here
		return image
	}
	for link := range strings.Lines(list) {
		link = strings.TrimSpace(link)
		if link == "" || link[0] == '#' {
			continue
		}
		if image != "" || strings.HasPrefix(link, "data:image/") || IsPhoto(withoutQuery(link)) {
			return link
		}
		break
	}
	return ""
}

// PictureName returns the file name in the address of a picture.
func PictureName(address string) string {
	name := withoutQuery(address)
	name = name[strings.LastIndexByte(name, '/')+1:]
	if name == "" || strings.HasPrefix(address, "data:") {
		return words.UploadPicture
	}
	return name
}

func withoutQuery(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		return address[:i]
	}
	return address
}
