package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"atelier/db"
	"atelier/internal/sqldb"
)

// check reads everything in the data folder and says what is wrong, also while the program works: the structure of the
// databases, whether each row has its file and each file the bytes it is named by.
func check(ctx context.Context, cfg config, args []string, w io.Writer) error {
	if len(args) != 0 {
		return errors.New("usage: atelier check")
	}
	report, err := checkFolder(ctx, cfg.Data)
	if err != nil {
		return err
	}
	for _, problem := range report.problems {
		if _, err := fmt.Fprintln(w, problem); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(w, "%d files with %d bytes were read; %d more belong to no row and are removed when they are a day old.\n", report.files, report.bytes, report.spare); err != nil {
		return err
	}
	if n := len(report.problems); n > 0 {
		return fmt.Errorf("%d problems were found in %s", n, cfg.Data)
	}
	return nil
}

type checkReport struct {
	problems []string
	files    int // that rows speak of and that are whole
	bytes    int64
	spare    int // that no row speaks of
}

// checkFolder checks a data folder.
func checkFolder(ctx context.Context, folder string) (report checkReport, err error) {
	data, err := os.OpenRoot(folder)
	if err != nil {
		return report, fmt.Errorf("there is nothing to check: %w", err)
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	found := false
	for _, s := range stocks {
		if _, err := data.Stat(s.database); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		found = true
		if err := report.checkStock(ctx, data, folder, s); err != nil {
			return report, err
		}
	}
	if !found {
		return report, fmt.Errorf("%s holds no database of this program", folder)
	}
	return report, nil
}

func (r *checkReport) checkStock(ctx context.Context, data *os.Root, folder string, s stock) error {
	named := map[string]bool{}
	problems, err := s.each(ctx, filepath.Join(folder, s.database), func(sums []string) error {
		for _, sum := range sums {
			n, whole, err := verify(ctx, data, s.filePath(sum), sum)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				r.problems = append(r.problems, s.filePath(sum)+" is missing")
				continue
			case err != nil:
				return err
			case !whole:
				r.problems = append(r.problems, s.filePath(sum)+" is damaged: its bytes are not those it is named by")
			default:
				r.files, r.bytes = r.files+1, r.bytes+n
			}
			named[sum] = true
		}
		return nil
	})
	if err == nil && len(problems) == 0 {
		problems, err = checkLists(ctx, filepath.Join(folder, s.database))
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", s.database, err)
	}
	for _, p := range problems {
		r.problems = append(r.problems, s.database+": "+p)
	}
	err = fs.WalkDir(data.FS(), s.files, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isSum(d.Name()) || named[d.Name()] {
			return err
		}
		_, whole, err := verify(ctx, data, name, d.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was removed meanwhile
			return nil
		case err == nil && !whole:
			r.problems = append(r.problems, name+" is damaged: its bytes are not those it is named by")
		}
		r.spare++
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // files came or went meanwhile, or there are none at all
	}
	return err
}

// checkLists says where what is kept of lists is not as the rows are.
func checkLists(ctx context.Context, database string) (problems []string, err error) {
	open, err := sqldb.OpenToRead(database)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, open.Close()) }()
	return db.CheckLists(ctx, open)
}

// verify reads a stored file.
func verify(ctx context.Context, data *os.Root, name, sum string) (n int64, whole bool, err error) {
	if err := ctx.Err(); err != nil {
		return 0, false, err
	}
	f, err := data.Open(name)
	if err != nil {
		return 0, false, err
	}
	h := sha256.New()
	n, err = io.Copy(h, f)
	return n, hex.EncodeToString(h.Sum(nil)) == sum, errors.Join(err, f.Close())
}
