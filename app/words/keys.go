package words

// Names of keys as they are shown; Mod in the sheet stands for Ctrl, or Cmd on a Mac.
const (
	KeyEscape  = "Esc"
	KeyEnter   = "Enter"
	KeyDelete  = "Del"
	KeyControl = "Ctrl"
	KeyCommand = "⌘"
)
