package heic

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// The decoder that is embedded is the one whose origin and licence NOTICE states.
func TestNoticeNamesTheEmbeddedDecoder(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(packed)
	if !strings.Contains(Notice, hex.EncodeToString(sum[:])) {
		t.Errorf("NOTICE does not name the SHA-256 of heif.wasm.gz, %x", sum)
	}
}
