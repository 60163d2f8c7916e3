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
	SettingsServiceEmbedded = "The image service runs inside this studio: classical image processing, no neural models. Nothing leaves this machine."
	SettingsServiceRemote   = "Runs are made by the remote image service this studio is connected to."
	SettingsTeam            = "Manage the team"
)

// Notices in the settings.
const (
	NoticesTitle   = "When work ends"
	NoticesText    = "The title of the tab counts what ended while you looked elsewhere."
	NoticesSound   = "Play a short sound"
	NoticesSystem  = "Show a notice of the system"
	NoticesRefused = "The browser does not let this page show notices. Its settings for this address can allow them."
)

// SettingsVersion says which version runs.
func SettingsVersion(version string) string { return "atelier " + version }
