package heic

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"testing"
)

//go:embed NOTICE
var notice []byte

// The decoder that is embedded is the one whose origin and licence NOTICE states.
func TestNoticeNamesTheEmbeddedDecoder(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(packed)
	if !bytes.Contains(notice, []byte(hex.EncodeToString(sum[:]))) {
		t.Errorf("NOTICE does not name the SHA-256 of heif.wasm.gz, %x", sum)
	}
}
