package service

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/service/gen"
	"atelier/upstream"
)

// overheard is a database that notes what it is asked.
type overheard struct {
	gen.DBTX
	asked []string
}

func (o *overheard) note(query string, args []any) {
	o.asked = append(o.asked, fmt.Sprint(query, args))
}

func (o *overheard) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	o.note(query, args)
	return o.DBTX.QueryContext(ctx, query, args...)
}

func (o *overheard) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	o.note(query, args)
	return o.DBTX.QueryRowContext(ctx, query, args...)
}

// Task API, "Agent info": "that resource is not queried".
func TestAResourceThatIsNotAskedForIsNotQueried(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for only, want := range map[string]map[string]bool{
		resourceLocations:     {kindLocation: true},
		resourceFashionModels: {kindFashionModel: true},
		"":                    {kindLocation: true, kindFashionModel: true},
	} {
		heard := &overheard{DBTX: w.svc.db.Read}
		data := map[string]any{}
		err := w.svc.modelInfo(t.Context(), view{s: w.svc, q: gen.New(heard)}, caller{account: "studio"}, only, page{number: 1, size: 50}, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{kindLocation, kindFashionModel} {
			asked := slices.ContainsFunc(heard.asked, func(q string) bool { return strings.Contains(q, kind) })
			if asked != want[kind] || (data[kind+"s"] != nil) != want[kind] {
				t.Errorf("resourceType %q: %s asked for: %v, given: %v", only, kind, asked, data[kind+"s"] != nil)
			}
		}
	}
}

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
