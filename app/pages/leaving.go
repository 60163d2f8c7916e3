package pages

import (
	"encoding/base64"
	"strings"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

// leftKey is where the mask of the last moment stands. A page that goes away cannot wait for the browser's database, only
// for its small synchronous storage; the next page moves the mask over.
const leftKey = "atelier.left"

// leave remembers the mask, if it has changed since it was last remembered.
func (s *Studio) leave() {
	p := s.painter
	if p.timer == nil || p.editor == nil || p.asset == nil || p.empty {
		p.flush()
		return
	}
	browser.Save(leftKey, string(p.asset.ID)+" "+base64.StdEncoding.EncodeToString(model.PackMask(p.editor.Plane())))
	p.flush()
}

// takeLeft gives the mask that leave remembered for an asset, once.
func takeLeft(id atelier.AssetID) (packed []byte, ok bool) {
	left, text, _ := strings.Cut(browser.Load(leftKey), " ")
	if left != string(id) {
		return nil, false
	}
	browser.Save(leftKey, "")
	packed, err := base64.StdEncoding.DecodeString(text)
	return packed, err == nil && len(packed) > 0
}
