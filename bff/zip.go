package bff

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/bff/zipfile"
	"atelier/db"
	"atelier/imaging/probe"
	"atelier/imaging/provenance"
)

// zipRecord is one picture of an archive, as its plan and its manifest know it.
type zipRecord struct {
	File     string            `json:"file"`
	Result   atelier.ResultID  `json:"result"`
	Run      atelier.RunID     `json:"run"`
	Title    string            `json:"title"`
	Agent    string            `json:"agent"`
	Version  string            `json:"version"`
	Made     time.Time         `json:"made"`
	Values   map[string]any    `json:"values"`
	Source   *zipSource        `json:"source,omitempty"`
	SHA256   string            `json:"sha256"`       // of the file in the archive
	Stored   string            `json:"resultSha256"` // of the result as the image service gave it; the file also says where it comes from
	Width    int               `json:"width"`        // of the file, px
	Height   int               `json:"height"`
	Rating   int               `json:"rating"`
	Pick     string            `json:"pick,omitempty"`
	Starred  bool              `json:"starred"`
	Fidelity *atelier.Fidelity `json:"fidelity,omitempty"`
}

// zipSource is the picture a result was made of.
type zipSource struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// zipPlan is all that an archive is made of.
type zipPlan struct {
	Records []zipRecord
	Entries []zipEntry // of the records, in their order
	At      time.Time
	Shown   []atelier.ResultID `json:",omitempty"` // those of others: they are in it as long as they are shown
	weight  int                // of the values of Records
}

// zipEntry is where the bytes of a record come from.
type zipEntry struct {
	SHA256  string
	Bytes   int64             // as it is handed out, unless it is converted
	CRC     int64             // of the stored file; -1 = not known yet
	Convert *media.Conversion // nil = as they are
	Origin  provenance.Origin // said in the file
}

// key tells apart what entries hand out.
func (e zipEntry) key() string { return fmt.Sprint(e.SHA256, e.Convert, e.Origin) }

// startZip plans a download of many results. Nothing is read or written for it before it is fetched.
func (s *Server) startZip(w http.ResponseWriter, r *http.Request, who visitor) (err error) {
	var body atelier.StartZip
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if body.IDs, err = checkUpTo(atelier.MaxZip, body.IDs); err != nil {
		return err
	}
	name, err := downloadName(body.Name, words.NamePictures)
	if err != nil {
		return err
	}
	if err := checkNames(atelier.NameTemplate(body.Template)); err != nil {
		return err
	}
	how, err := conversion(body.Format, body.Quality, body.Size)
	if err != nil {
		return err
	}
	plan, err := s.planZip(r.Context(), who.User.ID, body, how)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(plan)
	if err != nil {
		return fmt.Errorf("write the plan of an archive: %w", err)
	}
	e, err := s.keepExport(r.Context(), db.Export{UserID: who.User.ID, Kind: db.ExportZip, Name: name, Plan: string(raw)})
	if err != nil {
		return err
	}
	out := atelier.Zip{ID: e.ID, File: "/api/zips/" + e.ID + "/file"}
	if how == nil {
		archive, err := s.archive(plan, nil)
		if err != nil {
			return err
		}
		if out.Bytes, err = archive.Size(r.Context()); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusCreated, out)
}

// maxExports is how many downloads of one kind are kept for a user.
const maxExports = 20

// keepExport remembers a download. Where its user has too many of its kind, the oldest makes way.
func (s *Server) keepExport(ctx context.Context, e db.Export) (db.Export, error) {
	e, err := s.c.DB.CreateExport(ctx, e)
	if err != nil {
		return e, err
	}
	files, err := s.c.DB.DeleteSurplusExports(ctx, e.UserID, e.Kind, maxExports)
	if err = errors.Join(err, s.jobs.RemoveFiles(ctx, files)); err != nil {
		s.log.ErrorContext(ctx, "downloads that have made way for others were not removed whole; what is left goes when they end", "user", e.UserID, "error", err)
	}
	return e, nil
}

func (s *Server) planZip(ctx context.Context, user atelier.UserID, body atelier.StartZip, how *media.Conversion) (zipPlan, error) {
	plan := zipPlan{At: s.c.Now().UTC().Truncate(time.Second)}
	results, err := s.c.DB.VisibleResults(ctx, user, body.IDs)
	if err != nil {
		return plan, err
	}
	runs, err := s.c.DB.FindRunsOf(ctx, results)
	if err != nil {
		return plan, err
	}
	taken := map[string]bool{manifestCSV: true, manifestJSON: true}
	for i, res := range results {
		if !res.Stored {
			return plan, atelier.FieldError("ids", words.ResultOneNotHere)
		}
		run := runs[res.RunID]
		if res.Trashed || run.Trashed {
			return plan, errTrashed
		}
		if res.UserID != user {
			plan.Shown = append(plan.Shown, res.ID)
		}
		entry := zipEntry{SHA256: res.SHA256, Bytes: res.Bytes, CRC: res.CRC, Origin: s.originOf(run)}
		format := probe.Format(res.Format)
		if how != nil && res.Kind == "image" {
			entry.Convert, entry.CRC = how, -1
			if how.Format != "" {
				format = how.Format
			}
		} else if entry.Bytes, err = s.sizeOf(ctx, entry); err != nil {
			return plan, err
		}
		rec := recordOf(res.Result, run)
		if entry.Convert != nil {
			rec.Width, rec.Height = how.Size(res.Width, res.Height)
		}
		name := atelier.NameTemplate(body.Template).Fill(norm.NFC.String(rec.Title), rec.Agent, rec.Made, i+1, len(results))
		rec.File = uniqueName(taken, name, format.Extension())
		if err := plan.add(rec, entry); err != nil {
			return plan, err
		}
	}
	return plan, nil
}

// maxPlan is how many bytes the values in a plan take at most: it is held whole while its archive is sent.
const maxPlan = 32 << 20

func (p *zipPlan) add(rec zipRecord, e zipEntry) error {
	if p.weight += jsonSize(rec.Values); p.weight > maxPlan {
		return atelier.FieldError("ids", words.DownloadLarge(maxPlan>>20))
	}
	p.Records, p.Entries = append(p.Records, rec), append(p.Entries, e)
	return nil
}

func recordOf(res db.Result, run db.Run) zipRecord {
	rec := zipRecord{
		Result: res.ID, Run: run.ID, Title: run.Title, Agent: run.Agent, Version: run.Version, Made: run.CreatedAt, Values: run.Values,
		Width: res.Width, Height: res.Height, Rating: res.Rating, Pick: res.Pick, Starred: res.Starred,
	}
	if run.Asset != nil {
		rec.Source = &zipSource{run.Asset.Name, run.Asset.SHA256}
	}
	if res.Fidelity != nil {
		f := *res.Fidelity
		f.Heat = "" // an address of this studio
		rec.Fidelity = &f
	}
	return rec
}

// downloadName is what a download is called, without its ending.
func downloadName(given, standard string) (string, error) {
	name := stem(strings.TrimSpace(given))
	if utf8.RuneCountInString(name) > 200 {
		return "", atelier.FieldError("name", words.DownloadName)
	}
	return cmp.Or(name, standard), nil
}

func checkNames(t atelier.NameTemplate) error {
	switch {
	case !t.Short():
		return atelier.FieldError("template", words.DownloadTemplateLong(atelier.MaxNames))
	case !t.Known():
		return atelier.FieldError("template", words.DownloadTemplateWords)
	}
	return nil
}

// The names of the two manifests in an archive.
const (
	manifestCSV  = "manifest.csv"
	manifestJSON = "manifest.json"
)

// manifestEntry is a manifest in an archive. What the pictures hash to is found out when the manifest is sent, behind them: its length is
// known before.
func (s *Server) manifestEntry(name string, plan zipPlan, write func([]zipRecord) ([]byte, error)) (zipfile.Entry, error) {
	records := slices.Clone(plan.Records)
	for i, e := range plan.Entries {
		records[i].Stored, records[i].SHA256 = e.SHA256, strings.Repeat("0", hex.EncodedLen(sha256.Size))
	}
	draft, err := write(records)
	if err != nil {
		return zipfile.Entry{}, err
	}
	var text []byte
	whole := func(ctx context.Context) (_ []byte, err error) {
		if text != nil {
			return text, nil
		}
		for i, e := range plan.Entries {
			if records[i].SHA256, err = s.hashes.of(ctx, e.key(), func() (string, error) { return s.hashOf(ctx, e) }); err != nil {
				return nil, err
			}
		}
		text, err = write(records)
		return text, err
	}
	return zipfile.Entry{
		Name: name, Modified: plan.At,
		Size: func(context.Context) (int64, error) { return int64(len(draft)), nil },
		CRC: func(ctx context.Context) (uint32, error) {
			text, err := whole(ctx)
			return crc32.ChecksumIEEE(text), err
		},
		Open: func(ctx context.Context) (io.ReadSeekCloser, error) {
			text, err := whole(ctx)
			return textFile{bytes.NewReader(text)}, err
		},
	}, nil
}

// archive lays out what a plan says. The caller waits for what a has begun.
func (s *Server) archive(plan zipPlan, a *ahead) (*zipfile.Archive, error) {
	var entries []zipfile.Entry
	for i, e := range plan.Entries {
		entries = append(entries, s.pictureEntry(plan.Records[i].File, plan.At, e, func(ctx context.Context) error { return a.reach(ctx, i) }))
	}
	table, err := s.manifestEntry(manifestCSV, plan, csvOf)
	if err != nil {
		return nil, err
	}
	list, err := s.manifestEntry(manifestJSON, plan, jsonOf)
	if err != nil {
		return nil, err
	}
	entries = append(entries, table, list)
	return zipfile.New(entries)
}

// handOut opens what an entry hands out.
func (s *Server) handOut(ctx context.Context, e zipEntry) (out content, err error) {
	var file *os.File
	if e.Convert != nil {
		file, err = s.c.Store.Converted(ctx, e.SHA256, *e.Convert)
	} else {
		file, err = s.c.Store.Open(e.SHA256)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return out, atelier.Wrap(atelier.NotFound, err, words.FileOneMissing)
	}
	if err != nil {
		return out, err
	}
	out, _, err = tagged(file, e.Origin)
	return out, err
}

// sizeOf is how long a picture is as it is handed out.
func (s *Server) sizeOf(ctx context.Context, e zipEntry) (n int64, err error) {
	f, err := s.handOut(ctx, e)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.Seek(0, io.SeekEnd)
}

// crcOf is the checksum of a picture as it is handed out. That of a stored file is remembered.
func (s *Server) crcOf(ctx context.Context, e zipEntry) (crc uint32, err error) {
	f, err := s.handOut(ctx, e)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if e.Convert != nil {
		return sumOf(f)
	}
	if e.CRC < 0 {
		stored, err := s.c.Store.Open(e.SHA256)
		if err != nil {
			return 0, err
		}
		crc, err := sumOf(stored)
		if err = errors.Join(err, stored.Close()); err != nil {
			return 0, err
		}
		if err := s.c.DB.SetCRC(context.WithoutCancel(ctx), e.SHA256, crc); err != nil {
			s.log.WarnContext(ctx, "a checksum cannot be kept, and is found out anew the next time", "file", e.SHA256, "error", err)
		}
		e.CRC = int64(crc)
	}
	if t, ok := f.ReadSeeker.(*provenance.Tagged); ok {
		return t.CRC(uint32(e.CRC))
	}
	return uint32(e.CRC), nil
}

// hashOf is the SHA-256, in hex, of a picture as it is handed out.
func (s *Server) hashOf(ctx context.Context, e zipEntry) (sum string, err error) {
	f, err := s.handOut(ctx, e)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read a file for its hash: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sumOf(r io.Reader) (uint32, error) {
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, r); err != nil {
		return 0, fmt.Errorf("read a file for its checksum: %w", err)
	}
	return sum.Sum32(), nil
}

// pictureEntry is a stored picture in an archive, or one that is converted by the time ready returns.
func (s *Server) pictureEntry(name string, at time.Time, e zipEntry, ready func(context.Context) error) zipfile.Entry {
	return zipfile.Entry{
		Name: name, Modified: at,
		Open: func(ctx context.Context) (io.ReadSeekCloser, error) { return s.handOut(ctx, e) },
		Size: func(ctx context.Context) (int64, error) {
			if e.Convert == nil {
				return e.Bytes, nil
			}
			if err := ready(ctx); err != nil {
				return 0, err
			}
			return s.sizeOf(ctx, e)
		},
		CRC: func(ctx context.Context) (uint32, error) {
			return s.checksums.of(ctx, e.key(), func() (uint32, error) { return s.crcOf(ctx, e) })
		},
	}
}

// checksums remembers what takes a whole file to find out.
type checksums[T any] struct {
	mu   sync.Mutex
	sums map[string]T
}

// maxChecksums is how many are remembered.
const maxChecksums = 10_000

func (c *checksums[T]) of(ctx context.Context, key string, find func() (T, error)) (T, error) {
	c.mu.Lock()
	sum, ok := c.sums[key]
	c.mu.Unlock()
	if ok || ctx.Err() != nil {
		return sum, ctx.Err()
	}
	sum, err := find()
	if err != nil {
		return sum, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sums == nil || len(c.sums) >= maxChecksums {
		c.sums = map[string]T{}
	}
	c.sums[key] = sum
	return sum, nil
}

type textFile struct{ *bytes.Reader }

// Close does nothing.
func (textFile) Close() error { return nil }

// jsonOf is the manifest for programs.
func jsonOf(records []zipRecord) ([]byte, error) {
	list, err := json.MarshalIndent(records, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the manifest of an archive: %w", err)
	}
	return list, nil
}

// csvOf is the manifest as a table: UTF-8 with a byte order mark, without which Excel reads it as something else.
func csvOf(records []zipRecord) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	rows := [][]string{{
		"file", "title", "agent", "version", "made", "values", "source", "source sha256", "result sha256", "width", "height", "rating", "pick", "starred",
		"fidelity score", "delta E", "SSIM", "product changed", "not comparable", "run", "result", "sha256", "edge in doubt", "edge",
	}}
	for _, r := range records {
		values, err := json.Marshal(r.Values)
		if err != nil {
			return nil, fmt.Errorf("write the values of a run: %w", err)
		}
		row := []string{
			r.File, r.Title, r.Agent, r.Version, r.Made.UTC().Format(time.RFC3339), string(values), "", "", r.Stored, strconv.Itoa(r.Width), strconv.Itoa(r.Height),
			strconv.Itoa(r.Rating), r.Pick, strconv.FormatBool(r.Starred), "", "", "", "", "", string(r.Run), string(r.Result), r.SHA256, "", "",
		}
		if r.Source != nil {
			row[6], row[7] = r.Source.Name, r.Source.SHA256
		}
		switch f := r.Fidelity; {
		case f == nil:
		case f.Comparable:
			row[14], row[15], row[16] = decimal(f.Score), decimal(f.DeltaE), decimal(f.SSIM)
			row[17] = strconv.FormatBool(f.Changed)
			if f.Edge != nil {
				row[22], row[23] = decimal(f.Edge.Doubt), edgeParts(f.Edge.Parts)
			}
		default:
			row[18] = f.Reason
		}
		for i := range row {
			row[i] = noFormula(row[i])
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("write a table: %w", err)
	}
	return b.Bytes(), nil
}

// edgeParts writes the parts of an edge that are in doubt in one cell: which they are, where, and their share of the subject.
func edgeParts(parts []atelier.EdgePart) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		kind := "background kept"
		if p.Missed {
			kind = "subject missed"
		}
		out[i] = kind + " " + string(p.Place) + " " + decimal(p.Share)
	}
	return strings.Join(out, ", ")
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// noFormula keeps a spreadsheet from running what a title or a file name begins with (OWASP, "CSV Injection"). Where numbers are
// written with a comma, spreadsheets take a semicolon for the end of a cell, so what follows one is a beginning too.
func noFormula(cell string) string {
	return formula.ReplaceAllString(cell, "$1'$2")
}

// formula is the beginning of a cell that is worked out: also in the wide letters of Chinese and Japanese.
var formula = regexp.MustCompile(`(^|[;\t\r\n])([ \t\r\n]*[=+\-@＝＋－＠]|[\t\r\n])`)

// zipForm tells archives of the same plan apart that are put together in another way than they were by an earlier version.
const zipForm = "3"

// zipFile sends an archive, or the part of it that is asked for.
func (s *Server) zipFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	e, err := s.c.DB.FindExport(r.Context(), who.User.ID, db.ExportZip, r.PathValue("id"))
	if err != nil {
		return err
	}
	var plan zipPlan
	if err := json.Unmarshal([]byte(e.Plan), &plan); err != nil {
		return fmt.Errorf("read the plan of an archive: %w", err)
	}
	if _, err := s.c.DB.VisibleResults(r.Context(), who.User.ID, plan.Shown); err != nil {
		return err
	}
	a := &ahead{s: s, entries: plan.Entries}
	defer a.work.Wait()
	archive, err := s.archive(plan, a)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(zipForm + e.Plan))
	h := w.Header()
	h.Set("Content-Type", probe.ZIP.MediaType())
	h.Set("Content-Disposition", disposition(e.Name+".zip", true))
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	h.Set("Accept-Ranges", "bytes")
	if plan.converts() {
		// How long it gets is known once every picture is converted: whoever asks for the whole, or only about it, need not wait for that.
		if r.Method == http.MethodHead {
			return nil
		}
		// It keeps no more than a picture for each processor under way, so it counts as one conversion, and is refused before it begins.
		done, err := s.converting.begin(who.User.ID)
		if err != nil {
			return err
		}
		defer done()
		if r.Header.Get("Range") == "" {
			return s.sendZip(w, r, archive)
		}
	}
	reader, err := archive.Reader(r.Context())
	if err != nil {
		return err
	}
	http.ServeContent(w, r, "", time.Time{}, reader)
	return reader.Close()
}

func (p zipPlan) converts() bool {
	for _, e := range p.Entries {
		if e.Convert != nil {
			return true
		}
	}
	return false
}

func (s *Server) sendZip(w http.ResponseWriter, r *http.Request, archive *zipfile.Archive) error {
	began := &begun{w: w}
	err := archive.WriteTo(r.Context(), began)
	if err == nil || !began.yes {
		return err
	}
	if r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "an archive broke off", "error", err)
	}
	// The answer has begun: breaking it off is the only way to say that it is not whole.
	panic(http.ErrAbortHandler)
}

// begun notices whether anything was written.
type begun struct {
	w   io.Writer
	yes bool
}

// Write writes on.
func (b *begun) Write(p []byte) (int, error) {
	b.yes = true
	return b.w.Write(p)
}
