package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// Allocated says how often SQLite has taken memory for something small on a connection, as it does all the time while it compiles a statement.
func Allocated(c *sql.Conn) (n int, err error) {
	err = c.Raw(func(opened any) error {
		below, ok := opened.(*conn).plainConn.(sqlite.DBStatus)
		if !ok {
			return fmt.Errorf("%T tells nothing of itself", opened)
		}
		for _, count := range []sqlite.DBStatusOp{sqlite.DBStatusLookasideHit, sqlite.DBStatusLookasideMissSize, sqlite.DBStatusLookasideMissFull} {
			_, high, err := below.Status(count, false)
			if err != nil {
				return err
			}
			n += high
		}
		return nil
	})
	return n, err
}

// Uses says how many statements a pool of one connection has carried out.
func Uses(ctx context.Context, db *sql.DB) (n int64, err error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	err = c.Raw(func(opened any) error {
		own, ok := opened.(*conn)
		if !ok {
			return fmt.Errorf("%T does not count", opened)
		}
		n = own.uses
		return nil
	})
	return n, errors.Join(err, c.Close())
}
