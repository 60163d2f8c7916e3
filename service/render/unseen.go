package render

// Unseen is the failure of an agent that does not find in a photo what it works on. Its text is for the designer.
type Unseen struct{ sentence string }

func (u *Unseen) Error() string { return u.sentence }

// What the original agents may fail to find.
var (
	errNoFace      = &Unseen{"No face was found in the photo. Choose one where the face can be seen from the front, or paint what to keep."}
	errNoModelFace = &Unseen{"No face was found in the fashion model's photo. Choose another model."}
	errNobody      = &Unseen{"Nothing stands out from the background of the photo. Choose one with a clear subject."}
	errNoGround    = &Unseen{"The subject fills the photo and leaves nothing to complete the background from. Choose one with some space around it."}
)
