package model

import (
	"encoding/json"
	"testing"
	"time"

	"atelier/atelier"
)

func TestARequestIsOldAfterADay(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		age  time.Duration
		old  bool
	}{
		{"just kept", 0, false},
		{"kept by a clock that was ahead", -time.Hour, false},
		{"almost a day", 24*time.Hour - time.Second, false},
		{"a day", 24 * time.Hour, true},
	} {
		data, err := json.Marshal(Intent{StartRun: atelier.StartRun{IntentKey: "k", Agent: "removeBG"}, KeptAt: now.Add(-tt.age)})
		if err != nil {
			t.Fatal(err)
		}
		var kept Intent
		if err := json.Unmarshal(data, &kept); err != nil || kept.Agent != "removeBG" || kept.IntentKey != "k" {
			t.Fatalf("%s came back as %+v, %v", data, kept, err)
		}
		if kept.Old(now) != tt.old {
			t.Errorf("%s: old is %t", tt.name, !tt.old)
		}
	}
	var earlier Intent // as clients kept them that did not write the time
	if err := json.Unmarshal([]byte(`{"intentKey":"k","agent":"removeBG"}`), &earlier); err != nil || !earlier.Old(now) {
		t.Errorf("a request without its time: %v, old %t", err, earlier.Old(now))
	}
}
