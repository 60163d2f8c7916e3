package db

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"atelier/atelier"
	"atelier/db/gen"
)

// MarkSearch names when all runs could be found by the words that new runs are found by. Whoever changes which words those are gives
// it another name.
const MarkSearch = "search 3"

// Reindex goes through the runs behind after, at most n, and has each found by the words that words gives for it and the names of its
// files. It gives the last run it looked at; "" = there are no more.
func (d *DB) Reindex(ctx context.Context, after atelier.RunID, n int, words func(run Run, files []string) (string, error)) (last atelier.RunID, err error) {
	rows, err := d.read.RunsAfter(ctx, gen.RunsAfterParams{ID: string(after), Limit: int32(n)})
	if err != nil {
		return "", fmt.Errorf("list runs to be found: %w", err)
	}
	runs, err := runsOf(rows)
	if err != nil || len(runs) == 0 {
		return "", err
	}
	var ids []string
	for _, r := range runs {
		for _, refs := range r.Files {
			for _, ref := range refs {
				if !strings.Contains(ref, "://") {
					ids = append(ids, ref)
				}
			}
		}
	}
	assets, err := d.assetsOf(ctx, ids)
	if err != nil {
		return "", err
	}
	fresh := map[atelier.RunID]string{}
	for _, r := range runs {
		text, err := words(r, fileNames(r, assets))
		if err != nil {
			return "", err
		}
		if text != r.Search {
			fresh[r.ID] = text
		}
	}
	if len(fresh) > 0 {
		err = d.Tx(ctx, func(tx *sql.Tx) error {
			for _, row := range rows {
				if text, ok := fresh[atelier.RunID(row.ID)]; ok {
					if err := setSearch(ctx, tx, row, text); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return runs[len(runs)-1].ID, err
}

// fileNames are the names of a run's files, in the order of their fields.
func fileNames(r Run, assets map[string]atelier.Asset) (names []string) {
	for _, field := range slices.Sorted(maps.Keys(r.Files)) {
		for _, ref := range r.Files[field] {
			if a, ok := assets[ref]; ok {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// setSearch changes the words of a run, unless it was deleted meanwhile.
func setSearch(ctx context.Context, tx *sql.Tx, row gen.Run, text string) error {
	n, err := gen.New(tx).SetRunSearch(ctx, gen.SetRunSearchParams{ID: row.ID, Search: text})
	if err != nil {
		return fmt.Errorf("write the words of a run: %w", err)
	}
	if n == 0 {
		return nil
	}
	if err := removeFromSearch(ctx, tx, atelier.RunID(row.ID)); err != nil {
		return err
	}
	row.Search = text
	return addToSearch(ctx, tx, row)
}
