// Package uuid makes names that nothing else has.
package uuid

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
)

// NewString makes a random UUID (RFC 9562, section 5.4). The numbers come from Go's own generator, which the browser's
// cryptographic one seeds.
func NewString() string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	s := hex.EncodeToString(id[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
