package words

// Cards of files on their way.
const (
	UploadChecking = "Checking"
	UploadSaving   = "Saving"
)
