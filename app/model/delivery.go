package model

import (
	"strings"

	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/probe"
)

// Delivery is how results are handed over.
type Delivery struct {
	Template string // names of the files: words with {title}, {agent}, {date} and {number}
	Format   string // "" as they are
	Quality  int    // of JPEG and WebP, 1 to 100
	Size     string // name of an atelier.DeliverySize, "" as they are
}

// Problem says what is wrong with a delivery, "" when nothing is.
func (d Delivery) Problem() string {
	names := atelier.NameTemplate(strings.TrimSpace(d.Template))
	switch {
	case !names.Known():
		return words.DeliverWrongName
	case !names.Short():
		return words.DeliverLongName
	case d.Lossy() && (d.Quality < 1 || d.Quality > 100):
		return words.DeliverWrongQuality
	}
	return ""
}

// Example is the name the first of so many files has.
func (d Delivery) Example(s Shot, all int) string {
	format := probe.Format(s.Result.Format)
	if d.Format != "" && !IsVideo(s.Result) {
		format = probe.Format(d.Format)
	}
	return atelier.NameTemplate(d.Template).Fill(s.Run.Title, s.Run.Agent, s.Run.CreatedAt, 1, all) + format.Extension()
}

// Lossy says whether the quality matters.
func (d Delivery) Lossy() bool { return d.Format == "jpeg" || d.Format == "webp" }

// Request is what the server is asked for.
func (d Delivery) Request(ids []atelier.ResultID, name string) atelier.StartZip {
	z := atelier.StartZip{IDs: ids, Name: name, Template: strings.TrimSpace(d.Template), Format: d.Format, Size: d.Size}
	if d.Lossy() {
		z.Quality = d.Quality
	}
	return z
}
