package pages

import (
	"maps"
	"slices"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
)

// does is what a key does in a scene, "" for nothing.
func does(m model.Keymap, k browser.Key, on model.Scene) string {
	if k.Alt {
		return ""
	}
	return m.Action(on, k.Key, k.Code, k.Ctrl, k.Shift)
}

func (c *core) openKeys() {
	c.putAway()
	c.keys = true
	browser.OpenModal(keysID)
	c.change()
}

// ChangeKey implements components.KeyPort.
func (c *core) ChangeKey(action string) {
	if c.rebinding == action {
		action = ""
	}
	c.rebinding = action
	c.change()
}

// modifiers are keys that say nothing yet.
var modifiers = []string{"Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead"}

// rebind takes a key for the action that waits for one. Tab goes on instead, Escape leaves the key as it is.
func (c *core) rebind(k browser.Key) bool {
	if k.Up || k.Repeat {
		return true
	}
	if k.Alt || slices.Contains(modifiers, k.Key) {
		return false
	}
	action := c.rebinding
	if k.Key == "Tab" || k.Key == "Escape" {
		c.ChangeKey(action)
		return k.Key == "Escape"
	}
	changed, sentence, ok := c.keymap.Rebind(action, model.KeyName(k.Key, k.Code, k.Ctrl, k.Shift))
	c.DropToast(c.rebound) // one sentence at a time
	c.rebound = c.raise(components.Toast{Level: "info", Message: sentence}, toastStands)
	if ok {
		c.rebinding = ""
		c.bind(changed.Own)
	}
	c.change()
	return true
}

// bind gives actions the keys of their own, and has them remembered with the mask desk, where those of its tools always were.
func (c *core) bind(own map[string]string) {
	c.keymap = model.NewKeymap(own, c.keymap.Mac)
	d := model.ReadMaskDesk(browser.Load(deskKey))
	d.Keys = c.keymap.Own
	browser.Save(deskKey, d.Encode())
	c.change()
}

// ResetKeys implements components.KeyPort. Taken back, keys that were changed since stay.
func (c *core) ResetKeys() {
	before := c.keymap.Own
	c.rebinding = ""
	c.bind(nil)
	c.offer(words.KeysUsual, func() {
		own := maps.Clone(before)
		maps.Copy(own, c.keymap.Own)
		c.bind(own)
	})
}
