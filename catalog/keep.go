package catalog

import "slices"

// Keep is what an execution keeps of its source by an automatic mask, and what of its order changes how that is found.
type Keep struct {
	MaskType string // an automatic mask type (Run API, "Mask and enum semantics")
	Product  bool   // the source is the photo of a product
	Stronger bool   // the stronger engine is asked for
	Garment  bool   // of a person the clothes are meant
}

// customMaskType is the mask type of a painted mask.
const customMaskType = "custom"

// KeepOf tells what an execution with these values keeps. MaskType is "" where the mask is painted, or none is used.
func KeepOf(a Agent, v Values) Keep {
	k := Keep{MaskType: a.Keeps, Product: a.Model() == "aiproduct", Garment: a.Model() == "virtualtryon", Stronger: Stronger(v)}
	if p, ok := a.Param("maskType"); ok {
		chosen, _ := v["maskType"].(string)
		if chosen != customMaskType && slices.ContainsFunc(p.Options, func(o Option) bool { return o.Value == chosen }) {
			k.MaskType = chosen
		}
	}
	return k
}

// sureFrom is the confidence from which an automatic region is kept without a question: the cut is then right more
// often than not (segment.Result).
const sureFrom = 0.5

// Sure reports whether a region found with that confidence, 0 to 1, is good enough to be worked on and charged for.
func Sure(confidence float64) bool { return confidence >= sureFrom }

// Paints reports whether an agent takes a painted mask in place of an automatic one.
func Paints(a Agent) bool {
	p, ok := a.Param("maskType")
	return ok && slices.ContainsFunc(p.Options, func(o Option) bool { return o.Value == customMaskType })
}

// Stronger tells whether the values ask for an engine that is more than the usual one.
func Stronger(v Values) bool {
	switch v["generateVersion"] {
	case "pro", "servicePro", "partnerPro":
		return true
	}
	return false
}
