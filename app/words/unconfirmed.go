package words

// The dialog about a run nobody knows the fate of.
const (
	UnconfirmedIDHelp        = "The studio checks the id with the image service and continues the run."
	UnconfirmedAgain         = "Run again"
	UnconfirmedAgainHelp     = "Starts a new run. If the first one went through too, both are billed."
	UnconfirmedDismissHelp   = "Marks it as failed. If it turns up later, it returns automatically."
	UnconfirmedDismissed     = "The run is marked as failed."
	UnconfirmedID            = "I have the id"
	UnconfirmedIDPlaceholder = "Execution id"
	UnconfirmedTakeOver      = "Continue run"
)

// UnconfirmedText says what is known of the run.
func UnconfirmedText(title string) string {
	return "“" + title + "” was sent, but no answer arrived and the image service does not list it. It may or may not have been accepted and billed. The studio does not send it again automatically."
}
