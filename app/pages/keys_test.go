package pages

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
)

// A key is called the same in the sheet and on the tips, and as it stands on the keyboard at hand.
func TestKeysAreNamedAsTheyStandOnTheKeyboard(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(app.Context) { b.studio.SetValue("maskType", "custom") })
	for _, tt := range []struct {
		mac      bool
		has, not string
	}{{false, "Ctrl", "⌘"}, {true, "⌘", "Ctrl"}} {
		b.core.mac = tt.mac
		all := b.html() + app.HTMLString(components.KeySheet(tt.mac, model.NewMaskDesk()))
		if strings.Contains(all, "Mod ") || strings.Contains(all, "Mod<") || strings.Contains(all, tt.not) || !strings.Contains(all, tt.has+" Shift Z") || !strings.Contains(all, tt.has+" Enter") {
			t.Errorf("mac %t: keys are called otherwise", tt.mac)
		}
	}
}
