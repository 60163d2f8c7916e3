package render

// UnseenError is the failure of an agent that does not find what it works on, or finds more of it than it can show. Its text is for the designer.
type UnseenError struct{ sentence string }

func (u *UnseenError) Error() string { return u.sentence }

// What the original agents may fail to find.
var (
	errNoFace      = &UnseenError{"No face was found in the photo. Choose one where the face can be seen from the front, or paint what to keep."}
	errNoModelFace = &UnseenError{"No face was found in the fashion model's photo. Choose another model."}
	errNobody      = &UnseenError{"Nothing stands out from the background of the photo. Choose one with a clear subject."}
	errNoGround    = &UnseenError{"The subject fills the photo and leaves nothing to complete the background from. Choose one with some space around it."}
)
