package sqldb

import (
	"database/sql"
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
