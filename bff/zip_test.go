package bff_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/probe"
)

// unzip reads an archive whole.
func unzip(t *testing.T, data []byte) (names []string, files map[string][]byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		names = append(names, f.Name)
	}
	return names, files
}

// untagged is a PNG without what it says of where it comes from, found the way a reader of PNGs finds it; what it says must hold
// each of the given texts.
func untagged(t *testing.T, png []byte, says []string) (out []byte) {
	t.Helper()
	packet := ""
	for at, n := 8, 0; at+12 <= len(png); at += n {
		n = 12 + int(binary.BigEndian.Uint32(png[at:]))
		if text, ok := strings.CutPrefix(string(png[at+8:at+n-4]), "XML:com.adobe.xmp\x00\x00\x00\x00\x00"); ok && string(png[at+4:at+8]) == "iTXt" {
			packet, out = text, append(append(out, png[:at]...), png[at+n:]...)
		}
	}
	for _, text := range says {
		if !strings.Contains(packet, text) {
			t.Errorf("the picture says %q, without %q", packet, text)
		}
	}
	return out
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// results makes a run and gives its results, scored.
func (s *studio) results(key string, n int) []atelier.Result {
	s.t.Helper()
	start := removal(key, s.upload(photo(uint64(len(key)))))
	start.Values["batchCount"] = n
	run := s.startRun(start)
	s.untilState(run.ID, atelier.StateDone)
	return s.until(run.ID, "scored", func(r atelier.Run) bool {
		for _, res := range r.Results {
			if res.Score == nil {
				return false
			}
		}
		return true
	}).Results
}

func ids(results []atelier.Result) (out []atelier.ResultID) {
	for _, r := range results {
		out = append(out, r.ID)
	}
	return out
}

func TestManyResultsAreDownloadedAsOneArchive(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("zip", 2)
	var out atelier.Zip
	s.json("POST", "/api/zips", atelier.StartZip{IDs: append(ids(res), res[0].ID), Name: "Spring"}, http.StatusCreated, &out)
	got := s.send("GET", out.File, nil, nil)
	if got.status != http.StatusOK || int64(len(got.body)) != out.Bytes || got.header.Get("Content-Length") != fmt.Sprint(out.Bytes) {
		t.Fatalf("%d: %d bytes, Content-Length %s, announced %d", got.status, len(got.body), got.header.Get("Content-Length"), out.Bytes)
	}
	if d := got.header.Get("Content-Disposition"); d != `attachment; filename="Spring.zip"` {
		t.Errorf("the archive is named %s", d)
	}
	names, files := unzip(t, got.body)
	if diff := cmp.Diff([]string{"Red dress 01.png", "Red dress 02.png", "manifest.csv", "manifest.json"}, names); diff != "" {
		t.Fatalf("the files (-want +got):\n%s", diff)
	}
	var manifest []struct {
		File         string
		SHA256       string
		ResultSHA256 string
		Values       map[string]any
		Source       struct{ Name, SHA256 string }
	}
	s.check(json.Unmarshal(files["manifest.json"], &manifest))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(files["manifest.csv"]), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 3 || len(manifest) != 2 {
		t.Fatalf("%d rows, %d records, %v", len(rows), len(manifest), err)
	}
	for i, r := range res {
		file := s.send("GET", r.File, nil, nil)
		sum := sha256.Sum256(untagged(t, file.body, []string{"digitalsourcetype/compositeSynthetic<", ">Atelier, removeBG v1.0<", ">sha256:" + manifest[i].Source.SHA256 + "<"}))
		m := manifest[i]
		if !bytes.Equal(files[m.File], file.body) || m.SHA256 != hashOf(file.body) || m.ResultSHA256 != hex.EncodeToString(sum[:]) || m.Values["maskType"] != "custom" || m.Source.Name != "dress.jpg" {
			t.Errorf("record %d: %+v", i, m)
		}
		if row := rows[i+1]; row[0] != m.File || row[7] != m.Source.SHA256 || row[8] != m.ResultSHA256 || row[14] == "" || row[17] != "false" || row[21] != m.SHA256 {
			t.Errorf("row %d: %q", i, row)
		}
	}

	// What broke off goes on where it was, also after a restart, and only while it is the same archive.
	s.restart()
	whole, tag := got.body, got.header.Get("ETag")
	for _, from := range []int{1, 100, len(whole) / 2, len(whole) - 10} {
		part := s.send("GET", out.File, nil, func(r *http.Request) {
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
			r.Header.Set("If-Range", tag)
		})
		if part.status != http.StatusPartialContent || !bytes.Equal(part.body, whole[from:]) {
			t.Errorf("from %d: status %d, %d bytes", from, part.status, len(part.body))
		}
	}
	other := s.send("GET", out.File, nil, func(r *http.Request) { r.Header.Set("Range", "bytes=5-"); r.Header.Set("If-Range", `"another"`) })
	if other.status != http.StatusOK || !bytes.Equal(other.body, whole) {
		t.Errorf("of another archive: status %d, %d bytes", other.status, len(other.body))
	}
}

func TestAnArchiveIsConvertedOnItsWay(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("converted", 2)
	var out atelier.Zip
	s.json("POST", "/api/zips", atelier.StartZip{
		IDs: ids(res), Template: "{date} {agent} {title}", Format: "jpeg", Quality: 80, Size: "square-1000",
	}, http.StatusCreated, &out)
	first := s.send("GET", out.File, nil, nil)
	day := s.run(res[0].RunID).CreatedAt.UTC().Format("2006-01-02")
	names, files := unzip(t, first.body)
	if diff := cmp.Diff([]string{day + " removeBG Red dress.jpg", day + " removeBG Red dress (2).jpg", "manifest.csv", "manifest.json"}, names); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	img, facts, err := imaging.Decode(t.Context(), files[names[0]], imaging.DefaultLimits)
	if err != nil || facts.Format != probe.JPEG || facts.Width != 1000 || facts.Height != 1000 {
		t.Fatalf("a picture is %+v, %v", facts, err)
	}
	if c := img.NRGBAAt(2, 500); c.R < 250 || c.G < 250 || c.B < 250 {
		t.Errorf("the padding is %v", c)
	}
	if !bytes.Contains(files[names[0]], []byte("digitalsourcetype/compositeSynthetic")) {
		t.Error("the picture does not say where it comes from")
	}
	var manifest []struct {
		File, SHA256  string
		Width, Height int
	}
	s.check(json.Unmarshal(files["manifest.json"], &manifest))
	for i, m := range manifest {
		if m.File != names[i] || m.SHA256 != hashOf(files[m.File]) || m.Width != 1000 || m.Height != 1000 {
			t.Errorf("the manifest says %+v of %s, a square of 1000 with the hash %s", m, names[i], hashOf(files[names[i]]))
		}
	}
	if !bytes.Contains(files["manifest.csv"], []byte(","+hashOf(files[names[1]])+",")) {
		t.Errorf("the table says\n%s", files["manifest.csv"])
	}
	part := s.send("GET", out.File, nil, func(r *http.Request) { r.Header.Set("Range", "bytes=1000-") })
	if part.status != http.StatusPartialContent || !bytes.Equal(part.body, first.body[1000:]) {
		t.Errorf("the rest: status %d, %d bytes of %d", part.status, len(part.body), len(first.body))
	}
}

// An archive of which a picture is lost on the way must not look whole to whoever downloads it.
func TestAnArchiveThatBreaksOffIsNotTakenForWhole(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := ids(s.results("breaks off", 2))
	var out atelier.Zip
	s.json("POST", "/api/zips", atelier.StartZip{IDs: res, Template: "{title}", Format: "jpeg", Quality: 70}, http.StatusCreated, &out)
	second, err := s.db.LoadResult(t.Context(), res[1])
	s.check(err)
	s.check(os.Remove(s.blob(second.SHA256)))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.http.URL+out.File, nil)
	s.check(err)
	resp, err := s.browser.Do(req)
	s.check(err)
	data, err := io.ReadAll(resp.Body)
	if err == nil || resp.StatusCode != http.StatusOK || len(data) == 0 {
		t.Errorf("status %d, %d bytes, then %v: want the first picture and a connection that breaks", resp.StatusCode, len(data), err)
	}
	s.check(resp.Body.Close())
}

func TestArchivesThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("refused", 1)
	many := make([]atelier.ResultID, atelier.MaxZip+1)
	for i := range many {
		many[i] = atelier.ResultID(fmt.Sprint(i))
	}
	for name, tt := range map[string]struct {
		body   atelier.StartZip
		status int
		field  string
	}{
		"nothing":          {atelier.StartZip{}, 400, "ids"},
		"too much":         {atelier.StartZip{IDs: many}, 400, "ids"},
		"what is not here": {atelier.StartZip{IDs: many[:atelier.MaxZip]}, 404, ""},
		"a format":         {atelier.StartZip{IDs: ids(res), Format: "gif"}, 400, "format"},
		"a quality":        {atelier.StartZip{IDs: ids(res), Quality: 101}, 400, "quality"},
		"a size":           {atelier.StartZip{IDs: ids(res), Size: "huge"}, 400, "size"},
		"a template":       {atelier.StartZip{IDs: ids(res), Template: "{name}"}, 400, "template"},
		"a long template":  {atelier.StartZip{IDs: ids(res), Template: strings.Repeat("x", 201)}, 400, "template"},
		"a long name":      {atelier.StartZip{IDs: ids(res), Name: strings.Repeat("x", 201)}, 400, "name"},
	} {
		e := s.json("POST", "/api/zips", tt.body, tt.status, nil).error(t)
		if _, there := e.Fields[tt.field]; !there && tt.field != "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	s.json("POST", "/api/zips", atelier.StartZip{IDs: ids(res), Quality: 100, Template: strings.Repeat("x", 200)}, http.StatusCreated, nil)
}

func TestAResultIsDeliveredInAnotherFormat(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("formats", 1)[0]
	for query, want := range map[string]probe.Facts{
		"":                                       {Format: probe.PNG, Width: 530, Height: 560},
		"format=jpeg":                            {Format: probe.JPEG, Width: 530, Height: 560},
		"format=webp&quality=70":                 {Format: probe.WebP, Width: 530, Height: 560},
		"format=png":                             {Format: probe.PNG, Width: 530, Height: 560},
		"size=web-1280":                          {Format: probe.PNG, Width: 530, Height: 560}, // never larger than it is
		"size=story-9x16&format=png":             {Format: probe.PNG, Width: 1080, Height: 1920},
		"size=square-2048&format=jpeg&quality=1": {Format: probe.JPEG, Width: 2048, Height: 2048},
	} {
		got := s.send("GET", res.File+"?download=1&"+query, nil, nil)
		facts, err := imaging.Inspect(got.body, imaging.DefaultLimits)
		if err != nil || got.status != http.StatusOK || facts.Format != want.Format || facts.Width != want.Width || facts.Height != want.Height {
			t.Errorf("%s: %d %+v, %v", query, got.status, facts, err)
		}
		if name := got.header.Get("Content-Disposition"); name != `attachment; filename="Red dress 1`+want.Format.Extension()+`"` {
			t.Errorf("%s: %s", query, name)
		}
		if n := bytes.Count(got.body, []byte("digitalsourcetype/compositeSynthetic")); n != 1 {
			t.Errorf("%s: the picture says %d times where it comes from", query, n)
		}
		// What broke off goes on where it was, and what is here already is not sent again.
		for _, from := range []int{0, 20, 60, 400, len(got.body) - 1} {
			part := s.send("GET", res.File+"?download=1&"+query, nil, func(r *http.Request) {
				r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
				r.Header.Set("If-Range", got.header.Get("ETag"))
			})
			if part.status != http.StatusPartialContent || !bytes.Equal(part.body, got.body[from:]) {
				t.Errorf("%s from %d: %d, %d bytes", query, from, part.status, len(part.body))
			}
		}
		again := s.send("GET", res.File+"?download=1&"+query, nil, func(r *http.Request) { r.Header.Set("If-None-Match", got.header.Get("ETag")) })
		if again.status != http.StatusNotModified {
			t.Errorf("%s again: %d", query, again.status)
		}
	}
	named := s.send("GET", res.File+"?download=1&template=%7Bagent%7D+%7Bnumber%7D", nil, nil)
	if name := named.header.Get("Content-Disposition"); name != `attachment; filename="removeBG 01.png"` {
		t.Errorf("by its template: %s", name)
	}
	for _, query := range []string{"format=gif", "quality=0", "quality=101", "size=x", "template=%7Bname%7D"} {
		if got := s.send("GET", res.File+"?"+query, nil, nil); got.status != http.StatusBadRequest {
			t.Errorf("%s: %d", query, got.status)
		}
	}
}

func TestOneUserWaitsForSoManyConversions(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	res := s.results("waiting", 1)[0]
	var ends []func()
	for range bff.MaxConverting {
		done, err := s.bff.BeginConverting("local")
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, done)
	}
	if done, err := s.bff.BeginConverting("another"); err != nil {
		t.Errorf("others are refused too: %v", err)
	} else {
		done()
	}
	e := s.json("GET", res.File+"?format=jpeg", nil, http.StatusTooManyRequests, nil).error(t)
	if !e.Retryable || !strings.Contains(e.Message, "converted") {
		t.Errorf("the refusal is %+v", e)
	}
	var archive, plain atelier.Zip
	s.json("POST", "/api/zips", atelier.StartZip{IDs: []atelier.ResultID{res.ID}, Format: "jpeg"}, http.StatusCreated, &archive)
	s.json("POST", "/api/zips", atelier.StartZip{IDs: []atelier.ResultID{res.ID}}, http.StatusCreated, &plain)
	for _, part := range []string{"", "bytes=0-9"} {
		if got := s.send("GET", archive.File, nil, func(r *http.Request) {
			if part != "" {
				r.Header.Set("Range", part)
			}
		}); got.status != http.StatusTooManyRequests {
			t.Errorf("an archive that is converted, range %q: %d", part, got.status)
		}
	}
	if got := s.send("HEAD", archive.File, nil, nil); got.status != http.StatusOK || got.header.Get("Content-Length") != "" || got.header.Get("ETag") == "" {
		t.Errorf("about an archive that is converted is said: %d %v", got.status, got.header)
	}
	for _, path := range []string{res.File, plain.File} {
		if got := s.send("GET", path, nil, nil); got.status != http.StatusOK {
			t.Errorf("%s as it is: %d", path, got.status)
		}
	}
	ends[0]()
	for _, path := range []string{res.File + "?format=jpeg", archive.File} {
		if got := s.send("GET", path, nil, nil); got.status != http.StatusOK {
			t.Errorf("%s when one is done: %d", path, got.status)
		}
	}
}

// Of each kind of download a user has 20: the oldest makes way, its file with it. Others keep theirs.
func TestTheOldestDownloadMakesWay(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	s.check(s.db.EnsureUser(t.Context(), atelier.User{ID: "another", Name: "Another"}))
	res := ids(s.results("way", 1))
	const most = 20
	kept := func(user, kind string) (n int) {
		s.check(s.db.Read.QueryRowContext(t.Context(), "SELECT count(*) FROM exports WHERE user_id = $1 AND kind = $2", user, kind).Scan(&n))
		return n
	}
	var first string // the file of the oldest layered file
	for i := range most {
		for _, user := range []atelier.UserID{"local", "another"} {
			sha, n, err := s.store.Put(t.Context(), strings.NewReader(fmt.Sprint(user, i)))
			s.check(err)
			if first == "" {
				first = sha
			}
			_, err = s.db.CreateExport(t.Context(), db.Export{UserID: user, Kind: db.ExportLayers, Name: "x", SHA256: sha, Bytes: n})
			s.check(err)
		}
	}
	// None of them may be deleted for an hour, so that there would be more and more.
	e := s.json("POST", "/api/psds", atelier.StartLayers{IDs: res}, http.StatusTooManyRequests, nil).error(t)
	if !strings.Contains(e.Message, "20 layered files") {
		t.Errorf("the refusal is %q", e.Message)
	}
	_, err := s.db.Write.ExecContext(t.Context(), "UPDATE exports SET created_at = created_at - 3601000")
	s.check(err)
	then := time.Now().Add(-61 * time.Minute)
	s.check(os.Chtimes(s.blob(first), then, then))
	s.json("POST", "/api/psds", atelier.StartLayers{IDs: res}, http.StatusCreated, nil)
	if n := kept("local", db.ExportLayers); n != most || s.store.Has(first) {
		t.Errorf("%d layered files are kept, and of the oldest %t", n, s.store.Has(first))
	}
	if n := kept("another", db.ExportLayers); n != most {
		t.Errorf("of another user's %d are kept", n)
	}

	zips := make([]atelier.Zip, most+1)
	for i := range zips {
		s.json("POST", "/api/zips", atelier.StartZip{IDs: res}, http.StatusCreated, &zips[i])
	}
	for i, want := range map[int]int{0: http.StatusNotFound, 1: http.StatusOK, most: http.StatusOK} {
		if got := s.send("GET", zips[i].File, nil, nil); got.status != want {
			t.Errorf("archive %d of %d: %d, want %d", i+1, len(zips), got.status, want)
		}
	}
}
