package upstreamtest

// What stands in the requests of cases for files that the service can fetch. A refusal is about what its case names only when nothing else
// is wrong with the request: an address at which nobody is would be another reason.
const (
	picture = "a picture" // one that was uploaded
	film    = "a film"    // Target.Film
	sound   = "a sound"   // Target.Sound
)

// filled gives a request with the addresses of the files in it. It leaves out a case for which the target names no file.
func (p *probe) filled(o object) object {
	out := object{}
	for name, v := range o {
		switch v := v.(type) {
		case object:
			out[name] = p.filled(v)
		case []string:
			list := make([]string, len(v))
			for i, s := range v {
				list[i] = p.address(s)
			}
			out[name] = list
		case string:
			out[name] = p.address(v)
		default:
			out[name] = v
		}
	}
	return out
}

// address gives the address that a text stands for, or the text.
func (p *probe) address(s string) string {
	switch s {
	case picture:
		return p.original()
	case film:
		return p.named(p.on.Film, "film")
	case sound:
		return p.named(p.on.Sound, "sound")
	}
	return s
}

func (p *probe) named(address, what string) string {
	if address == "" {
		p.t.Skipf("the target names no %s that the service can fetch", what)
	}
	return address
}
