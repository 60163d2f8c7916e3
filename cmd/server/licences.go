package main

import (
	"fmt"
	"io"

	"atelier/imaging/heic"
	"atelier/imaging/net"
	"atelier/imaging/segment"
)

// writeLicences writes the origin and licence of the data files that the program carries.
func writeLicences(w io.Writer) error {
	for _, notice := range []string{net.Notice, segment.Notice, heic.Notice} {
		if _, err := fmt.Fprintln(w, notice); err != nil {
			return err
		}
	}
	return nil
}
