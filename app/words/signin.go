package words

// The door.
const (
	SignInText     = "Open the address the studio printed in its terminal, or paste it here. It works once."
	SignInAction   = "Sign in"
	SignInToken    = "Address or launch code" //nolint:gosec // what a field is called
	SignInName     = "Name"
	SignInPassword = "Password"
	SignInWait     = "One moment…"
	SignInPrint    = "Print a new address in the terminal"
	SignInPrinted  = "A new address was printed in the terminal of the studio."
	SignInForgot   = "Forgot it? An administrator can give you a new password."
	SetUpTitle     = "Set up the studio"
	SetUpAction    = "Create the first account"
	SetUpText      = "You will be its administrator and can add the others afterwards."
	SetUpCode      = "Setup code"
	SetUpCodeHelp  = "It is shown in the terminal of the server."
	SetUpName      = "Your name"
)

// Fields for passwords.
const (
	PasswordRule = "At least 12 characters. A few unrelated words make a good one." //nolint:gosec // a sentence
	PasswordHide = "Hide"
	PasswordShow = "Show"
)
