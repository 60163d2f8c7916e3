package bff

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"atelier/db"
	"atelier/imaging/provenance"
)

// originOf is what the results of a run say of where they come from: by what made it, whatever the studio is connected to now. The
// embedded image service works without trained models.
func (s *Server) originOf(run db.Run) provenance.Origin {
	o := provenance.Origin{Agent: strings.TrimSpace(run.Agent + " " + run.Version)}
	if run.Asset != nil {
		o.Parent = run.Asset.SHA256
	}
	switch made := cmp.Or(run.Upstream, s.c.UpstreamID) == embedded; {
	case made && run.Asset == nil:
		o.Source = provenance.Algorithmic
	case made:
		o.Source = provenance.Composite
	case run.Asset == nil:
		o.Source = provenance.Trained
	default:
		o.Source = provenance.TrainedComposite
	}
	return o
}

// content is the bytes of a file on its way out: closing it closes the file.
type content struct {
	io.ReadSeeker
	io.Closer
}

// tagged gives the bytes of a file with where it comes from said in them, and a mark that tells them from those of the file; the file
// as it is and no mark where there is nothing to say, or no place to say it. The caller closes what it gets; after an error the file is closed.
func tagged(file *os.File, o provenance.Origin) (out content, mark string, err error) {
	out = content{file, file}
	if o.Source == "" {
		return out, "", nil
	}
	info, err := file.Stat()
	if err != nil {
		return out, "", errors.Join(fmt.Errorf("measure a stored file: %w", err), file.Close())
	}
	t, err := provenance.Open(file, info.Size(), o)
	if errors.Is(err, provenance.ErrUntaggable) {
		return out, "", nil
	}
	if err != nil {
		return out, "", errors.Join(err, file.Close())
	}
	return content{t, file}, "-" + o.Mark(), nil
}
