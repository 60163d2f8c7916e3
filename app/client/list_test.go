package client

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/app/words"
	"atelier/atelier"
)

func TestALongListIsReadAsIfAtOnce(t *testing.T) {
	want := atelier.ResultPage{NextCursor: "further", Total: 7, More: true}
	for i := range 47 {
		want.Results = append(want.Results, atelier.ListedResult{Result: atelier.Result{ID: atelier.ResultID("r" + strconv.Itoa(i)), Rating: i % 6}})
	}
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"first": string(body), "last": `{"total":7,"more":true,"nextCursor":"further",` + string(body[1:])} {
		got, err := (&wire{status: 200, body: body}).api().Results(t.Context(), atelier.RunFilter{})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("the list stands %s: %v\n%s", name, err, diff)
		}
	}
}

func TestAnEmptyListMayBeWrittenAsNull(t *testing.T) {
	got, err := (&wire{status: 200, body: `{"results":null,"total":3}`}).api().Results(t.Context(), atelier.RunFilter{})
	if err != nil || len(got.Results) != 0 || got.Total != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAListThatBreaksOffIsNoList(t *testing.T) {
	for _, body := range []string{``, `[]`, `{"results":{}}`, `{"results":[{"id":"a"}`, `{"results":[{"id":1}]}`, `{"results":[`, `{"total":`, `{"results":[],"total":"many"}`} {
		_, err := (&wire{status: 200, body: body}).api().Results(t.Context(), atelier.RunFilter{})
		if e, ok := errors.AsType[*atelier.Error](err); !ok || e.Message != words.ServerUnreadable {
			t.Errorf("%q is read as %v", body, err)
		}
	}
}

func TestAListThatNobodyWaitsForIsNotReadToItsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := `{"results":[`
	for range 30 {
		body += `{},`
	}
	_, err := (&wire{status: 200, body: body + `{}]}`}).api().Results(ctx, atelier.RunFilter{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
