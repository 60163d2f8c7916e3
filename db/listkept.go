package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
)

// Parts are kept in a table, so that a long history need not be read whole at every start: those that changed are written now and
// then and at the end, and the changes they are true for are forgotten. What came later is still named when a process dies before.

const (
	listForm = 2 // of what is kept; another form is made anew

	saveAfter      = 20_000 // changes after which parts are saved
	saveAtEndAfter = 1000   // the same at the end
)

// loadLists reads what is kept, nil when there is nothing that can be read.
func loadLists(ctx context.Context, tx reader) (l *lists, rows map[*part]int64, err error) {
	var form int64
	var text string
	l = &lists{albums: map[string]*album{}}
	found := false
	err = each(ctx, tx, func(r *sql.Rows) error {
		found = true
		return r.Scan(&form, &l.seq, &text)
	}, `SELECT form, seq, codes FROM list_state`)
	if err != nil {
		return nil, nil, fmt.Errorf("read what is kept of lists: %w", err)
	}
	if !found || form != listForm || json.Unmarshal([]byte(text), &l.codes) != nil || l.codes.Words == nil || l.codes.Boards == nil {
		return nil, nil, nil
	}
	rows = map[*part]int64{}
	parts := map[string][]*part{}
	whole := true
	err = each(ctx, tx, func(r *sql.Rows) error {
		var row int64
		var user string
		var data sql.RawBytes
		if err := r.Scan(&row, &user, &data); err != nil {
			return err
		}
		p, err := decodePart(data)
		if err != nil || len(p.keys) == 0 {
			whole = false
			return nil //nolint:nilerr // it is made anew
		}
		rows[p], parts[user] = row, append(parts[user], p)
		return nil
	}, `SELECT id, user_id, data FROM list_parts`)
	if err != nil {
		return nil, nil, fmt.Errorf("read the parts of lists: %w", err)
	}
	for user, of := range parts {
		slices.SortFunc(of, func(a, b *part) int { return a.keys[0].compare(b.keys[0]) })
		l.albums[user] = newAlbum(of)
	}
	if !whole {
		return nil, nil, nil
	}
	return l, rows, nil
}

// saveSoon saves parts beside all else.
func (d *DB) saveSoon() {
	if !d.lists.saving.CompareAndSwap(false, true) {
		return
	}
	d.lists.work.Go(func() {
		// Nothing is lost when it fails: the changes are still named, and it is tried again.
		defer func() {
			if p := recover(); p != nil {
				d.failed(fmt.Errorf("panic while the lists were saved: %v\n%s", p, debug.Stack()))
			}
			d.lists.saving.Store(false)
		}()
		d.failed(d.saveLists(context.Background()))
	})
}

// saveLists keeps the newest lists, and forgets the changes that are in them. It takes the writer for a moment at a time; what is
// kept counts when all of it is.
func (d *DB) saveLists(ctx context.Context) error {
	k := &d.lists
	k.mu.Lock()
	l, old := k.newest.Load(), k.rows
	k.mu.Unlock()
	if l == nil {
		return nil
	}
	rows := map[*part]int64{}
	type fresh struct {
		user string
		part *part
	}
	var missing []fresh
	for user, a := range l.albums {
		for _, p := range a.parts {
			if row, kept := old[p]; kept {
				rows[p] = row
			} else {
				missing = append(missing, fresh{user, p})
			}
		}
	}
	const together = 64
	for batch := range slices.Chunk(missing, together) {
		data := make([][]byte, len(batch))
		for i, f := range batch {
			data[i] = f.part.encode()
		}
		err := d.Tx(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `DELETE FROM list_state`); err != nil {
				return err
			}
			for i, f := range batch {
				var row int64
				if err := tx.QueryRowContext(ctx, `INSERT INTO list_parts (user_id, data) VALUES ($1, $2) RETURNING id`, f.user, data[i]).Scan(&row); err != nil {
					return err
				}
				rows[f.part] = row
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("keep parts of the lists: %w", err)
		}
	}
	used, err := json.Marshal(slices.Collect(maps.Values(rows)))
	if err != nil {
		return fmt.Errorf("keep the lists: %w", err)
	}
	words, err := json.Marshal(l.codes)
	if err != nil {
		return fmt.Errorf("keep the lists: %w", err)
	}
	err = d.Tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM list_parts WHERE id NOT IN (SELECT value FROM json_each($1))`, string(used))
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM list_state`)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO list_state (id, form, seq, codes) VALUES (1, $1, $2, $3)`, listForm, l.seq, string(words))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the lists: %w", err)
	}
	k.mu.Lock()
	k.rows = rows
	k.saved.Store(l.seq)
	k.mu.Unlock()
	return d.forgetChanges(ctx, l.seq)
}

// forgetChanges deletes the changes up to one, but for the last: the next one is counted from it.
func (d *DB) forgetChanges(ctx context.Context, seq int64) error {
	const together = 20_000
	for {
		var n int64
		err := d.Tx(ctx, func(tx *sql.Tx) error {
			done, err := tx.ExecContext(ctx, `DELETE FROM list_changes WHERE seq <= $1 AND seq < (SELECT max(seq) FROM list_changes)
				AND seq < (SELECT min(seq) FROM list_changes) + $2`, seq, together)
			if err != nil {
				return err
			}
			n, err = done.RowsAffected()
			return err
		})
		if err != nil {
			return fmt.Errorf("forget changes of the lists: %w", err)
		}
		if n == 0 {
			return nil
		}
	}
}

// PrepareLists reads what lists are made of, so that nobody waits for it later.
func (d *DB) PrepareLists(ctx context.Context) error {
	return d.inList(ctx, func(context.Context, *lists) error { return nil })
}

// Close saves the lists and closes the database.
func (d *DB) Close() error {
	d.lists.work.Wait()
	if l := d.lists.newest.Load(); l != nil && l.seq-d.lists.saved.Load() > saveAtEndAfter {
		// When it fails the lists are made of the changes, or anew.
		d.failed(d.saveLists(context.Background()))
	}
	return d.DB.Close()
}

// CheckLists says what of the lists is not as the rows are. It reads the database alone, also while another process works with it.
func CheckLists(ctx context.Context, data *sql.DB) (problems []string, err error) {
	var tables int
	if err := data.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE name = 'list_state'`).Scan(&tables); err != nil || tables == 0 {
		return nil, err // an older database, or one of another kind
	}
	tx, err := data.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("check lists: %w", err)
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	seq, err := lastChange(ctx, tx)
	if err != nil {
		return nil, err
	}
	l, _, err := loadLists(ctx, tx)
	if err == nil && l != nil && l.seq < seq {
		l, err = l.follow(ctx, tx, seq)
	}
	if err != nil || l == nil {
		return nil, err // they are made anew at the next start
	}
	anew, err := buildLists(ctx, tx, seq)
	if err != nil {
		return nil, err
	}
	if n := l.differing(anew); n > 0 {
		problems = append(problems, fmt.Sprintf("what is kept of the lists differs from the rows in %d runs; delete the rows of list_state to have it made anew", n))
	}
	return problems, nil
}

// differing counts the runs that are not the same in two lists.
func (l *lists) differing(other *lists) (n int) {
	words, boards := map[uint16]uint16{0: 0}, map[uint32]uint32{0: 0}
	for w, code := range l.codes.Words {
		words[code] = other.codes.Words[w]
	}
	for b, code := range l.codes.Boards {
		boards[code] = other.codes.Boards[b]
	}
	word := func(code uint64) uint64 { return uint64(words[uint16(code)]) }
	// plainly is a run as the codes of other have it.
	plainly := func(p *part, i int, mine bool) card {
		c := card{key: p.keys[i], about: p.about[i], board: p.board[i], sign: p.signs[i]}
		for k := p.first[i]; k < p.first[i+1]; k++ {
			r := cardResult{index: p.index[k], marks: p.marks[k], score: p.score[k]}
			for _, x := range p.boardsOf(int(k)) {
				r.boards = append(r.boards, x.board)
			}
			if mine {
				r.marks = r.marks&^markStatusMask | marks(word(uint64(r.marks>>markStatusAt)))<<markStatusAt
				for b := range r.boards {
					r.boards[b] = boards[r.boards[b]]
				}
			}
			slices.Sort(r.boards)
			c.results = append(c.results, r)
		}
		if mine {
			a := uint64(c.about)
			c.about = c.about&runTrashed | about(word(a>>agentAt))<<agentAt | about(word(a>>statusAt))<<statusAt | about(word(a>>stateAt))<<stateAt
			c.board = boards[c.board]
		}
		return c
	}
	users := maps.Clone(l.albums)
	maps.Copy(users, other.albums)
	for user := range users {
		a, b := l.albums[user], other.albums[user]
		if a == nil {
			a = newAlbum(nil)
		}
		if b == nil {
			b = newAlbum(nil)
		}
		same := 0
		for _, p := range a.parts {
			for i, key := range p.keys {
				if at, there := b.find(key); there && reflect.DeepEqual(plainly(p, i, true), plainly(b.parts[at.part], at.run, false)) {
					same++
				}
			}
		}
		n += max(a.runs(), b.runs()) - same
	}
	return n
}
