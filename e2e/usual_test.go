package e2e

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"atelier/db"
)

// How long such a run usually takes stands by the button before it is pressed, on a phone too, and nothing moves for it.
func TestUsualDurationIsShownBeforeARun(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	s.between(func(d *db.DB, keep func(data []byte) db.Blob) {
		var runs []past
		for i, seconds := range []int{10, 11, 12, 12, 40} {
			runs = append(runs, past{at: time.Now().Add(-time.Duration(i+1) * time.Hour), agent: "z-image", title: strconv.Itoa(seconds), prompt: "x", results: 4})
		}
		s.write(d, keep, runs)
		_, err := d.Write.ExecContext(t.Context(), `UPDATE runs SET last_sent_at = created_at, checked_at = created_at + 1000 * CAST(title AS integer),
			values_json = '{"textDescription":"x","batchCount":4}'`)
		if err != nil {
			t.Fatal(err)
		}
	})
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("z-image")
	button := b.box(sel("generate"))
	b.write("a lighthouse at dusk")
	b.click("batch-4")
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		b.do(chromedp.EmulateViewport(size[0], size[1]))
		b.says(sel("usual"), "About 12 s, up to 40 s")
		line, below := b.box(sel("usual")), b.box(sel("generate"))
		if line.Y+line.Height > below.Y || line.Height < 10 || below.Y+below.Height > float64(size[1]) {
			t.Errorf("at %d px it stands at %v, and the button at %v", size[0], line, below)
		}
		if size[0] == 1440 && below.Y != button.Y {
			t.Errorf("the button stood at %v, and stands at %v", button, below)
		}
		b.audited("usual-" + strconv.FormatInt(size[0], 10))
	}
	b.do(chromedp.EmulateViewport(1440, 900))
	b.click("batch-1")
	b.says(sel("usual"), "No estimate yet")
}
