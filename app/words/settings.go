package words

// The settings.
const (
	SettingsAppearance      = "Appearance"
	SettingsTheme           = "Theme"
	SettingsThemeSystem     = "Match system"
	SettingsThemeLight      = "Light"
	SettingsThemeDark       = "Dark"
	SettingsStage           = "Grey around the picture"
	SettingsStageLight      = "Light grey"
	SettingsStageGrey       = "Mid grey"
	SettingsStageDark       = "Dark grey"
	SettingsStageBlack      = "Black"
	SettingsService         = "Image service"
	SettingsServiceEmbedded = "The image service runs inside this studio: classical image processing, no neural models. Nothing leaves this machine. To use an account instead, give the server its address and key."
	SettingsServiceRemote   = "Runs are made by the remote image service this studio is connected to."
	SettingsTeam            = "Manage the team"
)

// Notices in the settings.
const (
	NoticesTitle   = "When a run ends"
	NoticesText    = "The tab title counts the runs that ended while you looked elsewhere."
	NoticesSound   = "Play a short sound"
	NoticesSystem  = "Show a system notification"
	MessagesTitle  = "Messages"
	MessagesStay   = "Keep messages, and what they can undo, until I close them"
	NoticesRefused = "The browser blocks notifications from this page. Allow them in its settings for this address."
)

// SettingsVersion says which version runs.
func SettingsVersion(version string) string { return "atelier " + version }
