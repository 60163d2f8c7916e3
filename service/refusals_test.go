package service

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/imaging/testpics"
	"atelier/upstream"
)

// refusedFor fails the test unless the answer refuses in its surface's envelope, with the status and code of a wrong
// parameter, and says every part.
func refusedFor(t *testing.T, name string, a answer, surface catalog.Surface, status int, parts ...string) {
	t.Helper()
	code, message := fmt.Sprint(a.Code), a.Msg
	if surface == catalog.Run {
		code, message = a.Error.Code, a.Error.Message
	}
	if a.status != status || a.Success || code != "40000" || a.Error.Retryable {
		t.Errorf("%s: status %d, %s", name, a.status, a.raw)
	}
	for _, part := range parts {
		if !strings.Contains(message, part) {
			t.Errorf("%s: the refusal does not say %q: %s", name, part, message)
		}
	}
}

// TestEveryRuleOfEveryAgentIsRefusedByFieldAndLimit sends every request that the catalog's data refuse.
func TestEveryRuleOfEveryAgentIsRefusedByFieldAndLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(testpics.Photo(catalogtest.SourceWidth, catalogtest.SourceHeight, 1)))
	address := func(field string, n int, f catalogtest.File) string {
		if f.Media == catalog.Image && n == 0 {
			return source
		}
		return fmt.Sprintf("https://pictures.example/%s/%d", field, n)
	}
	sent := map[catalog.Surface]int{}
	tasks := map[string]string{}
	for _, c := range catalogtest.Cases(catalog.All()) {
		films := false
		for _, files := range c.Files {
			for _, f := range files {
				films = films || f.Facts != (catalog.Facts{})
			}
		}
		if len(c.Refused) == 0 || films { // what a film is, is looked into when it has come
			continue
		}
		agent, _ := catalog.Find(c.Agent, c.Version)
		input, params := catalog.Encode(agent, c.Surface, c.Input(address))
		sent[c.Surface]++
		if c.Surface == catalog.Run {
			for _, path := range []string{upstream.PathRuns, upstream.PathEstimates} {
				a := w.post(path, w.key, upstream.RunStart{Agent: upstream.RunAgent{Name: c.Agent, Version: c.Version}, Input: input, Params: params})
				refusedFor(t, path+": "+c.Name, a, c.Surface, http.StatusBadRequest, c.Says...)
			}
			continue
		}
		if _, isFile := agent.File(c.Refused[0]); isFile || c.Refused[0] == "taskName" {
			a := w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{AgentName: c.Agent, AgentVersion: c.Version, InitParams: input})
			refusedFor(t, c.Name, a, c.Surface, http.StatusBadRequest, c.Says...)
			continue
		}
		if tasks[c.Agent] == "" {
			tasks[c.Agent] = w.task(c.Agent, source)
		}
		a := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: tasks[c.Agent], Params: params})
		refusedFor(t, c.Name, a, c.Surface, http.StatusBadRequest, c.Says...)
	}
	if sent[catalog.Task] < 60 || sent[catalog.Run] < 700 {
		t.Errorf("requests refused: %v", sent)
	}
	t.Logf("counted: requests refused: %v", sent)
}

// TestEveryDocumentedRefusalNamesItsFieldAndTheLimit goes through the tables of the documents endpoint by endpoint.
func TestEveryDocumentedRefusalNamesItsFieldAndTheLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Switches.Slow = time.Hour })
	photograph := testpics.JPEG(photo())
	source := w.upload(photograph)
	task := w.task("removeBG", source)
	execution := w.execute(w.task("removeBG", source), cutOut())
	const address = "https://pictures.example/a.png"
	preset := func(changes ...any) map[string]any {
		return changed(map[string]any{"images": []string{address}, "image": address, "name": "Mia", "agentName": "aimodel", "agentVersion": "v1.0"}, changes...)
	}
	create := func(changes ...any) map[string]any {
		return changed(map[string]any{"agentName": "removeBG", "agentVersion": "v1.0", "initParams": map[string]any{"originalImage": source}}, changes...)
	}
	start := func(changes ...any) map[string]any {
		return changed(map[string]any{
			"agent": map[string]any{"name": "removeBG", "version": "v1.0"}, "input": map[string]any{"originalImage": source}, "params": cutOut(),
		}, changes...)
	}
	execute := func(changes ...any) map[string]any {
		return changed(map[string]any{"taskId": task, "params": cutOut()}, changes...)
	}
	heavy := w.upload(testpics.PadTo(photograph, 5<<20+1))
	tests := []struct {
		from, path string
		body       map[string]any
		says       []string
	}{
		{"Create task: agentName", upstream.PathTaskCreate, create("agentName", nil), []string{"agentName", "missing"}},
		{"Create task: agentVersion", upstream.PathTaskCreate, create("agentVersion", nil), []string{"agentVersion", "missing"}},
		{"Create task: another version", upstream.PathTaskCreate, create("agentVersion", "v2.0"), []string{"agentVersion", `"v2.0"`, "v1.0"}},
		{"Create task: another agent", upstream.PathTaskCreate, create("agentName", "nobody"), []string{"agentName", `"nobody"`}},
		{"Create task: initParams", upstream.PathTaskCreate, create("initParams", "none"), []string{"initParams", "an object"}},
		{"Create task: originalImage", upstream.PathTaskCreate, create("initParams", map[string]any{}), []string{"originalImage", "required"}},
		{"Create task: an address", upstream.PathTaskCreate, create("initParams", map[string]any{"originalImage": "a.png"}), []string{"originalImage", "http or https address"}},
		{"Create task: not public", upstream.PathTaskCreate, create("initParams", map[string]any{"originalImage": "https://127.0.0.1/a.png"}), []string{"originalImage", "public internet"}},
		{"Limits: taskName", upstream.PathTaskCreate, create("initParams", map[string]any{"originalImage": source, "taskName": strings.Repeat("n", 21)}), []string{"taskName", "21", "20"}},

		{"Execute task: taskId", upstream.PathTaskExecute, execute("taskId", nil), []string{"taskId", "missing"}},
		{"Execute task: params", upstream.PathTaskExecute, execute("params", nil), []string{"params", "missing"}},
		{"Execute task: params of another kind", upstream.PathTaskExecute, execute("params", []any{}), []string{"params", "an object"}},
		{"Execute task: callbackUrl", upstream.PathTaskExecute, execute("callbackUrl", "ftp://a.example/b"), []string{"callbackUrl", "http or https"}},
		{"Execute task: a host that is not public", upstream.PathTaskExecute, execute("callbackUrl", "https://10.0.0.1/b"), []string{"callbackUrl", "public internet"}},
		{"Errors: custom without a mask", upstream.PathTaskExecute, execute("params", map[string]any{"maskType": "custom"}), []string{"customMask", "customMaskUrl", "maskType", "custom"}},
		{"Same dimensions as the original", upstream.PathTaskExecute, execute("params", cutOut("customMask", leftHalf(519, 560))), []string{"customMask", "519 × 560", "520 × 560"}},

		{"Query task execution", upstream.PathTaskQuery, map[string]any{}, []string{"executionId", "taskId", "required"}},
		{"Delete task: taskId", upstream.PathTaskDelete, map[string]any{}, []string{"taskId", "missing"}},

		{"Start PSD download: executionId", upstream.PathPSDCreate, map[string]any{}, []string{"executionId", "missing"}},
		{"Query PSD download result: executionId", upstream.PathPSDQuery, map[string]any{}, []string{"executionId", "missing"}},

		{"Create my fashion model: images", upstream.PathFashionModelCreate, preset("images", nil), []string{"images", "1 to 4"}},
		{"Create my fashion model: five images", upstream.PathFashionModelCreate, preset("images", []string{address, address, address, address, address}), []string{"images", "1 to 4", "5"}},
		{"Create my fashion model: 5 MB", upstream.PathFashionModelCreate, preset("images", []string{heavy}), []string{"images", "5 MB", "5.1 MB"}},
		{"Create my fashion model: an address", upstream.PathFashionModelCreate, preset("images", []string{"a.png"}), []string{"images", "http or https"}},
		{"Create my fashion model: name", upstream.PathFashionModelCreate, preset("name", nil), []string{"name", "missing"}},
		{"Create my fashion model: a long name", upstream.PathFashionModelCreate, preset("name", strings.Repeat("n", 101)), []string{"name", "101", "100"}},
		{"Create my fashion model: agentName", upstream.PathFashionModelCreate, preset("agentName", nil), []string{"agentName", "missing", "aimodel"}},
		{"Create my fashion model: another agent", upstream.PathFashionModelCreate, preset("agentName", "removeBG"), []string{"agentName", "aimodel", `"removeBG"`}},
		{"Create my fashion model: agentVersion", upstream.PathFashionModelCreate, preset("agentVersion", nil), []string{"agentVersion", "missing", "v1.0"}},
		{"Create my fashion model: another version", upstream.PathFashionModelCreate, preset("agentVersion", "v2.0"), []string{"agentVersion", "v1.0", `"v2.0"`}},
		{"Delete my fashion model", upstream.PathFashionModelDelete, map[string]any{}, []string{"fashionModelId", "missing"}},
		{"Delete my fashion model: a word", upstream.PathFashionModelDelete, map[string]any{"fashionModelId": "x"}, []string{"fashionModelId", "whole number"}},

		{"Create my location: image", upstream.PathLocationCreate, preset("image", nil), []string{"image", "missing"}},
		{"Create my location: an address", upstream.PathLocationCreate, preset("image", "a.png"), []string{"image", "http or https"}},
		{"Create my location: 5 MB", upstream.PathLocationCreate, preset("image", heavy), []string{"image", "5 MB", "5.1 MB"}},
		{"Create my location: name", upstream.PathLocationCreate, preset("name", " "), []string{"name", "missing"}},
		{"Create my location: agentName", upstream.PathLocationCreate, preset("agentName", nil), []string{"agentName", "missing", "aimodel"}},
		{"Create my location: agentVersion", upstream.PathLocationCreate, preset("agentVersion", nil), []string{"agentVersion", "missing", "v1.0"}},
		{"Delete my location", upstream.PathLocationDelete, map[string]any{}, []string{"locationId", "missing"}},

		{"Start a run: agent", upstream.PathRuns, start("agent", nil), []string{"agent.name", "missing"}},
		{"Start a run: agent.version", upstream.PathRuns, start("agent", map[string]any{"name": "removeBG"}), []string{"agent.version", "missing"}},
		{"Start a run: another version", upstream.PathRuns, start("agent", map[string]any{"name": "removeBG", "version": "v2.0"}), []string{"agent.version", `"v2.0"`, "v1.0"}},
		{"Start a run: another agent", upstream.PathRuns, start("agent", map[string]any{"name": "nobody", "version": "v1.0"}), []string{"agent.name", `"nobody"`}},
		{"Start a run: an agent that is a text", upstream.PathRuns, start("agent", "removeBG"), []string{"agent", "an object"}},
		{"Start a run: input", upstream.PathRuns, start("input", nil), []string{"input", "missing"}},
		{"Start a run: params", upstream.PathRuns, start("params", nil), []string{"params", "missing"}},
		{"Start a run: originalImage", upstream.PathRuns, start("input", map[string]any{}), []string{"originalImage", "required"}},
		{"Start a run: callbackUrl", upstream.PathRuns, start("callbackUrl", "ftp://a.example/b"), []string{"callbackUrl", "http or https"}},
	}
	for _, tt := range tests {
		surface := catalog.Task
		if tt.path == upstream.PathRuns {
			surface = catalog.Run
		}
		refusedFor(t, tt.from, w.post(tt.path, w.key, tt.body), surface, http.StatusBadRequest, tt.says...)
	}
	for name, tt := range map[string]struct {
		path string
		says []string
	}{
		"List tasks: limit 0":             {upstream.PathTaskList + "?limit=0", []string{"limit", "1 to 20", `"0"`}},
		"List tasks: limit 21":            {upstream.PathTaskList + "?limit=21", []string{"limit", "1 to 20", `"21"`}},
		"List tasks: a limit in words":    {upstream.PathTaskList + "?limit=ten", []string{"limit", "whole number", `"ten"`}},
		"List tasks: cursor":              {upstream.PathTaskList + "?cursor=abc", []string{"cursor", "nextCursor"}},
		"List tasks: createdAfter":        {upstream.PathTaskList + "?createdAfter=yesterday", []string{"createdAfter", "RFC 3339", `"yesterday"`}},
		"List tasks: createdBefore":       {upstream.PathTaskList + "?createdBefore=2026-01-01", []string{"createdBefore", "RFC 3339", `"2026-01-01"`}},
		"List tasks: two bounds":          {upstream.PathTaskList + "?createdAfter=2026-01-02T00:00:00Z&createdBefore=2026-01-02T00:00:00Z", []string{"createdBefore", "later than createdAfter"}},
		"Agent info: agentName":           {upstream.PathAgentInfo + "?agentVersion=v1.0", []string{"agentName", "missing"}},
		"Agent info: agentVersion":        {upstream.PathAgentInfo + "?agentName=aimodel", []string{"agentVersion", "missing"}},
		"Agent info: another agent":       {upstream.PathAgentInfo + "?agentName=nobody&agentVersion=v1.0", []string{"agentName", `"nobody"`}},
		"Agent info: pageSize 101":        {info("aimodel") + "&pageSize=101", []string{"pageSize", "at most 100", "101"}},
		"Agent info: pageSize 0":          {info("aimodel") + "&pageSize=0", []string{"pageSize", "at least 1", `"0"`}},
		"Agent info: page 0":              {info("aimodel") + "&page=0", []string{"page", "at least 1", `"0"`}},
		"Agent info: page in words":       {info("aimodel") + "&page=one", []string{"page", "whole number", `"one"`}},
		"Agent info: resourceType":        {info("aimodel") + "&resourceType=poses", []string{"resourceType", "locations", "fashionModels", `"poses"`}},
		"Query my fashion model: no id":   {upstream.PathFashionModelQuery, []string{"fashionModelId", "missing"}},
		"Query my fashion model: a word":  {upstream.PathFashionModelQuery + "?fashionModelId=x", []string{"fashionModelId", "whole number", `"x"`}},
		"Query my fashion model: nothing": {upstream.PathFashionModelQuery + "?fashionModelId=0", []string{"fashionModelId", "at least 1", "0"}},
		"Query my location: no id":        {upstream.PathLocationQuery, []string{"locationId", "missing"}},
		"Query my location: a word":       {upstream.PathLocationQuery + "?locationId=x", []string{"locationId", "whole number", `"x"`}},
	} {
		refusedFor(t, name, w.get(tt.path, w.key), catalog.Task, http.StatusBadRequest, tt.says...)
	}
	for name, tt := range map[string]struct {
		path   string
		body   map[string]any
		status int
		says   string
	}{
		"Execute task: taskId":         {upstream.PathTaskExecute, execute("taskId", "nothing"), http.StatusNotFound, `task "nothing"`},
		"Query: taskId":                {upstream.PathTaskQuery, map[string]any{"taskId": "nothing"}, http.StatusNotFound, `task "nothing"`},
		"Query: executionId":           {upstream.PathTaskQuery, map[string]any{"executionId": "nothing"}, http.StatusNotFound, `execution "nothing"`},
		"Delete task: taskId":          {upstream.PathTaskDelete, map[string]any{"taskId": "nothing"}, http.StatusNotFound, `task "nothing"`},
		"PSD create: executionId":      {upstream.PathPSDCreate, map[string]any{"executionId": "nothing"}, http.StatusNotFound, `execution "nothing"`},
		"PSD query: executionId":       {upstream.PathPSDQuery, map[string]any{"executionId": "nothing"}, http.StatusNotFound, `execution "nothing"`},
		"Delete: fashionModelId":       {upstream.PathFashionModelDelete, map[string]any{"fashionModelId": 5}, http.StatusNotFound, `fashion model "5"`},
		"Delete: locationId":           {upstream.PathLocationDelete, map[string]any{"locationId": 5}, http.StatusNotFound, `location "5"`},
		"PSD create: not ended so far": {upstream.PathPSDCreate, map[string]any{"executionId": execution}, http.StatusBadRequest, "executionId"},
	} {
		refusedFor(t, name, w.post(tt.path, w.key, tt.body), catalog.Task, tt.status, tt.says)
	}
	refusedFor(t, "Poll a run", w.get(upstream.PathRuns+"/nothing", w.key), catalog.Run, http.StatusNotFound, `execution "nothing"`)
	refusedFor(t, "Idempotency-Key", w.post(upstream.PathRuns, w.key, start(), idempotencyHeader, strings.Repeat("k", 256)), catalog.Run, http.StatusBadRequest, idempotencyHeader, "256", "255")

	for name, tt := range map[string]struct {
		file   []byte
		status int
		says   []string
	}{
		"width 512":    {testpics.PNG(testpics.Photo(512, 600, 1)), http.StatusBadRequest, []string{"512 × 600", "more than 512"}},
		"height 512":   {testpics.PNG(testpics.Photo(600, 512, 1)), http.StatusBadRequest, []string{"600 × 512", "more than 512"}},
		"ratio 2":      {testpics.JPEG(testpics.Photo(1026, 513, 1)), http.StatusBadRequest, []string{"1026 × 513", "ratio under 2"}},
		"over 10 MB":   {testpics.PadTo(photograph, 10<<20+1), http.StatusRequestEntityTooLarge, []string{"10 MB"}},
		"a GIF":        {append([]byte("GIF89a"), make([]byte, 100)...), http.StatusBadRequest, []string{"GIF", "PNG", "JPEG", "WebP"}},
		"half a photo": {photograph[:len(photograph)/2], http.StatusBadRequest, []string{"damaged"}},
	} {
		for path, surface := range map[string]catalog.Surface{upstream.PathUploadImage: catalog.Task, upstream.PathRunUpload: catalog.Run} {
			refusedFor(t, path+": "+name, w.tryUpload(path, w.key, tt.file), surface, tt.status, append([]string{"image"}, tt.says...)...)
		}
	}
}

// changed sets fields of a body; nil takes one away.
func changed(body map[string]any, changes ...any) map[string]any {
	body = maps.Clone(body)
	for i := 0; i+1 < len(changes); i += 2 {
		if name := fmt.Sprint(changes[i]); changes[i+1] == nil {
			delete(body, name)
		} else {
			body[name] = changes[i+1]
		}
	}
	return body
}
