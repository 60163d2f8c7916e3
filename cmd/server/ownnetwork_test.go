package main

import (
	"net/http"
	"testing"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
)

// A studio whose public address only its own network knows makes pictures with the embedded service: that refuses to call such an
// address, and is not asked to.
func TestAStudioForItsOwnNetworkMakesPictures(t *testing.T) {
	address := killable.Address(t)
	p := openPage(t, map[string]string{"ATELIER_LISTEN": address, "ATELIER_PUBLIC_URL": "http://" + address})
	var a atelier.Asset
	p.ask(http.MethodPost, "/api/assets?name=dress.jpg", testpics.JPEG(testpics.Swatch(530, 560, 1)), http.StatusCreated, &a)
	for agent, in := range map[string]atelier.StartRun{
		"removeBG": {Values: map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#FFEEDD", "batchCount": 1}, Files: map[string][]string{"originalImage": {string(a.ID)}}}, // by the task surface
		"z-image":  {Values: map[string]any{"textDescription": "A red boat"}},                                                                                                            // by the run surface
	} {
		var body atelier.RunBody
		in.Agent, in.Version, in.IntentKey = agent, "v1.0", "for-one-house-"+agent
		p.ask(http.MethodPost, "/api/runs", in, http.StatusAccepted, &body)
		if run := p.settled(body.Run.ID); run.State != atelier.StateDone {
			t.Errorf("%s ends as %s: %+v", agent, run.State, run.Error)
		}
	}
}

// An image service in the studio's own network names its pictures by its own address: they are fetched, with nothing more configured
// than that address.
func TestResultsOfAServiceInTheOwnNetworkAreFetched(t *testing.T) {
	far := newAccount(t)
	p := openPage(t, map[string]string{"ATELIER_UPSTREAM_URL": far.url, "ATELIER_API_KEY": far.key})
	var body atelier.RunBody
	p.ask(http.MethodPost, "/api/runs", atelier.StartRun{
		IntentKey: "of-the-next-room", Agent: "z-image", Version: "v1.0", Values: map[string]any{"textDescription": "A red boat"},
	}, http.StatusAccepted, &body)
	run := p.settled(body.Run.ID)
	if run.State != atelier.StateDone || len(run.Results) == 0 || !run.Results[0].Stored {
		t.Errorf("the run ends as %s with %+v: %+v", run.State, run.Results, run.Error)
	}
}
