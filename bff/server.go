// Package bff is the half of the studio that runs on the server: it holds the API key, checks what the browser asks for
// before anything is paid, remembers every run, brings the results home and tells the browsers about it.
package bff

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/hub"
	"atelier/bff/jobs"
	"atelier/bff/password"
	"atelier/bff/words"
	"atelier/catalog"
	"atelier/upstream"
)

// Server answers the browsers and works for them in the background.
type Server struct {
	c        Config
	namesKey []byte // of the names runs go out under
	log      *slog.Logger
	hub      *hub.Hub
	jobs     *jobs.Engine
	sessions *sessionStore
	launch   *launch
	logins   *limits    // wrong codes and passwords, by address
	guesses  *guesses   // wrong passwords, by account
	setup    *setupCode // makes the first account; nil without accounts
	hasher   *password.Hasher
	answers  *limits // what clients say, by review link
	links    *rate.Limiter
	presets  presetCache
	// presetNames are those that are remembered, by presetKey.
	presetNames sync.Map
	images      imageCache
	// checksums and hashes are those of files that went into archives.
	checksums  checksums[uint32]
	hashes     checksums[string]
	converting conversions
	bodies     bodies
	heavy      *semaphore.Weighted // work on many pixels that a request asks for
	layering   *semaphore.Weighted // layered files, which are the most of it
	agents     []byte              // JSON
	tag        string              // of agents
	mux        *http.ServeMux
	contract   []Route
	watch      revocationWatch
	reach      reach
	// connections are the accounts of the image service that were entered in the settings.
	connections connections
	ready       readiness
	calls       callCount
	panics      *atomic.Int64 // since the start
}

// OnAnswer belongs into upstream.Options: raw answers to calls that cost money are kept before they are interpreted.
func OnAnswer(ctx context.Context, op string, raw []byte) { jobs.OnAnswer(ctx, op, raw) }

// New makes a server. Start sets its background work going.
func New(c Config) (*Server, error) {
	if err := c.complete(); err != nil {
		return nil, fmt.Errorf("configure the studio: %w", err)
	}
	s := &Server{
		c: c, namesKey: c.DB.NamesKey(), log: c.Logger, hub: hub.New(hub.Options{Log: c.Logger, Panicked: func() { c.Panics.Add(1) }}), panics: c.Panics, launch: newLaunch(c.LaunchToken, c.Now),
		logins: newLimits(rate.Every(time.Minute), 10, c.Now), answers: newLimits(rate.Every(time.Second), 100, c.Now), links: rate.NewLimiter(rate.Every(10*time.Second), 1), heavy: semaphore.NewWeighted(pixelWork), layering: semaphore.NewWeighted(1),
		guesses: newGuesses(c.Now), hasher: password.NewHasher(), images: newImageCache(), bodies: newBodies(c.Store),
	}
	if c.Team {
		s.setup = newSetupCode()
	}
	s.sessions = newSessionStore(c)
	var err error
	if s.agents, s.tag, err = agentsJSON(c.Agents); err != nil {
		return nil, err
	}
	c.DB.OnFault(func(err error) {
		c.Logger.Error("the database could not do what it does beside all else", "error", err)
	})
	seal, err := c.seal()
	if err != nil {
		return nil, err
	}
	current, former, err := s.connections.open(s)
	if err != nil {
		return nil, err
	}
	s.jobs, err = jobs.New(jobs.Options{
		DB: c.DB, Account: current, Former: former, Hold: c.Connect != nil && !c.AccountFixed, Store: c.Store, Agents: s.agent,
		Publish: s.hub.Publish, Seal: seal, Log: c.Logger, Now: c.Now, MaskByURL: c.MaskRoute == "url",
		MaskPalette: c.MaskPNG == "palette", Preset: s.ownPreset, Trash: time.Duration(c.TrashDays) * 24 * time.Hour,
		Import: s.imported, Ours: s.named, Search: s.searchText, HintRate: c.HintRate,
		Poster: s.still(resultStill, s.poster), LastFrame: s.still(resultStill, s.lastFrame),
		Panicked: func() { s.panics.Add(1) },
		RetryMin: c.RetryMin, GiveUp: c.GiveUp, Due: c.Due, Sweep: c.Sweep, Late: c.Late,
	})
	if err != nil {
		return nil, err
	}
	s.routes()
	return s, nil
}

// Start prepares the user, takes up what an earlier process left and works until Close.
func (s *Server) Start(ctx context.Context) error {
	if err := s.c.DB.PrepareLists(ctx); err != nil {
		return err
	}
	if err := s.c.DB.EnsureUser(ctx, localUser); err != nil {
		return err
	}
	if err := s.jobs.Start(ctx); err != nil {
		return err
	}
	s.watch.start(ctx, s.endRevoked)
	s.reach.start(ctx, s)
	s.connections.start(ctx, s)
	return nil
}

// Close ends the sockets and lets requests to the image service that are under way finish, for at most 30 seconds.
func (s *Server) Close() error {
	s.watch.stop()
	s.reach.stop()
	s.connections.stop()
	s.hub.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return s.jobs.Stop(ctx)
}

// Leave tells every window that the studio goes away, and lets none listen any more. Requests that are under way go on.
func (s *Server) Leave() { s.hub.Close() }

// Sockets says how many browsers listen for events.
func (s *Server) Sockets() int { return s.hub.Count() }

// agent finds an agent of this studio's catalog, any version when version is "".
func (s *Server) agent(name, version string) (catalog.Agent, bool) {
	i := slices.IndexFunc(s.c.Agents, func(a catalog.Agent) bool { return a.Name == name && (version == "" || a.Version == version) })
	if i < 0 {
		return catalog.Agent{}, false
	}
	return s.c.Agents[i], true
}

// Route is one entry of the contract.
type Route struct {
	Pattern string       // method and path, as http.ServeMux takes them
	Open    bool         // works without a session
	Least   atelier.Role // what a user must at least be
}

// Routes gives the whole contract.
func (s *Server) Routes() []Route { return slices.Clone(s.contract) }

// handler answers a request or gives the error to answer with. who is empty on open routes.
type handler func(w http.ResponseWriter, r *http.Request, who visitor) error

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	s.open("GET /healthz", s.healthz)
	s.open("GET /readyz", s.readyz)
	s.open("POST /callbacks/v1/{token}", s.callback)
	s.open("GET /callbacks/v1/probe/{nonce}", s.answerProbe)
	s.open("GET /media/{token}", s.sharedMedium)
	s.open("POST /api/session", s.login)
	s.open("POST /api/session/link", s.printLink)
	s.open("GET /api/entry", s.entry)
	s.open("POST /api/setup", s.setUp)
	s.handle("GET /api/session", s.session)
	s.allow(atelier.Viewer, "DELETE /api/session", s.logout)
	s.handle("GET /api/sessions", s.listSessions)
	s.allow(atelier.Viewer, "DELETE /api/sessions", s.endOtherSessions)
	s.allow(atelier.Viewer, "DELETE /api/sessions/{id}", s.endSession)
	s.allow(atelier.Viewer, "POST /api/password", s.changePassword)
	s.allow(atelier.Admin, "GET /api/users", s.listAccounts)
	s.allow(atelier.Admin, "POST /api/users", s.createAccount)
	s.allow(atelier.Admin, "PATCH /api/users/{id}", s.updateAccount)
	s.allow(atelier.Admin, "GET /api/connection", s.findConnection)
	s.allow(atelier.Admin, "PUT /api/connection", s.connect)
	s.allow(atelier.Admin, "DELETE /api/connection", s.disconnect)
	s.handle("GET /api/events", s.events)
	s.handle("GET /api/agents", s.listAgents)
	s.handle("GET /api/agents/{name}/presets", s.listPresets)
	s.handle("GET /api/agents/{name}/usual", s.listUsual)
	s.handle("GET /api/costs", s.listCosts)
	s.handle("GET /api/favourites", s.listFavourites)
	s.allow(atelier.Viewer, "PATCH /api/favourites", s.changeFavourites)
	s.handle("GET /api/images/{token}", s.image)
	s.handle("POST /api/assets", s.createAsset)
	s.handle("GET /api/assets", s.listAssets)
	s.handle("GET /api/assets/{id}", s.findAsset)
	s.handle("GET /api/assets/{id}/file", s.assetFile)
	s.handle("GET /api/assets/{id}/thumb", s.assetThumb)
	s.handle("GET /api/assets/{id}/faces", s.assetFaces)
	s.handle("POST /api/masks", s.createMask)
	s.handle("GET /api/masks", s.listMasks)
	s.handle("POST /api/masks/preview", s.previewMask)
	s.handle("GET /api/masks/{id}/file", s.maskFile)
	s.handle("GET /api/masks/{id}/thumb", s.maskThumb)
	s.handle("PATCH /api/masks/{id}", s.renameMask)
	s.handle("DELETE /api/masks/{id}", s.deleteMask)
	s.handle("POST /api/runs", s.startRun)
	s.handle("POST /api/estimates", s.estimate)
	s.handle("GET /api/runs", s.listRuns)
	s.handle("POST /api/runs/trash", s.trashRuns(true))
	s.handle("POST /api/runs/restore", s.trashRuns(false))
	s.handle("GET /api/runs/{id}", s.findRun)
	s.handle("DELETE /api/runs/{id}", s.trashRun)
	s.handle("POST /api/runs/{id}/retry", s.retryRun)
	s.handle("POST /api/runs/{id}/next", s.sendNext(true))
	s.handle("DELETE /api/runs/{id}/next", s.sendNext(false))
	s.handle("POST /api/runs/cancel", s.cancelRuns)
	s.handle("POST /api/runs/uncancel", s.uncancelRuns)
	s.handle("POST /api/runs/{id}/cancel", s.cancelRun)
	s.handle("POST /api/runs/{id}/uncancel", s.uncancelRun)
	s.handle("POST /api/runs/{id}/restore", s.restoreRun)
	s.handle("POST /api/runs/{id}/dismiss", s.dismissRun)
	s.handle("DELETE /api/runs/{id}/dismiss", s.doubtRun)
	s.handle("POST /api/runs/{id}/adopt", s.adoptRun)
	s.handle("GET /api/runs/{id}/mask", s.runMask)
	s.handle("POST /api/runs/{id}/psd", s.startPSD)
	s.handle("GET /api/runs/{id}/psd", s.findPSD)
	s.handle("GET /api/runs/{id}/psd/file", s.psdFile)
	s.handle("GET /api/results", s.listResults)
	s.handle("PATCH /api/results", s.updateResults)
	s.handle("POST /api/results/trash", s.trashResults(true))
	s.handle("POST /api/results/restore", s.trashResults(false))
	s.handle("GET /api/results/dates", s.listMonths)
	s.handle("GET /api/results/duplicates", s.listDuplicates)
	s.handle("GET /api/results/thumbs", s.resultThumbs)
	s.handle("GET /api/results/{id}/file", s.resultFile)
	s.handle("GET /api/results/{id}/heat", s.resultHeat)
	s.handle("POST /api/results/{id}/lock", s.lockResult)
	s.handle("GET /api/results/{id}/thumb", s.resultThumb)
	s.handle("GET /api/results/{id}/lastframe", s.resultLastFrame)
	s.handle("GET /api/results/{id}/source", s.resultSource)
	s.handle("PATCH /api/results/{id}", s.updateResult)
	s.allow(atelier.Viewer, "POST /api/zips", s.startZip)
	s.handle("GET /api/zips/{id}/file", s.zipFile)
	s.allow(atelier.Viewer, "POST /api/psds", s.startLayers)
	s.handle("GET /api/psds/{id}/file", s.layersFile)
	s.handle("POST /api/trash/purge", s.purgeTrash)
	s.handle("GET /api/boards", s.listBoards)
	s.handle("POST /api/boards", s.createBoard)
	s.handle("PATCH /api/boards/{id}", s.updateBoard)
	s.handle("DELETE /api/boards/{id}", s.deleteBoard)
	s.handle("GET /api/review-links", s.listReviewLinks)
	s.handle("POST /api/review-links", s.createReviewLink)
	s.handle("GET /api/review-links/{id}", s.findReviewLink)
	s.handle("PATCH /api/review-links/{id}", s.updateReviewLink)
	s.handle("DELETE /api/review-links/{id}", s.deleteReviewLink)
	s.open("GET /review/{token}", s.paged(s.showReview))
	s.open("POST /review/{token}", s.finishReview)
	s.open("GET /review/{token}/{number}", s.paged(s.showReviewed))
	s.open("POST /review/{token}/{number}", s.answerReview)
	s.open("GET /review/{token}/{number}/thumb", s.reviewThumb)
	s.open("GET /review/{token}/{number}/file", s.reviewFile)
	for _, kind := range []presetKind{fashionModels, locations} {
		s.handle("GET /api/"+kind.path, s.listOwnPresets(kind))
		s.handle("POST /api/"+kind.path, s.createOwnPreset(kind))
		s.handle("DELETE /api/"+kind.path+"/{id}", s.deleteOwnPreset(kind))
	}
	s.handle("GET /api/tasks", s.listTasks)
	s.handle("GET /api/tasks/{id}", s.findTask)
	s.handle("DELETE /api/tasks/{id}", s.deleteTask)
	s.handle("POST /api/tasks/{id}/import", s.importTask)
}

// handle adds a route for everybody who may look when it is read, and for who may change things when it is not.
func (s *Server) handle(pattern string, h handler) {
	least := atelier.Designer
	if strings.HasPrefix(pattern, "GET ") {
		least = atelier.Viewer
	}
	s.allow(least, pattern, h)
}

// allow adds a route for users who are at least what is said.
func (s *Server) allow(least atelier.Role, pattern string, h handler) {
	s.contract = append(s.contract, Route{Pattern: pattern, Least: least})
	s.mux.Handle(pattern, s.answer(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.sessions.visitor(r)
		if err != nil {
			return err
		}
		if seen, ok := r.Context().Value(seenKey{}).(*seen); ok {
			seen.user = who.User.ID
		}
		if !who.User.Role.May(least) {
			s.log.WarnContext(r.Context(), "a request was beyond the user's role", "user", who.User.ID, "role", who.User.Role, "route", pattern, "ip", s.ip(r))
			return beyond(least)
		}
		// Whatever a request asks the image service, it asks one account.
		return h(w, r.WithContext(s.jobs.At(r.Context(), s.jobs.Account(r.Context()))), who)
	}))
}

// beyond is what somebody is told whose role does not suffice.
func beyond(least atelier.Role) error {
	if least == atelier.Admin {
		return atelier.Refuse(atelier.Forbidden, words.AccountAdmins)
	}
	return atelier.Refuse(atelier.Forbidden, words.AccountLooksOn)
}

// open adds a route that works without a session.
func (s *Server) open(pattern string, h handler) {
	s.contract = append(s.contract, Route{Pattern: pattern, Open: true})
	s.mux.Handle(pattern, s.answer(func(w http.ResponseWriter, r *http.Request) error { return h(w, r, visitor{}) }))
}

// publishRun tells the owner's other windows about a change.
func (s *Server) publishRun(r atelier.Run, user atelier.UserID) {
	s.hub.Publish(user, atelier.EventRun, string(r.ID), r)
}

// upstreamError puts a failed call of the image service into words.
func upstreamError(err error) error {
	up, ok := errors.AsType[*upstream.Error](err)
	if !ok {
		return err
	}
	e := &atelier.Error{Err: err, Retryable: up.Retryable}
	switch up.Kind {
	case upstream.Refused, upstream.Key, upstream.Redirected:
		said := jobs.Refusal(up)
		e.Code, e.Message = said.Code, said.Message
	case upstream.Busy, upstream.NotSent:
		e.Code, e.Message, e.Retryable = atelier.UpstreamBusy, words.ServiceBusy, true
	default:
		e.Code, e.Message = atelier.UpstreamBad, words.ServiceUnusable
	}
	return e
}
