package browser

// File is a file the user picked, dropped or pasted. Its bytes stay with the browser until they are asked for.
type File struct {
	Name string
	Size int64
	Type string // what the browser believes it is; never trusted
	handle
}
