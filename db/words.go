// The words of the refusals that the database makes. One file for all: a translation changes it alone.

package db

import "strconv"

// What is not there, or not there any more.
const (
	noAccount      = "This account no longer exists."
	noAccountNamed = "There is no account with this name."
	noAsset        = "This picture no longer exists."
	noContent      = "There is no picture with this content."
	noFile         = "This file no longer exists."
	noBoard        = "This board no longer exists."
	noExport       = "This download has expired. Start it again."
	noUser         = "The studio has no user yet."
	noMask         = "This mask no longer exists."
	noPreset       = "This preset no longer exists."
	noPresetIntent = "This preset is no longer being created."
	noRequest      = "The request of this run was not kept."
	noReviewLink   = "This review link no longer exists."
	noRun          = "This run no longer exists."
	noneOfResults  = "One of the pictures no longer exists."
	noLock         = "The original pixels have not been restored in this picture."
	noSession      = "You are signed out."
	nothingShown   = "Nothing is shared here any more."
)

// What cannot be done as things stand.
const (
	coverOff        = "The cover must be a picture on the board."
	zoneUnknown     = "zone must be the IANA name of a time zone, such as Europe/Berlin."
	presetBeingMade = "A preset with this name is being created. If it does not appear within a few minutes, try again."
	runDecided      = "This run no longer waits for a decision."
	runUndoubted    = "This run can no longer wait for a decision."
	reviewedGone    = "One of the pictures is in the trash or not ready. Deselect it."
	accountTaken    = "There is already an account with this name."
	adminOnly       = "This is the only administrator. Make another member an administrator first."
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
	return "You can have at most " + strconv.Itoa(most) + " favourites. Remove another one first."
}

// reviewLinksFull is as many review links as there may be.
func reviewLinksFull(most int) string {
	return "You can keep at most " + strconv.Itoa(most) + " review links. Delete one first."
}

// reviewEnd is an end of a review link that none has.
func reviewEnd(most int) string {
	return "A review link must end in the future, at most " + strconv.Itoa(most) + " days from now."
}
