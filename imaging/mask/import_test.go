package mask

import (
	"errors"
	"testing"
)

func TestImportReadsWhatAPictureSays(t *testing.T) {
	grey := func(values ...uint8) (rgba []byte) {
		for _, v := range values {
			rgba = append(rgba, v, v, v, 255)
		}
		return rgba
	}
	read := func(rgba []byte, w, h int) (Reading, error) {
		i := NewImport(w, h)
		i.Rows(rgba)
		return i.Read()
	}
	r, err := read(grey(0, 255, 10, 240), 2, 2)
	if err != nil || !r.Asks || r.Doubt != "" {
		t.Fatalf("black and white: %+v, %v", r, err)
	}
	if got := show(r.Mask(false)); got[0] != ".#" || got[1] != ".#" {
		t.Errorf("white kept: %v", got)
	}
	if got := show(r.Mask(true)); got[0] != "#." || got[1] != "#." {
		t.Errorf("black kept: %v", got)
	}
	r, err = read([]byte{255, 255, 255, 255, 0, 0, 0, 255, 9, 9, 9, 0, 9, 9, 9, 127}, 2, 2)
	if err != nil || r.Asks {
		t.Fatalf("with opacity: %+v, %v", r, err)
	}
	if got := show(r.Mask(true)); got[0] != "##" || got[1] != ".." {
		t.Errorf("opaque kept: %v", got)
	}
	if r, err = read(grainy(700, 100).Pix, 700, 100); err != nil || r.Doubt == "" {
		t.Errorf("a photograph is taken for a mask: %+v, %v", r, err)
	}
	for name, test := range map[string]struct {
		rgba []byte
		w, h int
	}{
		"all white":       {grey(255, 255, 255, 255), 2, 2},
		"all black":       {grey(0, 0, 0, 0), 2, 2},
		"all transparent": {make([]byte, 16), 2, 2},
		"half a picture":  {grey(0, 255), 2, 2},
		"no pixels":       {nil, 0, 0},
	} {
		var problem *Error
		if _, err := read(test.rgba, test.w, test.h); !errors.As(err, &problem) || problem.Code != CodeImport || problem.Message == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzImport feeds any bytes in any portions: nothing may panic, and what is read has to be the picture's size.
func FuzzImport(f *testing.F) {
	f.Add([]byte{0, 0, 0, 255, 255, 255, 255, 255}, 2, 1, 4)
	f.Add([]byte{1, 2, 3}, 1, 1, 1)
	f.Add(make([]byte, 64), 4, 4, 17)
	f.Fuzz(func(t *testing.T, rgba []byte, w, h, portion int) {
		if w > 200 || h > 200 {
			return
		}
		i := NewImport(w, h)
		for rest := rgba; len(rest) > 0; {
			n := min(max(portion, 4*max(w, 1)), len(rest))
			i.Rows(rest[:n])
			rest = rest[n:]
		}
		r, err := i.Read()
		if err != nil {
			return
		}
		for _, keepBlack := range []bool{false, true} {
			p := r.Mask(keepBlack)
			if p.W != w || p.H != h || len(p.Pix) != w*h {
				t.Fatalf("read %d × %d, made %d × %d", w, h, p.W, p.H)
			}
			// A picture of both makes a mask of both, whichever is kept.
			if p.Empty() || p.Full() {
				t.Fatalf("the mask is empty or full (black kept %v)", keepBlack)
			}
		}
	})
}
