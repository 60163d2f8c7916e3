package words

// The palette of commands.
const (
	PaletteTitle       = "Commands"
	PalettePlaceholder = "Find a page, an agent, a run, an action"
	PaletteLabel       = "Find a command"
	PaletteNothing     = "No match."
)

// What the palette leads to, and the words it is found by too.
const (
	PaletteFindPages    = "page open show"
	PaletteRuns         = "Runs"
	PalettePicked       = "Picked results"
	PaletteChanged      = "Results whose kept area changed"
	PaletteDuplicates   = "Duplicates"
	PaletteTrash        = "Trash"
	PaletteBoard        = "Board"
	PaletteAgent        = "Agent"
	PaletteKeys         = "Keys"
	PaletteFindKeys     = "shortcuts help"
	PaletteSettings     = "Settings"
	PaletteFindSettings = "account sound notice theme password"
	PaletteFindNewBoard = "make create"
	PaletteAppearance   = "Appearance"
	PaletteFindTheme    = "theme colour"
	PaletteThemeDark    = "Dark theme"
	PaletteThemeLight   = "Light theme"
	PaletteThemeSystem  = "System theme"
	PaletteCompareLast  = "Compare the results of the last run"
	PaletteDesk         = "Culling desk"
	PaletteFindDesk     = "cull pick desk"
	PaletteNoResults    = "No run has results yet."
	PaletteSignOut      = "Sign out"
	PaletteFindSignOut  = "leave log out"
)

// PaletteRun says where a run is that has nothing to show yet.
func PaletteRun(where string) string { return "This run: " + where + "." }
