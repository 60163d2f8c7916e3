package pages

import (
	"context"
	"encoding/base64"
	"errors"
	"image"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/mask"
)

// importID is the dialog that asks what an imported black and white mask means.
const importID = "mask-meaning"

func (s *Studio) loadMasks() {
	d := &s.maskDesk
	if d.masksState != model.Loaded {
		d.masksState = model.Loading
	}
	s.core.do(func(ctx context.Context) func() {
		masks, err := s.core.api.Masks(ctx)
		return func() {
			if err != nil {
				if d.masksState == model.Loading {
					d.masksState = model.Broken
				}
				s.core.failed(err)
			} else {
				d.masks = slices.DeleteFunc(masks, func(m atelier.Mask) bool { return d.leaving[m.ID] })
				d.masksState = model.Loaded
			}
			s.update()
		}
	})
}

// saveMask saves the mask under the name in the field, or under one that says when.
func (s *Studio) saveMask() {
	p, d := s.painter, &s.maskDesk
	if p.editor == nil || p.empty {
		return
	}
	name := strings.TrimSpace(browser.Value(components.MaskNameID))
	if name == "" {
		name = words.SavedNow(s.core.now().In(s.core.zone))
	}
	body := atelier.CreateMask{AssetID: p.asset.ID, Name: name, PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(p.editor.Plane()))}
	s.core.do(func(ctx context.Context) func() {
		made, err := s.core.api.CreateMask(ctx, body)
		return func() {
			if err != nil {
				s.core.failed(err)
				return
			}
			d.masks = append([]atelier.Mask{made}, d.masks...)
			d.note = words.SavedAs(made.Name)
			browser.SetValue(components.MaskNameID, "")
			s.update()
		}
	})
}

// beginRename opens the field for the new name of a saved mask, or closes it.
func (s *Studio) beginRename(id atelier.MaskID) {
	d := &s.maskDesk
	if d.renaming == id {
		d.renaming = ""
		return
	}
	d.renaming = id
	drawn(s.ctx, func() { browser.Focus(components.MaskRenameID) })
}

// renameMask gives the saved mask whose name is being changed its new one; an empty one leaves it as it is.
func (s *Studio) renameMask(name string) {
	d, id := &s.maskDesk, s.maskDesk.renaming
	d.renaming = ""
	if name = strings.TrimSpace(name); name == "" || id == "" {
		return
	}
	s.core.do(func(ctx context.Context) func() {
		now, err := s.core.api.RenameMask(ctx, id, name)
		return func() {
			if err != nil {
				s.core.failed(err)
				return
			}
			d.masks = slices.Clone(d.masks)
			for i := range d.masks {
				if d.masks[i].ID == id {
					d.masks[i] = now
				}
			}
			d.note = words.SavedRenamed(now.Name)
			s.update()
		}
	})
}

// deleteMask takes a saved mask away from the list, and from the server once the offer to undo is over.
func (s *Studio) deleteMask(id atelier.MaskID) {
	d := &s.maskDesk
	at := slices.IndexFunc(d.masks, func(m atelier.Mask) bool { return m.ID == id })
	if at < 0 {
		return
	}
	gone := d.masks[at]
	if d.leaving == nil {
		d.leaving = map[atelier.MaskID]bool{}
	}
	d.leaving[id] = true
	d.masks = slices.Delete(slices.Clone(d.masks), at, at+1)
	back := func() {
		delete(d.leaving, id)
		if !slices.ContainsFunc(d.masks, func(m atelier.Mask) bool { return m.ID == id }) {
			d.masks = slices.Insert(slices.Clone(d.masks), min(at, len(d.masks)), gone)
		}
		s.update()
	}
	s.core.offerFor(words.MaskDeleted(gone.Name), back, func() {
		s.core.do(func(ctx context.Context) func() {
			err := s.core.api.DeleteMask(ctx, id)
			return func() {
				if err != nil {
					s.core.failed(err)
					back()
				}
			}
		})
	})
	s.update()
}

// unfit is below which confidence the place a mask was moved to is doubted.
const unfit = 0.5

// useMask puts a saved mask in the place of what is painted. One of another picture is moved to where the same things are on
// this one.
func (s *Studio) useMask(id atelier.MaskID) {
	p, d := s.painter, &s.maskDesk
	i := slices.IndexFunc(d.masks, func(m atelier.Mask) bool { return m.ID == id })
	if i < 0 || p.asset == nil {
		return
	}
	m, on := d.masks[i], *p.asset
	s.waitFor(words.DoingFetch, func(ctx context.Context) (mask.Plane, *mask.Aligning, error) {
		pix, err := browser.Alpha(ctx, m.File, image.Pt(on.Width, on.Height))
		if err != nil || m.AssetID == on.ID {
			return mask.Plane{W: on.Width, H: on.Height, Pix: pix}, nil, err
		}
		from, err := s.core.api.Asset(ctx, m.AssetID)
		if err != nil {
			return mask.Plane{}, nil, err
		}
		a, err := sketch(ctx, from)
		if err != nil {
			return mask.Plane{}, nil, err
		}
		b, err := sketch(ctx, on)
		if err != nil {
			return mask.Plane{}, nil, err
		}
		return mask.Plane{W: on.Width, H: on.Height, Pix: pix}, mask.Align(a, b), nil
	}, func(plane mask.Plane, align *mask.Aligning) {
		if align == nil {
			p.take(words.StepSaved(m.Name), plane, nil)
			return
		}
		s.alignMask(m, plane, align)
	})
}

// alignMask moves a mask of another picture to where what it keeps is on this one.
func (s *Studio) alignMask(m atelier.Mask, plane mask.Plane, align *mask.Aligning) {
	p, d := s.painter, &s.maskDesk
	p.run(words.DoingCompare, align, func() {
		found := align.Alignment()
		note := model.AlignmentWords(found)
		if found.Confidence < unfit {
			note = words.MaskDiffers(note)
		}
		p.apply(words.StepSavedElsewhere(m.Name), words.DoingMove, plane.Moved(found), mask.Replace, func() {
			d.note = note
			p.say(note)
		})
	})
}

// sketchSide is the long side of the copies of two pictures that are compared, in pixels.
const sketchSide = 256

func sketch(ctx context.Context, a atelier.Asset) (mask.Sketch, error) {
	k := sketchSide / float64(max(a.Width, a.Height))
	size := image.Pt(max(int(float64(a.Width)*k), 1), max(int(float64(a.Height)*k), 1))
	small := mask.Source{W: size.X, H: size.Y}
	err := browser.Pixels(ctx, components.Thumb(a.Thumb, 640), size, func(rgba []byte) { small.Pix = append(small.Pix, rgba...) })
	return mask.NewSketch(a.Width, a.Height, small), err
}

// waitFor does something that needs the server, which Cancel gives up; use follows on the page's thread.
func (s *Studio) waitFor(name string, get func(context.Context) (mask.Plane, *mask.Aligning, error), use func(mask.Plane, *mask.Aligning)) {
	p := s.painter
	p.stopWork()
	w := &work{name: name}
	p.work = w
	s.maskDesk.note = ""
	asset := p.asset.ID
	s.core.do(func(ctx context.Context) func() {
		plane, align, err := get(ctx)
		return func() {
			if p.work != w || p.asset == nil || p.asset.ID != asset {
				return // given up
			}
			p.work = nil
			switch {
			case err == nil:
				use(plane, align)
			case asError(err) != nil:
				s.core.failed(err)
			default:
				s.core.toast("error", words.MaskUnfetched)
			}
			s.update()
		}
	})
}

// startFrom begins with the region of an automatic mask type, as the server finds it.
func (s *Studio) startFrom(kind string) {
	p, d := s.painter, &s.maskDesk
	if p.asset == nil {
		return
	}
	on := *p.asset
	ask := kind
	if kind == model.StartBackground {
		ask = "autoSubjectSegment"
	}
	var note string
	s.waitFor(words.DoingFind, func(ctx context.Context) (mask.Plane, *mask.Aligning, error) {
		found, err := s.core.api.PreviewMask(ctx, atelier.PreviewMask{AssetID: on.ID, MaskType: ask})
		if err != nil {
			return mask.Plane{}, nil, err
		}
		note = words.MaskFound(found.Confidence, found.Note)
		pix, err := browser.AlphaOf(ctx, found.PNG, image.Pt(on.Width, on.Height))
		return mask.Plane{W: on.Width, H: on.Height, Pix: pix}, nil, err
	}, func(plane mask.Plane, _ *mask.Aligning) {
		if kind == model.StartBackground {
			plane.Invert()
		}
		p.take(words.StepStartFrom(model.StartWords(kind)), plane, func() {
			d.note = note
			p.say(note)
		})
	})
}

// exportMask saves the mask as a PNG file of the user's, as it would be sent.
func (s *Studio) exportMask() {
	p := s.painter
	if p.editor == nil || p.empty {
		return
	}
	name, _, _ := strings.Cut(p.asset.Name, ".")
	encoding := p.editor.Plane().Clone().Encoding()
	browser.Slices(func() bool {
		over := encoding.Step(workTime)
		if over {
			browser.SaveFile(words.SavedFile(name), "image/png", encoding.PNG())
		}
		return !over
	})
	s.maskDesk.note = words.MaskExported
}

// mostImported is how many pixels a picture may have that is imported as a mask: as many as the largest source.
const mostImported = 50_000_000

// importMask takes a mask somebody drew elsewhere.
func (s *Studio) importMask(files []browser.File) {
	p := s.painter
	if len(files) == 0 || p.editor == nil {
		return
	}
	s.core.do(func(ctx context.Context) func() {
		var in *mask.Import
		err := files[0].Pixels(ctx, func(size image.Point) error {
			if size.X*size.Y > mostImported {
				return errors.New("too many pixels")
			}
			in = mask.NewImport(size.X, size.Y)
			return nil
		}, func(rgba []byte) { in.Rows(rgba) })
		if err != nil {
			return func() {
				s.core.toast("error", words.MaskUnopened(files[0].Name))
			}
		}
		reading, err := in.Read()
		return func() {
			if refused, ok := errors.AsType[*mask.Error](err); ok {
				s.core.toast("error", refused.Message)
				return
			}
			s.maskDesk.reading = &reading
			if reading.Asks || s.stretches() != "" {
				s.openDialog(importID)
				return
			}
			s.takeImport(false)
		}
	})
}

// takeImport puts the imported mask in the place of what is painted; with keepBlack its black is kept.
func (s *Studio) takeImport(keepBlack bool) {
	p, d := s.painter, &s.maskDesk
	reading := d.reading
	d.reading = nil
	if reading == nil || p.editor == nil {
		return
	}
	plane := reading.Mask(keepBlack)
	if plane.W == p.asset.Width && plane.H == p.asset.Height {
		p.take(words.StepImported, plane, func() { d.note = words.MaskImported })
		return
	}
	was := words.Dimensions(plane.W, plane.H)
	p.apply(words.StepImported, words.DoingImport, plane.Fitted(p.asset.Width, p.asset.Height), mask.Replace, func() {
		d.note = words.MaskStretched(was)
	})
}

// stretches says that the imported mask has other proportions than the picture, "" when it has not.
func (s *Studio) stretches() string {
	reading, on := s.maskDesk.reading, s.painter.asset
	if reading == nil || on == nil {
		return ""
	}
	if is := reading.Mask(false); !model.SameShape(is.W, is.H, on.Width, on.Height) {
		return words.MaskStretches(is.W, is.H, on.Width, on.Height)
	}
	return ""
}

// renderImport asks what a black and white mask means, and whether one of other proportions is meant to be stretched.
func (s *Studio) renderImport() []app.UI {
	doubt, stretches := "", s.stretches()
	if s.maskDesk.reading != nil {
		doubt = s.maskDesk.reading.Doubt
	}
	choice := func(test, title, help string, black bool) app.UI {
		return components.El("button", "type", "button", "class", "meaning", "data-testid", test).Body(
			components.El("span", "class", components.Pick(black, "meaning__swatch meaning__swatch--black", "meaning__swatch")),
			components.Box("meaning__text", components.Text("strong", "", title), components.Text("span", "maskpanel__hint", help)),
		).OnClick(func(app.Context, app.Event) {
			s.CloseDialog(importID)
			s.takeImport(black)
		}, components.Scope(test))
	}
	choices := []app.UI{components.If(stretches != "", func() app.UI { return components.El("p", "data-testid", "import-size").Text(stretches) })}
	if s.maskDesk.reading != nil && s.maskDesk.reading.Asks {
		choices = append(choices, components.Text("p", "", words.MaskMeaning),
			choice("keep-white", words.MaskWhiteKept, words.MaskWhiteKeptHelp, false),
			choice("keep-black", words.MaskBlackKept, words.MaskBlackKeptHelp, true))
	} else {
		choices = append(choices, choice("keep-opaque", words.MaskStretch, words.MaskStretchHelp, false))
	}
	return []app.UI{components.Box("meanings", append(choices,
		components.If(doubt != "", func() app.UI { return components.Text("p", "maskpanel__hint", doubt) }))...)}
}
