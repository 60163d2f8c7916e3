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
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"atelier/db"
	"atelier/internal/folder"
	"atelier/internal/sqldb"
)

// A backup is one tar file: manifest.json, then a copy of each database at one moment, and every file that a row of those copies
// speaks of; at the end the seal, by which a restore knows that all of it is there as it was written. The keys the program has made
// for itself are in it where that was asked for. It is taken while the program works: stored files never change. What is purged meanwhile is missing from it,
// which is said at the end.

// manifest is what a backup says of itself.
type manifest struct {
	Format  int       `json:"format"`
	Version string    `json:"version"` // of the program that took it
	TakenAt time.Time `json:"takenAt"`
}

const (
	manifestName = "manifest.json"
	sealName     = "seal"
	backupFormat = 2 // 1 had no seal
)

// seal is the SHA-256, in hex, of a line for each file before it, in order: the SHA-256 of its bytes and its name.
type seal struct{ lines hash.Hash }

func newSeal() seal { return seal{sha256.New()} }

func (s seal) add(name string, content hash.Hash) {
	s.lines.Write(fmt.Appendf(nil, "%x %q\n", content.Sum(nil), name))
}

func (s seal) String() string { return hex.EncodeToString(s.lines.Sum(nil)) }

// stock is one database and the folder of files its rows speak of, below the data folder.
type stock struct {
	database string
	files    string   // <files>/aa/bb/<sha256>
	except   []string // columns with a SHA-256 that names no file
}

var stocks = []stock{
	{database: "studio.db", files: "media/blobs", except: db.NotBlobs},
	{database: "service/service.db", files: "service/files"},
}

// ownKeys are secrets that the program has made for itself. They stay the same for as long as the data folder does, so to keep them
// once, apart from the backups, is enough; without them a restored studio makes new ones.
var ownKeys = []string{callbackKeyFile, "service/studio.key"}

const callbackKeyFile = "callback.key"

// accountFile holds the account of the image service that was entered in the settings, with its key. It is in a backup where keys are.
const accountFile = "account.json"

// filePath is where a stored file is below the folder of its stock.
func (s stock) filePath(sum string) string { return path.Join(s.files, sum[:2], sum[2:4], sum) }

// giveName gives a file its name, and refuses one that somebody else has taken meanwhile. Where files cannot have two names, as on
// exFAT and some shared folders, that is looked for just before.
func giveName(part, to string) error {
	err := os.Link(part, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, serr := os.Lstat(to); !errors.Is(serr, fs.ErrNotExist) {
		return errors.Join(err, serr)
	}
	return os.Rename(part, to)
}

const (
	backupUsage = "usage: atelier backup [" + withKeys + "] FILE"
	withKeys    = "-with-keys"
)

// backup writes the whole data folder to one new file, also while the program works.
func backup(ctx context.Context, cfg config, args []string, w io.Writer) (err error) {
	keys := len(args) > 0 && args[0] == withKeys
	if keys {
		args = args[1:]
	}
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return errors.New(backupUsage)
	}
	to, err := filepath.Abs(args[0])
	if err != nil {
		return fmt.Errorf("find %s: %w", args[0], err)
	}
	if _, err := os.Stat(to); err == nil {
		return fmt.Errorf("%s is there already; choose a new name, so that no backup is lost", to)
	}
	data, err := os.OpenRoot(cfg.Data)
	if err != nil {
		return fmt.Errorf("there is nothing to back up: %w", err)
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	work, err := os.MkdirTemp(filepath.Dir(to), ".atelier-backup-")
	if err != nil {
		return fmt.Errorf("prepare the backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	part := filepath.Join(work, "backup.tar")
	out, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("create the backup: %w", err)
	}
	b := &backupWriter{tar: tar.NewWriter(out), seal: newSeal(), data: data, keys: keys, takenAt: time.Now().UTC()}
	err = b.write(ctx, cfg.Data, work)
	if err = errors.Join(err, b.tar.Close(), out.Sync(), out.Close()); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	if err := giveName(part, to); err != nil {
		return fmt.Errorf("give the backup its name: %w", err)
	}
	if err := folder.Sync(filepath.Dir(to)); err != nil {
		return err
	}
	for _, problem := range b.problems {
		if _, err := fmt.Fprintln(w, "warning:", problem); err != nil {
			return err
		}
	}
	aside := "The studio's own keys are not in it (" + strings.Join(ownKeys, ", ") + "): they never change, keep a copy of them apart. An account entered in the settings (" + accountFile + ") is not either: enter it again after a restore."
	if keys {
		aside = "It also holds the studio's own keys, and the key of an account entered in the settings: keep it as safe as the data folder."
	}
	_, err = fmt.Fprintf(w, "%s holds %d files, %d bytes. %s\n", to, b.files, b.bytes, aside)
	return err
}

type backupWriter struct {
	tar      *tar.Writer
	seal     seal
	data     *os.Root
	keys     bool // are written too
	takenAt  time.Time
	files    int
	bytes    int64
	problems []string
}

func (b *backupWriter) write(ctx context.Context, data, work string) error {
	said, err := json.Marshal(manifest{Format: backupFormat, Version: version, TakenAt: b.takenAt})
	if err != nil {
		return err
	}
	if err := b.addBytes(manifestName, said); err != nil {
		return err
	}
	if b.keys {
		if err := b.addKeys(); err != nil {
			return err
		}
	}
	found := false
	for i, s := range stocks {
		if _, err := b.data.Stat(s.database); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		found = true
		// The database first: whatever its copy speaks of was stored before.
		snapshot := filepath.Join(work, fmt.Sprint(i, ".db"))
		if err := sqldb.Snapshot(ctx, filepath.Join(data, s.database), snapshot); err != nil {
			return err
		}
		if err := b.addStock(ctx, s, snapshot); err != nil {
			return err
		}
		if err := os.Remove(snapshot); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s holds no database of this program", data)
	}
	end := b.seal.String()
	if err := b.tar.WriteHeader(b.header(sealName, int64(len(end)))); err != nil {
		return err
	}
	_, err = io.WriteString(b.tar, end)
	return err
}

func (b *backupWriter) addKeys() error {
	for _, key := range append(slices.Clone(ownKeys), accountFile) {
		secret, err := b.data.ReadFile(key)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = b.addBytes(key, secret)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *backupWriter) addStock(ctx context.Context, s stock, snapshot string) error {
	f, err := os.Open(snapshot)
	if err != nil {
		return err
	}
	if err := errors.Join(b.addFile(s.database, f), f.Close()); err != nil {
		return err
	}
	problems, err := s.each(ctx, snapshot, func(sums []string) error { return b.addFiles(ctx, s, sums) })
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%s is damaged: %s", s.database, problems[0])
	}
	return err
}

func (b *backupWriter) addFiles(ctx context.Context, s stock, sums []string) error {
	for _, sum := range sums {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := b.data.Open(s.filePath(sum))
		if errors.Is(err, fs.ErrNotExist) {
			b.problems = append(b.problems, "the file "+sum+" of "+s.files+" is missing and not in the backup; atelier check tells more")
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(b.addFile(s.filePath(sum), f), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (b *backupWriter) addBytes(name string, data []byte) error {
	return b.add(name, int64(len(data)), bytes.NewReader(data))
}

func (b *backupWriter) addFile(name string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return b.add(name, info.Size(), f)
}

func (b *backupWriter) add(name string, size int64, from io.Reader) error {
	if err := b.tar.WriteHeader(b.header(name, size)); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(b.tar, sum), from)
	b.files, b.bytes = b.files+1, b.bytes+n
	b.seal.add(name, sum)
	return err
}

func (b *backupWriter) header(name string, size int64) *tar.Header {
	return &tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: b.takenAt, Format: tar.FormatPAX}
}

// each hands the files that the rows of a database speak of to use, in order, part by part, and gives what is wrong with the
// database; when its structure is, no file is handed over.
func (s stock) each(ctx context.Context, database string, use func(sums []string) error) (problems []string, err error) {
	open, err := sqldb.OpenToRead(database)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, open.Close()) }()
	if problems, err = sqldb.Verify(ctx, open); err != nil || len(problems) > 0 {
		return problems, err
	}
	if problems, err = sqldb.Misnamed(ctx, open, s.except...); err != nil {
		return nil, err
	}
	columns, err := sqldb.FileColumns(ctx, open, s.except...)
	if err != nil {
		return nil, err
	}
	parts, err := sqldb.Parts(ctx, open, columns)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		files, err := sqldb.NamedFiles(ctx, open, columns, part)
		if err != nil {
			return nil, err
		}
		sums := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(sum string) bool { return !isSum(sum) })
		if err := use(sums); err != nil {
			return nil, err
		}
	}
	return problems, nil
}

// isSum says whether a text is a SHA-256 in lower case hex.
func isSum(s string) bool {
	for _, r := range s {
		if (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return len(s) == 64
}
