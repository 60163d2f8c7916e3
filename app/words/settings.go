package words

// The settings.
const (
	SettingsAppearance    = "Appearance"
	SettingsTheme         = "Theme"
	SettingsThemeSystem   = "Match system"
	SettingsThemeLight    = "Light"
	SettingsThemeDark     = "Dark"
	SettingsStage         = "Background of the canvas"
	SettingsStageLight    = "Light grey"
	SettingsStageGrey     = "Mid grey"
	SettingsStageDark     = "Dark grey"
	SettingsStageBlack    = "Black"
	SettingsService       = "Image service"
	SettingsServiceRemote = "This studio is connected to a remote image service."
	SettingsTeam          = "Manage team"
)

// Notices in the settings.
const (
	NoticesTitle   = "When a run ends"
	NoticesText    = "The tab title counts the runs that ended while you were in another tab."
	NoticesSound   = "Play a short sound"
	NoticesSystem  = "Show a system notification"
	MessagesTitle  = "Notifications"
	MessagesStay   = "Keep notifications until I dismiss them"
	NoticesRefused = "The browser blocks notifications from this page. Allow them in its settings for this address."
)

// SettingsVersion says which version runs.
func SettingsVersion(version string) string { return "atelier " + version }
