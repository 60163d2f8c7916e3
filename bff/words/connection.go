package words

// The account of the image service in the settings.
const (
	ConnectFixed      = "The server's environment sets the account of the image service. Change it there."
	ConnectNone       = "This server takes its account of the image service from its environment alone."
	ConnectBusy       = "The account is being changed already. Try again in a moment."
	ConnectOften      = "Too many accounts were tried. Wait a minute and try again."
	ConnectAddress    = "Enter the address of the image service, such as https://images.example.com."
	ConnectPlain      = "The address must begin with https://. The key would travel in the clear."
	ConnectUser       = "Leave out the name and password in the address."
	ConnectPublic     = "This address is not on the public internet. The operator of the server can set it in the server's environment."
	ConnectKey        = "Enter the API key."
	ConnectKeyRaw     = "Enter the key alone, without \"Bearer\" in front of it."
	ConnectKeyForm    = "This is no API key: it contains spaces, line breaks or letters that no key has."
	ConnectKeyRefused = "The image service does not accept this key. Nothing was changed."
	ConnectNotThere   = "No image service could be reached at this address. Check it and try again. Nothing was changed."
	ConnectMoved      = "The image service has moved from this address to another one. Enter its new address. Nothing was changed."
	ConnectOther      = "What answers at this address is not an image service this studio understands. Nothing was changed."
	ConnectTooMany    = "The image service has too much to do to check this key. Try again in a moment. Nothing was changed."
)

// ConnectManyHosts is more download hosts than are taken.
func ConnectManyHosts(most int) string { return "Enter at most " + number(most) + " download hosts." }

// ConnectHost is a download host that is none.
func ConnectHost(host string) string {
	return quoted(host) + " is not a host name such as files.example.com."
}

// ConnectHostLeftOut is a host of the service's pictures that may not be fetched from.
func ConnectHostLeftOut(host string) string {
	return "The service keeps its pictures at " + host + ", which is not among the allowed download hosts. Add it, or leave the list empty. Nothing was changed."
}

// ConnectHostRefused is a host of the service's pictures that nothing may be fetched from.
func ConnectHostRefused(host string) string {
	return "The service keeps its pictures at " + host + ", where this studio may not fetch anything. Nothing was changed."
}

func quoted(s string) string { return "\"" + s + "\"" }
