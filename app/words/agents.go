package words

// The list of agents.
const (
	AgentsAll     = "All agents"
	AgentsNothing = "No agent is called that. Try what should happen: “scene”, “pose”, “cut out”."
	AgentsGroups  = "Groups of agents"
	AgentsVideo   = "Video"
)

// AgentsSearch is what the search box says.
func AgentsSearch(n int) string { return "Search " + plural(n, "agent", "agents") }
