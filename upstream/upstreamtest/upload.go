package upstreamtest

import (
	"bytes"
	"mime/multipart"
	"strings"
)

func contains(body []byte, part string) bool {
	// Quotes are a matter of taste in YAML.
	return bytes.Contains(body, []byte(part)) || strings.Contains(strings.NewReplacer(`"`, "", `'`, "").Replace(string(body)), part)
}

// uploadScenarios: Task API, "Upload image" and "Limits"; Run API, "Upload a local image".
func uploadScenarios() []scenario {
	const (
		taskPath = "/openapi/v1/asset/upload/image"
		runPath  = "/openapi/agent/assets/images"
		limits   = `Task API, "Upload image"`
	)
	takes := func(path, contentType string, file func() []byte) func(p *probe) {
		return func(p *probe) {
			d := p.data(p.upload(path, p.on.Key, "image", contentType, file()))
			p.link(p.text(d, "image"))
		}
	}
	refuses := func(contentType string, file func() []byte) func(p *probe) {
		return func(p *probe) {
			p.refused(p.upload(taskPath, p.on.Key, "image", contentType, file()))
		}
	}
	size := func(w, h int) func() []byte { return func() []byte { return pngOf(flat(w, h)) } }
	return []scenario{
		{name: "a png is taken", from: limits, check: takes(taskPath, "image/png", personPNG)},
		{name: "a jpeg is taken", from: limits, check: takes(taskPath, "image/jpeg", personJPEG)},
		{name: "a webp is taken", from: limits, check: takes(taskPath, "image/webp", personWebP)},
		{name: "a png is taken on the run surface", from: `Run API, "Upload a local image"`, check: takes(runPath, "image/png", personPNG)},
		{name: "a jpeg is taken on the run surface", from: `Run API, "Upload a local image"`, check: takes(runPath, "image/jpeg", personJPEG)},
		{name: "a webp is taken on the run surface", from: `Run API, "Upload a local image"`, check: takes(runPath, "image/webp", personWebP)},
		{name: "an upload on the run surface in another field is refused", from: `Run API, "Upload a local image"`, check: func(p *probe) {
			p.refused(p.upload(runPath, p.on.Key, "photo", "image/png", personPNG()))
		}},
		{name: "a gif is refused", from: limits, check: refuses("image/gif", func() []byte { return gifOf(flat(600, 700)) })},
		{name: "a gif that says it is a png is refused", from: limits, check: refuses("image/png", func() []byte { return gifOf(flat(600, 700)) })},
		{name: "a jpeg that says it is a text is taken", from: limits, check: takes(taskPath, "text/plain", personJPEG)},
		{name: "a webp that says it is a png is taken on the run surface", from: `Run API, "Upload a local image"`, check: takes(runPath, "image/png", personWebP)},
		{name: "fields beside the picture are passed over; it is taken", from: limits, check: func(p *probe) {
			p.link(p.text(p.data(p.uploadBeside(taskPath, personPNG())), "image"))
		}},
		{name: "a picture that was uploaded is read without the key, and is taken", from: limits, check: func(p *probe) {
			at := p.text(p.data(p.upload(taskPath, p.on.Key, "image", "image/png", personPNG())), "image")
			b := p.picture(at).Bounds()
			p.want(b.Dx() == photoWidth && b.Dy() == photoHeight, "it came back as %v", b)
		}},
		{name: "half a picture is refused", from: limits, check: refuses("image/png", func() []byte { return personPNG()[:24] })},
		{name: "a jpeg that is cut in the middle is refused", from: limits, check: refuses("image/jpeg", func() []byte { return personJPEG()[:len(personJPEG())/2] })},
		{name: "a text is refused", from: limits, check: refuses("image/png", func() []byte { return []byte("this is not a picture, whatever its label says") })},
		{name: "an empty file is refused", from: limits, check: refuses("image/png", func() []byte { return nil })},
		{name: "a picture 512 px wide is refused", from: limits, check: refuses("image/png", size(512, 600))},
		{name: "a picture 512 px high is refused", from: limits, check: refuses("image/png", size(600, 512))},
		{name: "a picture of 513 px each way is taken", from: limits, check: takes(taskPath, "image/png", size(513, 513))},
		{name: "a ratio of exactly 2 is refused", from: limits, check: refuses("image/png", size(1200, 600))},
		{name: "a ratio of exactly 2 upright is refused", from: limits, check: refuses("image/png", size(600, 1200))},
		{name: "a ratio just under 2 is taken", from: limits, check: takes(taskPath, "image/png", size(1199, 600))},
		{name: "a ratio just under 2 upright is taken", from: limits, check: takes(taskPath, "image/png", size(600, 1199))},
		{name: "ten million bytes are taken", from: limits, check: takes(taskPath, "image/png", tenMB)},
		// The document's "10 MB" may mean 10,485,760 bytes; one more is too many in every reading.
		{name: "more than ten MiB are refused", from: limits, check: refuses("image/png", overTenMiB)},
		{name: "the field is called image", from: limits, check: func(p *probe) {
			p.refused(p.upload(taskPath, p.on.Key, "photo", "image/png", pngOf(flat(520, 520))))
		}},
		{name: "an upload that is no form is refused", from: limits, check: func(p *probe) {
			p.refused(p.send("POST", taskPath, p.on.Key, "image/png", pngOf(flat(520, 520))))
		}},
		{name: "an upload on the run surface that is no picture is refused in its envelope", from: `Run API, "Error envelope"`, check: func(p *probe) {
			p.refused(p.upload(runPath, p.on.Key, "image", "image/png", []byte("no picture")))
		}},
	}
}

// uploadBeside uploads a picture between two other fields.
func (p *probe) uploadBeside(path string, file []byte) answer {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	field := func(name string, data []byte) {
		part, err := m.CreateFormField(name)
		if err == nil {
			_, err = part.Write(data)
		}
		if err != nil {
			p.stop("write the form: %v", err)
		}
	}
	field("name", []byte("conformance"))
	field("image", file)
	field("trace", []byte("1"))
	if err := m.Close(); err != nil {
		p.stop("end the form: %v", err)
	}
	return p.send("POST", path, p.on.Key, m.FormDataContentType(), b.Bytes())
}
