package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"atelier/catalog"
)

// agents shows the agents that are offered: a table, or with --json everything there is to know about them.
func agents(getenv func(string) string, args []string, w io.Writer) error {
	if len(args) > 0 && !slices.Equal(args, []string{"--json"}) {
		return errors.New("usage: atelier agents [--json]")
	}
	list, err := loadAgents(getenv)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(t, "NAME\tFAMILY\tMAKES\tSURFACES\tTITLE\tTAKES"); err != nil {
		return err
	}
	for _, a := range list {
		if _, err := fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", a.Name, a.Family, a.Makes, surfaces(a), a.Title, a.Takes()); err != nil {
			return err
		}
	}
	return t.Flush()
}

func surfaces(a catalog.Agent) string {
	words := make([]string, len(a.Surfaces))
	for i, s := range a.Surfaces {
		words[i] = string(s)
	}
	return strings.Join(words, ",")
}

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
		{"callback listen", orElse(c.CallbackListen, "(the same as listen)")},
		{"callback allow", orElse(networks(c.CallbackAllow), "(everybody who has the address of a run)")},
		{"trusted proxies", orElse(networks(c.TrustedProxies), "(none)")},
		{"request rate", strconv.FormatFloat(c.RequestRate, 'g', -1, 64) + " a second" + orElse(map[bool]string{true: ", not for the embedded service"}[c.embedded()], "")},
		{"idempotency", strconv.FormatBool(c.RunIdempotency || c.embedded())},
		{"estimates", strconv.FormatBool(c.Estimates || c.embedded())},
		{"mask route", c.MaskRoute},
		{"asset hosts", orElse(fmt.Sprint(c.AssetHosts), "[]")},
		{"catalog file", orElse(c.CatalogFile, "(none)")},
		{"agents", fmt.Sprint(len(c.Agents))},
		{"surface", c.Surface},
		{"mask png", c.MaskPNG},
		{"media route", c.MediaRoute},
		{"media bytes", orElse(strings.TrimPrefix(strconv.FormatInt(c.MediaBytes, 10), "0"), "(the studio's own limit)")},
		{"trash", strconv.Itoa(c.TrashDays) + " days"},
		{"debug listen", orElse(c.DebugListen, "(off)")},
		{"log", c.LogLevel.String() + " " + c.LogFormat},
		{"tls", orElse(c.TLSCert, map[bool]string{true: "automatic", false: "(none)"}[c.TLSAuto])},
		{"users", map[bool]string{true: "team", false: "single"}[c.team()]},
		{"switches", orElse(c.Switches.String(), "(none: the service as documented)")},
		{"launch token", given(c.LaunchToken, c.LaunchToken == "")},
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(w, "%-15s %s\n", r[0], r[1]); err != nil {
			return err
		}
	}
	return nil
}

func networks(list []netip.Prefix) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = p.String()
	}
	return strings.Join(words, ", ")
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
