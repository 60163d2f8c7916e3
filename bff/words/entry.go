package words

import "time"

// Signing in and out, and the first start.
const (
	EntryNoAccounts = "This studio has no accounts."
	EntryCode       = "This is not the setup code. It is printed in the server's log."
	EntryCodeField  = "This is not the setup code."
	EntryWrong      = "Name or password is wrong."
	EntryLaunchCode = "This code is wrong or used up. Print a new sign-in link."
	EntryAttempts   = "Too many wrong attempts. Wait a minute and try again."
	EntryByName     = "Sign in with your name and password."
	EntryPrinted    = "A sign-in link was printed a moment ago. Look in the terminal."
	EntryOut        = "You are signed out. Sign in with your name and password."
	EntryOutAlone   = "You are signed out. Open the sign-in link that the server printed when it started."
	EntryOutAlready = "This browser is signed out already."
)

// Names and passwords.
const (
	NameLength     = "A name has 1 to 60 characters."
	NameUnseen     = "This name contains invisible characters."
	PasswordWrong  = "This is not your current password."
	PasswordUnread = "The password contains unreadable characters."
	PasswordUsed   = "This password is too common. Use a few unrelated words."
	PasswordEasy   = "This password is easy to guess. Use a few unrelated words."
)

// Accounts, and who may do what.
const (
	AccountRole        = "The role is viewer, designer or admin."
	AccountOwnPassword = "Change your own password in Settings, with your current one."
	AccountAdmins      = "Only administrators may do this."
	AccountLooksOn     = "You can look at your own and shared work but not change anything. An administrator can make you a designer."
)

// The browsers a user is signed in with.
const (
	BrowserUnknown = "Unknown browser"
)

// EntryWait is too many wrong passwords for a name, and how long none is taken.
func EntryWait(wait time.Duration) string {
	return "Too many wrong passwords for this name. Try again in " + minutes(wait) + "."
}

// PasswordWait refuses passwords of a signed-in user for a time after too many wrong ones.
func PasswordWait(wait time.Duration) string {
	return "Too many wrong passwords. Try again in " + minutes(wait) + "."
}

// minutes writes a duration within a sentence, rounded up.
func minutes(d time.Duration) string {
	n := int((d + time.Minute - 1) / time.Minute)
	if n == 1 {
		return "a minute"
	}
	return number(n) + " minutes"
}

// PasswordShort is a password of fewer characters than it needs.
func PasswordShort(has, least int) string {
	return "The password has " + number(has) + " characters; it needs at least " + number(least) + "."
}

// PasswordLong is a password of more characters than are taken.
func PasswordLong(has, most int) string {
	return "The password has " + number(has) + " characters; at most " + number(most) + " are allowed."
}

// AccountMonthly refuses a monthly limit out of range.
func AccountMonthly(most int) string {
	return "The monthly limit must be from 0 to " + number(most) + "."
}

// BrowserOn is a browser on a system, browser "" where only the system is known.
func BrowserOn(browser, system string) string {
	if browser == "" {
		return "A browser on " + system
	}
	return browser + " on " + system
}
