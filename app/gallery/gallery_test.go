package gallery

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestEveryStoryCanBeShown(t *testing.T) {
	n := 0
	for _, c := range chapters() {
		if len(c.stories) == 0 {
			t.Errorf("%s has no states", c.name)
		}
		for _, s := range c.stories {
			n++
			t.Run(c.name+"/"+s.name, func(t *testing.T) {
				if app.HTMLString(s.view()) == "" {
					t.Error("nothing is shown")
				}
			})
		}
	}
	if n < 50 {
		t.Errorf("%d states, want every one of every component", n)
	}
}

func TestTheWholePageMounts(t *testing.T) {
	if err := app.NewTestEngine().Load(&Page{}); err != nil {
		t.Error(err)
	}
}
