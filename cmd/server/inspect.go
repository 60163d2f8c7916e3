package main

import (
	"fmt"
	"io"
)

// printConfig shows what is in force; secrets only as given or not.
func printConfig(c config, w io.Writer) error {
	given := func(s fmt.Stringer, empty bool) string {
		if empty {
			return "(none)"
		}
		return s.String()
	}
	rows := [][2]string{
		{"listen", c.Listen},
		{"data", c.Data},
		{"image service", orElse(c.UpstreamURL, "embedded")},
		{"download host", orElse(c.DownloadURL, "the same")},
		{"api key", given(c.APIKey, c.APIKey == "")},
		{"public url", orElse(c.PublicURL, "(none: callbacks are never asked for)")},
		{"asset hosts", orElse(fmt.Sprint(c.AssetHosts), "[]")},
		{"surface", c.Surface},
		{"mask png", c.MaskPNG},
		{"debug listen", orElse(c.DebugListen, "(off)")},
		{"log", c.LogLevel.String() + " " + c.LogFormat},
		{"tls", orElse(c.TLSCert, "(none)")},
		{"launch token", given(c.LaunchToken, c.LaunchToken == "")},
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(w, "%-14s %s\n", r[0], r[1]); err != nil {
			return err
		}
	}
	return nil
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
