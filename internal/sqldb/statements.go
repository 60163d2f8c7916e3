package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// The SQLite driver compiles a statement each time it is carried out, which costs more than most statements do. Connections
// opened here keep the ones they have compiled.

// keptStatements is how many statements a connection keeps, longestKept how long their text may be, in bytes: longer ones are
// made for one occasion, with a list of ids in them.
const (
	keptStatements = 128
	longestKept    = 4 << 10
)

// boundLimit finds a limit that is a parameter. SQLite plans with the value of such a limit, and so compiles the statement anew whenever one is
// bound; with a sum it does not.
var boundLimit = regexp.MustCompile(`(?i)\bLIMIT\s+[?$]\d+`)

// openPool opens a pool of such connections. committed, which may be nil, gets a value after the commit of each
// transaction, and after each statement outside of one that returns no rows, unless it is full.
func openPool(dsn string, committed chan<- struct{}) (*sql.DB, error) {
	plain, err := sql.Open("sqlite", "")
	if err != nil {
		return nil, err
	}
	d := plain.Driver()
	return sql.OpenDB(connector{d, dsn, committed}), plain.Close()
}

type connector struct {
	driver    driver.Driver
	dsn       string
	committed chan<- struct{}
}

// Driver is the driver below.
func (c connector) Driver() driver.Driver { return c.driver }

// Connect opens one connection.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	opened, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	below, ok := opened.(plainConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("the SQLite driver's connections are %T and lack something", opened), opened.Close())
	}
	return &conn{plainConn: below, kept: map[string]*statement{}, committed: c.committed}, nil
}

// plainConn is what a connection of the driver can do.
type plainConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// plainStatement is what a statement of the driver can do.
type plainStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// conn is a connection with statements. Like every driver.Conn it is used by one goroutine at a time.
type conn struct {
	plainConn
	kept map[string]*statement
	uses int64

	committed     chan<- struct{}
	inTransaction bool
}

// BeginTx begins a transaction.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	begun, err := c.plainConn.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	c.inTransaction = true
	return &transaction{begun, c}, nil
}

// tellCommitted reports a commit.
func (c *conn) tellCommitted() {
	select {
	case c.committed <- struct{}{}:
	default: // an earlier commit is still unread, or nothing listens
	}
}

type transaction struct {
	driver.Tx
	conn *conn
}

// Commit ends the transaction and keeps what it did.
func (t *transaction) Commit() error {
	t.conn.inTransaction = false
	if err := t.Tx.Commit(); err != nil {
		return err
	}
	t.conn.tellCommitted()
	return nil
}

// Rollback ends the transaction and undoes what it did.
func (t *transaction) Rollback() error {
	t.conn.inTransaction = false
	return t.Tx.Rollback()
}

type statement struct {
	plainStatement
	busy bool  // its rows are being read
	last int64 // use of the connection
}

// statement gives the compiled form of a query; nil when it has to be compiled for this occasion.
func (c *conn) statement(ctx context.Context, query string) (*statement, error) {
	if len(query) > longestKept {
		return nil, nil //nolint:nilnil // nil is an answer
	}
	c.uses++
	if s := c.kept[query]; s != nil {
		if s.busy {
			return nil, nil //nolint:nilnil // nil is an answer
		}
		s.last = c.uses
		return s, nil
	}
	prepared, err := c.PrepareContext(ctx, boundLimit.ReplaceAllString(query, "$0 + 0"))
	if err != nil {
		return nil, err
	}
	below, ok := prepared.(plainStatement)
	if !ok {
		return nil, prepared.Close()
	}
	s := &statement{plainStatement: below, last: c.uses}
	if len(c.kept) >= keptStatements {
		if err := c.dropOldest(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	c.kept[query] = s
	return s, nil
}

// dropOldest lets go of the statement that was not used for the longest time.
func (c *conn) dropOldest() error {
	oldest := ""
	for query, s := range c.kept {
		if !s.busy && (oldest == "" || s.last < c.kept[oldest].last) {
			oldest = query
		}
	}
	s := c.kept[oldest]
	if s == nil {
		return nil // all of them are being read
	}
	delete(c.kept, oldest)
	return s.Close()
}

// drop lets go of a statement that failed, whatever state that left it in.
func (c *conn) drop(query string, s *statement, because error) error {
	delete(c.kept, query)
	if err := s.Close(); err != nil && because == nil {
		return err
	}
	return because
}

// ExecContext carries a statement out.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	var result driver.Result
	if s == nil {
		result, err = c.plainConn.ExecContext(ctx, query, args)
	} else if result, err = s.ExecContext(ctx, args); err != nil {
		err = c.drop(query, s, err)
	}
	if err != nil {
		return nil, err
	}
	if !c.inTransaction {
		c.tellCommitted()
	}
	return result, nil
}

// QueryContext carries a statement out that gives rows.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.plainConn.QueryContext(ctx, query, args)
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, c.drop(query, s, err)
	}
	s.busy = true
	return &rows{Rows: found, conn: c, query: query, statement: s}, nil
}

// Close lets go of the statements and of the connection.
func (c *conn) Close() error {
	var err error
	for _, s := range c.kept {
		err = errors.Join(err, s.Close())
	}
	clear(c.kept)
	return errors.Join(err, c.plainConn.Close())
}

// rows give their statement back when they are closed.
type rows struct {
	driver.Rows
	conn      *conn
	query     string
	statement *statement
	err       error // why reading ended early
}

// Next reads a row.
func (r *rows) Next(dest []driver.Value) error {
	err := r.Rows.Next(dest)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return err
}

// Close ends reading.
func (r *rows) Close() error {
	err := r.Rows.Close()
	r.statement.busy = false
	if err != nil || r.err != nil {
		return r.conn.drop(r.query, r.statement, err)
	}
	return nil
}
