package bff

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/bff/media"
	"atelier/bff/words"
	"atelier/db"
	"atelier/internal/folder"
	"atelier/internal/outbound"
	"atelier/upstream"
)

// The account of the image service can be entered in the settings. It is kept in a file of its own beside the database, with its key, for
// the operator's user alone, and is in neither the database nor an answer. Runs stay with the account they were started with, so a former
// account is kept, and its key with it, until the last of its runs has ended.

// Connection is an account of the image service that was entered in the settings.
type Connection struct {
	ID        string // names it in the database
	Address   string
	Downloads string   // of its layered files; "" = Address
	Hosts     []string // the only ones that pictures are fetched from; none = the operator's choice
	Key       upstream.Secret
}

// Remote is the client of such an account, and what the operator has said of remote services.
type Remote struct {
	Client                 *upstream.Client
	Outbound               *outbound.Client
	Idempotency, Estimates bool
	PollRate               rate.Limit
}

// kept is a Connection in the file.
type kept struct {
	ID        string   `json:"id"`
	Address   string   `json:"address"`
	Downloads string   `json:"downloads,omitempty"`
	Hosts     []string `json:"hosts,omitempty"`
	Key       string   `json:"key"`
}

func (k kept) connection() Connection {
	return Connection{ID: k.ID, Address: k.Address, Downloads: k.Downloads, Hosts: k.Hosts, Key: upstream.Secret(k.Key)}
}

// keptAccounts is the file.
type keptAccounts struct {
	Current *kept  `json:"current,omitempty"`
	Former  []kept `json:"former,omitempty"` // with runs under way
	// Known are the IDs that were given, by address, also those whose keys are deleted.
	Known map[string][]string `json:"known,omitempty"`
}

// connections holds the accounts of a Server.
type connections struct {
	// asked is held while one user's change is tried and made: a second user is refused.
	asked sync.Mutex
	// changing is held while the accounts change, by users or by prune, which users wait for.
	changing sync.Mutex
	// recording is held to read by who records a run, and to write while another account becomes the current one.
	recording sync.RWMutex
	tries     *rate.Limiter

	mu     sync.Mutex
	file   keptAccounts
	base   *jobs.Account // the operator's choice, or the embedded service
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

const (
	// triesAtOnce and triesEvery bound how often accounts are tried: each try asks an address that a user has chosen.
	triesAtOnce = 10
	triesEvery  = 6 * time.Second
	// tryTime is how long an account may take to answer that is tried.
	tryTime = 20 * time.Second
	// mostHosts and longestAddress bound what is entered.
	mostHosts, longestAddress, longestKey = 20, 500, 500
	// pruneEvery is how often former accounts are looked at whether they are still needed.
	pruneEvery = time.Minute
	// evidenceFor is how far back runs are looked for that tell whether a key belongs to an account known here.
	evidenceFor = 90 * 24 * time.Hour
	// idMark stands in IDs between an address and what tells several accounts there apart.
	idMark = "#"
	// shownOfKey is how many characters of a key are shown to administrators, and shortestShown the shortest key of which any are.
	shownOfKey, shortestShown = 4, 16
)

// open reads the file and makes the accounts.
func (c *connections) open(s *Server) (current *jobs.Account, former []*jobs.Account, err error) {
	c.tries = rate.NewLimiter(rate.Every(triesEvery), triesAtOnce)
	c.base = s.account(s.c.UpstreamKind, s.c.UpstreamID, Remote{Client: s.c.Upstream, Outbound: s.c.Outbound, Idempotency: s.c.Idempotency, Estimates: s.c.Estimates, PollRate: s.c.PollRate})
	if s.c.Connect == nil {
		return c.base, nil, nil
	}
	raw, err := os.ReadFile(s.c.AccountFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("read the account of the settings: %w", err)
	}
	if err == nil && json.Unmarshal(raw, &c.file) != nil { // whose error might quote the key
		return nil, nil, errors.New("the file with the account of the settings is damaged: delete it, and enter the account again")
	}
	return c.accounts(s, c.file)
}

// accounts makes the accounts of what the file holds.
func (c *connections) accounts(s *Server, file keptAccounts) (current *jobs.Account, former []*jobs.Account, err error) {
	current = c.base
	list := slices.Clone(file.Former)
	if file.Current != nil {
		list = append(list, *file.Current)
	}
	for _, k := range list {
		if k.ID == c.base.ID {
			continue // the operator's key counts
		}
		a, err := s.connected(k.connection())
		if err != nil {
			return nil, nil, fmt.Errorf("prepare the account of the settings: %w", err)
		}
		if file.Current != nil && k.ID == file.Current.ID && !s.c.AccountFixed {
			current = a
			continue
		}
		former = append(former, a)
	}
	if current != c.base {
		former = append(former, c.base)
	}
	return current, former, nil
}

// connected makes the account of a connection.
func (s *Server) connected(c Connection) (*jobs.Account, error) {
	r, err := s.c.Connect(c)
	if err != nil {
		return nil, err
	}
	return s.account(remote, c.ID, r), nil
}

// account makes an account: how the studio behaves towards it depends on its kind.
func (s *Server) account(kind, id string, r Remote) *jobs.Account {
	a := &jobs.Account{
		ID: id, Kind: kind, Client: r.Client, Outbound: r.Outbound, Idempotent: r.Idempotency, Estimates: r.Estimates, PollRate: r.PollRate,
		Settle: s.c.Settle, Confirm: s.c.Confirm, PollMin: s.c.PollMin, PollMax: s.c.PollMax, HintGap: s.c.HintGap,
	}
	route := s.c.MediaRoute
	if kind == embedded {
		a.NoVideo, a.Stop = s.c.NoVideo, s.c.Stop
		// Nothing is on its way in a process of our own: a lost answer is a finished one.
		standard(&a.Settle, 3*time.Second)
		standard(&a.Confirm, time.Second)
		standard(&a.PollMin, 300*time.Millisecond)
		standard(&a.PollMax, 500*time.Millisecond)
		standard(&a.HintGap, time.Second)
		// However many runs are open, watching them leaves the processor to those who make them.
		if a.PollRate == 0 {
			a.PollRate = 100
		}
		if route == "auto" {
			route = "upload"
		}
	}
	if s.c.PublicURL != "" && !(s.c.NoCallbacks && id == s.c.UpstreamID) {
		a.CallbackURL = s.callbackURL
	}
	if route != "upload" && s.c.PublicURL != "" {
		a.MediaURL = s.mediaURL
	}
	a.NoMedia = route == "auto" && s.c.PublicURL == ""
	return a
}

// start looks after former accounts until stop.
func (c *connections) start(ctx context.Context, s *Server) {
	if s.c.Connect == nil {
		return
	}
	ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.wg.Go(func() {
		defer s.survive("looking after former accounts")
		t := time.NewTicker(cmp.Or(s.c.Sweep, pruneEvery))
		defer t.Stop()
		for {
			if err := s.prune(ctx); err != nil && ctx.Err() == nil {
				s.log.ErrorContext(ctx, "delete keys of former accounts", "error", err)
			}
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
		}
	})
}

func (c *connections) stop() {
	if c.cancel != nil {
		c.cancel()
	}
	c.wg.Wait()
}

// prune deletes the keys of former accounts that nothing is waited for from any more.
func (s *Server) prune(ctx context.Context) error {
	c := &s.connections
	c.changing.Lock()
	defer c.changing.Unlock()
	next := c.held()
	if len(next.Former) == 0 {
		return nil
	}
	c.recording.Lock()
	defer c.recording.Unlock()
	before := len(next.Former)
	if err := s.dropUnused(ctx, &next); err != nil || len(next.Former) == before {
		return err
	}
	return s.use(next)
}

// dropUnused takes former accounts out that nothing is waited for from.
func (s *Server) dropUnused(ctx context.Context, file *keptAccounts) error {
	ids := make([]string, len(file.Former))
	for i, k := range file.Former {
		ids[i] = k.ID
	}
	used, err := s.c.DB.UpstreamsInUse(ctx, s.c.Now().Add(-jobs.LateFor), ids)
	if err != nil {
		return err
	}
	file.Former = slices.DeleteFunc(file.Former, func(k kept) bool { return !used[k.ID] })
	return nil
}

// held gives a copy of what the file holds.
func (c *connections) held() keptAccounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	file := c.file
	file.Former = slices.Clone(file.Former)
	file.Known = map[string][]string{}
	for address, ids := range c.file.Known {
		file.Known[address] = slices.Clone(ids)
	}
	return file
}

// use stores accounts and works with them. recording is held.
func (s *Server) use(next keptAccounts) error {
	c := &s.connections
	current, former, err := c.accounts(s, next)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("encode the account of the settings: %w", err)
	}
	if err := folder.Write(s.c.AccountFile, raw); err != nil {
		return fmt.Errorf("store the account of the settings: %w", err)
	}
	c.mu.Lock()
	c.file = next
	c.mu.Unlock()
	s.jobs.Use(current, former...)
	return nil
}

// host is where the service of an account is, for administrators; "" for others and for the embedded one.
func (c *connections) host(a *jobs.Account, user atelier.User) string {
	if a.Kind != remote || !user.Role.May(atelier.Admin) {
		return ""
	}
	u, err := url.Parse(c.address(a))
	if err != nil {
		return ""
	}
	return u.Host
}

// address is where the service of a remote account is.
func (c *connections) address(a *jobs.Account) string {
	for _, k := range c.all() {
		if k.ID == a.ID {
			return k.Address
		}
	}
	return a.ID // of the operator's choice
}

// all gives every account the file holds, the current one first.
func (c *connections) all() (list []kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file.Current != nil {
		list = append(list, *c.file.Current)
	}
	return append(list, c.file.Former...)
}

// stamp names an account for browsers.
func stamp(a *jobs.Account) string {
	sum := sha256.Sum256([]byte(a.ID))
	return hex.EncodeToString(sum[:8])
}

// keyEnd is what is shown of a key.
func keyEnd(key string) string {
	if len(key) < shortestShown {
		return ""
	}
	return key[len(key)-shownOfKey:]
}

// findConnection tells which account is used.
func (s *Server) findConnection(w http.ResponseWriter, r *http.Request, _ visitor) error {
	return s.answerConnection(w, r)
}

func (s *Server) answerConnection(w http.ResponseWriter, r *http.Request) error {
	open, err := s.c.DB.CountOpenByUpstream(r.Context())
	if err != nil {
		return err
	}
	c, now := &s.connections, s.jobs.Account(context.Background()) // not that of the request, which may have changed it
	out := atelier.Connection{Kind: now.Kind, Fixed: s.c.AccountFixed || s.c.Connect == nil, Waiting: open[now.ID].Waiting, Sent: open[now.ID].Sent, Former: []atelier.FormerConnection{}}
	if now.Kind == remote {
		out.Address = c.address(now)
	}
	ids := map[string]bool{now.ID: true, c.base.ID: true, "": true}
	for _, k := range c.all() {
		ids[k.ID] = true
		switch {
		case k.ID == now.ID && !s.c.AccountFixed:
			out.Downloads, out.Hosts, out.KeyEnd = k.Downloads, k.Hosts, keyEnd(k.Key)
		case k.ID != now.ID && (!s.c.AccountFixed || open[k.ID] != db.UnderWay{}):
			out.Former = append(out.Former, atelier.FormerConnection{Address: k.Address, KeyEnd: keyEnd(k.Key), Waiting: open[k.ID].Waiting, Sent: open[k.ID].Sent})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		if address, _, _ := strings.Cut(id, idMark); !ids[id] && !out.Fixed {
			out.Former = append(out.Former, atelier.FormerConnection{Address: address, Waiting: open[id].Waiting, Sent: open[id].Sent, Missing: true})
		}
	}
	return writeJSON(w, http.StatusOK, out)
}

// changeable begins a change of the account.
func (s *Server) changeable() (done func(), err error) {
	switch {
	case s.c.Connect == nil:
		return nil, atelier.Refuse(atelier.Conflict, words.ConnectNone)
	case s.c.AccountFixed:
		return nil, atelier.Refuse(atelier.Conflict, words.ConnectFixed)
	case !s.connections.asked.TryLock():
		return nil, atelier.Refuse(atelier.Conflict, words.ConnectBusy)
	}
	s.connections.changing.Lock()
	return func() {
		s.connections.changing.Unlock()
		s.connections.asked.Unlock()
	}, nil
}

// connect tries an account and uses it for new runs. What is wrong with it changes nothing.
func (s *Server) connect(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.Connect
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	given, err := s.checkConnection(body)
	if err != nil {
		return err
	}
	done, err := s.changeable()
	if err != nil {
		return err
	}
	defer done()
	if !s.connections.tries.AllowN(s.c.Now(), 1) {
		return &atelier.Error{Code: atelier.TooMany, Message: words.ConnectOften, Wait: time.Minute}
	}
	// Whoever asked may leave: an account that was tried is stored all the same, or not at all.
	ctx := context.WithoutCancel(r.Context())
	tried, err := s.connected(given)
	if err != nil {
		return atelier.FieldError("address", words.ConnectAddress)
	}
	defer tried.Client.CloseIdle()
	if err := s.try(ctx, tried, given); err != nil {
		s.log.WarnContext(ctx, "an account of the image service was not accepted", "user", who.User.ID, "address", given.Address, "error", err)
		return err
	}
	next := s.connections.held()
	if given.ID, err = s.identify(ctx, tried, given, &next); err != nil {
		return err
	}
	now := kept{ID: given.ID, Address: given.Address, Downloads: given.Downloads, Hosts: given.Hosts, Key: given.Key.Reveal()}
	next.Former = slices.DeleteFunc(next.Former, func(k kept) bool { return k.ID == now.ID })
	if next.Current != nil && next.Current.ID != now.ID {
		next.Former = append(next.Former, *next.Current)
	}
	next.Current = &now
	return s.switchTo(w, r, who, next)
}

// disconnect goes back to the embedded service.
func (s *Server) disconnect(w http.ResponseWriter, r *http.Request, who visitor) error {
	done, err := s.changeable()
	if err != nil {
		return err
	}
	defer done()
	next := s.connections.held()
	if next.Current == nil {
		return s.answerConnection(w, r)
	}
	next.Former, next.Current = append(next.Former, *next.Current), nil
	return s.switchTo(w, r, who, next)
}

// switchTo makes the current account of next the one that new runs go to, and tells every window.
func (s *Server) switchTo(w http.ResponseWriter, r *http.Request, who visitor, next keptAccounts) error {
	ctx := context.WithoutCancel(r.Context())
	if err := s.change(ctx, next); err != nil {
		return err
	}
	address := "embedded"
	if next.Current != nil {
		address = next.Current.Address
	}
	s.log.InfoContext(ctx, "new runs go to another account of the image service", "address", address, "user", who.User.ID)
	s.hub.Publish(who.User.ID, atelier.EventConnection, "", struct{}{})
	s.hub.PublishToOthers(who.User.ID, atelier.EventConnection, "", struct{}{})
	return s.answerConnection(w, r)
}

func (s *Server) change(ctx context.Context, next keptAccounts) error {
	c := &s.connections
	c.recording.Lock()
	defer c.recording.Unlock()
	before := s.jobs.Account(context.Background())
	if err := s.c.DB.BindOpenRuns(ctx, before.ID); err != nil {
		return err
	}
	// Another service has another clock: its list is gone through from before now.
	if err := s.c.DB.SetMark(ctx, db.MarkSeen, time.Time{}); err != nil {
		return err
	}
	if err := s.dropUnused(ctx, &next); err != nil {
		return err
	}
	return s.use(next)
}

// checkConnection checks what was entered, as far as its text tells.
func (s *Server) checkConnection(in atelier.Connect) (out Connection, err error) {
	if out.Address, err = s.serviceAddress("address", in.Address); err != nil {
		return out, err
	}
	if strings.TrimSpace(in.Downloads) != "" {
		if out.Downloads, err = s.serviceAddress("downloads", in.Downloads); err != nil {
			return out, err
		}
	}
	key := strings.TrimSpace(in.Key)
	switch {
	case key == "":
		return out, atelier.FieldError("key", words.ConnectKey)
	case strings.HasPrefix(strings.ToLower(key), "bearer"):
		return out, atelier.FieldError("key", words.ConnectKeyRaw)
	case len(key) > longestKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return out, atelier.FieldError("key", words.ConnectKeyForm)
	}
	out.Key = upstream.Secret(key)
	if len(in.Hosts) > mostHosts {
		return out, atelier.FieldError("hosts", words.ConnectManyHosts(mostHosts))
	}
	for _, host := range in.Hosts {
		host = strings.ToLower(strings.TrimSpace(host))
		u, err := url.Parse("https://" + host)
		if err != nil || u.Host != host || u.Hostname() == "" || strings.HasSuffix(host, ":") || len(host) > longestAddress {
			return out, atelier.FieldError("hosts", words.ConnectHost(host))
		}
		out.Hosts = append(out.Hosts, host)
	}
	return out, nil
}

// serviceAddress reads an address that the key may be sent to, in its one form.
func (s *Server) serviceAddress(field, given string) (string, error) {
	given = strings.TrimRight(strings.TrimSpace(given), "/")
	if given != "" && !strings.Contains(given, "://") {
		given = "https://" + given
	}
	u, err := url.Parse(given)
	switch {
	case err != nil || len(given) > longestAddress || u.Hostname() == "" || u.Opaque != "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(given, "\\ \t\r\n"):
		return "", atelier.FieldError(field, words.ConnectAddress)
	case u.User != nil:
		return "", atelier.FieldError(field, words.ConnectUser)
	case u.Scheme == "http" && loopbackHost(u.Hostname()) && !s.c.Team:
	case u.Scheme == "http":
		return "", atelier.FieldError(field, words.ConnectPlain)
	case u.Scheme != "https":
		return "", atelier.FieldError(field, words.ConnectAddress)
	}
	u.Host = strings.ToLower(u.Host)
	if u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	return u.String(), nil
}

func loopbackHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// try asks an account for what costs nothing, and whether its pictures may be fetched.
func (s *Server) try(ctx context.Context, a *jobs.Account, given Connection) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	info, err := a.Client.AgentInfo(ctx, upstream.AgentInfoQuery{AgentName: jobs.PresetAgent, AgentVersion: jobs.PresetVersion, Page: 1, PageSize: 1})
	if err != nil {
		return notConnected(err)
	}
	var pictures []string
	for _, l := range info.Locations {
		pictures = append(pictures, l.Image)
	}
	for _, m := range info.FashionModels {
		pictures = append(pictures, m.Image)
	}
	for _, address := range pictures {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			continue
		}
		resp, err := a.Outbound.Get(ctx, address, media.Image.MaxBytes)
		if err == nil {
			return resp.Body.Close()
		}
		if errors.Is(err, outbound.ErrRefused) {
			sentence := words.ConnectHostRefused(u.Host)
			if len(given.Hosts) > 0 {
				sentence = words.ConnectHostLeftOut(u.Host)
			}
			return atelier.FieldError("hosts", sentence)
		}
		return nil // it may be gone, or slow today: it is allowed
	}
	return nil
}

// notConnected puts in words why an account cannot be used.
func notConnected(err error) error {
	up, ok := errors.AsType[*upstream.Error](err)
	if !ok {
		return err
	}
	field, sentence := "address", words.ConnectOther
	switch {
	case errors.Is(err, outbound.ErrRefused):
		sentence = words.ConnectPublic
	case up.Kind == upstream.Key:
		field, sentence = "key", words.ConnectKeyRefused
	case up.Kind == upstream.Redirected:
		sentence = words.ConnectMoved
	case up.Kind == upstream.Busy && up.HTTPStatus != 0:
		sentence = words.ConnectTooMany
	case up.HTTPStatus == 0:
		sentence = words.ConnectNotThere
	}
	// The cause is for the log alone: as an error of the service it would be put in words of its own.
	return &atelier.Error{Code: atelier.Invalid, Message: sentence, Fields: map[string]string{field: sentence}, Err: errors.New(up.Error())}
}

// identify gives the ID of an account that was tried. Another key at an address that is known is the same account when it sees what was
// made there, and else another one, so that uploads and presets of two accounts are never mixed up.
func (s *Server) identify(ctx context.Context, a *jobs.Account, given Connection, file *keptAccounts) (string, error) {
	for _, k := range s.connections.all() {
		if k.Address == given.Address && k.Key == given.Key.Reveal() {
			return k.ID, nil
		}
	}
	ids := file.Known[given.Address]
	if !slices.Contains(ids, given.Address) {
		ids = append([]string{given.Address}, ids...) // as the operator's choice is named
	}
	fresh := ""
	for _, id := range ids {
		same, known, err := s.evidence(ctx, a, id)
		if err != nil {
			return "", err
		}
		if same {
			return id, nil
		}
		if !known && id == given.Address {
			fresh = id
		}
	}
	if fresh == "" {
		fresh = given.Address + idMark + strings.ToLower(rand.Text()[:8])
		ids = append(ids, fresh)
	}
	file.Known[given.Address] = ids
	return fresh, nil
}

// evidence says whether an account that was tried is the one known by an ID; known is false when nothing was ever made there.
func (s *Server) evidence(ctx context.Context, a *jobs.Account, id string) (same, known bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	run, known, err := s.c.DB.NewestSent(ctx, id, s.c.Now().Add(-evidenceFor))
	if err != nil {
		return false, known, err
	}
	if known {
		same, err := s.jobs.Sees(ctx, a, run)
		return same, true, notConnectedIf(err)
	}
	preset, known, err := s.c.DB.NewestPreset(ctx, id)
	if err != nil || !known {
		return false, slices.ContainsFunc(s.connections.all(), func(k kept) bool { return k.ID == id }), err
	}
	same, err = s.jobs.SeesPreset(ctx, a, preset)
	return same, true, notConnectedIf(err)
}

func notConnectedIf(err error) error {
	if err == nil {
		return nil
	}
	return notConnected(err)
}
