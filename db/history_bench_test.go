package db_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// history is a studio's database with many runs of four results each. It is made once and kept in a folder of the build, by
// its size and by the schema it was made with. ATELIER_HISTORY is how many runs it has.
type history struct {
	db     *db.DB
	runs   int
	first  time.Time
	last   time.Time
	board  atelier.BoardID
	chance *rand.Rand
}

var theHistory = sync.OnceValues(func() (*history, error) {
	h := &history{runs: 1_000_000, chance: rand.New(rand.NewPCG(1, 2))}
	if n, err := strconv.Atoi(os.Getenv("ATELIER_HISTORY")); err == nil {
		h.runs = n
	}
	return h, h.open(context.Background())
})

func openHistory(b *testing.B) *history {
	b.Helper()
	h, err := theHistory()
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// historyFolder is where histories are kept, below the folder that everything built stands in.
const historyFolder = "../build/history"

// open opens the history, or makes it.
func (h *history) open(ctx context.Context) error {
	migrations, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		return err
	}
	form := sha256.New()
	for _, name := range append(migrations, "history_bench_test.go") {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if name == "history_bench_test.go" {
			text = text[:bytes.Index(text, []byte("func "+"BenchmarkHistory"))] // what is measured changes nothing in it
		}
		form.Write(text)
	}
	path := filepath.Join(historyFolder, fmt.Sprintf("%d-%x.db", h.runs, form.Sum(nil)[:6]))
	if _, err := os.Stat(path); err != nil {
		if err := h.make(ctx, path); err != nil {
			return err
		}
	}
	if h.db, err = db.Open(ctx, path); err != nil {
		return err
	}
	var first, last int64
	if err := h.db.Read.QueryRowContext(ctx, `SELECT (SELECT created_at FROM runs ORDER BY id LIMIT 1), (SELECT created_at FROM runs ORDER BY id DESC LIMIT 1)`).Scan(&first, &last); err != nil {
		return err
	}
	h.first, h.last = time.UnixMilli(first), time.UnixMilli(last)
	return h.db.Read.QueryRowContext(ctx, `SELECT id FROM boards`).Scan(&h.board)
}

// make makes the history in a file that gets its name when it is whole.
func (h *history) make(ctx context.Context, path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(path), "part-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(part)) }()
	made := filepath.Join(part, "studio.db")
	if h.db, err = db.Open(ctx, made); err != nil {
		return err
	}
	if err := errors.Join(h.fill(ctx), h.db.PrepareLists(ctx), h.db.Close()); err != nil {
		return err
	}
	return os.Rename(made, path)
}

func (h *history) fill(ctx context.Context) error {
	h.last = time.Now().Add(-time.Hour)
	h.first = h.last.AddDate(-2, 0, 0)
	if err := h.db.EnsureUser(ctx, dbtest.User); err != nil {
		return err
	}
	board, err := h.db.CreateBoard(ctx, dbtest.User.ID, atelier.CreateBoard{Name: "Spring"})
	if err != nil {
		return err
	}
	h.board = board.ID
	// Nothing here has to survive a power cut.
	if _, err := h.db.Write.ExecContext(ctx, "PRAGMA synchronous = off"); err != nil {
		return err
	}
	again, err := h.dropIndexes(ctx)
	if err != nil {
		return err
	}
	const batch = 20_000
	for from := 0; from < h.runs; from += batch {
		if err := h.db.Tx(ctx, func(tx *sql.Tx) error { return h.insert(ctx, tx, from, min(from+batch, h.runs)) }); err != nil {
			return err
		}
	}
	for _, statement := range again {
		if _, err := h.db.Write.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err = h.db.Write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

var historyAgents = []string{"aimodel", "aipose", "backgroundReplacement", "removeBG", "expandimage", "upscale", "recolor", "relight", "videomaker", "cleanup"}

// dropIndexes takes the indexes of the long tables away, which are made much faster afterwards, and gives what makes them again.
func (h *history) dropIndexes(ctx context.Context) (again []string, err error) {
	rows, err := h.db.Read.QueryContext(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql <> '' AND tbl_name IN ('runs', 'results')`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var drop []string
	for rows.Next() {
		var name, statement string
		if err := rows.Scan(&name, &statement); err != nil {
			return nil, err
		}
		drop, again = append(drop, "DROP INDEX "+name), append(again, statement)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, statement := range drop {
		if _, err := h.db.Write.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// word is one of 20,000, the first ones often and the last ones hardly ever.
func (h *history) word() string {
	n := int(20_000 * h.chance.Float64() * h.chance.Float64() * h.chance.Float64())
	return wordOf(n)
}

func wordOf(n int) string {
	syllables := []string{"ka", "ro", "mi", "ten", "sul", "ve", "do", "lar", "pin", "qua", "zo", "fi", "gre", "bu", "nel", "shi", "tor", "wa", "xe", "yu"}
	return syllables[n%20] + syllables[n/20%20] + syllables[n/400%20] + syllables[n/8000%20]
}

func (h *history) insert(ctx context.Context, tx *sql.Tx, from, to int) (err error) {
	prepare := func(query string) *sql.Stmt {
		s, perr := tx.PrepareContext(ctx, query)
		err = errors.Join(err, perr)
		return s
	}
	run := prepare(`INSERT INTO runs (id, user_id, intent_key, retry_of, agent, version, title, surface, tag, state, step, status, values_json, files_json,
		asset_id, mask_id, mask_sha256, board_id, search, task_id, execution_id, attempt, misses, first_sent_at, last_sent_at, checked_at,
		error_code, error_message, error_retryable, psd_status, psd_error, psd_sha256, created_at, updated_at, trashed_at)
		VALUES (?, 'local', ?, '', ?, 'v1.0', ?, 'task', ?, ?, '', ?, ?, '{}', '', '', '', '', ?, '', ?, 1, 0, ?, ?, ?, '', '', false, '', '', '', ?, ?, ?)`)
	result := prepare(`INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256,
		poster_sha, preview, score, starred, rating, pick, attempts, created_at, updated_at, last_url, changed)
		VALUES (?, ?, 'local', ?, 'image', ?, 1, '', '', '', 'png', 1024, 1536, 2000000, ?, '', ?, ?, ?, ?, ?, 0, ?, ?, '', ?)`)
	join := prepare(`INSERT INTO board_results (board_id, result_id, run_id) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close(), result.Close(), join.Close()) }()
	preview := "data:image/webp;base64," + strings.Repeat("UklGR", 30)
	for i := from; i < to; i++ {
		at := h.first.Add(time.Duration(float64(h.last.Sub(h.first)) * float64(i) / float64(h.runs)))
		id, ms := h.id(at), at.UnixMilli()
		words := make([]string, 14)
		for w := range words {
			words[w] = h.word()
		}
		agent := historyAgents[h.chance.IntN(len(historyAgents))]
		prompt := strings.Join(words, " ")
		values, jerr := json.Marshal(map[string]any{"prompt": prompt, "batchCount": 4})
		if jerr != nil {
			return jerr
		}
		state, status, trashed := "done", "Success", int64(0)
		if h.chance.IntN(50) == 0 {
			state, status = "failed", "Failed"
		}
		if h.chance.IntN(50) == 0 {
			trashed = ms + 1
		}
		title := words[0] + " " + words[1]
		search := title + " " + agent + " " + prompt + " img_" + strconv.Itoa(i) + ".jpg"
		if _, err := run.ExecContext(ctx, id, id, agent, title, id, state, status, string(values), search, id, ms, ms, ms, ms, ms, trashed); err != nil {
			return err
		}
		if err := db.AddToSearch(ctx, tx, id, "local", agent, search); err != nil {
			return err
		}
		for n := range 4 {
			rid := h.id(at)
			var score any
			changed := false
			if h.chance.IntN(5) < 3 {
				s := 1 - .2*h.chance.Float64()*h.chance.Float64()
				score, changed = s, s < .83
			}
			rating, pick := 0, ""
			if h.chance.IntN(10) == 0 {
				rating = 1 + h.chance.IntN(5)
			}
			switch h.chance.IntN(40) {
			case 0:
				pick = "pick"
			case 1, 2:
				pick = "reject"
			}
			if _, err := result.ExecContext(ctx, rid, id, n, status, h.sha(), preview, score, h.chance.IntN(50) == 0, rating, pick, ms, ms, changed); err != nil {
				return err
			}
			if h.chance.IntN(2000) == 0 {
				if _, err := join.ExecContext(ctx, string(h.board), rid, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// id is a UUIDv7 of a moment.
func (h *history) id(at time.Time) string {
	low := db.IDAt(at)
	n, m := h.chance.Uint64(), h.chance.Uint64()
	return fmt.Sprintf("%s7%03x-%04x-%012x", low[:14], n&0xfff, 0x8000|n>>12&0x3fff, m&(1<<48-1))
}

func (h *history) sha() string {
	var b [32]byte
	for i := range b {
		b[i] = byte(h.chance.Uint32())
	}
	return hex.EncodeToString(b[:])
}

func (h *history) day() time.Time {
	return h.first.Add(time.Duration(h.chance.Float64() * float64(h.last.Sub(h.first))))
}

// BenchmarkHistory reads pages out of a long history: 1,000,000 runs with 4,000,000 results. p50-ms and p99-ms are what one page takes,
// times-by-id is p50 in times of what it takes to read the very same results by their ids.
func BenchmarkHistory(b *testing.B) {
	h := openHistory(b)
	word := func() string { return wordOf(h.chance.IntN(20_000)) }
	common := func() string { return wordOf(h.chance.IntN(20)) }
	cursor := func() string { return h.id(h.day()) }
	type filter = func() atelier.RunFilter
	results := map[string]filter{
		"first page":    func() atelier.RunFilter { return atelier.RunFilter{} },
		"page anywhere": func() atelier.RunFilter { return atelier.RunFilter{Cursor: cursor() + ".2"} },
		"oldest first":  func() atelier.RunFilter { return atelier.RunFilter{Sort: atelier.SortOldest} },
		"date":          func() atelier.RunFilter { return atelier.RunFilter{To: h.day()} },
		"agent": func() atelier.RunFilter {
			return atelier.RunFilter{Agent: historyAgents[h.chance.IntN(10)], To: h.day()}
		},
		"failed":     func() atelier.RunFilter { return atelier.RunFilter{Status: atelier.Failed, To: h.day()} },
		"five stars": func() atelier.RunFilter { return atelier.RunFilter{Rating: 5, To: h.day()} },
		"picked":     func() atelier.RunFilter { return atelier.RunFilter{Pick: atelier.PickYes, To: h.day()} },
		"not picked": func() atelier.RunFilter { return atelier.RunFilter{Pick: atelier.PickNone, To: h.day()} },
		"starred, agent": func() atelier.RunFilter {
			return atelier.RunFilter{Starred: true, Agent: historyAgents[h.chance.IntN(10)]}
		},
		"product changed": func() atelier.RunFilter { return atelier.RunFilter{Changed: true, To: h.day()} },
		"board":           func() atelier.RunFilter { return atelier.RunFilter{Board: h.board} },
		"trash":           func() atelier.RunFilter { return atelier.RunFilter{Trashed: true} },
		"by rating": func() atelier.RunFilter {
			return atelier.RunFilter{Sort: atelier.SortRating, Cursor: "3_" + cursor() + ".1"}
		},
		"by fidelity": func() atelier.RunFilter {
			return atelier.RunFilter{Sort: atelier.SortFidelity, Cursor: "0.95_" + cursor() + ".1"}
		},
		"search":         func() atelier.RunFilter { return atelier.RunFilter{Query: word()} },
		"search, common": func() atelier.RunFilter { return atelier.RunFilter{Query: common()} },
		"search, prefix": func() atelier.RunFilter { return atelier.RunFilter{Query: word()[:3]} },
		"search, two":    func() atelier.RunFilter { return atelier.RunFilter{Query: common() + " " + word()} },
		"search, agent": func() atelier.RunFilter {
			return atelier.RunFilter{Query: word(), Agent: historyAgents[h.chance.IntN(10)]}
		},
		"search, file": func() atelier.RunFilter {
			return atelier.RunFilter{Query: "img_" + strconv.Itoa(h.chance.IntN(h.runs))}
		},
		"search, date":    func() atelier.RunFilter { return atelier.RunFilter{Query: common(), To: h.day()} },
		"search, picked":  func() atelier.RunFilter { return atelier.RunFilter{Query: common(), Pick: atelier.PickYes} },
		"search, nothing": func() atelier.RunFilter { return atelier.RunFilter{Query: "nowhere"} },
	}
	runs := map[string]filter{
		"runs, first page": func() atelier.RunFilter { return atelier.RunFilter{} },
		"runs, anywhere":   func() atelier.RunFilter { return atelier.RunFilter{Cursor: cursor()} },
		"runs, agent": func() atelier.RunFilter {
			return atelier.RunFilter{Agent: historyAgents[h.chance.IntN(10)], Cursor: cursor()}
		},
		"runs, failed":  func() atelier.RunFilter { return atelier.RunFilter{Status: atelier.Failed, Cursor: cursor()} },
		"runs, running": func() atelier.RunFilter { return atelier.RunFilter{Status: atelier.Running} },
		"runs, picked":  func() atelier.RunFilter { return atelier.RunFilter{Pick: atelier.PickYes, Cursor: cursor()} },
		"runs, search":  func() atelier.RunFilter { return atelier.RunFilter{Query: word()} },
	}
	for _, name := range sortedKeys(results) {
		b.Run(name, func(b *testing.B) {
			h.beside(b, results[name])
		})
	}
	for _, name := range sortedKeys(runs) {
		b.Run(name, func(b *testing.B) {
			h.measure(b, func(ctx context.Context) error {
				_, _, err := h.db.ListRuns(ctx, dbtest.User.ID, runs[name]())
				return err
			})
		})
	}
	b.Run("count", func(b *testing.B) {
		h.measure(b, func(ctx context.Context) error {
			_, _, err := h.db.CountResults(ctx, dbtest.User.ID, atelier.RunFilter{Query: common()}, atelier.MaxTotal)
			return err
		})
	})
	for name, f := range map[string]atelier.RunFilter{"months": {}, "months of a search": {Query: wordOf(7)}, "months of the picked": {Pick: atelier.PickYes}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := h.db.ListMonths(b.Context(), dbtest.User.ID, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// measure does something often and tells what the middle one and the slowest of a hundred took.
func (h *history) measure(b *testing.B, do func(context.Context) error) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		for range 200 {
			began := time.Now()
			if err := do(b.Context()); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
	}
	report(b, took)
}

// report tells what the middle one and the slowest of a hundred took, and gives the middle one.
func report(b *testing.B, took []time.Duration) (middle time.Duration) {
	b.Helper()
	middle, slowest := middleAndSlowest(took)
	b.ReportMetric(float64(middle)/1e6, "p50-ms")
	b.ReportMetric(float64(slowest)/1e6, "p99-ms")
	return middle
}

// beside measures pages of results, each beside the same results read by their ids.
func (h *history) beside(b *testing.B, filter func() atelier.RunFilter) {
	b.Helper()
	var took, byID []time.Duration
	for b.Loop() {
		for range 200 {
			f := filter()
			began := time.Now()
			page, _, err := h.db.ListResults(b.Context(), dbtest.User.ID, f)
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
			if len(page) == 0 {
				continue
			}
			ids := make([]atelier.ResultID, len(page))
			for i, r := range page {
				ids[i] = r.ID
			}
			began = time.Now()
			if _, err := h.db.FindResults(b.Context(), dbtest.User.ID, ids); err != nil {
				b.Fatal(err)
			}
			byID = append(byID, time.Since(began))
		}
	}
	middle := report(b, took)
	if len(byID) > 0 {
		same, _ := middleAndSlowest(byID)
		b.ReportMetric(float64(middle)/float64(same), "times-by-id")
	}
}
