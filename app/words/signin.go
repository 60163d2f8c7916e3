package words

// The sign-in page.
const (
	SignInText     = "Open the sign-in link printed in the server's terminal, or paste it here. It works once."
	SignInAction   = "Sign in"
	SignInToken    = "Sign-in link or code" //nolint:gosec // what a field is called
	SignInName     = "Name"
	SignInPassword = "Password"
	SignInWait     = "One moment…"
	SignInPrint    = "Print a new sign-in link in the terminal"
	SignInPrinted  = "A new sign-in link was printed in the server's terminal."
	SignInForgot   = "Forgot your password? An administrator can set a new one."
	SetUpTitle     = "Set up the studio"
	SetUpAction    = "Create the first account"
	SetUpText      = "You become its administrator and can add other members later."
	SetUpCode      = "Setup code"
	SetUpCodeHelp  = "It is printed in the server's log."
	SetUpName      = "Your name"
)

// Fields for passwords.
const (
	PasswordRule = "At least 12 characters. A few unrelated words make a good one." //nolint:gosec // a sentence
	PasswordHide = "Hide"
	PasswordShow = "Show"
)
