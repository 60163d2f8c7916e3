package words

import (
	"strings"
	"time"

	"atelier/atelier"
)

// The dialog of the team.
const (
	TeamTitle     = "Team"
	TeamName      = "Name"
	TeamNameLabel = "Name of the new member"
	TeamAdd       = "Add"
	TeamHelp      = "Members see their own work and the boards that others share. Viewers look and download, designers also generate, administrators also manage this list. " +
		"A new role or password signs the member out. A monthly limit counts the results since the first of the month."
	TeamRole          = "Role"
	TeamNeverSignedIn = "Never signed in"
	TeamDisabled      = "Disabled"
	TeamYou           = "You"
	TeamEnable        = "Enable"
	TeamDisable       = "Disable"
	TeamNewPassword   = "New password"
	TeamMonthly       = "Results a month"
	TeamAnyNumber     = "no limit"
	TeamAMonth        = "a month"
)

// TeamSecret says what to do with the generated password of a member.
func TeamSecret(name string) string {
	return "Give " + name + " this password. It is shown only now and can be changed in the settings."
}

// TeamSignedIn says when a member signed in last.
func TeamSignedIn(now, then time.Time) string { return "Signed in " + Ago(now, then) }

// TeamAsked counts the results of a member since the first of the month.
func TeamAsked(n int) string { return plural(n, "result", "results") + " this month" }

// TeamMonthlyOf labels the field for the monthly limit of a member.
func TeamMonthlyOf(name string) string {
	return "Results a month for " + name + ", empty for no limit"
}

// TeamMonthlyWrong says what the number of results a month can be.
func TeamMonthlyWrong(most int) string {
	return "Enter a whole number from 0 to " + number(most) + ", or leave empty for no limit."
}

// WithAllowance says, after what a run costs, how many results may still be asked for this month.
func WithAllowance(cost string, a atelier.Allowance) string {
	left := number(a.Left()) + " of " + plural(a.Monthly, "result", "results") + " left this month"
	if cost == "" {
		return left
	}
	return cost + " · " + left
}

// TeamDisableNow labels the second press, which disables a member.
func TeamDisableNow(name string) string { return "Disable " + name }

// TeamNewPasswordNow labels the second press, which sets a new password.
func TeamNewPasswordNow(name string) string { return "New password for " + name }

// TeamPasswordEnds says what a new password does.
func TeamPasswordEnds(name string) string {
	return "This replaces the password of " + name + " and signs them out."
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
