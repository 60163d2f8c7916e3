package service

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/upstream"
)

func TestPagesOfPresetsJoinTheCallersOwnAndOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	ours := must[upstream.AgentInfo](t, w.get(info("aimodel", "&pageSize=100"), w.key))
	var want []int64
	for i := range 7 {
		if _, err := w.svc.db.Write.ExecContext(t.Context(), `INSERT INTO my_preset (id, account_id, kind, name, images, base_url, status, created_at)
			SELECT ?, account_id, 'location', 'x', '["https://pictures.example/x.png"]', '', 'failed', 0 FROM access_key LIMIT 1`, 900000+i); err != nil {
			t.Fatal(err)
		}
		want = append([]int64{int64(900000 + i)}, want...)
	}
	for _, l := range ours.Locations {
		want = append(want, l.ID)
	}
	for _, size := range []int{1, 3, 7, 8, 100} {
		var got []int64
		for page := 1; ; page++ {
			a := must[upstream.AgentInfo](t, w.get(info("aimodel", fmt.Sprintf("&page=%d&pageSize=%d", page, size)), w.key))
			for _, l := range a.Locations {
				got = append(got, l.ID)
			}
			at := a.Pagination
			if at.Locations.Total != len(want) || at.FashionModels.Total != len(ours.FashionModels) || at.Page != page || at.PageSize != size {
				t.Fatalf("page %d of %d: %+v, %+v, %+v", page, size, at, at.Locations, at.FashionModels)
			}
			if last := page*size >= len(ours.FashionModels); at.FashionModels.IsLastPage != last {
				t.Errorf("page %d of %d: the last page of models = %v", page, size, !last)
			}
			if at.Locations.IsLastPage {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", size, diff)
		}
	}
	all := must[upstream.AgentInfo](t, w.get(info("aiproduct"), w.key))
	var got []int64
	for _, l := range all.Locations {
		got = append(got, l.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" || all.Pagination != nil {
		t.Errorf("unpaged (-want +got):\n%s, %+v", diff, all.Pagination)
	}
	if a := must[upstream.AgentInfo](t, w.get(info("aimodel", "&page=9223372036854775807&pageSize=100"), w.key)); len(a.Locations) != 0 || !a.Pagination.Locations.IsLastPage {
		t.Errorf("the last page a number can name: %+v", a)
	}
}
