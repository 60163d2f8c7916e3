# `make help` lists what there is. `make run` and `make test` are all a fresh machine needs, beside Go, make and git.
.DEFAULT_GOAL := help
SHELL := /bin/sh

GO         ?= go
# Everything is compiled in one way, the product, its tests and what looks at them: what one has compiled the others find.
export CGO_ENABLED := 0
export GOFLAGS     := $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath
WASM_GO    := GOOS=js GOARCH=wasm $(GO)
# Bytes of the brotli copy of the browser client that a first visit may cost.
WASM_BUDGET := 1750000
# The same for smart select, which is loaded when it is first used.
SELECT_BUDGET := 900000
# Brotli quality of the packed client: 11 is the smallest; 9 is 17 % larger and packs in a tenth of the time, enough for `make run` and tests.
PACK_QUALITY ?= 11
QUICK_PACK := 9
GOLANGCI   := $(GO) tool -modfile=tools/go.mod golangci-lint
SQLC       := $(GO) tool -modfile=tools/go.mod sqlc
LDFLAGS    := -s -w -buildid=
# What `atelier version` says: the last tag, and the commit when that is another one; without a tag what cmd/server says itself.
VERSION    := $(patsubst v%,%,$(shell git describe --tags --match 'v[0-9]*' 2>/dev/null))
# go-app is 1.6 MB of generated element methods, of which the server calls none: without inlining it compiles in half the time.
COMPILE_SERVER = CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -gcflags=github.com/maxence-charriere/go-app/...=-l
# One static binary that is the same wherever it is built, of the same commit or of the same files without git.
BUILD      = $(COMPILE_SERVER) -ldflags='$(LDFLAGS) $(addprefix -X main.version=,$(VERSION))'

# Build tags of the client; `components` adds the page of `make gallery`.
CLIENT_TAGS ?=
# The client is not inlined, except where pixels are moved: it is 6 % smaller to download that way. It takes go-app without
# its server half (another 20 %) and what pages never use (8 %).
BUILD_CLIENT = $(call BUILD_CLIENT_AS,$(CLIENT_TAGS),build/app.wasm)
BUILD_CLIENT_AS = GOOS=js GOARCH=wasm $(GO) build -modfile=build/client/client.mod -trimpath -buildvcs=false -ldflags='$(LDFLAGS)' \
	-tags='$(1)' -gcflags=all=-l -gcflags=runtime/...= -gcflags=internal/runtime/...= -gcflags=atelier/imaging/...= -o $(2) ./cmd/wasm

# Smart select runs in a worker of its own and is all pixels: it is inlined throughout.
BUILD_SELECT = $(WASM_GO) build -trimpath -buildvcs=false -ldflags='$(LDFLAGS)' -o build/select.wasm ./cmd/selectwasm

CLIENT_SOURCES := $(shell find app atelier catalog imaging cmd/wasm cmd/selectwasm -name '*.go' -not -name '*_test.go' 2>/dev/null) go.mod go.sum
# What may be in the server, and a little more; folders change when files go.
SERVER_SOURCES := $(shell find atelier bff catalog cmd/server db imaging internal service upstream web -not -name '*_test.go' -not -path 'web/dist*' 2>/dev/null) go.mod go.sum
# What was packed last: it is packed again for another quality or other tags, or when it is gone.
PACKED = build/packed-$(PACK_QUALITY)$(addprefix -,$(CLIENT_TAGS))

.PHONY: help run dev build wasm test unit e2e check fmt fmt-check lint vet generate generate-check tidy-check bench soak gallery browser ffmpeg clean

help: ## List all targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

run: ## Build everything and start the studio with the embedded service on 127.0.0.1:8080
	@$(MAKE) --no-print-directory build PACK_QUALITY=$(QUICK_PACK)
	@ATELIER_DATA=$${ATELIER_DATA:-./data} ATELIER_LOG=$${ATELIER_LOG:-warn} ./build/atelier

dev: run ## The same as run: only what changed is built again

# The client and the packages of the server are compiled side by side; the server is linked when the client is packed.
build: ## Build the server with the browser client inside: build/atelier
	@if test -x build/atelier; then echo "Building what changed (a few seconds; a changed page about 15)"; \
	else echo "Building the browser client and the server (about $(FIRST_BUILD) the first time, on two processors)"; fi
	@$(MAKE) --no-print-directory -j2 $(PACKED) server-packages
	@$(MAKE) --no-print-directory build/atelier
	@echo "Built build/atelier"

# How long a build from empty caches takes: make build-time prints it part by part.
FIRST_BUILD := 2 minutes

.PHONY: server-packages build-time
server-packages:
	@$(COMPILE_SERVER) ./bff ./catalog/overlay ./service ./internal/...

build-time: ## Measure a build from empty caches, part by part
	@GO='$(GO)' ./scripts/build-time

# The version that was built last: another one is built again.
VERSIONED = build/version$(addprefix -,$(VERSION))

$(VERSIONED):
	@mkdir -p build
	@rm -f build/version*
	@touch $@

build/atelier: $(PACKED) $(VERSIONED) $(SERVER_SOURCES)
	$(BUILD) -o $@ ./cmd/server

wasm: $(PACKED) ## Build and pack the browser client

build/client/client.mod: go.mod go.sum internal/clientmod/main.go
	$(GO) run ./internal/clientmod build/client

$(PACKED): $(CLIENT_SOURCES) build/client/client.mod $(wildcard internal/packwasm/*.go) $(if $(wildcard web/dist/app.wasm.br),,gone)
	@mkdir -p build web/dist
	@rm -f build/packed-*
	$(BUILD_CLIENT)
	$(BUILD_SELECT)
	$(GO) run ./internal/packwasm -q $(PACK_QUALITY) build/app.wasm build/select.wasm web/dist
	@touch $@

.PHONY: gone
gone:

# What the browser tests run: the server, and the client with the page of `make gallery`, neither packed nor embedded.
BROWSER_TESTED = ATELIER_BINARY=$(CURDIR)/build/atelier ATELIER_COMPONENTS=$(CURDIR)/build/components.wasm

build/components.wasm: $(CLIENT_SOURCES) build/client/client.mod
	$(call BUILD_CLIENT_AS,components,$@)

.PHONY: test-tools test-all test-slow
test-tools: ffmpeg browser
	@$(MAKE) --no-print-directory build build/components.wasm PACK_QUALITY=$(QUICK_PACK)

test: test-tools ## Run unit, integration and browser tests that hold the product's promises (about 8 minutes on two processors)
	@$(BROWSER_TESTED) GO='$(GO)' ./scripts/test quick

test-all: test test-slow ## Run all tests: also crash rounds, every agent's pictures, all browser tests (about 30 minutes)

test-slow: test-tools ## Run the tests that `make test` leaves out
	@$(BROWSER_TESTED) GO='$(GO)' ./scripts/test slow

.PHONY: test-loaded coverage
# How often test-loaded runs which target: make test-loaded TARGET=test-all RUNS=2.
TARGET ?= test
RUNS ?= 5
test-loaded: ## Run `make test` five times beside one busy loop per processor
	@./scripts/beside-load $(RUNS) $(MAKE) $(TARGET)

coverage: ffmpeg ## Run all unit and integration tests and print their coverage of bff, db, upstream, catalog and service
	@GO='$(GO)' ./scripts/coverage

# How long each fuzz target runs: make fuzz TIME=10m. FUZZ chooses targets by a regular expression of their names.
TIME ?= 30s
FUZZ ?= .
.PHONY: fuzz
fuzz: ## Run all fuzz targets, TIME=30s each
	@GO='$(GO)' ./scripts/fuzz '$(TIME)' '$(FUZZ)'

.PHONY: conformance
conformance: ## Hold another image service to the documents: ATELIER_CONFORMANCE_URL and _KEY name it, docs/operations.md tells more
	$(GO) test -count=1 -v -timeout 2h ./upstream/upstreamtest -run TestConformance

browser: ## Find Chromium, or install it (Debian and Ubuntu, as root)
	@./scripts/browser

ffmpeg: ## Find ffmpeg, which makes and reads videos, or install it (Debian and Ubuntu, as root)
	@./scripts/ffmpeg

check: fmt-check vet tidy-check generate-check lint budget ## Everything that must be clean before a change lands

fmt: ## Format all Go files
	gofmt -w $$(git ls-files '*.go')

fmt-check: ## Fail when a Go file is not formatted
	@bad=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$bad" || { echo "not formatted (make fmt):"; echo "$$bad"; exit 1; }

vet: ## Run go vet on generated code and on the page of make gallery, which the linters skip
	$(GO) vet ./db/gen/... ./service/gen/...
	$(WASM_GO) vet -tags components ./cmd/wasm

lint: ## Run the linters, for the server and for the browser
	$(GOLANGCI) run ./...
	GOOS=js GOARCH=wasm ./scripts/lint-client

tidy-check: ## Fail when go.mod does not list exactly what is used
	@$(GO) mod tidy -diff

generate: ## Write again what is generated (queries, docs/agents.md)
	$(SQLC) generate
	$(GO) run ./internal/agentsdoc docs/agents.md

generate-check: ## Fail when what is generated is out of date
	@$(SQLC) diff
	@$(GO) run ./internal/agentsdoc -check docs/agents.md

.PHONY: pictures idle
pictures: ffmpeg ## Draw the example pictures of all agents again (some minutes); AGENTS names a few
	$(GO) run ./internal/drawexamples web/examples $(AGENTS)

idle: build ## Measure the time to the first answer and the processor time of a minute of rest (Linux)
	@./scripts/idle

.PHONY: budget
budget: ## Print the size of the browser client and fail above its budget
	@$(MAKE) --no-print-directory wasm PACK_QUALITY=11 CLIENT_TAGS=
	@./scripts/budget web/dist/app.wasm.br $(WASM_BUDGET)
	@./scripts/budget web/dist/select.wasm.br $(SELECT_BUDGET)

# What to measure, as a regular expression of its name: make bench BENCH=psd. ATELIER_PHOTOS names a folder of photographs.
BENCH ?=
bench: build browser ## Compare our picture work with other programs and the mask desk with a plain canvas, then run the Go benchmarks
	@$(GO) run ./internal/benchreport -only '$(BENCH)'

# How long `make soak` goes on.
MINUTES ?= 60
soak: ## Kill, crash, cut the power, restore, back up, crowd and guess for MINUTES (60), each round with another sequence of chances
	@./scripts/soak $(MINUTES)

gallery: ## Start the studio with the page that shows every component in every state: /components
	@$(MAKE) build CLIENT_TAGS=components PACK_QUALITY=5
	@ATELIER_DATA=$${ATELIER_DATA:-./data} ./build/atelier

clean: ## Remove what was built; data stays
	rm -rf build
	find web/dist -type f ! -name .gitkeep -delete
