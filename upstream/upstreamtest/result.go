package upstreamtest

import (
	"bytes"
	"image"
	"image/color"
	"net/http"
	"slices"
	"strings"

	_ "golang.org/x/image/webp" // results may be of any format the service stores
)

// fetch gets what stands at an address, without the key: results are read by browsers.
func (p *probe) fetch(address string) []byte {
	p.link(address)
	a := p.send(http.MethodGet, address, "", "", nil)
	if a.status != http.StatusOK {
		p.stop("%s answered HTTP %d", address, a.status)
	}
	return a.body
}

// picture gets a result and decodes it.
func (p *probe) picture(address string) image.Image {
	img, _, err := image.Decode(bytes.NewReader(p.fetch(address)))
	if err != nil {
		p.stop("the result at %s is no picture: %v", address, err)
	}
	return img
}

// near says whether two colours look the same, within what JPEG loses.
func near(a, b color.Color, tolerance int) bool {
	x, y := rgba(a), rgba(b)
	for i := range 3 {
		if d := int(x[i]) - int(y[i]); d > tolerance || d < -tolerance {
			return false
		}
	}
	return true
}

func rgba(c color.Color) [4]uint8 {
	n, ok := color.NRGBAModel.Convert(c).(color.NRGBA)
	if !ok {
		return [4]uint8{}
	}
	return [4]uint8{n.R, n.G, n.B, n.A}
}

// same gives the share of a rectangle's pixels, on a grid, in which a picture shows the original moved by (dx, dy).
func same(got, original image.Image, area image.Rectangle, dx, dy int) float64 {
	hits, all := 0, 0
	for y := area.Min.Y + 3; y < area.Max.Y-3; y += 7 {
		for x := area.Min.X + 3; x < area.Max.X-3; x += 7 {
			all++
			if near(got.At(x+dx, y+dy), original.At(x, y), 24) {
				hits++
			}
		}
	}
	return float64(hits) / float64(max(all, 1))
}

// resultScenarios look at the pixels.
func resultScenarios() []scenario {
	size := func(p *probe, img image.Image, w, h int) {
		b := img.Bounds()
		p.want(b.Dx() == w && b.Dy() == h, "the result is %d × %d, want %d × %d", b.Dx(), b.Dy(), w, h)
	}
	original := func() image.Image {
		img, _, err := image.Decode(bytes.NewReader(personJPEG()))
		if err != nil {
			panic("upstreamtest: read an own picture: " + err.Error())
		}
		return img
	}
	one := func(p *probe, images []string) image.Image {
		if len(images) != 1 {
			p.stop("%d pictures, want 1", len(images))
		}
		return p.picture(images[0])
	}
	return []scenario{
		{name: "an expanded picture has the target's size and the photo in the middle", from: `Run API, "Original agents as run agents"`, paid: true, check: func(p *probe) {
			img := one(p, p.ran("expandimage", object{"originalImage": p.original()}, object{"targetWidth": 600, "targetHeight": 700, "batchCount": 1}))
			size(p, img, 600, 700)
			share := same(img, original(), image.Rect(0, 0, photoWidth, photoHeight), 40, 30)
			p.want(share > 0.97, "%.0f %% of the photo stands in the middle unchanged", share*100)
		}},
		{name: "an expanded picture has the photo where it was put", from: `Task API, "expandimage v1.0"`, paid: true, check: func(p *probe) {
			img := one(p, p.made("expandimage", object{"targetWidth": 560, "targetHeight": 600, "fillLeft": 40, "fillTop": -100, "batchCount": 1}))
			size(p, img, 560, 600)
			share := same(img, original(), image.Rect(0, 100, photoWidth, photoHeight), 40, -100)
			p.want(share > 0.97, "%.0f %% of the photo stands where fillLeft and fillTop say", share*100)
		}},
		{name: "a background takes the colour asked for", from: `Task API, "removeBG v1.0"`, paid: true, check: func(p *probe) {
			img := one(p, p.made("removeBG", change(masked(), "backgroundHex", "#A02040")))
			p.want(near(img.At(5, photoHeight-5), color.NRGBA{R: 0xA0, G: 0x20, B: 0x40, A: 255}, 12), "the corner is %v", rgba(img.At(5, photoHeight-5)))
		}},
		{name: "a picture without a background is transparent", from: `Run API, "Original agents as run agents"`, paid: true, check: func(p *probe) {
			img := one(p, p.ran("removeBG", object{"originalImage": p.original()}, object{"maskType": "autoSubjectSegment", "batchCount": 1}))
			p.want(rgba(img.At(5, 5))[3] == 0, "the corner is %v", rgba(img.At(5, 5)))
			p.want(rgba(img.At(photoWidth/2, photoHeight*7/16))[3] == 255, "the middle of the top is %v", rgba(img.At(photoWidth/2, photoHeight*7/16)))
		}},
		{name: "what a custom mask protects is kept and the rest goes", from: `Run API, "Mask and enum semantics"`, paid: true, check: func(p *probe) {
			img := one(p, p.ran("removeBG", object{"originalImage": p.original()}, masked()))
			size(p, img, photoWidth, photoHeight)
			share := same(img, original(), image.Rect(0, 0, photoWidth, photoHeight/2-4), 0, 0)
			p.want(share > 0.97, "%.0f %% of the protected half is unchanged", share*100)
			p.want(near(img.At(photoWidth/2, photoHeight*7/8), color.NRGBA{R: 0x20, G: 0xA0, B: 0x40, A: 255}, 12), "below it is %v", rgba(img.At(photoWidth/2, photoHeight*7/8)))
		}},
		{name: "a product keeps what a custom mask protects", from: `Run API, "Mask and enum semantics"`, paid: true, check: func(p *probe) {
			img := one(p, p.made("aiproduct", object{
				"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "textDescription": "a white studio", "resizeToOriginalImage": true, "batchCount": 1,
			}))
			size(p, img, photoWidth, photoHeight)
			share := same(img, original(), image.Rect(0, 0, photoWidth, photoHeight/2-4), 0, 0)
			p.want(share > 0.9, "%.0f %% of the protected half is unchanged", share*100)
		}},
		{name: "results are png unless asked otherwise", from: `Task API, "Shared mask and execution parameters"`, paid: true, check: func(p *probe) {
			file := p.fetch(p.made("aiproduct", object{"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "textDescription": "a white studio", "batchCount": 1})[0])
			p.want(strings.HasPrefix(string(file), "\x89PNG"), "the result begins with %q", file[:min(len(file), 8)])
		}},
		{name: "results are jpg when asked for", from: `Task API, "Shared mask and execution parameters"`, paid: true, check: func(p *probe) {
			file := p.fetch(p.made("aiproduct", object{"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "textDescription": "a white studio", "resultImageFormat": "jpg", "batchCount": 1})[0])
			p.want(strings.HasPrefix(string(file), "\xff\xd8\xff"), "the result begins with %q", file[:min(len(file), 8)])
		}},
		{name: "a model is changed with a location of the service", from: `Task API, "aimodel v1.0"`, paid: true, long: true, check: func(p *probe) {
			d := p.data(p.get("/openapi/v1/agent/info?agentName=aimodel&agentVersion=v1.0&pageSize=100"))
			usable := func(field string) int64 {
				for _, o := range p.list(d, field) {
					if o["status"] == nil || o["status"] == "complete" {
						return p.number(o, "id")
					}
				}
				p.stop("none of the %s is complete", field)
				return 0
			}
			images := p.made("aimodel", object{
				"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "pose": "originalImagePose",
				"locationId": usable("locations"), "fashionModelId": usable("fashionModels"), "batchCount": 1,
			})
			one(p, images)
		}},
		{name: "a background of the service is set", from: `Task API, "removeBG v1.0"`, paid: true, check: func(p *probe) {
			all := p.list(p.data(p.get("/openapi/v1/agent/info?agentName=removeBG&agentVersion=v1.0")), "backgrounds")
			all = slices.DeleteFunc(all, func(o object) bool { return o["name"] == "Transparent" }) // an account may list it
			if len(all) == 0 {
				p.stop("no backgrounds")
			}
			img := one(p, p.made("removeBG", object{"maskType": "autoSubjectSegment", "backgroundId": p.number(all[0], "id"), "batchCount": 1}))
			p.want(rgba(img.At(5, 5))[3] == 255, "the corner is transparent")
		}},
	}
}
