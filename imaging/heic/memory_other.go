//go:build !unix

package heic

func reserve(n int) []byte { return make([]byte, n) }

func release([]byte) {}
