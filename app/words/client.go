package words

// What the page itself says when the server gives no sentence.
const (
	ServerSilent     = "The server does not respond. Check the connection; your work is safe."
	ServerUnreadable = "The server's answer could not be read. Reload the page."
)

// ServerStatus is an answer without an explanation.
func ServerStatus(status int) string {
	return "The server answered with status " + number(status) + " and no explanation. Try again in a moment."
}
