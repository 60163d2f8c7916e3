package render

// UnseenError is the failure of an agent that does not find what it works on, or finds more of it than it can show. Its text is for the designer.
type UnseenError struct{ sentence string }

func (u *UnseenError) Error() string { return u.sentence }

// What the original agents may fail to find.
var (
	errNoFace      = &UnseenError{"No face was found in the photo. Choose one where the face can be seen from the front, or paint what to keep."}
	errNoModelFace = &UnseenError{"No face was found in the fashion model's photo. Choose another model."}
	errUnclear     = &UnseenError{"What to keep is not clear in this photo. Paint a mask of it and start again."}
	errNobody      = &UnseenError{"Nothing stands out from the background of the photo. Choose one with a clear subject."}
	errNoGround    = &UnseenError{"The subject fills the photo and leaves nothing to complete the background from. Choose one with some space around it."}
)

// What agents that work on lettering, on films and on nothing else may fail to find.
var (
	errNoLettering     = &UnseenError{"No lettering was found in the photo. Choose one where it is large and clear."}
	errNoTranslation   = &UnseenError{"There are no words to set. Write them, one line for each line of lettering: nothing is read or translated here."}
	errNothingLaidOver = &UnseenError{"No text, subtitles, logo or watermark was found in the video, so there is nothing to take out."}
	errNobodyInFilm    = &UnseenError{"Nobody was found in the video. Choose one that shows the person who moves, not too small and not too close."}
)
