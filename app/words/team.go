package words

import (
	"strings"
	"time"

	"atelier/atelier"
)

// The dialog of the team.
const (
	TeamTitle         = "Team"
	TeamName          = "Name"
	TeamNameLabel     = "Name of the new member"
	TeamAdd           = "Add"
	TeamHelp          = "Everybody sees their own work and the boards that others show to the team. Viewers look and download, designers generate too, administrators also manage this list. Every change signs the member out."
	TeamRole          = "Role"
	TeamNeverSignedIn = "Never signed in"
	TeamDisabled      = "Disabled"
	TeamYou           = "You"
	TeamEnable        = "Enable"
	TeamDisable       = "Disable"
	TeamNewPassword   = "New password"
)

// TeamSecret says what to do with the password that was made up for somebody.
func TeamSecret(name string) string {
	return "Give " + name + " this password. It is shown only now and can be changed in the settings."
}

// TeamSignedIn says when somebody was here last.
func TeamSignedIn(now, then time.Time) string { return "Signed in " + Ago(now, then) }

// TeamDisableNow is the second press that disables somebody.
func TeamDisableNow(name string) string { return "Disable " + name }

// TeamNewPasswordNow is the second press that makes somebody a new password.
func TeamNewPasswordNow(name string) string { return "New password for " + name }

// TeamPasswordEnds says what a new password does.
func TeamPasswordEnds(name string) string {
	return "The password " + name + " has ends at once, and " + name + " is signed out."
}

// Role is a role on a button of its own; in a sentence it is RoleWithin.
func Role(r atelier.Role) string {
	within := RoleWithin(r)
	return strings.ToUpper(within[:1]) + within[1:]
}

// RoleWithin is a role as it is said in a sentence.
func RoleWithin(r atelier.Role) string {
	switch r {
	case atelier.Admin:
		return "administrator"
	case atelier.Designer:
		return "designer"
	case atelier.Viewer:
		return "viewer"
	}
	return string(r)
}
