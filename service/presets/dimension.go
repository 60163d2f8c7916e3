package presets

// Dimension is a size pictures are often wanted in. Task API, "Dimension".
type Dimension struct {
	Name          string
	Width, Height int // pixels, each at most 4096
}

// Dimensions lists the sizes the service offers. The caller owns the slice.
func Dimensions() []Dimension {
	return []Dimension{
		{Name: "Square post", Width: 1080, Height: 1080},
		{Name: "Portrait post", Width: 1080, Height: 1350},
		{Name: "Story", Width: 1080, Height: 1920},
		{Name: "Landscape banner", Width: 1920, Height: 1080},
		{Name: "Marketplace square", Width: 2000, Height: 2000},
		{Name: "Marketplace portrait", Width: 1600, Height: 2000},
		{Name: "Pin", Width: 1000, Height: 1500},
		{Name: "Lookbook page", Width: 1200, Height: 1600},
		{Name: "Lookbook spread", Width: 2400, Height: 1600},
		{Name: "A4 at 150 dpi", Width: 1240, Height: 1754},
		{Name: "A4 at 300 dpi", Width: 2480, Height: 3508},
		{Name: "Wide hero", Width: 2560, Height: 1440},
	}
}
