package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
)

// NamesKey is the key by which this studio knows the names that its runs went out under: 128 random bits at least, made with the
// database and the same for as long as there is one, also after a restore.
func (d *DB) NamesKey() []byte { return []byte(d.namesKey) }

// prepareIdentity reads the key of names, and makes it where there is none.
func (d *DB) prepareIdentity(ctx context.Context) error {
	const find = `SELECT value FROM identity WHERE name = 'names'`
	err := d.Read.QueryRowContext(ctx, find).Scan(&d.namesKey)
	if errors.Is(err, sql.ErrNoRows) {
		err = d.Tx(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `INSERT INTO identity (name, value) VALUES ('names', $1) ON CONFLICT (name) DO NOTHING`, rand.Text()); err != nil {
				return err
			}
			return tx.QueryRowContext(ctx, find).Scan(&d.namesKey)
		})
	}
	if err != nil {
		return fmt.Errorf("find the key of names: %w", err)
	}
	return nil
}
