// Command packwasm turns a program built for the browser into what the server embeds: a brotli and a gzip copy, the hash that
// names its URL and its uncompressed size (which the progress bar needs). They have the program's name. The program is written anew
// for that, with its data in few segments, which compresses better. It prints the sizes.
//
//	packwasm [-q 11] app.wasm folder
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

	"github.com/andybalholm/brotli"
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
	if flags.NArg() != 2 {
		return errors.New("usage: packwasm [-q 11] app.wasm folder")
	}
	wasm, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return fmt.Errorf("read the program: %w", err)
	}
	if wasm, err = joinSegments(wasm); err != nil {
		return fmt.Errorf("pack the program's data: %w", err)
	}
	program := filepath.Base(flags.Arg(0))
	folder := flags.Arg(1)
	sum := sha256.Sum256(wasm)
	hash := hex.EncodeToString(sum[:10])

	br, err := pack(wasm, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: *quality, LGWin: 24}), nil
	})
	if err != nil {
		return err
	}
	gz, err := pack(wasm, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) })
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		program + ".br": br, program + ".gz": gz, program + ".hash": []byte(hash), program + ".size": []byte(strconv.Itoa(len(wasm))),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return fmt.Errorf("write the packed program: %w", err)
		}
	}
	if _, err := fmt.Fprintf(out, "%s %s: %d bytes, gzip %d, brotli %d\n", program, hash, len(wasm), len(gz), len(br)); err != nil {
		return err
	}
	return nil
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
