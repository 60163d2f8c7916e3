package service

import (
	"strings"
	"testing"

	"atelier/imaging/testpics"
)

func TestUnclearPhotoFailsWithSentence(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	unclear := w.task("removeBG", w.upload(testpics.PNG(testpics.Photo(520, 560, 2))))
	automatic := map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 2}
	refused, painted := w.execute(unclear, automatic), w.execute(unclear, cutOut("batchCount", 1))
	beside := w.execute(w.task("removeBG", w.upload(testpics.PNG(photo()))), automatic)
	got := w.finish(refused)
	if got.Status != statusFailed || len(got.Result) != 2 {
		t.Fatalf("it ended as %s with %d items", got.Status, len(got.Result))
	}
	for _, item := range got.Result {
		if !strings.Contains(item.Error, "What to keep is not clear in this photo. Paint a mask") {
			t.Errorf("an item says %q", item.Error)
		}
	}
	for name, execution := range map[string]string{"a painted mask": painted, "a clear photo beside it": beside} {
		if got := w.finish(execution); got.Status != statusSuccess {
			t.Errorf("%s ended as %s", name, got.Status)
		}
	}
}
