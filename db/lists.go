package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Lists are read from memory: what they ask of each run and result stands in parts of columns, which are gone through in the order of
// the list, so that no combination of filters is slower than one look at everything. The rows themselves are read from the database, in
// the same transaction that says up to where memory is true. What changes writes the id of its run into a table, by triggers, so that
// nothing that changes a row can be forgotten; before each list the runs named since the last one are read again.
//
// SQLite and PostgreSQL write triggers differently, so these tables stand apart from the migrations, as the search table does. A
// migration that takes a column away which a trigger names drops the trigger; it is made again here.
const listTables = `
CREATE TABLE IF NOT EXISTS list_changes (seq integer PRIMARY KEY, run_id text NOT NULL);
CREATE TABLE IF NOT EXISTS list_parts (id integer PRIMARY KEY, user_id text NOT NULL, data blob NOT NULL);
CREATE TABLE IF NOT EXISTS list_state (id integer PRIMARY KEY, form bigint NOT NULL, seq bigint NOT NULL, codes text NOT NULL);
`

// listTriggers are the triggers by name.
var listTriggers = map[string]string{
	"list_run_made":   `AFTER INSERT ON runs BEGIN INSERT INTO list_changes (run_id) VALUES (new.id); END`,
	"list_run_gone":   `AFTER DELETE ON runs BEGIN INSERT INTO list_changes (run_id) VALUES (old.id); END`,
	"list_place_made": `AFTER INSERT ON board_results BEGIN INSERT INTO list_changes (run_id) VALUES (new.run_id); END`,
	"list_place_gone": `AFTER DELETE ON board_results BEGIN INSERT INTO list_changes (run_id) VALUES (old.run_id); END`,
	"list_made":       `AFTER INSERT ON results BEGIN INSERT INTO list_changes (run_id) VALUES (new.run_id); END`,
	"list_gone":       `AFTER DELETE ON results BEGIN INSERT INTO list_changes (run_id) VALUES (old.run_id); END`,
	"list_run_changed": `AFTER UPDATE OF user_id, agent, status, state, board_id, trashed_at, search ON runs
WHEN old.user_id <> new.user_id OR old.agent <> new.agent OR old.status <> new.status OR old.state <> new.state OR old.board_id <> new.board_id
	OR old.trashed_at <> new.trashed_at OR old.search <> new.search
BEGIN INSERT INTO list_changes (run_id) VALUES (new.id); END`,
	"list_changed": `AFTER UPDATE OF idx, status, kind, last_sha, sha256, pick, rating, starred, changed, not_comparable, score, edge_doubt, trashed_at ON results
WHEN old.idx <> new.idx OR old.status <> new.status OR old.kind <> new.kind OR old.last_sha <> new.last_sha OR old.sha256 <> new.sha256
	OR old.pick <> new.pick OR old.rating <> new.rating OR old.starred <> new.starred OR old.changed <> new.changed
	OR (old.not_comparable = '') <> (new.not_comparable = '') OR old.score IS NOT new.score OR old.edge_doubt <> new.edge_doubt
	OR old.trashed_at <> new.trashed_at
BEGIN INSERT INTO list_changes (run_id) VALUES (new.run_id); END`,
}

// prepareLists makes the tables and triggers that lists need, and leaves those that are as they should be.
func (d *DB) prepareLists(ctx context.Context) error {
	have := map[string]string{}
	rows, err := d.Read.QueryContext(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'list\_%' ESCAPE '\' OR name = 'list_state'`)
	if err != nil {
		return fmt.Errorf("look for the triggers of lists: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name, statement string
		if err := rows.Scan(&name, &statement); err != nil {
			return fmt.Errorf("look for the triggers of lists: %w", err)
		}
		have[name] = statement
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for the triggers of lists: %w", err)
	}
	var statements []string
	if have["list_state"] == "" {
		statements = append(statements, listTables)
	}
	delete(have, "list_state")
	for _, name := range slices.Sorted(maps.Keys(listTriggers)) {
		made := "CREATE TRIGGER " + name + " " + listTriggers[name]
		if have[name] != made {
			statements = append(statements, "DROP TRIGGER IF EXISTS "+name, made)
		}
		delete(have, name)
	}
	for name := range have {
		statements = append(statements, "DROP TRIGGER "+name)
	}
	if len(statements) == 0 {
		return nil
	}
	// What changed while a trigger was missing is not known.
	statements = append(statements, "DELETE FROM list_state")
	return d.Tx(ctx, func(tx *sql.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				return fmt.Errorf("prepare lists: %w", err)
			}
		}
		return nil
	})
}

// lists is the history of all users as it was after a change. It is never changed itself.
type lists struct {
	seq    int64
	albums map[string]*album
	codes  codes
}

// runs is how many runs there are.
func (l *lists) runs() (n int) {
	for _, a := range l.albums {
		n += a.runs()
	}
	return n
}

// fewRuns are read from their rows in less than a second.
const fewRuns = 5000

// codes are numbers for words and boards, from 1. A word beyond 65,535 others has none, and is found by nobody.
type codes struct {
	Words  map[string]uint16
	Boards map[string]uint32
}

func (c *codes) word(w string) uint16 {
	code, ok := c.Words[w]
	if !ok && len(c.Words) < wordMask {
		code = uint16(len(c.Words) + 1)
		c.Words[w] = code
	}
	return code
}

func (c *codes) board(id string) uint32 {
	if id == "" {
		return 0
	}
	code, ok := c.Boards[id]
	if !ok {
		code = uint32(len(c.Boards) + 1)
		c.Boards[id] = code
	}
	return code
}

// keeper holds the newest lists.
type keeper struct {
	newest atomic.Pointer[lists]

	mu    sync.Mutex      // of whoever makes newer ones
	rows  map[*part]int64 // where parts are kept in the table
	saved atomic.Int64    // the change up to which they are

	saving atomic.Bool // they are being saved
	work   sync.WaitGroup
}

// inList runs use in a read transaction, with the lists as they are in it.
func (d *DB) inList(ctx context.Context, use func(ctx context.Context, l *lists) error) (err error) {
	conn, err := d.Read.Conn(ctx)
	if err != nil {
		return fmt.Errorf("read a list: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	for {
		again, err := d.inListOnce(ctx, conn, use)
		if err != nil || !again {
			return err
		}
	}
}

// inListOnce tries once; again says that others have seen later changes than the transaction does.
func (d *DB) inListOnce(ctx context.Context, conn *sql.Conn, use func(ctx context.Context, l *lists) error) (again bool, err error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("read a list: %w", err)
	}
	defer func() {
		if rerr := tx.Rollback(); rerr != nil && !errors.Is(rerr, sql.ErrTxDone) {
			err = errors.Join(err, rerr)
		}
	}()
	ctx = context.WithValue(ctx, reading{}, reader(tx))
	seq, err := lastChange(ctx, tx)
	if err != nil {
		return false, err
	}
	l := d.lists.newest.Load()
	if l == nil || l.seq < seq {
		if l, err = d.lists.upTo(ctx, tx, seq); err != nil {
			return false, err
		}
	}
	if l.seq > seq {
		return true, nil
	}
	if seq-d.lists.saved.Load() > saveAfter {
		d.saveSoon()
	}
	return false, use(ctx, l)
}

// lastChange is the number of the last change; 0 = there was none.
func lastChange(ctx context.Context, tx reader) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM list_changes`).Scan(&seq)
	if err != nil {
		return 0, fmt.Errorf("read the last change of lists: %w", err)
	}
	return seq, nil
}

// upTo brings the lists up to a change, which is the last one the transaction sees.
func (k *keeper) upTo(ctx context.Context, tx reader, seq int64) (*lists, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.newest.Load()
	if l == nil {
		var err error
		if l, k.rows, err = loadLists(ctx, tx); err != nil {
			return nil, err
		}
		if l != nil {
			k.saved.Store(l.seq)
		}
	}
	if l != nil && l.seq < seq {
		var err error
		if l, err = l.follow(ctx, tx, seq); err != nil {
			return nil, err
		}
	}
	if l == nil { // there was nothing to begin with, or too much has changed since
		var err error
		if l, err = buildLists(ctx, tx, seq); err != nil {
			return nil, err
		}
		// Few runs are read at the next start as fast as their parts.
		if k.saved.Store(seq); l.runs() > fewRuns {
			k.saved.Store(seq - saveAfter - 1)
		}
	}
	k.newest.Store(l)
	return l, nil
}

// follow gives the lists after the changes up to seq; nil = they are better made anew.
func (l *lists) follow(ctx context.Context, tx reader, seq int64) (*lists, error) {
	var first int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(min(seq), 0) FROM list_changes`).Scan(&first); err != nil {
		return nil, fmt.Errorf("read the first change of lists: %w", err)
	}
	if first > l.seq+1 || seq-l.seq > int64(max(l.runs(), fewRuns)) {
		return nil, nil //nolint:nilnil // nil is an answer
	}
	ids, err := texts(ctx, tx, `SELECT DISTINCT run_id FROM list_changes WHERE seq > $1 AND seq <= $2`, l.seq, seq)
	if err != nil {
		return nil, fmt.Errorf("read the changes of lists: %w", err)
	}
	fresh := &lists{seq: seq, albums: maps.Clone(l.albums), codes: codes{maps.Clone(l.codes.Words), maps.Clone(l.codes.Boards)}}
	changes := map[string][]card{}
	const together = 2000
	for batch := range slices.Chunk(ids, together) {
		found, err := readCards(ctx, tx, &fresh.codes, batch)
		if err != nil {
			return nil, err
		}
		for _, id := range batch {
			key, err := keyOf(id)
			if err != nil {
				continue // no run has such an id
			}
			c, there := found[id]
			if there {
				changes[c.user] = append(changes[c.user], c)
			}
			for user, a := range l.albums {
				if _, had := a.find(key); had && user != c.user {
					changes[user] = append(changes[user], card{key: key})
				}
			}
		}
	}
	for user, cards := range changes {
		slices.SortFunc(cards, func(a, b card) int { return a.key.compare(b.key) })
		a := fresh.albums[user]
		if a == nil {
			a = newAlbum(nil)
		}
		fresh.albums[user] = a.change(cards)
	}
	return fresh, nil
}

// buildLists makes the lists out of all rows.
func buildLists(ctx context.Context, tx reader, seq int64) (l *lists, err error) {
	l = &lists{seq: seq, albums: map[string]*album{}, codes: codes{map[string]uint16{}, map[string]uint32{}}}
	const together = partRuns
	parts := map[string][]*part{}
	cards := map[string][]card{}
	flush := func(user string) {
		parts[user] = append(parts[user], (&part{}).change(cards[user])...)
		cards[user] = cards[user][:0]
	}
	for after := ""; ; {
		ids, err := texts(ctx, tx, `SELECT id FROM runs WHERE id > $1 ORDER BY id LIMIT $2`, after, together)
		if err != nil {
			return nil, fmt.Errorf("make lists: %w", err)
		}
		if len(ids) == 0 {
			break
		}
		after = ids[len(ids)-1]
		found, err := readCards(ctx, tx, &l.codes, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			c, ok := found[id]
			if !ok {
				continue
			}
			if cards[c.user] = append(cards[c.user], c); len(cards[c.user]) == together {
				flush(c.user)
			}
		}
	}
	for user := range cards {
		flush(user)
		l.albums[user] = newAlbum(parts[user])
	}
	return l, nil
}

const (
	cardsOfRuns = `SELECT r.id, r.user_id, r.agent, r.status, r.state, r.board_id, r.trashed_at > 0, r.search
		FROM json_each($1) j CROSS JOIN runs r WHERE r.id = j.value`
	cardsOfBoards  = `SELECT b.result_id, b.board_id FROM json_each($1) j CROSS JOIN results s CROSS JOIN board_results b WHERE s.run_id = j.value AND b.result_id = s.id`
	cardsOfResults = `SELECT s.id, s.run_id, s.idx, s.status, s.kind, s.last_sha <> '', s.sha256 <> '', s.pick, s.rating, s.starred, s.changed, s.not_comparable <> '',
		CASE WHEN s.edge_doubt > 0 AND s.score IS NOT NULL THEN -s.edge_doubt ELSE s.score END, s.trashed_at > 0
		FROM json_each($1) j CROSS JOIN results s WHERE s.run_id = j.value ORDER BY j.key, s.idx`
)

// readCards reads runs. One that is not there is left out, and so is what no id of ours names.
func readCards(ctx context.Context, tx reader, codes *codes, ids []string) (found map[string]card, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("write the ids of runs: %w", err)
	}
	found = make(map[string]card, len(ids))
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var id, agent, status, state, board, text string
		var trashed bool
		var c card
		if err := rows.Scan(&id, &c.user, &agent, &status, &state, &board, &trashed, &text); err != nil {
			return err
		}
		var err error
		if c.key, err = keyOf(id); err != nil {
			return nil //nolint:nilerr // nothing lists it
		}
		c.about = about(codes.word(agent))<<agentAt | about(codes.word(status))<<statusAt | about(codes.word(state))<<stateAt
		if trashed {
			c.about |= runTrashed
		}
		c.board, c.sign = codes.board(board), signOf(text)
		found[id] = c
		return nil
	}, cardsOfRuns, string(list))
	if err != nil {
		return nil, fmt.Errorf("read runs for lists: %w", err)
	}
	places := map[string][]uint32{}
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var result, board string
		err := rows.Scan(&result, &board)
		places[result] = append(places[result], codes.board(board))
		return err
	}, cardsOfBoards, string(list))
	if err != nil {
		return nil, fmt.Errorf("read boards for lists: %w", err)
	}
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var id, run, status, kind, pick string
		var index, rating int64
		var last, stored, starred, changed, apart, trashed bool
		var score sql.NullFloat64
		if err := rows.Scan(&id, &run, &index, &status, &kind, &last, &stored, &pick, &rating, &starred, &changed, &apart, &score, &trashed); err != nil {
			return err
		}
		c, ok := found[run]
		if !ok || index < 0 || index >= 1<<16 {
			return nil
		}
		r := cardResult{index: uint16(index), score: score.Float64, boards: places[id]}
		r.marks = marks(codes.word(status))<<markStatusAt | pickCode(pick)<<pickAt | marks(min(max(rating, 0), maxStars))<<ratingAt
		r.marks |= markStarred.when(starred) | markChanged.when(changed) | markVideo.when(kind == "video") | markLastFrame.when(last) |
			markStored.when(stored) | markTrashed.when(trashed) | markScored.when(score.Valid) | markPlaced.when(len(r.boards) > 0) | markApart.when(apart)
		c.results = append(c.results, r)
		found[run] = c
		return nil
	}, cardsOfResults, string(list))
	if err != nil {
		return nil, fmt.Errorf("read results for lists: %w", err)
	}
	return found, nil
}

func pickCode(pick string) marks {
	switch pick {
	case "":
		return pickNone
	case "pick":
		return pickYes
	case "reject":
		return pickNo
	}
	return pickOther
}

// each hands the rows of a statement to use, one by one.
func each(ctx context.Context, tx reader, use func(rows *sql.Rows) error, statement string, args ...any) (err error) {
	rows, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := use(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// texts reads a column.
func texts(ctx context.Context, tx reader, statement string, args ...any) (found []string, err error) {
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		found = append(found, text)
		return err
	}, statement, args...)
	return found, err
}
