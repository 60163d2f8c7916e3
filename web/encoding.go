package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// accepts says whether an Accept-Encoding header allows the named content coding (RFC 9110, 12.5.3).
func accepts(header, coding string) bool {
	wildcard := false
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != coding && name != "*" {
			continue
		}
		q := 1.0
		if v, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q="); ok {
			if f, err := strconv.ParseFloat(v, 64); err == nil {
				q = f
			}
		}
		if name == coding {
			return q > 0
		}
		wildcard = q > 0
	}
	return wildcard
}

// compress gives the brotli and gzip copies of a small text file.
func compress(data []byte) (br, gz []byte, err error) {
	var b, g bytes.Buffer
	bw := brotli.NewWriterLevel(&b, 9)
	gw, err := gzip.NewWriterLevel(&g, gzip.BestCompression)
	if err != nil {
		return nil, nil, fmt.Errorf("compress: %w", err)
	}
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{bw, gw} {
		if _, err := w.Write(data); err != nil {
			return nil, nil, fmt.Errorf("compress: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, nil, fmt.Errorf("compress: %w", err)
		}
	}
	return b.Bytes(), g.Bytes(), nil
}
