package service

import (
	"context"
	"errors"
	"testing"

	"atelier/imaging/testpics"
)

func TestIdleWorkMakesWayAndComesBack(t *testing.T) {
	t.Parallel()
	work := newGate(t, undertookRender, 0)
	w := newWatchedWorld(t, nil, work.pass)
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	times := 0
	var execution string
	err := w.svc.WhenIdle(t.Context(), func(ctx context.Context) error {
		times++
		if times > 1 {
			return nil
		}
		execution = w.execute(task, cutOut())
		<-ctx.Done() // a picture is asked for: this ends
		work.open()
		return ctx.Err()
	})
	if err != nil || times != 2 {
		t.Fatalf("it ran %d times, %v; want it cut short once", times, err)
	}
	if got := w.query(execution).Executions[0].Status; !ended(got) {
		t.Errorf("it ran again while an execution was %s", got)
	}
	broken := errors.New("broken")
	if err := w.svc.WhenIdle(t.Context(), func(context.Context) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("WhenIdle = %v, want the error of what was run", err)
	}
}
