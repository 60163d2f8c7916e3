package service

import (
	"strings"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// transparentID finds the background preset of that name in agent info.
func (w *world) transparentID() int64 {
	w.t.Helper()
	for _, b := range must[upstream.AgentInfo](w.t, w.get(info("removeBG"), w.key)).Backgrounds {
		if b.Name == "Transparent" {
			if a := w.fetch(b.Image); a.status != 200 {
				w.t.Errorf("its picture answers %d", a.status)
			}
			return b.ID
		}
	}
	w.t.Fatal("no background is called Transparent")
	return 0
}

func TestTransparentPresetLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.svc.SetSwitches(Switches{BackgroundNeeded: true})
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	neither := cutOut()
	delete(neither, "backgroundHex")
	refused := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: neither})
	if refused.Success || refused.Code != upstream.CodeParameter || !strings.Contains(refused.Msg, "backgroundId") {
		t.Errorf("with neither field: %s", refused.raw)
	}
	// With a colour beside it, the preset wins.
	for name, params := range map[string]map[string]any{
		"alone": {"maskType": "custom", "customMask": leftHalf(520, 560), "batchCount": 1}, "beside a colour": cutOut(),
	} {
		params["backgroundId"] = w.transparentID()
		img := decode(t, w.fetch(w.finish(w.execute(task, params)).Result[0].Image).raw)
		if a := img.NRGBAAt(515, 280).A; a != 0 {
			t.Errorf("%s: what was not kept has the alpha %d", name, a)
		}
		if a := img.NRGBAAt(5, 280).A; a != 255 {
			t.Errorf("%s: what was kept has the alpha %d", name, a)
		}
	}
}

func TestMasksCanBeRefusedInBase64(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches = Switches{MasksByURL: true, Slow: time.Hour} })
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	refused := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: cutOut()})
	if refused.Success || refused.Code != upstream.CodeParameter || !strings.Contains(refused.Msg, "customMask ") {
		t.Errorf("a mask in base64: %s", refused.raw)
	}
	byURL := cutOut("customMaskUrl", w.upload(leftHalfPNG(520, 560)))
	delete(byURL, "customMask")
	w.execute(task, byURL)
}

func TestProCanComeBackAsRecommended(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches = Switches{ProRecommended: true, Slow: time.Hour} })
	source := w.upload(testpics.JPEG(photo()))
	for sent, want := range map[string]string{"pro": "recommended", "recommended": "recommended", "lite": "lite"} {
		id := w.run("aipose", map[string]any{"originalImage": source}, map[string]any{"textDescription": "turned to the left", "generateVersion": sent})
		if got := w.query(id).Executions[0].Params["generateVersion"]; got != want {
			t.Errorf("%s comes back as %v", sent, got)
		}
	}
}

func TestTheCostOfAStartCanBeTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches = Switches{Slow: time.Hour} })
	task := w.task("removeBG", w.upload(testpics.JPEG(photo())))
	execute := func() upstream.Charge {
		return must[upstream.TaskExecuted](t, w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: cutOut("batchCount", 3)})).Charge
	}
	if c := execute(); c.PowerConsumption != nil || c.PowerBalanceAmount != nil {
		t.Errorf("nothing is billed, and told is %+v", c)
	}
	w.svc.SetSwitches(Switches{PowerTold: true, Slow: time.Hour})
	if c := execute(); c.PowerConsumption == nil || *c.PowerConsumption != 3 || c.PowerBalanceAmount == nil || *c.PowerBalanceAmount != powerGranted-6 {
		t.Errorf("told is %+v", c)
	}
	// The same key again is the same run, and is paid once.
	body := w.runBody()
	for range 2 {
		c := must[upstream.RunStarted](t, w.post(upstream.PathRuns, w.key, body, idempotencyHeader, "once")).Charge
		if c.PowerConsumption == nil || *c.PowerConsumption != 1 || *c.PowerBalanceAmount != powerGranted-7 {
			t.Errorf("over the run surface told is %+v", c)
		}
	}
	w.svc.SetSwitches(Switches{PowerTold: true, HandleInMeta: true, Slow: time.Hour})
	if a := w.post(upstream.PathRuns, w.key, body, idempotencyHeader, "once"); a.Meta.PowerConsumption == nil || *a.Meta.PowerConsumption != 1 {
		t.Errorf("in meta alone: %s", a.raw)
	}
}

func TestLocationsAreCreatedForProductsToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	create := func(agent string) answer {
		return w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{Image: source, Name: "Yard", AgentName: agent, AgentVersion: "v1.0"})
	}
	id := must[upstream.MyLocation](t, create("aiproduct")).LocationID
	if status := w.waitForPreset("locationId", upstream.PathLocationQuery, id); status != upstream.PresetComplete {
		t.Errorf("status = %s", status)
	}
	if a := create("aipose"); a.Success || !strings.Contains(a.Msg, "aimodel or aiproduct") {
		t.Errorf("for aipose: %s", a.raw)
	}
	model := upstream.MyFashionModelCreate{Images: []string{source}, Name: "Ada", AgentName: "aiproduct", AgentVersion: "v1.0"}
	if a := w.post(upstream.PathFashionModelCreate, w.key, model); a.Success {
		t.Errorf("a fashion model for aiproduct: %s", a.raw)
	}
}
