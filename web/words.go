package web

// words are what this package says to a user: on the page before the client is there, where the client stopped, and where the studio
// cannot be reached. Nothing else under web/ holds words; a translation changes this file alone.
type words struct {
	Lang, Title, About string
	NoScript           string

	// Where the client stopped.
	Stopped, StoppedText, Reload string

	// The page of the service worker.
	OfflineTitle, Offline, OfflineText, OfflineAgain, TryNow string

	NotBuilt string // for who runs a studio without the client
}

var said = words{
	Lang: "en", Title: "Atelier", About: "A studio for pictures made with an image-generation service.",
	NoScript: "Atelier needs JavaScript and WebAssembly.",

	Stopped: "The studio stopped", StoppedText: "Your pictures, runs and masks are safe. Reload to continue where you were.", Reload: "Reload",

	OfflineTitle: "Atelier cannot be reached", Offline: "The studio cannot be reached",
	OfflineText:  "Either this device is offline, or the studio is not running. Nothing is lost: runs continue without this page, and your pictures and masks are kept.",
	OfflineAgain: "Retrying every ten seconds.", TryNow: "Try now",

	NotBuilt: "The browser client is not part of this build. Run `make build`; the API still works.",
}
