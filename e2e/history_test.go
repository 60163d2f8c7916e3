package e2e

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/db"
	"atelier/imaging"
	"atelier/imaging/testpics"
)

// past is a run that was made before the test begins.
type past struct {
	at      time.Time
	agent   string
	title   string
	prompt  string
	results int
	changed int // how many of them, from the first, have another product
	apart   int // how many of them, from the last, are said to be square, and cannot be compared with their source
	films   int // how many of them, from the first, are videos whose last frame was kept
	failed  bool
	thrown  bool          // it is in the trash
	sizes   []image.Point // of the results, in turn; all are 600 × 800 where none is given
}

// between changes what a stopped studio has, and starts it again.
func (s *studio) between(change func(d *db.DB, keep func(data []byte) db.Blob)) {
	s.t.Helper()
	s.stop()
	s.stopped(change)
	s.start()
}

// stopped changes what a studio has that is not running.
func (s *studio) stopped(change func(d *db.DB, keep func(data []byte) db.Blob)) {
	s.t.Helper()
	ctx := s.t.Context()
	d, err := db.Open(ctx, filepath.Join(s.data, "studio.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	store, err := media.OpenStore(filepath.Join(s.data, "media"))
	if err != nil {
		s.t.Fatal(err)
	}
	change(d, func(data []byte) db.Blob {
		sha, n, err := store.Put(ctx, bytes.NewReader(data))
		if err != nil {
			s.t.Fatal(err)
		}
		return db.Blob{SHA256: sha, Format: "jpeg", Bytes: n}
	})
	if err := errors.Join(d.Close(), store.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// remember writes runs into the studio's database while it is stopped, as they would stand there after they were made: a
// source photo and results that differ from it and from each other. Then the studio is started again.
func (s *studio) remember(runs ...past) {
	s.t.Helper()
	s.between(func(d *db.DB, keep func(data []byte) db.Blob) { s.write(d, keep, runs) })
}

// rememberedPictures draws, once, what the runs of remember show: a source, results that differ from it and from each other, where they
// differ, and the preview of a result.
var rememberedPictures = sync.OnceValue(func() (drawn struct {
	source, heat []byte
	looks        [16][]byte
	preview      string
},
) {
	source, _ := testpics.Garment(600, 800, 7)
	drawn.source = testpics.JPEG(source)
	for i := range drawn.looks {
		drawn.looks[i] = testpics.JPEG(variant(source, i))
	}
	var err error
	if drawn.preview, err = imaging.Preview(variant(source, 0)); err != nil {
		panic(err)
	}
	drawn.heat = testpics.PNG(heatMap())
	return drawn
})

func (s *studio) write(d *db.DB, keep func(data []byte) db.Blob, runs []past) {
	s.t.Helper()
	ctx := s.t.Context()
	if err := d.EnsureUser(ctx, atelier.User{ID: "local", Name: "Designer", Role: atelier.Admin}); err != nil {
		s.t.Fatal(err)
	}
	drawn := rememberedPictures()
	blob := keep(drawn.source)
	asset, _, err := d.CreateAsset(ctx, db.Asset{
		Asset:  atelier.Asset{Kind: "image", Name: "dress.jpg", Width: 600, Height: 800, Format: "jpeg", Bytes: blob.Bytes, SHA256: blob.SHA256},
		UserID: "local", Sent: blob,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	looks := make([]db.Blob, len(drawn.looks))
	for i, data := range drawn.looks {
		looks[i] = keep(data)
	}
	unlike := map[image.Point]db.Blob{}
	for _, r := range runs {
		for i, size := range r.sizes {
			if _, drawn := unlike[size]; !drawn {
				unlike[size] = keep(testpics.JPEG(testpics.Photo(size.X, size.Y, uint64(i))))
			}
		}
	}
	hot := keep(drawn.heat).SHA256
	err = d.Tx(ctx, func(tx *sql.Tx) error {
		for n, r := range runs {
			if err := insertRun(tx, n, r, asset.ID); err != nil {
				return err
			}
			if err := insertResults(tx, n, r, looks, unlike, hot, drawn.preview); err != nil {
				return err
			}
		}
		// What can be searched for is written anew when the studio starts and finds no table of it.
		_, err := tx.Exec("DROP TABLE run_search")
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// backdate sets the only run whose values hold a text back to a moment, while the studio is stopped: as if it had been made then. What it
// is found by stays as the studio wrote it.
func (s *studio) backdate(text string, at time.Time) {
	s.t.Helper()
	s.stop()
	d, err := db.Open(s.t.Context(), filepath.Join(s.data, "studio.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	id := timeID(at, 0, 0)
	err = d.Tx(s.t.Context(), func(tx *sql.Tx) error {
		var old string
		if err := tx.QueryRow("SELECT id FROM runs WHERE values_json LIKE $1", "%"+text+"%").Scan(&old); err != nil {
			return fmt.Errorf("find the run: %w", err)
		}
		if _, err := tx.Exec("PRAGMA defer_foreign_keys = on"); err != nil {
			return err
		}
		for _, column := range []string{"answers.run_id", "requests.run_id", "inbox.run_id", "results.run_id", "board_results.run_id", "runs.id"} {
			table, column, _ := strings.Cut(column, ".")
			if _, err := tx.Exec("UPDATE "+table+" SET "+column+" = $1 WHERE "+column+" = $2", id, old); err != nil {
				return fmt.Errorf("set %s back: %w", table, err)
			}
		}
		// What can be searched for is put together anew, from what stands in the runs, when the studio starts and finds no table of it.
		_, err := tx.Exec("UPDATE runs SET created_at = $1 WHERE id = $2; DROP TABLE run_search", at.UnixMilli(), id)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.start()
}

// variant is the source with another background, a different one for each number.
func variant(source *image.NRGBA, n int) *image.NRGBA {
	img := image.NewNRGBA(source.Rect)
	copy(img.Pix, source.Pix)
	tint := color.NRGBA{uint8(60 + 12*n), uint8(200 - 9*n), uint8(120 + 25*(n%5)), 255}
	for y := range source.Rect.Dy() {
		for x := range source.Rect.Dx() {
			if x < 90+4*n || y < 60+6*n {
				img.SetNRGBA(x, y, tint)
			}
		}
	}
	return img
}

// timeID is an id of a moment: ids stand in the order of time.
func timeID(at time.Time, run, result int) string {
	ms := at.UnixMilli()
	return fmt.Sprintf("%08x-%04x-7000-8000-%06x%06x", ms>>16, ms&0xffff, run, result)
}

// heatMap marks the middle of a picture.
func heatMap() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 600, 800))
	for y := 300; y < 500; y++ {
		for x := 200; x < 400; x++ {
			img.SetNRGBA(x, y, color.NRGBA{255, 60, 0, 160})
		}
	}
	return img
}

// insertRun writes a run that came to its end, in the transaction of all of them: one by one, thousands take a minute.
func insertRun(tx *sql.Tx, n int, r past, asset atelier.AssetID) error {
	values, err := json.Marshal(map[string]any{"textDescription": r.prompt})
	if err != nil {
		return fmt.Errorf("encode values: %w", err)
	}
	state, status, problem := "done", "Success", ""
	if r.failed {
		state, status, problem = "failed", "Failed", "The image service could not read the picture."
	}
	var thrownAt int64
	if r.thrown {
		thrownAt = time.Now().UnixMilli()
	}
	_, err = tx.Exec(`INSERT INTO runs (id, user_id, intent_key, retry_of, agent, version, title, surface, tag, state, step, status, values_json, files_json, asset_id,
		mask_id, mask_sha256, board_id, search, task_id, execution_id, attempt, misses, first_sent_at, last_sent_at, checked_at, error_code, error_message,
		error_retryable, psd_status, psd_error, psd_sha256, created_at, updated_at, trashed_at)
		VALUES ($1, 'local', $1, '', $2, 'v1.0', $3, 'task', $1, $8, '', $9, $4, 'null', $5, '', '', '', $6, '', '', 0, 0, 0, 0, 0, '', $10, false, '', '', '', $7, $7, $11)`,
		timeID(r.at, n, 0), r.agent, r.title, string(values), asset, r.title+" "+r.prompt, r.at.UnixMilli(), state, status, problem, thrownAt)
	if err != nil {
		return fmt.Errorf("remember a run: %w", err)
	}
	return nil
}

func insertResults(tx *sql.Tx, n int, r past, looks []db.Blob, unlike map[image.Point]db.Blob, heat, preview string) error {
	id, at := timeID(r.at, n, 0), r.at.UnixMilli()
	for i := range r.results {
		look, size := looks[(n+i)%len(looks)], image.Pt(600, 800)
		if len(r.sizes) > 0 {
			size = r.sizes[i%len(r.sizes)]
			look = unlike[size]
		}
		score, reason := sql.NullFloat64{Float64: 0.99, Valid: true}, ""
		if i < r.changed {
			score.Float64 = 0.6
		}
		if i >= r.results-r.apart {
			score.Valid, reason, size.Y = false, atelier.ApartShape+"\tThe result has another shape than the source.", size.X
		}
		kind, last := "image", ""
		if i < r.films {
			kind, last = "video", looks[len(looks)-1-i].SHA256
		}
		_, err := tx.Exec(`INSERT INTO results (id, run_id, user_id, idx, kind, status, progress, error, url, poster_url, format, width, height, bytes, sha256, poster_sha, preview, score,
			starred, rating, pick, attempts, created_at, updated_at, delta_e, ssim, changed, heat_sha, last_sha, not_comparable)
			VALUES ($1, $2, 'local', $3, $11, 'Success', 1, '', '', '', 'jpeg', $15, $14, $4, $5, $12, $10, $6, false, 0, '', 1, $7, $7, 1.2, 0.98, $8, $9, $12, $13)`,
			timeID(r.at, n, i+1), id, i, look.Bytes, look.SHA256, score, at, i < r.changed, heat, preview, kind, last, reason, size.Y, size.X)
		if err != nil {
			return fmt.Errorf("remember a result: %w", err)
		}
	}
	return nil
}

// long is a history of so many runs of four results, one every six hours before the moment.
func long(now time.Time, runs int) []past { return longer(now, runs, 6*time.Hour) }

// longer is a history of so many runs of four results, with a time between two of them.
func longer(now time.Time, runs int, apart time.Duration) []past {
	out := make([]past, runs)
	for i := range out {
		out[i] = past{at: now.Add(-time.Duration(i) * apart), agent: "aimodel", title: fmt.Sprintf("Look %d", i), prompt: "a quiet street", results: 4}
	}
	return out
}
