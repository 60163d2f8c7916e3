//go:build !js || !wasm

// Command selectwasm is smart select for a worker of the browser (main_js.go). Built for anything else it does nothing.
package main

func main() {}
