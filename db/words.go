// The words of the refusals that the database makes. One file for all: a translation changes it alone.

package db

import "strconv"

// What is not there, or not there any more.
const (
	noAccount      = "This account no longer exists."
	noAccountNamed = "There is no account of this name."
	noAsset        = "This picture no longer exists."
	noContent      = "There is no picture with this content."
	noFile         = "This file no longer exists."
	noBoard        = "This board no longer exists."
	noExport       = "This download is over. Ask for it again."
	noUser         = "The studio has no user yet."
	noMask         = "This mask no longer exists."
	noPreset       = "This preset no longer exists."
	noPresetIntent = "This preset is not being made any more."
	noRequest      = "Nothing is kept of what was sent for this run."
	noReviewLink   = "This review link no longer exists."
	noRun          = "This run no longer exists."
	noneOfResults  = "One of the pictures no longer exists."
	noLock         = "The protected pixels have not been put back into this picture."
	noSession      = "You are signed out."
	nothingShown   = "Nothing is shown here any more."
)

// What cannot be done as things stand.
const (
	coverOff        = "The cover must be a picture on the board."
	zoneUnknown     = "zone must be the IANA name of a time zone, such as Europe/Berlin."
	presetBeingMade = "One of this name is being made. It appears by itself; if it does not within a few minutes, try again."
	runDecided      = "This run is not waiting for a decision any more."
	runUndoubted    = "This run cannot wait for a decision any more."
	reviewedGone    = "One of the pictures is in the trash or not here yet. Choose without it."
	accountTaken    = "There is already an account of this name."
	adminOnly       = "This is the only administrator. Make somebody else one first."
)

// SetUpAlready and CursorForeign are said by the server too, which often knows first.
const (
	SetUpAlready  = "The studio is set up already. Sign in."
	CursorForeign = "This cursor was not given by the studio."
)

// boardTaken is a board of a name that another has.
func boardTaken(name string) string {
	return "There is already a board named " + strconv.Quote(name) + "."
}

// favouritesFull is as many favourites as there may be.
func favouritesFull(most int) string {
	return strconv.Itoa(most) + " presets can be favourites at most. Take the star off another one first."
}

// reviewLinksFull is as many review links as there may be.
func reviewLinksFull(most int) string {
	return strconv.Itoa(most) + " review links can be kept at most. Delete one first."
}

// reviewEnd is an end of a review link that none has.
func reviewEnd(most int) string {
	return "A review link works until a time to come, at most " + strconv.Itoa(most) + " days from now."
}
