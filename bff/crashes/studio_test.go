package crashes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/internal/outbound"
	"atelier/internal/sqldb"
	"atelier/upstream"
)

const (
	address    = "studio.example"
	fixedToken = "a token for scripts"
	testKey    = "test-key-of-the-studio-0123456789"
)

// scenario is what a run goes through.
type scenario struct {
	name     string
	surface  string // auto, run
	hidden   bool   // runs of the run surface are listed nowhere
	callback bool
	patience time.Duration    // how long an answer is waited for; 0 = the ordinary time
	sweep    time.Duration    // between sweeps; 0 = the ordinary time
	settle   time.Duration    // how long a lost answer is left alone; 0 = 60 ms
	now      func() time.Time // nil = the time of day
	// killed says that lives are many and short: a run may have been begun as often as runs are and never have been sent.
	// It then ends as failed, which is true.
	killed bool
	// cancels says that the owner cancels the last run as soon as it is recorded. It ends as cancelled and was never sent, or it was sent.
	cancels bool
	// account says that the service does what accounts were seen to do: see ledger.
	account bool
}

var scenarios = []scenario{
	{name: "over tasks", surface: "auto"},
	{name: "over tasks, called", surface: "auto", callback: true},
	{name: "over runs, listed", surface: "run"},
	{name: "over runs, listed, called", surface: "run", callback: true},
	{name: "over runs, hidden", surface: "run", hidden: true},
	{name: "over runs, hidden, called", surface: "run", hidden: true, callback: true},
	{name: "over tasks, an account", surface: "auto", account: true},
	{name: "over runs, listed, an account", surface: "run", account: true},
}

// studio is one life of a studio on a folder.
type studio struct {
	folder string
	server *bff.Server
	db     *db.DB
	store  *media.Store
	pages  http.Handler
	masked bool // runs are cut-outs with a mask instead of larger canvases
}

// open starts a studio. moment hears of everything it does to its database and its files; wire carries what it asks of the
// image service.
func open(ctx context.Context, folder string, sc scenario, wire http.RoundTripper, moment func(string), log *slog.Logger) (s *studio, err error) {
	s = &studio{folder: folder, masked: sc.account}
	if s.db, err = db.Open(ctx, filepath.Join(folder, "studio.db")); err != nil {
		return nil, err
	}
	if s.store, err = media.OpenStore(filepath.Join(folder, "files")); err != nil {
		return nil, err
	}
	if moment != nil {
		s.db.OnMoment(moment)
		s.store.OnMoment(moment)
	}
	up, err := upstream.New(upstream.Options{BaseURL: "https://" + host, Key: testKey, Transport: wire, OnAnswer: bff.OnAnswer, Timeout: sc.patience})
	if err != nil {
		return nil, err
	}
	c := bff.Config{
		DB: s.db, Store: s.store, Upstream: up, UpstreamKind: "remote", CallbackKey: []byte("0123456789abcdef"), Hosts: []string{address}, Surface: sc.surface,
		Outbound: outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{host: wire}}), LaunchToken: fixedToken, Logger: log,
		Settle: max(sc.settle, 60*time.Millisecond), Confirm: 20 * time.Millisecond, PollMin: 5 * time.Millisecond, PollMax: 20 * time.Millisecond,
		RetryMin: 10 * time.Millisecond, Due: 100 * time.Millisecond, HintGap: 20 * time.Millisecond, HintRate: rate.Inf, Sweep: sc.sweep, Late: 200 * time.Millisecond, Now: sc.now,
	}
	if sc.callback {
		c.PublicURL, c.ProbeAfter = "http://"+address, time.Hour
	}
	if s.server, err = bff.New(c); err != nil {
		return nil, err
	}
	s.pages = s.server.Handler(http.NotFoundHandler())
	return s, s.server.Start(ctx)
}

func (s *studio) close() error { return errors.Join(s.server.Close(), s.db.Close(), s.store.Close()) }

// ask sends a request as the studio's own page does. A string as out gets the cookie of the answer.
func (s *studio) ask(ctx context.Context, cookie, method, path string, in, out any) error {
	body, kind := []byte(nil), "application/json"
	if raw, ok := in.([]byte); ok {
		body, kind = raw, "image/jpeg"
	} else if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	r := httptest.NewRequestWithContext(ctx, method, "http://"+address+path, bytes.NewReader(body))
	r.Header.Set("X-Atelier", "1")
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Cookie", cookie)
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, r)
	if w.Code >= 300 {
		return fmt.Errorf("%s %s = %d %s", method, path, w.Code, w.Body)
	}
	if out == nil {
		return nil
	}
	if session, ok := out.(*string); ok {
		for _, c := range w.Result().Cookies() {
			*session = c.Name + "=" + c.Value
		}
		return nil
	}
	return json.Unmarshal(w.Body.Bytes(), out)
}

// label is what the name of the run of a key begins with at the image service.
func label(key string) string { return "r" + key[len(key)-6:] }

// startOf is the run of a key.
func startOf(key string, asset atelier.AssetID) atelier.StartRun {
	return atelier.StartRun{
		IntentKey: key, Title: label(key), Agent: "expandimage", Version: "v1.0", Values: map[string]any{"targetWidth": 600, "targetHeight": 640, "batchCount": 1},
		Files: map[string][]string{"originalImage": {string(asset)}},
	}
}

// halfMask keeps the upper half of the picture that every studio begins with.
var halfMask = sync.OnceValue(func() string {
	m := mask.New(530, 560)
	m.FillRect(image.Rect(0, 0, 530, 280), 255)
	return base64.StdEncoding.EncodeToString(mask.EncodeRGBA(m))
})

// start asks for a run.
func (s *studio) start(ctx context.Context, cookie, key string, asset atelier.AssetID) (atelier.Run, error) {
	var body atelier.RunBody
	start := startOf(key, asset)
	if s.masked {
		start.Agent, start.Values = "removeBG", map[string]any{"maskType": "custom", "batchCount": 1}
		start.Mask = &atelier.MaskInput{PNG: halfMask()}
	}
	err := s.ask(ctx, cookie, http.MethodPost, "/api/runs", start, &body)
	return body.Run, err
}

// beginning is a studio's folder with a picture, and a browser that is signed in.
type beginning struct {
	folder string
	cookie string
	asset  atelier.AssetID
}

// begun is the folder that begin has made; TestMain removes it.
var begun string

// begin makes the folder that every case starts with.
var begin = sync.OnceValues(func() (b beginning, err error) {
	b.folder, err = os.MkdirTemp("", "atelier-crashes-")
	begun = b.folder
	if err != nil {
		return b, err
	}
	ctx := context.Background()
	s, err := open(ctx, b.folder, scenarios[0], upstream.InProcess(newLedger()), nil, nil)
	if err != nil {
		return b, err
	}
	if err := s.ask(ctx, "", http.MethodPost, "/api/session", atelier.Login{Token: fixedToken}, &b.cookie); err != nil {
		return b, err
	}
	var asset atelier.Asset
	err = s.ask(ctx, b.cookie, http.MethodPost, "/api/assets?name=dress.jpg", testpics.JPEG(testpics.Swatch(530, 560, 1)), &asset)
	b.asset = asset.ID
	return b, errors.Join(err, s.close())
})

// beginIn copies what every studio begins with into a folder of the test's own.
func beginIn(t *testing.T) (b beginning, folder string) {
	t.Helper()
	b, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	copyFolder(t, b.folder, folder)
	return b, folder
}

// copyFolder copies a folder that nobody writes to.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// freeze copies a folder as a crash would leave it at this moment: what is committed, and the files as they are.
func freeze(ctx context.Context, from, to string) error {
	if err := sqldb.Snapshot(ctx, filepath.Join(from, "studio.db"), filepath.Join(to, "studio.db")); err != nil {
		return err
	}
	root := filepath.Join(from, "files")
	return fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		target := filepath.Join(to, "files", name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it was renamed or thrown away meanwhile
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
}

// audit compares what the studio knows with the ledger's book. acknowledged are the runs that the studio has answered for, by
// their keys; all keys have been asked for again since.
func audit(ctx context.Context, s *studio, cookie string, sc scenario, book map[string][]string, acknowledged map[string]atelier.RunID, keys int) (problems []string, unconfirmed int) {
	complain := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	byKey, byID := map[string]atelier.RunID{}, map[atelier.RunID]bool{}
	known := map[string]string{} // execution to tag
	tags := map[string]db.Run{}
	for cursor := ""; ; {
		var page atelier.RunPage
		if err := s.ask(ctx, cookie, http.MethodGet, "/api/runs?limit=200&cursor="+cursor, nil, &page); err != nil {
			complain("%v", err)
			return problems, 0
		}
		for _, r := range page.Runs {
			row, err := s.db.LoadRun(ctx, r.ID)
			if err != nil {
				complain("%v", err)
				continue
			}
			if byKey[r.IntentKey] != "" {
				complain("the intent %s is there twice", r.IntentKey)
			}
			byKey[r.IntentKey], byID[r.ID], tags[row.Tag] = r.ID, true, row
			switch r.State {
			case atelier.StateDone:
				if known[r.ExecutionID] != "" {
					complain("execution %s is there twice", r.ExecutionID)
				}
				known[r.ExecutionID] = row.Tag
				if told, err := chargeTold(ctx, s, row); err != nil || told != (r.Power != nil) || r.Power != nil && *r.Power != powerOfRun {
					complain("run %s cost %v, told %v: %v", r.IntentKey, r.Power, told, err)
				}
				if len(r.Results) != 1 || !r.Results[0].Stored {
					complain("run %s is done and its results are %+v", r.IntentKey, r.Results)
				}
			case atelier.StateUnconfirmed:
				unconfirmed++
				// A run of the run surface that was about to be sent cannot be told from one that was, unless it is found.
				if sc.surface != "run" || len(book[row.Tag]) > 0 && (!sc.hidden || sc.callback) {
					complain("run %s is unconfirmed although it can be found", r.IntentKey)
				}
				answers, err := s.db.ListAnswers(ctx, r.ID)
				if err != nil {
					complain("%v", err)
				}
				for _, a := range answers {
					for _, id := range book[row.Tag] {
						if strings.Contains(a.Body, `"`+id+`"`) {
							complain("run %s is unconfirmed although the answer that was kept names its execution %s", r.IntentKey, id)
						}
					}
				}
			case atelier.StateFailed:
				if sc.cancels && r.Cancelled && r.IntentKey == key(keysOfCase-1) {
					if len(book[row.Tag]) > 0 {
						complain("run %s was cancelled and made", r.IntentKey)
					}
					break
				}
				// It was sent as often as one may be, none of which came to the service, and it is still looked for.
				if !sc.killed || !r.Error.Retryable || len(book[row.Tag]) > 0 || row.Attempt < 3 || row.Step != db.StepDismissed {
					complain("run %s failed: %+v", r.IntentKey, r.Error)
				}
			default:
				complain("run %s is %s: %+v", r.IntentKey, r.State, r.Error)
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if len(byKey) != keys {
		complain("%d runs are there, %d were asked for", len(byKey), keys)
	}
	for key, id := range acknowledged {
		if !byID[id] {
			complain("run %s was acknowledged and is lost", key)
		}
	}
	// The ids here and the ids in the book are the same, but for runs that are said to be unconfirmed.
	for tag, executions := range book {
		if len(executions) > 1 {
			complain("run %s was made %d times", tag, len(executions))
		}
		for _, id := range executions {
			if known[id] != tag && tags[tag].State != atelier.StateUnconfirmed {
				complain("execution %s of run %s is in the book and not here", id, tag)
			}
			delete(known, id)
		}
	}
	for id, tag := range known {
		complain("execution %s of run %s is here and not in the book", id, tag)
	}
	return append(problems, s.whole(ctx)...), unconfirmed
}

// chargeTold says whether an answer that the studio has kept names the execution of a run and what it cost.
func chargeTold(ctx context.Context, s *studio, run db.Run) (bool, error) {
	answers, err := s.db.ListAnswers(ctx, run.ID)
	for _, a := range answers {
		if c, ok := upstream.ChargeIn([]byte(a.Body), run.ExecutionID); ok && c.PowerConsumption != nil {
			return true, err
		}
	}
	return false, err
}

// whole checks database and files.
func (s *studio) whole(ctx context.Context) []string {
	problems, err := sqldb.Verify(ctx, s.db.Read)
	if err != nil {
		problems = append(problems, err.Error())
	}
	blobs, err := s.db.ListBlobs(ctx, "")
	if err != nil {
		return append(problems, err.Error())
	}
	for sha, columns := range blobs {
		if data, err := s.store.Read(sha); err != nil {
			problems = append(problems, "the file "+sha+" of "+strings.Join(columns, ", ")+" is missing: "+err.Error())
		} else if fmt.Sprintf("%x", sha256.Sum256(data)) != sha {
			problems = append(problems, "the file "+sha+" of "+strings.Join(columns, ", ")+" has other bytes")
		}
	}
	return problems
}

// settled waits until the studio has nothing left to do.
func (s *studio) settled(ctx context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for {
		open, err := s.db.ListOpenRuns(ctx, 1)
		if err == nil && len(open) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("some runs never end: %+v", open), err)
		}
	}
}
