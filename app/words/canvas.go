package words

// Usual shapes of a larger canvas.
const (
	CanvasSquare    = "Square 1:1"
	CanvasPortrait  = "Portrait 4:5"
	CanvasProduct   = "Product 3:4"
	CanvasStory     = "Story 9:16"
	CanvasLandscape = "Landscape 4:3"
	CanvasWide      = "Wide 16:9"
	CanvasBanner    = "Banner 3:1"
)

// Sizes in the form.
const (
	CanvasShapeTitle = "Shape around the photo"
	CanvasCentre     = "Centre"
	CanvasShapes     = "Shapes"
	CanvasSizes      = "Usual sizes"

	CanvasSizesSearch   = "Search sizes"
	CanvasSizesNone     = "The service offers no sizes. Enter the numbers below."
	CanvasSizesNotFound = "No size matches."
)

// CanvasAt says how large the canvas is, and where the photo stands on it.
func CanvasAt(w, h, left, top int) string {
	return CanvasSize(w, h) + ", photo " + number(left) + " from the left, " + number(top) + " from the top"
}

// CanvasSize says how large the canvas is.
func CanvasSize(w, h int) string { return "Canvas " + Dimensions(w, h) }

// CanvasPhotoAt says where the photo stands.
func CanvasPhotoAt(left, top int) string { return "photo at " + number(left) + ", " + number(top) }
