package words

// What the gallery shows, where it is not the whole history.
const (
	GalleryDuplicatesHead = "Results whose files are exactly the same, byte for byte. Deleting one deletes its whole run."
)

// GalleryTrashHead says how long the trash keeps what is in it.
func GalleryTrashHead(days int) string {
	return "What is in the trash is deleted for good after " + plural(days, "day", "days") + ". Choose runs to restore them."
}
