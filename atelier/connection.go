package atelier

// Connection answers GET, PUT and DELETE /api/connection: which account of the image service runs go to. The key never leaves the server.
type Connection struct {
	Kind      string   `json:"kind"`                // embedded, remote
	Address   string   `json:"address,omitempty"`   // of a remote service
	Downloads string   `json:"downloads,omitempty"` // of its layered files, where they have an address of their own
	Hosts     []string `json:"hosts,omitempty"`     // the only ones that pictures are fetched from; none = any public one
	KeyEnd    string   `json:"keyEnd,omitempty"`    // the last characters of the key
	// Fixed says that the environment of the server chooses the account: it cannot be changed here.
	Fixed bool `json:"fixed,omitempty"`
	// Waiting and Sent count the runs of the account that have not ended: they stay with it.
	Waiting int `json:"waiting"`
	Sent    int `json:"sent"`
	// Former are accounts that were used before and still have runs under way. Their keys are deleted after that.
	Former []FormerConnection `json:"former"`
}

// FormerConnection is an account that was used before.
type FormerConnection struct {
	Address string `json:"address"`
	KeyEnd  string `json:"keyEnd,omitempty"`
	Waiting int    `json:"waiting"`
	Sent    int    `json:"sent"`
	// Missing says that its key is not here any more: its runs wait until the account is entered again.
	Missing bool `json:"missing,omitempty"`
}

// Connect is the body of PUT /api/connection.
type Connect struct {
	Address   string   `json:"address"`
	Key       string   `json:"key"`
	Downloads string   `json:"downloads,omitempty"`
	Hosts     []string `json:"hosts,omitempty"`
}
