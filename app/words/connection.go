package words

import "strconv"

// The account of the image service in the settings.
const (
	ConnectionConnect       = "Connect an account"
	ConnectionChange        = "Change account"
	ConnectionDisconnect    = "Disconnect"
	ConnectionDisconnectYes = "Disconnect and delete the key"
	ConnectionFixed         = "Set by the server's environment"
	ConnectionAddress       = "Address of the image service"
	ConnectionAddressHelp   = "Such as https://images.example.com"
	ConnectionKey           = "API key"
	ConnectionKeyHelp       = "It is kept on the server, and never shown again."
	ConnectionMore          = "Other addresses"
	ConnectionDownloads     = "Address of layered files"
	ConnectionDownloadsHelp = "Only if the service has one of its own for them. The key is sent there too."
	ConnectionHosts         = "Download hosts"
	ConnectionHostsHelp     = "Only if results must come from certain hosts, separated by commas. Leave it empty to allow any public host."
	ConnectionSubmit        = "Check and connect"
	ConnectionChecking      = "Checking…"
	ConnectionBroken        = "The account could not be loaded."
	ConnectionOff           = "Disconnected. New runs are made by the service in this studio."
	ConnectionElsewhere     = "New runs go to another account of the image service now. Presets were cleared from the form."
	ConnectionEmbedded      = "The image service runs inside this studio: classical image processing, no neural models. Nothing leaves this machine."
)

// ConnectionAt says which account runs go to.
func ConnectionAt(address, keyEnd string) string {
	text := "Connected to " + address + "."
	if keyEnd != "" {
		text += " Key ends with ••••" + keyEnd + "."
	}
	return text
}

// ConnectionOn says that an account is used now.
func ConnectionOn(address string) string { return "Connected to " + address + "." }

// ConnectionStays says what becomes of runs under way when the account is changed, "" where there are none.
func ConnectionStays(waiting, sent int) string {
	if waiting+sent == 0 {
		return ""
	}
	return underWay(waiting, sent) + " with this account and " + stay(waiting+sent) + " there. New runs go to the new account."
}

// ConnectionLeaves is ConnectionStays for who disconnects.
func ConnectionLeaves(waiting, sent int) string {
	if waiting+sent == 0 {
		return "The key is deleted from the server. New runs are made by the service in this studio."
	}
	return underWay(waiting, sent) + " with this account and " + stay(waiting+sent) + " there; its key is deleted after that. New runs are made by the service in this studio."
}

// ConnectionFormer says what is still under way at an account that was used before.
func ConnectionFormer(address string, waiting, sent int) string {
	if waiting+sent == 0 {
		return address + ": kept for a day, for runs that may still turn up there. Then its key is deleted."
	}
	return address + ": " + underWay(waiting, sent) + ". Its key is deleted after that."
}

// ConnectionMissing says that runs wait for an account whose key is not here any more.
func ConnectionMissing(address string, waiting, sent int) string {
	if waiting+sent == 1 {
		return "1 run waits for its account at " + address + ". Connect it again to go on with it."
	}
	return strconv.Itoa(waiting+sent) + " runs wait for their account at " + address + ". Connect it again to go on with them."
}

// StageConnected says where runs go; host is "" for those who are not told.
func StageConnected(host string) string {
	if host == "" {
		return "Runs go to an account of the image service."
	}
	return "Runs go to " + host + "."
}

func underWay(waiting, sent int) string {
	one := func(n int, rest string) string {
		if n == 1 {
			return "1 run is " + rest
		}
		return strconv.Itoa(n) + " runs are " + rest
	}
	switch {
	case sent == 0:
		return one(waiting, "waiting")
	case waiting == 0:
		return one(sent, "being made")
	}
	return one(waiting, "waiting") + " and " + one(sent, "being made")
}

func stay(n int) string {
	if n == 1 {
		return "stays"
	}
	return "stay"
}
