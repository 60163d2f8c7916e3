package bff_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/upstream"
)

// Two people bring the same work in at once: one has it, and the other hears that there is nothing left to bring.
func TestTheSameWorkBroughtInByTwoAtOnceIsOneRun(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	hold := func() {}
	s := newTeam(t, func(c *bff.Config) {
		c.UpstreamKind = "remote"
		c.DB.OnMoment(func(name string) {
			if name == "before: create run" {
				hold()
			}
		})
	})
	_, other := s.member("Ben", atelier.Designer)
	picture, err := s.upstream.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "a.jpg", ContentType: "image/jpeg", Size: int64(len(photo(64))), Body: bytes.NewReader(photo(64))})
	s.check(err)
	task, err := s.upstream.CreateTask(t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": picture.Image, "taskName": "elsewhere"}})
	s.check(err)
	_, err = s.upstream.ExecuteTask(t.Context(), upstream.TaskExecute{TaskID: task.TaskID, Params: map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#FFEEDD"}})
	s.check(err)

	both.Add(2)
	hold = func() { both.Done(); both.Wait() } // neither goes on before the other is as far
	path := "/api/tasks/" + task.TaskID + "/import"
	answers := make(chan reply, 2)
	for _, browser := range []*http.Client{s.browser, other} {
		one := *s
		one.browser = browser
		go func() { answers <- one.send("POST", path, nil, nil) }()
	}
	brought := 0
	for range 2 {
		r := <-answers
		if r.status != http.StatusCreated {
			t.Errorf("bringing it in = %d %s", r.status, r.body)
		}
		brought += strings.Count(string(r.body), `"executionId"`)
	}
	if brought != 1 {
		t.Errorf("it became %d runs, want 1", brought)
	}
	var n int
	s.check(s.db.Read.QueryRowContext(context.Background(), "SELECT count(*) FROM runs").Scan(&n))
	if n != 1 {
		t.Errorf("%d runs are kept, want 1", n)
	}
}
