//go:build !wasm

package mask

import "encoding/binary"

// load64 reads eight bytes at once, the first one lowest.
func load64(b []uint8) uint64 { return binary.LittleEndian.Uint64(b) }

// store64 is the opposite of load64.
func store64(b []uint8, v uint64) { binary.LittleEndian.PutUint64(b, v) }

// store32 writes four bytes at once, the lowest first.
func store32(b []uint8, v uint32) { binary.LittleEndian.PutUint32(b, v) }

// load32 reads four bytes at once, the first one lowest.
func load32(b []uint8) uint32 { return binary.LittleEndian.Uint32(b) }
