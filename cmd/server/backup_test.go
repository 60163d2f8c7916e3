package main

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging/testpics"
	"atelier/internal/killable"
)

const testToken = "a token for scripts"

// visitor is a signed-in browser of a studio.
type visitor struct {
	t    testing.TB
	base string
	http *http.Client
}

func visit(t testing.TB, address string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{t, "http://" + address, &http.Client{Jar: jar, Timeout: time.Minute}}
	if err := v.send("POST", "/api/session", "application/json", atelier.Login{Token: testToken}, nil); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *visitor) send(method, path, kind string, in, out any) error {
	body, ok := in.([]byte)
	if !ok {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(context.WithoutCancel(v.t.Context()), method, v.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-Atelier", "1")
	req.Header.Set("Content-Type", kind)
	resp, err := v.http.Do(req)
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s %s = %d %s", method, path, resp.StatusCode, raw)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// start asks for the quickest run there is, of a picture of its own.
func (v *visitor) start(n int) (atelier.RunID, error) {
	var asset atelier.Asset
	if err := v.send("POST", "/api/assets?name=dress.jpg", "image/jpeg", testpics.JPEG(testpics.Swatch(530, 560, uint64(n))), &asset); err != nil {
		return "", err
	}
	var body atelier.RunBody
	err := v.send("POST", "/api/runs", "application/json", atelier.StartRun{
		IntentKey: fmt.Sprintf("backup-under-load-%d", n), Agent: "removeBG", Version: "v1.0",
		Values: map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#FFEEDD", "batchCount": 1},
		Files:  map[string][]string{"originalImage": {string(asset.ID)}},
	}, &body)
	return body.Run.ID, err
}

// F14: backups taken while runs are started, made and stored are whole: every run that was acknowledged before is in them, and
// every file of every row. ATELIER_TEST_ROUNDS asks for more than a few.
func TestF14ABackupUnderLoadIsWhole(t *testing.T) {
	address, data := killable.Address(t), t.TempDir()
	vars := map[string]string{"ATELIER_LISTEN": address, "ATELIER_DATA": data, "ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "error"}
	_, stop := started(t, vars)
	v := visit(t, address)
	var mu sync.Mutex
	var acknowledged []atelier.RunID
	// Each round allows so many runs: the studio is never idle, and grows no faster than it is copied.
	const perRound = 10
	end, more, allowed := make(chan struct{}), make(chan struct{}, 1), make(chan struct{}, perRound)
	var load sync.WaitGroup
	load.Go(func() {
		defer close(more)
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			case <-allowed:
			}
			id, err := v.start(n)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			acknowledged = append(acknowledged, id)
			mu.Unlock()
			select {
			case more <- struct{}{}:
			default: // one word of it is enough
			}
		}
	})
	rounds := killable.Rounds(3)
	for round := range rounds {
		for len(allowed) < perRound {
			allowed <- struct{}{}
		}
		for enough := false; !enough; {
			if _, ok := <-more; !ok {
				t.FailNow()
			}
			mu.Lock()
			enough = len(acknowledged) > round*3
			mu.Unlock()
		}
		mu.Lock()
		before := append([]atelier.RunID(nil), acknowledged...)
		mu.Unlock()
		file, copied := filepath.Join(t.TempDir(), "backup.tar"), filepath.Join(t.TempDir(), "data")
		var out bytes.Buffer
		if err := run(t.Context(), []string{"backup", file}, env(vars), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "warning") {
			t.Errorf("round %d: %s", round, out.String())
		}
		there := map[string]string{"ATELIER_LISTEN": address, "ATELIER_DATA": copied}
		if err := run(t.Context(), []string{"restore", file}, env(there), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := run(t.Context(), []string{"check"}, env(there), &out, io.Discard); err != nil {
			t.Errorf("round %d: %v\n%s", round, err, out.String())
		}
		restored, err := db.Open(t.Context(), filepath.Join(copied, "studio.db"))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range before {
			if _, err := restored.LoadRun(t.Context(), id); err != nil {
				t.Errorf("round %d: run %s was acknowledged and is not in the backup: %v", round, id, err)
			}
		}
		if mark, err := restored.FindMark(t.Context(), db.MarkRebuild); err != nil || mark.IsZero() {
			t.Errorf("what came after the backup will not be looked for: %v, %v", mark, err)
		}
		if err := restored.Close(); err != nil {
			t.Error(err)
		}
		if err := errors.Join(os.RemoveAll(copied), os.Remove(file)); err != nil {
			t.Error(err)
		}
	}
	close(end)
	load.Wait()
	t.Logf("%d backups, %d runs", rounds, len(acknowledged))
	if err := run(t.Context(), []string{"check"}, env(vars), io.Discard, io.Discard); err != nil {
		t.Errorf("the original: %v", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestCheckFindsWhatIsMissingAndDamaged(t *testing.T) {
	data := t.TempDir()
	d, err := db.Open(t.Context(), filepath.Join(data, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.EnsureUser(t.Context(), atelier.User{ID: "u", Name: "U"}); err != nil {
		t.Fatal(err)
	}
	contents := []string{"whole", "damaged", "missing"}
	sums := make([]string, len(contents))
	for i, text := range contents {
		sums[i] = sumOf(text)
		if _, err := d.Write.ExecContext(t.Context(), `INSERT INTO images (url_hash, sha256, format, fetched_at) VALUES ($1, $2, 'png', 0)`, text, sums[i]); err != nil {
			t.Fatal(err)
		}
	}
	put := func(sum, text string) {
		name := filepath.Join(data, filepath.FromSlash(stocks[0].filePath(sum)))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	vars := map[string]string{"ATELIER_DATA": data}
	put(sums[0], contents[0])
	put(sums[1], "damagee")
	put(sumOf("spare"), "spare")
	put(sumOf("of no row"), "and damaged")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), []string{"check"}, env(vars), &out, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "3 problems") {
		t.Errorf("check = %v", err)
	}
	for _, want := range []string{sums[1] + " is damaged", sums[2] + " is missing", sumOf("of no row") + " is damaged", "1 files with 5 bytes were read; 2 more"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("check says nothing of %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), sums[0]) {
		t.Errorf("check complains of a whole file:\n%s", out.String())
	}
	// A backup of it says what it lacks, and does not carry damage on.
	file := filepath.Join(t.TempDir(), "b.tar")
	out.Reset()
	if err := run(t.Context(), []string{"backup", file}, env(vars), &out, io.Discard); err != nil || !strings.Contains(out.String(), "warning: the file "+sums[2]) {
		t.Errorf("backup = %v\n%s", err, out.String())
	}
	if err := run(t.Context(), []string{"restore", file}, env(map[string]string{"ATELIER_DATA": filepath.Join(t.TempDir(), "d")}), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), sums[1]) {
		t.Errorf("a damaged file was restored: %v", err)
	}
}

func TestBackupAndRestoreDestroyNothing(t *testing.T) {
	data := t.TempDir()
	d, err := db.Open(t.Context(), filepath.Join(data, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"ATELIER_DATA": data}
	folder := t.TempDir()
	file := filepath.Join(folder, "b.tar")
	if err := run(t.Context(), []string{"backup", file}, env(vars), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v, %v: it holds keys", info.Mode(), err)
	}
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		vars map[string]string
		want string
	}{
		{"over another backup", []string{"backup", file}, vars, "there already"},
		{"over a data folder", []string{"restore", file}, vars, "not empty"},
		{"of nothing", []string{"backup", file + "2"}, map[string]string{"ATELIER_DATA": filepath.Join(folder, "none")}, "nothing to back up"},
		{"of a folder of something else", []string{"backup", file + "3"}, map[string]string{"ATELIER_DATA": t.TempDir()}, "no database"},
		{"without a name", []string{"backup"}, vars, "usage"},
		{"without a backup", []string{"restore"}, vars, "usage"},
		{"accounts of nothing", []string{"users", "list"}, map[string]string{"ATELIER_DATA": filepath.Join(folder, "none")}, "no studio"},
		{"keys of nothing", []string{"keys", "list"}, map[string]string{"ATELIER_DATA": filepath.Join(folder, "none")}, "no image service"},
		{"check of nothing", []string{"check"}, map[string]string{"ATELIER_DATA": filepath.Join(folder, "none")}, "nothing to check"},
	} {
		if err := run(t.Context(), tt.args, env(tt.vars), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, first) {
		t.Error("the first backup was changed")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	// What is cut off, altered or made up is refused, and leaves no folder.
	spoils := map[string]func() []byte{
		"empty":         func() []byte { return nil },
		"no tar":        func() []byte { return []byte("hello") },
		"cut off":       func() []byte { return first[:len(first)/2] },
		"another tar":   func() []byte { return archive(t, "x", "y") },
		"a later one":   func() []byte { return archive(t, manifestName, `{"format":3,"version":"9"}`) },
		"no database":   func() []byte { return archive(t, manifestName, `{"format":1}`) },
		"a way out":     func() []byte { return archive(t, manifestName, `{"format":1}`, "../x", "y") },
		"a strange one": func() []byte { return archive(t, manifestName, `{"format":1}`, "media/blobs/aa/bb/x", "y") },
		"a false name":  func() []byte { return archive(t, manifestName, `{"format":1}`, stocks[0].filePath(sumOf("a")), "b") },
		"twice": func() []byte {
			return archive(t, manifestName, `{"format":1}`, "callback.key", "a", "callback.key", "b")
		},
		"one byte less":      func() []byte { return first[:len(first)-1] },
		"one byte more":      func() []byte { return append(bytes.Clone(first), 0) },
		"without its end":    func() []byte { return first[:len(first)-2*tarBlock] },
		"another backup too": func() []byte { return append(bytes.Clone(first), first...) },
		"an end that is none": func() []byte {
			other := bytes.Clone(first)
			other[len(other)-1] = 1
			return other
		},
		"no seal": func() []byte { return archive(t, manifestName, `{"format":2}`) },
	}
	counted, end := &counter{r: bytes.NewReader(first)}, int64(0)
	for r := tar.NewReader(counted); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for part, at := range map[string]int64{"first": counted.n, "middle": counted.n + h.Size/2, "last": counted.n + h.Size - 1} {
			spoils["another "+part+" byte of "+h.Name] = func() []byte {
				other := bytes.Clone(first)
				other[at] ^= 1
				return other
			}
		}
		before := end
		spoils["cut off before "+h.Name] = func() []byte { return first[:before] }
		end = (counted.n + h.Size + 511) / 512 * 512
	}
	for name, spoil := range spoils {
		bad := filepath.Join(t.TempDir(), "bad.tar")
		if err := os.WriteFile(bad, spoil(), 0o600); err != nil {
			t.Fatal(err)
		}
		above := t.TempDir()
		target := filepath.Join(above, "data")
		if err := run(t.Context(), []string{"restore", bad}, env(map[string]string{"ATELIER_DATA": target}), io.Discard, io.Discard); err == nil {
			t.Errorf("%s: restored", name)
		}
		if left, err := os.ReadDir(above); err != nil || len(left) != 0 {
			t.Errorf("%s: left behind %v, %v", name, left, err)
		}
	}
}

// killedAtWork starts a backup into a folder and kills it as soon as it has written 2 MiB; it says whether it came to that.
func killedAtWork(t *testing.T, folder string, p *killable.Process) bool {
	t.Helper()
	p.Start()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for written := int64(0); written < 2<<20; {
		select {
		case <-tick.C:
		case <-p.Ended():
			return false
		}
		if parts, err := filepath.Glob(filepath.Join(folder, ".atelier-backup-*", "backup.tar")); err == nil && len(parts) == 1 {
			if info, err := os.Stat(parts[0]); err == nil {
				written = info.Size()
			}
		}
	}
	p.Kill()
	return true
}

// K1: a backup that is killed in the middle leaves no file under its name, and harms nothing; the next one is whole.
func TestK1ABackupThatIsKilledIsNone(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	d, err := db.Open(t.Context(), filepath.Join(data, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	const files = 32
	for i := range files {
		text := strings.Repeat(fmt.Sprintf("%d ", i), 1<<18)
		name := filepath.Join(data, filepath.FromSlash(stocks[0].filePath(sumOf(text))))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Write.ExecContext(t.Context(), `INSERT INTO images (url_hash, sha256, format, fetched_at) VALUES ($1, $2, 'png', 0)`, i, sumOf(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "b.tar")
	const tries = 20 // one that is through before it is seen at work shows nothing
	for try := 0; !killedAtWork(t, folder, killable.New(t, childBackup+"="+file, "ATELIER_DATA="+data)); try++ {
		if err := os.Remove(file); err != nil || try == tries {
			t.Fatalf("%d backups had ended before they were killed: the test shows nothing (%v)", try+1, err)
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a backup, or what looks like one: %v", err)
	}
	vars, restored := map[string]string{"ATELIER_DATA": data}, map[string]string{"ATELIER_DATA": filepath.Join(t.TempDir(), "d")}
	for _, args := range [][]string{{"check"}, {"backup", file}} {
		if err := run(t.Context(), args, env(vars), io.Discard, io.Discard); err != nil {
			t.Errorf("%s afterwards: %v", args[0], err)
		}
	}
	var said bytes.Buffer
	if err := run(t.Context(), []string{"restore", file}, env(restored), &said, io.Discard); err != nil || !strings.Contains(said.String(), fmt.Sprint(files, " files")) {
		t.Errorf("restored: %s, %v", &said, err)
	}
}

// A folder that is there may be a mounted one, as in a container: it is filled where it is, and nothing is made beside it. What breaks
// off leaves it empty, or such that nothing starts on it.
func TestRestoreFillsTheFolderThatIsThere(t *testing.T) {
	t.Parallel()
	data, above := t.TempDir(), t.TempDir()
	d, err := db.Open(t.Context(), filepath.Join(data, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.FirstAccount(t.Context(), "local", "Ada", "x"); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	good, bad := filepath.Join(t.TempDir(), "b.tar"), filepath.Join(t.TempDir(), "bad.tar")
	if err := run(t.Context(), []string{"backup", good}, env(map[string]string{"ATELIER_DATA": data}), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, whole[:len(whole)-2048], 0o600); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(above, "data")
	if err := os.MkdirAll(filepath.Join(target, "lost+found"), 0o700); err != nil { // of a new file system
		t.Fatal(err)
	}
	before, err := os.Stat(target)
	if err != nil {
		t.Fatal(err)
	}
	names := func(folder string) (names []string) {
		t.Helper()
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			names = append(names, e.Name())
		}
		return names
	}
	vars := map[string]string{"ATELIER_DATA": target, "ATELIER_LISTEN": killable.Address(t)}
	restore := func(file string) error {
		return run(t.Context(), []string{"restore", file}, env(vars), io.Discard, io.Discard)
	}
	if err := restore(bad); err == nil || len(names(target)) != 1 {
		t.Errorf("of a backup that is cut off: %v, left are %v", err, names(target))
	}
	if err := restore(good); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(target)
	if err != nil || !os.SameFile(before, after) || !slices.Equal(names(above), []string{"data"}) || !slices.Contains(names(target), "studio.db") {
		t.Errorf("the folder is %v, beside it are %v, in it %v, %v", after, names(above), names(target), err)
	}
	var list bytes.Buffer
	if err := run(t.Context(), []string{"users", "list"}, env(vars), &list, io.Discard); err != nil || !strings.Contains(list.String(), "Ada") {
		t.Errorf("who is there: %s, %v", &list, err)
	}
	if err := os.Mkdir(filepath.Join(target, restoring+"1"), 0o700); err != nil { // not every piece is in its place yet
		t.Fatal(err)
	}
	if err := run(t.Context(), nil, env(vars), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "broken off") {
		t.Errorf("on a restore that was broken off it starts: %v", err)
	}
}

// counter counts what is read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// archive makes a tar of names and contents.
func archive(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: pairs[i], Size: int64(len(pairs[i+1])), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
