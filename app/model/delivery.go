package model

import (
	"strings"
	"time"

	"atelier/app/words"
	"atelier/atelier"
)

// Delivery is how results are handed over.
type Delivery struct {
	Template string // names of the files: words with {title}, {agent}, {date} and {number}
	Format   string // "" as they are
	Quality  int    // of JPEG and WebP, 1 to 100
	Size     string // name of an atelier.DeliverySize, "" as they are
}

// The words a template may hold.
var templateWords = []string{"{title}", "{agent}", "{date}", "{number}"}

// DefaultTemplate is what the server takes without one.
const DefaultTemplate = "{title} {number}"

// Problem says what is wrong with a delivery, "" when nothing is.
func (d Delivery) Problem() string {
	rest := d.Template
	for _, w := range templateWords {
		rest = strings.ReplaceAll(rest, w, "")
	}
	switch {
	case strings.ContainsAny(rest, "{}"):
		return words.DeliverWrongName
	case len(d.Template) > 200:
		return words.DeliverLongName
	case d.Quality < 1 || d.Quality > 100:
		return words.DeliverWrongQuality
	}
	return ""
}

// Example is the name the first file would have, as near as it can be told here.
func (d Delivery) Example(s Shot, agent string, zone *time.Location) string {
	template := strings.TrimSpace(d.Template)
	if template == "" {
		template = DefaultTemplate
	}
	title := s.Run.Title
	if title == "" {
		title = agent
	}
	name := strings.NewReplacer("{title}", title, "{agent}", agent, "{date}", s.Run.CreatedAt.In(zone).Format(day), "{number}", "1").Replace(template)
	format := d.Format
	if format == "" {
		format = s.Result.Format
	}
	if format == "" {
		format = "png"
	}
	return name + "." + strings.Replace(format, "jpeg", "jpg", 1)
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
