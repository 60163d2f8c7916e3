package words

import (
	"time"

	"atelier/atelier"
)

// The account in the settings.
const (
	AccountTitle           = "Account"
	AccountChangePassword  = "Change password"
	AccountSessionsBroken  = "The browsers could not be loaded."
	AccountSessions        = "Signed-in browsers"
	AccountSignOut         = "Sign out"
	AccountSignOutGoes     = "It is signed out immediately; unsent work there may be lost. This cannot be undone."
	AccountThisOne         = "This browser"
	AccountPresentPassword = "Current password"
	AccountNewPassword     = "New password"
	AccountOthersSignedOut = "All other browsers are signed out."
	AccountPasswordChanged = "Password changed."
)

// AccountSignedInAs says who is signed in.
func AccountSignedInAs(name string) string { return "Signed in as " + name }

// AccountLastUsed says when a browser was used last, and from which address, "" when that is not known.
func AccountLastUsed(now, then time.Time, address string) string {
	if address == "" {
		return "Last used " + Ago(now, then)
	}
	return "Last used " + Ago(now, then) + " from " + address
}

// AccountSince says since when a browser is signed in.
func AccountSince(t time.Time, zone *time.Location) string { return "Since " + Exact(t, zone) }

// AccountSignOutOf names the button that ends a session of another browser.
func AccountSignOutOf(browser string) string { return AccountSignOut + " " + browser }

// AccountSignedInInRole says who is signed in to a team, and as what.
func AccountSignedInInRole(name string, role atelier.Role) string {
	return AccountSignedInAs(name) + ", " + RoleWithin(role)
}
