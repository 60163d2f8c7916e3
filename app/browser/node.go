package browser

// Node is an element of a part of the page that is drawn without the framework, because much of it changes within a frame.
type Node struct {
	Tag   string
	Attr  []string // names and values, in pairs; one without a value is left out. What is alike names the same ones in the same order.
	Text  string   // in place of Body
	Body  []Node
	Fresh string // an element is not used again for another one: a picture would show the former until it has the new
	Sheet string // the name a picture has in the sheet of its row, with which it comes; Fresh is then its own address
}

// Row is a row of a wall: what is in it, and where it stands.
type Row struct {
	Top, Height float64 // CSS px
	Body        []Node
	Blank       bool   // what is in it is not made yet: it shows as a bar
	Sheet       string // where its pictures are asked for together, names with commas between at the end; they come in lines, as data: addresses
}
