package main

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"atelier/db"
	"atelier/internal/folder"
)

const restoreUsage = "usage: atelier restore FILE"

// restore makes a data folder of a backup. There must be none yet, or one that holds nothing but the studio's own keys, which stay; it
// appears only when everything in the backup has turned out to be whole.
func restore(ctx context.Context, cfg config, args []string, w io.Writer) (err error) {
	if len(args) != 1 {
		return errors.New(restoreUsage)
	}
	there, err := emptyFolder(cfg.Data)
	if err != nil {
		return err
	}
	// A folder that is there may be a mounted one, which can be filled and not replaced.
	above := cfg.Data
	if !there {
		above = filepath.Dir(cfg.Data)
		if err := folder.Make(above); err != nil {
			return fmt.Errorf("create the folder above the data folder: %w", err)
		}
	}
	work, err := os.MkdirTemp(above, restoring)
	if err != nil {
		return fmt.Errorf("prepare the data folder: %w", err)
	}
	placed := false
	defer func() {
		if !placed {
			err = errors.Join(err, os.RemoveAll(work))
		}
	}()
	in, err := os.Open(args[0])
	if err != nil {
		return fmt.Errorf("open the backup: %w", err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	said, err := unpack(ctx, in, work)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	report, err := checkFolder(ctx, work)
	if err != nil {
		return err
	}
	if studio := filepath.Join(work, stocks[0].database); exists(studio) {
		if err := makeRestored(ctx, studio, said); err != nil {
			return err
		}
	}
	keys, err := takeKeys(cfg.Data, work)
	if err != nil {
		return err
	}
	placed = true // whatever happens from here on, what is there is not thrown away
	if err := putInPlace(work, cfg.Data, there); err != nil {
		return fmt.Errorf("put the data folder in place: %w", err)
	}
	for _, problem := range report.problems {
		if _, err := fmt.Fprintln(w, "warning:", problem); err != nil {
			return err
		}
	}
	if !keys {
		if _, err := fmt.Fprintln(w, "warning:", noKeys); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%s is as it was at %s: %d files. Everybody signs in again. At its next start the studio asks the image service for runs made since then.\n",
		cfg.Data, said.TakenAt.Format("2006-01-02 15:04:05 MST"), report.files)
	return err
}

// noKeys says what a restore without the studio's own keys changes.
const noKeys = "the studio's own keys are neither in the backup nor in the data folder, so it makes new ones at its next start. " +
	"Review links get other addresses, to be handed out anew, and calls of the image service about runs under way are refused: those are asked for instead. " +
	"To keep the old ones, empty the data folder, put callback.key and service/studio.key into it and restore again."

// takeKeys copies the studio's own keys from the data folder that is to be filled to what is to fill it, and says whether all that are
// needed are there. Where both have one, it must be the same.
func takeKeys(data, work string) (all bool, err error) {
	all = true
	for _, key := range ownKeys {
		standing, err := os.ReadFile(filepath.Join(data, filepath.FromSlash(key)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("read %s: %w", key, err)
		}
		to := filepath.Join(work, filepath.FromSlash(key))
		restored, rerr := os.ReadFile(to)
		if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			return false, fmt.Errorf("read the %s of the backup: %w", key, rerr)
		}
		switch {
		case err == nil && rerr == nil && !bytes.Equal(standing, restored):
			return false, fmt.Errorf("%s stands in %s and is not the one in the backup; move it away first", key, data)
		case err == nil && rerr != nil:
			if err := folder.Make(filepath.Dir(to)); err != nil {
				return false, fmt.Errorf("make a folder for %s: %w", key, err)
			}
			if err := folder.Write(to, standing); err != nil {
				return false, fmt.Errorf("keep %s: %w", key, err)
			}
		case err != nil && rerr != nil && exists(filepath.Join(work, stocks[0].database)) && exists(filepath.Dir(to)):
			all = false // there is a studio, and what the key is for
		}
	}
	return all, nil
}

// restoring begins the name of the folder that a backup is unpacked into.
const restoring = ".atelier-restore-"

// emptyFolder says whether there is a folder, which must be empty but for the studio's own keys: a new file system has a folder of its own
// in it.
func emptyFolder(path string) (there bool, err error) {
	left, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the data folder: %w", err)
	}
	for _, e := range left {
		switch {
		case e.Name() == "lost+found", isKey(path, e):
		case strings.HasPrefix(e.Name(), restoring):
			return true, fmt.Errorf("%s holds a restore that was broken off; empty it first", path)
		default:
			return true, fmt.Errorf("%s is not empty; move it away first, so that nothing in it is lost", path)
		}
	}
	return true, nil
}

// isKey says whether an entry of a data folder is a key of the studio's own, or a folder with nothing else in it.
func isKey(data string, e fs.DirEntry) bool {
	if !e.IsDir() {
		return slices.Contains(ownKeys, e.Name())
	}
	inside, err := os.ReadDir(filepath.Join(data, e.Name()))
	return err == nil && len(inside) > 0 && !slices.ContainsFunc(inside, func(f fs.DirEntry) bool { return f.IsDir() || !slices.Contains(ownKeys, e.Name()+"/"+f.Name()) })
}

// putInPlace makes the data folder of the one that was worked in: in one step where there is none, else piece by piece. As long as the
// work folder is there, not every piece is, and nothing starts on the folder.
func putInPlace(work, data string, there bool) error {
	if !there {
		return errors.Join(os.Rename(work, data), folder.Sync(filepath.Dir(data)))
	}
	pieces, err := os.ReadDir(work)
	if err != nil {
		return err
	}
	for _, key := range ownKeys { // one that stands there is in the work folder too
		at := filepath.Join(data, filepath.FromSlash(key))
		err := os.Remove(at)
		if beside := filepath.Dir(at); err == nil && beside != data {
			err = os.Remove(beside) // it held nothing else
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, piece := range pieces {
		if err := os.Rename(filepath.Join(work, piece.Name()), filepath.Join(data, piece.Name())); err != nil {
			return err
		}
	}
	if err := folder.Sync(data); err != nil {
		return err
	}
	return errors.Join(os.Remove(work), folder.Sync(data))
}

// wholeFolder refuses a data folder in which a restore was broken off.
func wholeFolder(data string) error {
	list, err := os.ReadDir(data)
	if err != nil {
		return fmt.Errorf("look at the data folder: %w", err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), restoring) {
			return fmt.Errorf("a restore into %s was broken off: not everything is there. Empty it and restore again", data)
		}
	}
	return nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// makeRestored prepares the studio's database for use.
func makeRestored(ctx context.Context, studio string, said manifest) (err error) {
	data, err := db.Open(ctx, studio)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	return data.MakeRestored(ctx, said.TakenAt)
}

// unpack writes the contents of a backup below a folder and believes no name in it that a backup has not.
func unpack(ctx context.Context, in io.Reader, folder string) (said manifest, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return said, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	r := tar.NewReader(in)
	first, err := r.Next()
	if err != nil || first.Name != manifestName {
		return said, errors.Join(errors.New("it is not a backup of this program"), err)
	}
	sum := sha256.New()
	if err := json.NewDecoder(io.TeeReader(io.LimitReader(r, 1<<20), sum)).Decode(&said); err != nil {
		return said, fmt.Errorf("it is not a backup of this program: %w", err)
	}
	if said.Format < 1 || said.Format > backupFormat {
		return said, fmt.Errorf("it has the format %d, this program reads %d; use the version %s", said.Format, backupFormat, said.Version)
	}
	whole, unsealed := newSeal(), said.Format == 1
	whole.add(manifestName, sum)
	for {
		if err := ctx.Err(); err != nil {
			return said, err
		}
		h, err := r.Next()
		if errors.Is(err, io.EOF) && unsealed {
			return said, nil
		}
		if err != nil {
			return said, fmt.Errorf("it is cut off or damaged: %w", err)
		}
		if h.Name == sealName {
			end, err := io.ReadAll(io.LimitReader(r, 1<<10))
			if err != nil || string(end) != whole.String() {
				return said, errors.Join(errors.New("it is damaged: what it holds is not what was written into it"), err)
			}
			return said, checkTail(in, len(end))
		}
		if err := unpackOne(root, h, r, whole); err != nil {
			return said, fmt.Errorf("%q: %w", h.Name, err)
		}
	}
}

// tarBlock is the size of the blocks of a tar archive, of which two of zeros end it (POSIX.1-2017, pax, "ustar Interchange Format").
const tarBlock = 512

// checkTail reports an error unless an archive goes on after its last file, of so many bytes, as a backup does: with the rest of the block
// and two blocks of zeros, and then nothing.
func checkTail(in io.Reader, size int) error {
	want := make([]byte, (tarBlock-size%tarBlock)%tarBlock+2*tarBlock)
	rest, err := io.ReadAll(io.LimitReader(in, int64(len(want))+1))
	switch {
	case err != nil:
		return fmt.Errorf("it is cut off or damaged: %w", err)
	case len(rest) < len(want):
		return errors.New("its end is missing: copy it again, all of it")
	case len(rest) > len(want):
		return errors.New("something follows its end: copy it again, it alone")
	case !bytes.Equal(rest, want):
		return errors.New("it is damaged: its end is not what was written")
	}
	return nil
}

func unpackOne(root *os.Root, h *tar.Header, r io.Reader, whole seal) (err error) {
	sum, ok := belongs(h.Name)
	if !ok || h.Typeflag != tar.TypeReg {
		return errors.New("no backup of this program holds such a file")
	}
	if err := root.MkdirAll(path.Dir(h.Name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(h.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, hash), r)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	whole.add(h.Name, hash)
	if sum != "" && hex.EncodeToString(hash.Sum(nil)) != sum {
		return errors.New("its bytes are not those it is named by")
	}
	return nil
}

// belongs says whether a backup may hold a file of that name, and which SHA-256 its bytes must have, "" for any.
func belongs(name string) (sum string, ok bool) {
	if slices.Contains(ownKeys, name) || name == accountFile {
		return "", true
	}
	for _, s := range stocks {
		if name == s.database {
			return "", true
		}
		if sum := path.Base(name); strings.HasPrefix(name, s.files+"/") && isSum(sum) && name == s.filePath(sum) {
			return sum, true
		}
	}
	return "", false
}
