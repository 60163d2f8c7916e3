package mask

import "unsafe"

// load64 reads eight bytes at once, the first one lowest. The compiler joins such loads for other processors by itself. WebAssembly
// loads from any address; the first line of each function checks the length.
func load64(b []uint8) uint64 {
	_ = b[7]
	return *(*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
}

// store64 is the opposite of load64.
func store64(b []uint8, v uint64) {
	_ = b[7]
	*(*uint64)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

// store32 writes four bytes at once, the lowest first.
func store32(b []uint8, v uint32) {
	_ = b[3]
	*(*uint32)(unsafe.Pointer(unsafe.SliceData(b))) = v
}

// load32 reads four bytes at once, the first one lowest.
func load32(b []uint8) uint32 {
	_ = b[3]
	return *(*uint32)(unsafe.Pointer(unsafe.SliceData(b)))
}
