// Command packwasm turns programs built for the browser into what the server embeds: of each a brotli and a gzip copy, the hash
// that names its URL and its uncompressed size (which the progress bar needs). They have the program's name. The program is written
// anew for that, with its data in few segments, which compresses better, and without what it knows of source lines. It prints
// the sizes.
//
//	packwasm [-q 11] app.wasm … folder
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"golang.org/x/sync/errgroup"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "packwasm:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("packwasm", flag.ContinueOnError)
	quality := flags.Int("q", brotli.BestCompression, "brotli quality, 0 to 11")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return errors.New("usage: packwasm [-q 11] app.wasm … folder")
	}
	last := flags.NArg() - 1
	var all errgroup.Group
	said := make([]string, last)
	for i, program := range flags.Args()[:last] {
		all.Go(func() (err error) {
			said[i], err = packed(program, flags.Arg(last), *quality)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, strings.Join(said, "")); err != nil {
		return fmt.Errorf("say how large they are: %w", err)
	}
	return nil
}

// packed packs one program into a folder, with both compressors at once, and says how large it is.
func packed(path, folder string, quality int) (string, error) {
	wasm, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	if wasm, err = joinSegments(wasm); err != nil {
		return "", fmt.Errorf("pack the program's data: %w", err)
	}
	program := filepath.Base(path)
	sum := sha256.Sum256(wasm)
	hash := hex.EncodeToString(sum[:10])

	var br, gz []byte
	var both errgroup.Group
	both.Go(func() (err error) {
		br, err = pack(wasm, func(w io.Writer) (io.WriteCloser, error) {
			return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: quality, LGWin: 24}), nil
		})
		return err
	})
	both.Go(func() (err error) {
		gz, err = pack(wasm, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) })
		return err
	})
	if err := both.Wait(); err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{
		program + ".br": br, program + ".gz": gz, program + ".hash": []byte(hash), program + ".size": []byte(strconv.Itoa(len(wasm))),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return "", fmt.Errorf("write the packed program: %w", err)
		}
	}
	return fmt.Sprintf("%s %s: %d bytes, gzip %d, brotli %d\n", program, hash, len(wasm), len(gz), len(br)), nil
}

func pack(data []byte, compressor func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var b bytes.Buffer
	w, err := compressor(&b)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return b.Bytes(), nil
}
