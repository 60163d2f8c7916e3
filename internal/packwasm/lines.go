package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Parts of the table by which Go's runtime knows its functions: pcHeader in runtime/symtab.go and _func in
// runtime/runtime2.go, of Go 1.20 and later. Numbers are little-endian; an address takes 8 bytes also in WebAssembly.
const (
	tableHeader = "\xf1\xff\xff\xff\x00\x00\x01\x08" // magic, padding, size of the smallest instruction, size of an address

	atFunctions = 8  // how many functions there are
	atPCTables  = 56 // offset from the header to the tables of what holds from which instruction on
	atFuncTable = 64 // offset from the header to the table of functions
	headerSize  = 72

	funcSP        = 16 // offset of the table of stack sizes
	funcFile      = 20 // offset of the table of files
	funcLine      = 24 // offset of the table of lines
	funcPCData    = 28 // how many further tables there are
	funcUnit      = 32 // where the names of the files begin
	funcStart     = 36 // the line it starts at
	funcDataCount = 43 // how many further pieces of data there are
	funcSize      = 44

	pcDataUnsafePoint = 0 // asked for only where a signal stops a goroutine, and WebAssembly has no signals
	pcDataArgLive     = 3 // asked for only to print arguments
	funcDataArgInfo   = 5
)

// dropLines takes out of the program's data what its runtime knows of source lines and arguments, and needs only to print them
// when all ends in a panic. Functions keep their names, and everything that running takes. Data without a table of functions
// stays as it is.
func dropLines(data []byte) error {
	at := bytes.Index(data, []byte(tableHeader))
	if at < 0 {
		return nil
	}
	table := data[at:]
	if bytes.Contains(table[len(tableHeader):], []byte(tableHeader)) {
		return errors.New("there are two tables of functions")
	}
	if len(table) < headerSize {
		return errDamaged
	}
	order := binary.LittleEndian
	count, pcTables, funcTable := order.Uint64(table[atFunctions:]), order.Uint64(table[atPCTables:]), order.Uint64(table[atFuncTable:])
	size := uint64(len(table))
	if pcTables > funcTable || funcTable > size || count > (size-funcTable)/8 {
		return errDamaged
	}
	old, functions := table[pcTables:funcTable], table[funcTable:]

	kept := []byte{0} // no table is at 0
	moved := map[uint32]uint32{0: 0}
	for i := range count {
		offset := uint64(order.Uint32(functions[8*i+4:]))
		if offset+funcSize > uint64(len(functions)) {
			return errDamaged
		}
		function := functions[offset:]
		tables, more := uint64(order.Uint32(function[funcPCData:])), uint64(function[funcDataCount])
		if funcSize+4*(tables+more) > uint64(len(function)) {
			return errDamaged
		}
		for _, field := range []uint64{funcFile, funcLine, funcUnit, funcStart} {
			order.PutUint32(function[field:], 0)
		}
		for _, index := range []uint64{pcDataUnsafePoint, pcDataArgLive} {
			if index < tables {
				order.PutUint32(function[funcSize+4*index:], 0)
			}
		}
		if more > funcDataArgInfo {
			order.PutUint32(function[funcSize+4*(tables+funcDataArgInfo):], ^uint32(0))
		}
		for field := uint64(funcSP); field < funcSize+4*tables; field += 4 {
			if field > funcSP && field < funcSize {
				continue
			}
			from := order.Uint32(function[field:])
			to, known := moved[from]
			if !known {
				length, whole := pcTable(old, from)
				if !whole {
					return errDamaged
				}
				to = uint32(len(kept))
				moved[from] = to
				kept = append(kept, old[from:from+length]...)
			}
			order.PutUint32(function[field:], to)
		}
	}
	if len(kept) > len(old) {
		return errDamaged
	}
	clear(old[copy(old, kept):])
	return nil
}

var errDamaged = errors.New("the table of functions is not as it should be")

// pcTable says how long the table that begins at from is: pairs of what is added to a value and how many instructions that holds for.
func pcTable(tables []byte, from uint32) (length uint32, whole bool) {
	if int(from) >= len(tables) {
		return 0, false
	}
	r := reader{data: tables[from:]}
	for first := true; !r.short; first = false {
		if r.uvarint() == 0 && !first {
			break
		}
		r.uvarint()
	}
	return uint32(len(tables[from:]) - len(r.data)), !r.short
}
