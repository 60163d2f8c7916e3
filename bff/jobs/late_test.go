package jobs

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/upstream"
)

// Executions repeat their masks, so that a page of tasks can be larger than any answer may be. Then shorter ones are asked for,
// and no task is passed over.
func TestAPageOfTasksThatIsTooLargeIsAskedForInPieces(t *testing.T) {
	t.Parallel()
	const tasks = 43
	heavy := `""` + strings.Repeat(`,""`, 5<<20/3) // of long texts the client reads the beginning alone
	var asked []int
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		limit, _ := strconv.Atoi(q.Get("limit"))
		from, _ := strconv.Atoi(q.Get("cursor"))
		asked = append(asked, limit)
		var list []string
		for i := from; i < min(from+limit, tasks); i++ {
			texts := ""
			if i >= 20 && i < 22 {
				texts = heavy // two of them are too much
			}
			list = append(list, fmt.Sprintf(`{"taskId":"%d","initParams":{"texts":[%s]}}`, i, texts))
		}
		to := from + len(list)
		_, _ = fmt.Fprintf(w, `{"success":true,"code":0,"data":{"tasks":[%s],"hasMore":%t,"nextCursor":"%d"}}`, strings.Join(list, ","), to < tasks, to)
	})
	up, err := upstream.New(upstream.Options{BaseURL: "https://service.example", Key: "k", Transport: upstream.InProcess(service)})
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{line: newLine()}
	e.Use(&Account{Client: up})
	seen := 0
	err = e.eachTask(t.Context(), time.Now(), func(task upstream.Task) (bool, error) {
		if task.TaskID != strconv.Itoa(seen) {
			t.Errorf("task %s came in the place of %d", task.TaskID, seen)
		}
		seen++
		return true, nil
	})
	if err != nil || seen != tasks {
		t.Errorf("%d of %d tasks were seen, %v; pages were asked for with %v", seen, tasks, err, asked)
	}
	if fmt.Sprint(asked[:4]) != "[20 20 5 1]" || asked[len(asked)-1] != 20 {
		t.Errorf("pages were asked for with %v", asked)
	}
}

// Who has no list for our key says so at once. A no in the middle of the list means that the rest was not read.
func TestAListThatBreaksOffIsNoWholeList(t *testing.T) {
	t.Parallel()
	for readable, whole := range map[int]bool{0: true, 1: false} {
		pages := 0
		service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if pages++; pages > readable {
				w.WriteHeader(http.StatusNotFound)
				_, _ = fmt.Fprint(w, `{"success":false,"code":40000,"msg":"no such cursor"}`)
				return
			}
			_, _ = fmt.Fprint(w, `{"success":true,"code":0,"data":{"tasks":[{"taskId":"1"}],"hasMore":true,"nextCursor":"2"}}`)
		})
		up, err := upstream.New(upstream.Options{BaseURL: "https://service.example", Key: "k", Transport: upstream.InProcess(service)})
		if err != nil {
			t.Fatal(err)
		}
		e := &Engine{line: newLine()}
		e.Use(&Account{Client: up})
		err = e.eachTask(t.Context(), time.Now(), func(upstream.Task) (bool, error) { return true, nil })
		if (err == nil) != whole {
			t.Errorf("after %d pages that could be read it says %v", readable, err)
		}
	}
}
