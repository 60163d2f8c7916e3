package model

import (
	"encoding/json"
	"maps"

	"atelier/atelier"
	"atelier/catalog"
)

// Draft is the work in progress as it is remembered on this machine: a reload brings it back.
type Draft struct {
	Agent string                     `json:"agent"`
	Asset atelier.AssetID            `json:"asset"`
	Kept  catalog.Values             `json:"kept"`
	Files map[string][]atelier.Asset `json:"files"`
	// Account is the Session.AccountStamp that its presets belong to; "" = not known.
	Account string `json:"account,omitempty"`
}

// Draft gives what to remember of a form.
func (f Form) Draft(asset atelier.AssetID) Draft {
	kept := maps.Clone(f.kept)
	if kept == nil {
		kept = catalog.Values{}
	}
	return Draft{Agent: f.Agent.Name, Asset: asset, Kept: kept, Files: f.held}
}

// Encode writes the draft as text.
func (d Draft) Encode() string {
	b, err := json.Marshal(d)
	if err != nil {
		return ""
	}
	return string(b)
}

// ReadDraft reads what Encode wrote; anything else is an empty draft.
func ReadDraft(text string) Draft {
	var d Draft
	if json.Unmarshal([]byte(text), &d) != nil {
		return Draft{}
	}
	return d
}

// Form takes the draft up again with the agents there are; the first of them when the draft's own is gone.
func (d Draft) Form(agents []catalog.Agent) Form {
	if len(agents) == 0 {
		return Form{}
	}
	agent := agents[0]
	for _, a := range agents {
		if a.Name == d.Agent {
			agent = a
		}
	}
	return Form{kept: d.Kept, held: d.Files}.Switch(agent)
}
