package words

// The page of the studio.
const (
	StudioChooseFiles = "Choose files"
	StudioAgents      = "Agents"
	StudioImport      = "What does the mask keep?"
)

// Pictures to begin with.
const (
	Samples         = "Sample pictures"
	SampleDress     = "Dress on a wall"
	SampleBottle    = "Bottle on a table"
	SampleMannequin = "Mannequin in a coat"
)

// Dialogs above every page.
const (
	ReviewDeliver     = "Export"
	ReviewPutOnBoards = "Add to boards"
)
