package words

// The list of agents.
const (
	AgentsAll     = "All agents"
	AgentsNothing = "No agent matches. Try “scene”, “pose” or “cut out”."
	AgentsGroups  = "Groups of agents"
	AgentsVideo   = "Video"
	AgentHow      = "How it works"
)

// AgentHowLabel names the disclosure of how an agent works, for screen readers.
func AgentHowLabel(title string) string { return AgentHow + ": " + title }

// AgentsSearch is what the search box says.
func AgentsSearch(n int) string { return "Search " + plural(n, "agent", "agents") }

// AgentsPicturesOnly says of an agent that makes videos or pictures why it makes pictures alone here.
func AgentsPicturesOnly(noVideo string) string { return "Makes pictures here. " + noVideo }

// Groups of agents.
const (
	FamilyOriginal   = "Fashion and product"
	FamilyA          = "From one photo"
	FamilyB          = "From several photos"
	FamilyC          = "Posters and layouts"
	FamilyD          = "Pictures from text"
	FamilyE          = "Video from pictures and text"
	FamilyF          = "Edit a video"
	FamilyG          = "Portraits, still or moving"
	AgentsFavourites = "Favourites"
	AgentsUsedLast   = "Recently used"
	AgentsMore       = "More"
)
