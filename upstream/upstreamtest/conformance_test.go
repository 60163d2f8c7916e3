package upstreamtest_test

import (
	"os"
	"testing"

	"atelier/upstream/upstreamtest"
)

// TestConformance checks a service of one's own choice, such as a real account.
func TestConformance(t *testing.T) {
	on := upstreamtest.Target{
		BaseURL: os.Getenv("ATELIER_CONFORMANCE_URL"), DownloadURL: os.Getenv("ATELIER_CONFORMANCE_DOWNLOAD_URL"),
		Key: os.Getenv("ATELIER_CONFORMANCE_KEY"), OtherKey: os.Getenv("ATELIER_CONFORMANCE_OTHER_KEY"),
		SecondKey:  os.Getenv("ATELIER_CONFORMANCE_SECOND_KEY"),
		VideoAgent: os.Getenv("ATELIER_CONFORMANCE_VIDEO_AGENT"), PersonAgent: os.Getenv("ATELIER_CONFORMANCE_PERSON_AGENT"),
		Film: os.Getenv("ATELIER_CONFORMANCE_FILM"), Sound: os.Getenv("ATELIER_CONFORMANCE_SOUND"),
		Paid: os.Getenv("ATELIER_CONFORMANCE_PAID") == "1", Costly: os.Getenv("ATELIER_CONFORMANCE_COSTLY") == "1",
	}
	if on.BaseURL == "" || on.Key == "" {
		t.Skip("ATELIER_CONFORMANCE_URL and ATELIER_CONFORMANCE_KEY say which service to check")
	}
	upstreamtest.Run(t, on)
}
