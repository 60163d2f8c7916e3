package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"atelier/atelier"
	"atelier/db/gen"
)

// Searching is the one thing SQLite and PostgreSQL do not do alike, so it stands apart from the migrations: an FTS5 table with
// the words of each run, in step with runs because both are written in one transaction. A row's number is made of the run's
// id, so it sorts like the id does and pages of hits come in the order of the runs without sorting. Whatever is typed, the
// first letters of a word or all of it, has a list of its own up to ten letters, so that nothing has to be put together before
// the first hit is known.
const searchTable = `CREATE VIRTUAL TABLE run_search USING fts5(words, run_id UNINDEXED, ` +
	`content='', contentless_unindexed=1, contentless_delete=1, prefix='1 2 3 4 5 6 7 8 9 10', tokenize='unicode61 remove_diacritics 2')`

// prepareSearch makes the search table where there is none, or one of another form, and fills it from the runs.
func (d *DB) prepareSearch(ctx context.Context) error {
	var have string
	err := d.Read.QueryRowContext(ctx, `SELECT sql FROM sqlite_master WHERE name = 'run_search'`).Scan(&have)
	if have == searchTable {
		return nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("look for the search table: %w", err)
	}
	return d.Tx(ctx, func(tx *sql.Tx) error {
		if have != "" {
			if _, err := tx.ExecContext(ctx, `DROP TABLE run_search`); err != nil {
				return fmt.Errorf("drop the old search table: %w", err)
			}
		}
		// FTS5 leaves the table of what is not indexed behind when it is dropped.
		if _, err := tx.ExecContext(ctx, `DROP TABLE IF EXISTS run_search_content`); err != nil {
			return fmt.Errorf("drop the old search table: %w", err)
		}
		if _, err := tx.ExecContext(ctx, searchTable); err != nil {
			return fmt.Errorf("create the search table: %w", err)
		}
		return fillSearch(ctx, tx)
	})
}

// fillSearch writes the words of all runs.
func fillSearch(ctx context.Context, tx *sql.Tx) error {
	const batch = 1000
	for last := ""; ; {
		rows, err := searchRows(ctx, tx, last, batch)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := addToSearch(ctx, tx, r); err != nil {
				return err
			}
			last = r.ID
		}
		if len(rows) < batch {
			return nil
		}
	}
}

func searchRows(ctx context.Context, tx *sql.Tx, after string, n int) (found []gen.Run, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, user_id, agent, search FROM runs WHERE id > $1 ORDER BY id LIMIT $2`, after, n)
	if err != nil {
		return nil, fmt.Errorf("read the words of runs: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r gen.Run
		if err := rows.Scan(&r.ID, &r.UserID, &r.Agent, &r.Search); err != nil {
			return nil, fmt.Errorf("read the words of a run: %w", err)
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// addToSearch lets a run be found; only its ID, UserID, Agent and Search are looked at.
func addToSearch(ctx context.Context, tx *sql.Tx, r gen.Run) error {
	number, err := searchNumber(r.ID)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO run_search (rowid, words, run_id) VALUES ($1, $2, $3)`,
		number, facet("user", r.UserID)+" "+facet("agent", r.Agent)+" "+spaced(r.Search), r.ID)
	if err != nil {
		return fmt.Errorf("write the words of a run: %w", err)
	}
	return nil
}

// removeFromSearch ends that a run is found.
func removeFromSearch(ctx context.Context, tx *sql.Tx, id atelier.RunID) error {
	number, err := searchNumber(string(id))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM run_search WHERE rowid = $1`, number); err != nil {
		return fmt.Errorf("delete the words of a run: %w", err)
	}
	return nil
}

// searchNumber is the place of a run in the search table.
func searchNumber(id string) (int64, error) {
	key, err := keyOf(id)
	return key.number(), err
}

// facet makes a short word of a name that nobody can type: it begins with a letter for private use. Hardly ever do two names
// have the same word; lists look at the name itself too.
func facet(kind, name string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(kind + " " + name)) // a hash takes everything
	n := rune(sum.Sum32() & (1<<28 - 1))
	return string([]rune{private, firstSign + n>>14, firstSign + n&(1<<14-1)})
}

// Facets are a letter for private use and two Chinese signs of 16,384.
const private, firstSign = '\ue000', '\u4e00'

// maxWords is how many words of a search count.
const maxWords = 16

// search is what somebody looks for.
type search struct {
	words []string // each the beginning of a word of what is found
	match string   // what it is to FTS5; "" = it finds nothing
	owned bool     // the user is asked for too
}

// search reads what a user looks for. Where there is but one user, nothing is asked about the owner: to look each hit up in the list of
// everything costs more than the rest of a search.
func (d *DB) search(ctx context.Context, user atelier.UserID, query string) (s search, err error) {
	if err := d.reader(ctx).QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM users WHERE id <> $1)`, string(user)).Scan(&s.owned); err != nil {
		return s, fmt.Errorf("search: %w", err)
	}
	if !s.owned {
		user = ""
	}
	s.words = searchWords(query)
	s.match = matchExpression(user, s.words)
	return s, nil
}

// apart are what the words are to FTS5 one by one, none when there is but one list to go through.
func (s search) apart() (matches []string) {
	if len(s.words) < 2 && !s.owned {
		return nil
	}
	for _, word := range s.words {
		matches = append(matches, matchExpression("", []string{word}))
	}
	return matches
}

// searchWords are the words of a search, each of which must be the beginning of one; those without letters and digits are left out.
func searchWords(query string) (words []string) {
	for word := range strings.FieldsSeq(query) {
		word = strings.TrimSpace(spaced(strings.ToValidUTF8(strings.ReplaceAll(word, "\x00", ""), "")))
		if strings.IndexFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
			continue
		}
		if words = append(words, word); len(words) == maxWords {
			break
		}
	}
	return words
}

// matchExpression puts a search into the words of FTS5. What the user typed never becomes syntax: each word stands in quotes. The
// words stand first: FTS5 goes from one of their few hits to the next, and looks each up in the long list of the user. No user is any
// user.
func matchExpression(user atelier.UserID, words []string) string {
	if len(words) == 0 {
		return ""
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = `"` + strings.ReplaceAll(word, `"`, `""`) + `" *`
	}
	match := strings.Join(quoted, " AND ")
	if user != "" {
		match += ` AND "` + facet("user", string(user)) + `"`
	}
	return match
}

// folded makes texts equal that differ only in case or in the form of their letters, such as full and half width, ligatures, ß and ss
// (Unicode Standard Annex 15, NFKC; full case folding).
func folded(text string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(text)))
}

// spaced folds a text and puts spaces between letters of scripts in which words are written together: there a word in the middle of
// another is found too. A searched word becomes a phrase of its letters. The letter that facets begin with is left out.
func spaced(text string) string {
	var b strings.Builder
	for _, r := range folded(text) {
		if r == private {
			continue
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// idRows reads a column of ids.
func (d *DB) idRows(ctx context.Context, what, query string, args ...any) (ids []string, err error) {
	rows, err := d.reader(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
