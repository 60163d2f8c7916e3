package render

import (
	"errors"
	"image"
	"testing"

	"atelier/imaging/testpics"
)

func TestUnclearPhotoEndsAutomaticRequests(t *testing.T) {
	t.Parallel()
	src := testpics.Photo(160, 140, 2)
	for _, tt := range []struct {
		agent, maskType string
		values          map[string]any
	}{
		{"removeBG", maskSubject, nil},
		{"aiproduct", maskSubject, map[string]any{"textDescription": "grey studio"}},
		{"aimodel", maskSubject, map[string]any{"textDescription": "grey studio"}},
		{"aimodel", maskApparel, map[string]any{"textDescription": "grey studio"}},
		{"aimodel", maskHead, map[string]any{"textDescription": "grey studio"}},
	} {
		t.Run(tt.agent+" "+tt.maskType, func(t *testing.T) {
			t.Parallel()
			req := Request{
				Agent: tt.agent, Version: "v1.0", Original: src, Count: 1,
				Values: map[string]any{"maskType": tt.maskType, "generatedContent": "freeCreation"},
			}
			for k, v := range tt.values {
				req.Values[k] = v
			}
			if _, err := Segment(t.Context(), req); !errors.Is(err, errUnclear) {
				t.Fatalf("Segment: %v, want %v", err, errUnclear)
			}
			req.Values["maskType"], req.CustomMask = maskCustom, painted(160, 140)
			wantKept(t, drawIt(t, req), src, req.CustomMask)
		})
	}
}

// Agents that take no painted mask work with what there is: the documents give the caller no way to send a better one.
func TestUnclearPhotoIsWorkedOnWithoutMasks(t *testing.T) {
	t.Parallel()
	src := testpics.Photo(160, 140, 2)
	for agent, values := range map[string]map[string]any{
		"expandimage":  {"targetWidth": 240.0, "targetHeight": 160.0},
		"aipose":       {"textDescription": "lean left"},
		"virtualtryon": {"generateVersion": "serviceFlash", "descriptionType": "auto"},
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			if _, err := Segment(t.Context(), Request{Agent: agent, Original: src, Count: 1, Values: values}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestClearAtItsLimit(t *testing.T) {
	t.Parallel()
	face := []image.Rectangle{image.Rect(10, 10, 30, 30)}
	for _, tt := range []struct {
		name, agent, maskType string
		seg                   Segmentation
		want                  error
	}{
		{"as likely right as wrong", "removeBG", maskSubject, Segmentation{Confidence: .5}, nil},
		{"just below", "removeBG", maskSubject, Segmentation{Confidence: .4999}, errUnclear},
		{"a part just below", "aimodel", maskUpper, Segmentation{Confidence: .4999, Faces: face}, errUnclear},
		{"nobody to give a face to", "aimodel", maskHuman, Segmentation{Confidence: 0}, errNoFace},
		{"an agent without masks", "expandimage", maskSubject, Segmentation{Confidence: 0}, nil},
	} {
		if got := tt.seg.clear(Request{Agent: tt.agent}, tt.maskType); !errors.Is(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A picture with transparent parts says itself what to keep.
func TestTransparentPhotoIsClear(t *testing.T) {
	t.Parallel()
	src, m := testpics.Photo(160, 140, 2), painted(160, 140)
	for i, v := range m.Pix {
		src.Pix[4*i+3] = v
	}
	req := Request{Agent: "removeBG", Original: src, Count: 1, Values: map[string]any{"maskType": maskSubject}}
	wantKept(t, drawIt(t, req), src, m)
}
