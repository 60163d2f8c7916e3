package model

import (
	"slices"
	"testing"
)

func TestIsPhoto(t *testing.T) {
	for path, want := range map[string]bool{
		"a.jpg": true, "Look/IMG_0001.HEIC": true, "scan.TIF": true, "b.webp": true, "c.JPeg": true, "d.gif": true,
		"Thumbs.db": false, "Look/.DS_Store": false, "Look/._a.jpg": false, "notes.txt": false, "film.mp4": false,
		"jpg": false, "a.jpg/readme": false, "": false,
	} {
		if got := IsPhoto(path); got != want {
			t.Errorf("%q is a photo: %v", path, got)
		}
	}
}

func TestNaturalOrderOfPaths(t *testing.T) {
	want := []string{
		"look/1.jpg", "look/2.jpg", "look/010.jpg", "look/10b.jpg", "look/B2.jpg", "look/b10.jpg",
		"look/back/1.jpg", "look/img.jpg", "look/img1.jpg", "look 2/1.jpg", "look10/1.jpg",
	}
	for turn := range len(want) {
		paths := slices.Concat(want[turn:], want[:turn])
		if turn%2 == 1 {
			slices.Reverse(paths)
		}
		got := []string{}
		for _, i := range NaturalOrder(paths) {
			got = append(got, paths[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("turn %d: %q", turn, got)
		}
	}
	if got := NaturalOrder([]string{"a/1.jpg", "a/1.jpg", "a/01.jpg"}); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("equal paths: %v", got)
	}
}

func TestDraggedPicture(t *testing.T) {
	const photo = "https://shop.example/look/a.jpg?w=300"
	for _, tt := range []struct{ image, list, want string }{
		{photo, "https://shop.example/product", photo},
		{"a.jpg", "# from the shop\r\n" + photo + "\r\nhttps://b.example/", photo},
		{"a", "https://shop.example/picture", "https://shop.example/picture"},
		{"", photo, photo},
		{"", "data:image/png;base64,AAAA", "data:image/png;base64,AAAA"},
		{"", "https://shop.example/product", ""},
		{"", "", ""},
		{"a.jpg", "", ""},
	} {
		if got := DraggedPicture(tt.image, tt.list); got != tt.want {
			t.Errorf("of %q in %q: %q", tt.image, tt.list, got)
		}
	}
}

func TestPictureName(t *testing.T) {
	for address, want := range map[string]string{
		"https://shop.example/look/a.jpg?w=300": "a.jpg", "https://shop.example/": "picture",
		"data:image/png;base64,AA/A": "picture", "blob:https://shop.example/1-2": "1-2",
	} {
		if got := PictureName(address); got != want {
			t.Errorf("%s: %q", address, got)
		}
	}
}
