package bff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/media"
	"atelier/catalog"
	"atelier/db"
	"atelier/imaging/video"
	"atelier/internal/outbound"
	"atelier/upstream"
)

// Config is what a Server is made of. DB, Upstream, Outbound, Store, CallbackKey and Hosts are needed.
type Config struct {
	DB           *db.DB
	Upstream     *upstream.Client // made with OnAnswer, or raw answers are not kept
	UpstreamKind string           // embedded, remote
	UpstreamID   string           // names the account whose uploads and presets are remembered; "" = UpstreamKind
	// Stop ends the work on an execution of the embedded service at once; nil = the image service cannot be made to stop.
	Stop     func(ctx context.Context, execution string) error
	Outbound *outbound.Client // results, PSD files and preview pictures are fetched with it
	// AccountFile is where an account that is entered in the settings is kept, with its key. It needs Connect.
	AccountFile string
	// Connect makes the client of an account that is entered in the settings, without sending anything; nil = none can be entered.
	Connect func(Connection) (Remote, error)
	// AccountFixed says that the operator has chosen the account: Upstream stays, and AccountFile only serves runs under way.
	AccountFixed bool
	Store        *media.Store
	CallbackKey  []byte   // at least 16 random bytes, kept over restarts: callback addresses are made with it
	PublicURL    string   // where browsers and the image service reach the studio; "" = callbacks are never asked for
	Hosts        []string // the Host headers that are answered, as host:port
	TLS          bool     // browsers speak https with us; implied by TrustedProxies with an https PublicURL
	// NoCallbacks never asks for callbacks, whatever PublicURL is: an image service within this process is looked at without them, and
	// refuses an address that is not on the public internet, as that of a studio for one house is.
	NoCallbacks bool
	// CallbackAllow are the only networks that callbacks are taken from; none = all.
	CallbackAllow []netip.Prefix
	// ProbeAfter is how long after the start the studio looks whether its public address leads back to it (5 s).
	ProbeAfter time.Duration
	// PollRate is how many questions a second about runs go to the image service; 0 = no limit, 100 where it is embedded.
	PollRate rate.Limit
	// TrustedProxies stand before us: what they say about a client's address is believed, and nobody else.
	TrustedProxies []netip.Prefix
	Version        string
	Build          string // of the browser client
	LaunchToken    string // a fixed one that works many times; "" = only LaunchCode's
	Team           bool   // people have accounts and sign in by name and password; else by launch codes alone
	LinkBase       string // what the printed address begins with, such as http://127.0.0.1:8080
	Surface        string // auto, task, run
	MaskRoute      string // base64, url
	MaskPNG        string // rgba, palette
	Idempotency    bool   // the image service honours Idempotency-Key on run start
	Estimates      bool   // the image service offers power estimates
	Agents         []catalog.Agent
	Video          *video.Tool // takes posters and last frames out of videos; nil = there are those alone that the image service gives
	NoVideo        string      // why the image service cannot make videos, and what to do; "" = it can
	MediaBytes     int64       // the largest video or sound that is taken; 0 = 200 MiB
	MediaRoute     string      // how videos and sounds reach the image service: auto, upload, url
	TrashDays      int         // how long a run stays in the trash before it is deleted for good; 0 = 30
	Logger         *slog.Logger
	Terminal       io.Writer // where whoever runs the studio reads addresses that let in who has them; never a log (standard output)
	Now            func() time.Time
	Panics         *atomic.Int64 // counts panics, of whatever else is in the process too; nil = those of the studio alone
	// These are those of jobs.Options; 0 = what suits UpstreamKind.
	Settle, Confirm, PollMin, PollMax, RetryMin, GiveUp, Due, HintGap, Sweep, Late time.Duration
	HintRate                                                                       rate.Limit
}

// FirstUser is who works while the studio has no accounts; the first account is this user's.
const FirstUser = atelier.UserID("local")

var localUser = atelier.User{ID: FirstUser, Name: "Designer", Role: atelier.Admin}

// Embedded is the UpstreamKind of the image service in this process.
const embedded = "embedded"

// remote is the UpstreamKind of every other one.
const remote = "remote"

// complete checks a configuration and fills in what is not given.
func (c *Config) complete() error {
	var problems []error
	need := func(ok bool, what string) {
		if !ok {
			problems = append(problems, errors.New(what))
		}
	}
	need(c.DB != nil, "a database is needed")
	need(c.Upstream != nil, "an image service is needed")
	need(c.Outbound != nil, "a client for downloads is needed")
	need(c.Store != nil, "a content store is needed")
	need(len(c.CallbackKey) >= 16, "the callback key needs 16 bytes")
	need(len(c.Hosts) > 0, "the hosts to answer are needed")
	need((c.AccountFile == "") == (c.Connect == nil), "an account file and a way to connect are given together")
	need(!c.Team || c.LaunchToken == "", "a launch token opens no studio where people have accounts")
	oneOf := func(v *string, name string, allowed ...string) {
		if *v == "" {
			*v = allowed[0]
		}
		for _, a := range allowed {
			if *v == a {
				return
			}
		}
		problems = append(problems, fmt.Errorf("%s is %q, want one of %s", name, *v, strings.Join(allowed, ", ")))
	}
	oneOf(&c.UpstreamKind, "the kind of image service", embedded, "remote")
	oneOf(&c.Surface, "the surface", "auto", "task", "run")
	oneOf(&c.MaskRoute, "the route of masks", "base64", "url")
	oneOf(&c.MaskPNG, "the form of masks", "rgba", "palette")
	oneOf(&c.MediaRoute, "the route of videos", "auto", "upload", "url")
	need(c.MediaRoute != "url" || c.PublicURL != "", "videos by their address need a public address of the studio")
	need(c.TrashDays >= 0, "the days in the trash must not be negative")
	if c.TrashDays == 0 {
		c.TrashDays = 30
	}
	if c.MediaBytes == 0 {
		c.MediaBytes = 200 << 20
	}
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		need(err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http"), "the public address must be an http or https URL")
		c.TLS = c.TLS || err == nil && u.Scheme == "https" && len(c.TrustedProxies) > 0
	}
	if c.UpstreamID == "" {
		c.UpstreamID = c.UpstreamKind
	}
	if c.Agents == nil {
		c.Agents = catalog.All()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Logger = slog.New(numbered{c.Logger.Handler()})
	if c.Panics == nil {
		c.Panics = new(atomic.Int64)
	}
	if c.Terminal == nil {
		c.Terminal = os.Stdout
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	standard(&c.ProbeAfter, 5*time.Second)
	return errors.Join(problems...)
}

func standard(d *time.Duration, v time.Duration) {
	if *d == 0 {
		*d = v
	}
}
