package db_test

import (
	"fmt"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// However many files lie between, those of a kind and those with a word are found, page by page, nothing twice and nothing lost;
// letters beyond ASCII are the same in upper and lower case.
func TestFilesAreListedByKindAndByWords(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for i := range 1100 {
		kind, name := "image", fmt.Sprintf("ÉTÉ look %d.jpg", i)
		if i%400 == 0 {
			kind, name = "video", fmt.Sprintf("walk %d.mp4", i)
		}
		a := db.Asset{Asset: atelier.Asset{Kind: kind, Name: name, SHA256: fmt.Sprint(i)}, UserID: dbtest.User.ID}
		if _, _, err := d.CreateAsset(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		filter atelier.AssetFilter
		want   []string // of the names, all or the first
		n      int
	}{
		{atelier.AssetFilter{Kind: "video", Limit: 2}, []string{"walk 800.mp4", "walk 400.mp4", "walk 0.mp4"}, 3},
		{atelier.AssetFilter{Kind: "audio", Limit: 2}, nil, 0},
		{atelier.AssetFilter{Query: "été 109", Limit: 4}, []string{"ÉTÉ look 1099.jpg", "ÉTÉ look 1098.jpg"}, 11},
		{atelier.AssetFilter{Kind: "image", Query: "WALK", Limit: 4}, nil, 0},
		{atelier.AssetFilter{Query: "look 3.", Limit: 200}, []string{"ÉTÉ look 1093.jpg"}, 110},
		{atelier.AssetFilter{Limit: 200}, []string{"ÉTÉ look 1099.jpg"}, 1100},
	} {
		var names []string
		for f := tt.filter; ; {
			page, err := d.ListAssets(t.Context(), dbtest.User.ID, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range page.Assets {
				names = append(names, a.Name)
			}
			if f.Cursor = page.NextCursor; f.Cursor == "" || len(names) > 2000 {
				break
			}
		}
		if len(names) != tt.n || !strings.HasPrefix(strings.Join(names, "|")+"|", strings.Join(tt.want, "|")) {
			t.Errorf("%+v: %d, %.5q, want %d, %q", tt.filter, len(names), names, tt.n, tt.want)
		}
	}
}
