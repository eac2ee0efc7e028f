# Tools are pinned here and built into .bin; nothing else is installed.
GOLANGCI_VERSION := v2.15.0
TAGS             := urfave_cli_no_docs
BIN              := bin/neorag
GOLANGCI         := .bin/golangci-lint-$(GOLANGCI_VERSION)
GOTESTSUM_VERSION := v1.13.0
GOTESTSUM        := .bin/gotestsum-$(GOTESTSUM_VERSION)
NFPM_VERSION     := v2.45.2
NFPM             := .bin/nfpm-$(NFPM_VERSION)
CYCLONEDX_VERSION := v1.10.0
CYCLONEDX        := .bin/cyclonedx-gomod-$(CYCLONEDX_VERSION)
GOVULNCHECK_VERSION := v1.9.0
GOVULNCHECK      := .bin/govulncheck-$(GOVULNCHECK_VERSION)
TEST_TIMEOUT     := 45m

export GOFLAGS := -tags=$(TAGS)

.DEFAULT_GOAL := help
.PHONY: help build demo unit test check bench bench-leiden up down fmt cross bench-levels bench-query bench-work eval bench-model bench-explore pictures bench-page

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

# VERSION=0.3.0 builds the program of a release, the same bytes in every clone: the commit is
# given here, because what Go records depends on the tags of the clone.
STAMP = -buildvcs=false -ldflags '-s -w -X $(CLI).release=v$(VERSION) -X $(CLI).releaseCommit=$(shell git rev-parse HEAD) \
	-X $(CLI).releaseDate=$(shell TZ=UTC0 git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)'
CLI   := github.com/neorag/neorag/internal/cli

build: ## build bin/neorag
	CGO_ENABLED=0 go build -trimpath $(if $(VERSION),$(STAMP),-ldflags '-s -w') -o $(BIN) ./cmd/neorag

demo: build ## start a local Neo4j, index the sample without a model, ask two questions
	@sh examples/demo.sh

# What measures, and what needs Chromium, are separate modules.
BENCH       := internal/bench
BROWSERTEST := internal/browsertest
MODULES     := . $(BENCH) $(BROWSERTEST)

# Slow packages first, those that use the server most not all at the same time. Vetting is
# part of check.
FIRST := index store/neo4jstore cli store/localneo4j query leiden query/rank view/layout source llm

# All packages but the tests of the code itself, which are part of check.
ALL = $$(go list ./... | grep -v '/internal/archtest$$')

unit: ## run the tests that need no Neo4j
	go test -short -count=1 -vet=off -ldflags=-s $(ALL)
	go test -C $(BENCH) -short -count=1 -vet=off ./...

# How long each test took, of the last run of make test.
TIMES     := .bench/test-program.json .bench/test-browser.json
TESTTIMES := go run ./internal/testkit/testtimes -slow .ci/slow.txt

test: ## run the tests against a temporary Neo4j, with a sample of the faults
	@$(MAKE) --no-print-directory -j2 test-program test-browser
	@$(TESTTIMES) $(TIMES)

.PHONY: test-program test-browser
test-program: $(GOTESTSUM)
	@mkdir -p .bench
	go run ./internal/testkit/neo4jtest/run $(if $(NEO4J),-neo4j-version $(NEO4J)) $(if $(ROUTING),-routing) -heap 1024 -corpora 12 -memory -- $(GOTESTSUM) --format standard-quiet --hide-summary skipped \
		$(if $(PACKAGES),,--jsonfile-timing-events .bench/test-program.json) -- \
		-count=1 -vet=off -ldflags=-s -timeout $(if $(PACKAGES),6h,$(TEST_TIMEOUT)) $(or $(PACKAGES),$(FIRST:%=./internal/%) $(ALL))

test-browser: $(GOTESTSUM)
	@mkdir -p .bench
	go test -C $(BENCH) -count=1 -vet=off ./...
	cd $(BROWSERTEST) && $(CURDIR)/$(GOTESTSUM) --format standard-quiet --hide-summary skipped \
		--jsonfile-timing-events $(CURDIR)/.bench/test-browser.json -- -count=1 -vet=off -timeout $(TEST_TIMEOUT) ./...

# The race detector needs a C compiler. These packages share data between goroutines.
RACE := llm/... eval/evalrun eval/score eval/headtohead eval/personas stage/tune store/neo4jstore index source ui/terminal

.PHONY: race fuzz
race: ## run the tests of concurrent packages with the race detector
	CGO_ENABLED=1 go run ./internal/testkit/neo4jtest/run -heap 1024 -corpora 8 -memory -- go test -race -count=1 -vet=off -timeout 45m $(RACE:%=./internal/%)

FUZZTIME ?= 5s
fuzz: ## run every fuzz target for FUZZTIME
	@FUZZTIME=$(FUZZTIME) .ci/fuzz

DURATION ?= 10m
.PHONY: soak
soak: ## repeat index, update, query and remove for DURATION; nothing may grow
	NEORAG_SOAK=$(DURATION) go run ./internal/testkit/neo4jtest/run -heap 1024 -corpora 2 -memory -- go test -count=1 -vet=off -v -timeout 24h -run '^TestSoak$$' ./internal/cli

.PHONY: soak-workers
soak-workers: ## index with three workers behind a queue for DURATION, one of which is killed every ten seconds
	NEORAG_SOAK=$(DURATION) go run ./internal/testkit/neo4jtest/run -heap 1024 -corpora 2 -memory -- go test -count=1 -vet=off -v -timeout 24h -run '^TestWorkersSoak$$' ./internal/cli

SEQUENCES ?= 200
.PHONY: random-edits
random-edits: ## make SEQUENCES sequences of ten random edits of documents, and compare each step with a new corpus
	NEORAG_SEQUENCES=$(SEQUENCES) go run ./internal/testkit/neo4jtest/run -heap 1024 -corpora 12 -memory -- go test -count=1 -vet=off -timeout 24h -run '^TestRandomEdits$$' ./internal/index

# PARTS="race fuzz" runs only these parts; without it, parts that passed at this commit are
# not run again.
.PHONY: nightly
nightly: ## run everything in full: all faults, race detector, fuzzing, random edits, soak, figures
	@.ci/nightly $(PARTS)

check: fmt-check tidy-check vet lint layers cross times-check ## check format, go.mod, vet, lint, layers, other systems, and how long make test took

.PHONY: fmt-check tidy-check vet lint layers
fmt-check: $(GOLANGCI)
	@test -z "$$($(GOLANGCI) fmt --diff)" || { $(GOLANGCI) fmt --diff; echo 'run: make fmt'; exit 1; }

tidy-check:
	@set -e; for m in $(MODULES); do go -C $$m mod tidy -diff; done

vet:
	@set -e; for m in $(MODULES); do go vet -C $$m ./...; done

lint: $(GOLANGCI)
	@set -e; for m in $(MODULES); do (cd $$m && $(CURDIR)/$(GOLANGCI) run ./...); done

layers:
	go test -count=1 ./internal/archtest ./cypher/internal/gen

.PHONY: times-check
times-check: ## fail if a package or test of the last make test was too slow
	@$(TESTTIMES) -check $(TIMES)

cross: ## build for macOS and Windows
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go build -o /dev/null ./cmd/neorag
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -o /dev/null ./cmd/neorag

fmt: $(GOLANGCI) ## format the code
	$(GOLANGCI) fmt

bench: build .bench/bin/indexing ## print the figures of docs/figures.md
	go run ./internal/testkit/neo4jtest/run -- .bench/bin/indexing

# CONCURRENCY=512 SECTIONS=4000 measures that many concurrent calls, on sections of web pages.
bench-model: build .bench/bin/indexing ## print how fast indexing with a model is, with a simulated model that takes LATENCY for a call
ifdef CONCURRENCY
	go run ./internal/testkit/neo4jtest/run -heap 3000 -measured -- .bench/bin/indexing -model -runs $(or $(RUNS),2) -latency $(or $(LATENCY),2s) -concurrency $(CONCURRENCY) -sections $(or $(SECTIONS),4000)
else
	go run ./internal/testkit/neo4jtest/run -- .bench/bin/indexing -model -runs 3 $(if $(LATENCY),-latency $(LATENCY))
	go run ./internal/testkit/neo4jtest/run -- .bench/bin/indexing -model -slots 8 -path examples/christmas-carol
endif

.PHONY: simulate-scale
simulate-scale: ## print what corpora of up to a billion chunks need, by a simulation; CORES=n of the program and Neo4j
	@cd internal/bench && go run ./scale -cores $(or $(CORES),2)

bench-query: ## print the time of an answer without the model, on 100,000 entities
	go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- go test ./internal/query/methods/local -run XXX -bench Overhead -benchtime 1x -timeout 30m

bench-work: ## print how much longer calls of 50 ms take through a queue and a worker
	go test ./internal/llm/remote -run XXX -bench Overhead -benchtime 1x

bench-levels: build .bench/bin/indexing ## print how many tokens each level of reports has, compared with the text
	go run ./internal/testkit/neo4jtest/run -- .bench/bin/indexing levels

# SIZE=small takes minutes; UPDATE=1 writes docs/leiden-results.md; JSON=1 prints JSON;
# GVE=path runs GVE-Leiden; the peers from PyPI are installed into .bench and kept there.
bench-leiden: .bench/bin/leiden ## compare the clustering with other programs
	@.bench/bin/leiden $(if $(SIZE),-size $(SIZE)) $(if $(ONLY),-only $(ONLY)) $(if $(NEORAG_DATA),-data $(NEORAG_DATA)) \
		$(if $(GVE),-gve $(GVE)) $(if $(UPDATE),-update) $(if $(JSON),-json)

# METHODS=basic,local measures only these, ONLY=wild one set, ONLY=nature one topic; JSON=1 prints
# JSON; KEYS=1 compares vectors of relationships instead; TOPICS=1 prints what fused gains on each
# wild topic with weights that are best on the others. EMBEDDING_URL=http://localhost:11434/v1
# EMBEDDING_MODEL=NAME makes the vectors with a model.
eval: build .bench/bin/retrieval ## measure which documents the methods find, on questions with evidence
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- .bench/bin/retrieval $(if $(NEORAG_DATA),-data $(NEORAG_DATA)) \
		$(if $(METHODS),-methods $(METHODS)) $(if $(ONLY),-only $(ONLY)) $(if $(JSON),-json) $(if $(KEYS),-keys) $(if $(TOPICS),-topics) \
		$(if $(EMBEDDING_URL),-embedding-url $(EMBEDDING_URL) -embedding-model $(EMBEDDING_MODEL))

# SUITES='FOLDER ...' asks the questions of further suites, each a folder with docs and questions.jsonl;
# ONLY=NAME takes the suites with NAME in theirs; SHOW=1 prints what is not answered right.
.PHONY: answers
answers: build .bench/bin/answers ## measure answers without a model, by kind of question and language
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- .bench/bin/answers $(if $(NEORAG_DATA),-data $(NEORAG_DATA)) \
		$(if $(ONLY),-only $(ONLY)) $(if $(SHOW),-show) $(wildcard internal/bench/answers/testdata/languages/*) $(SUITES)

# PROGRAM=FILE runs another program than bin/neorag, BASE=FILE also an earlier one, for a second
# column; ONLY=TEXT takes the cases with TEXT in their kind or name. The cases are in NEORAG_DATA.
.PHONY: operation
operation: build .bench/bin/operation ## run the given cases of daily operation: what is right, what happened
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -memory -- .bench/bin/operation $(if $(NEORAG_DATA),-data $(NEORAG_DATA)) \
		$(if $(PROGRAM),-program $(PROGRAM)) $(if $(BASE),-base $(BASE)) $(if $(ONLY),-only '$(ONLY)')

# QUESTIONS=n asks another number of questions.
.PHONY: bench-costs
bench-costs: .bench/bin/costs ## print the calls and tokens of a question by each method, with a simulated model
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- .bench/bin/costs $(if $(NEORAG_DATA),-data $(NEORAG_DATA)) $(if $(QUESTIONS),-questions $(QUESTIONS))

# ARGS='-base-url URL -model NAME' asks a real model.
.PHONY: bench-gleaning
bench-gleaning: .bench/bin/gleaning ## print how many entities a model finds by the size of chunks and the number of gleanings
	@.bench/bin/gleaning $(ARGS)

# ONLY=lihuaworld or wild takes one set; COST=1 prints the cost of making and linking pairs;
# EMBEDDING_URL and EMBEDDING_MODEL as for eval; ARGS='-match REGEXP' takes some variants.
.PHONY: bench-qcg
bench-qcg: .bench/bin/qcg ## print the ablations of the query-centric graph, in memory
	@.bench/bin/qcg $(if $(NEORAG_DATA),-data $(NEORAG_DATA)) $(if $(ONLY),-only $(ONLY)) $(if $(COST),-cost) \
		$(if $(EMBEDDING_URL),-embedding-url $(EMBEDDING_URL) -embedding-model $(EMBEDDING_MODEL)) $(ARGS)

.PHONY: bench-memory
bench-memory: build .bench/bin/indexing ## print the peak memory of indexing large files, which takes an hour
	go run ./internal/testkit/neo4jtest/run -heap 2048 -measured -- .bench/bin/indexing memory

# DOCUMENTS=1000,4000 sets the sizes.
.PHONY: bench-updates
bench-updates: build .bench/bin/indexing ## print what it costs to add, change and delete one document, with a simulated model and without
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- .bench/bin/indexing -model updates
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- .bench/bin/indexing $(if $(DOCUMENTS),-documents $(DOCUMENTS)) updates

.PHONY: bench-readers
bench-readers: build .bench/bin/indexing ## print how long questions take during an update
	@go run ./internal/testkit/neo4jtest/run -heap 1024 -measured -- .bench/bin/indexing readers

# ENTITIES=n sets another size of the graph, which DATA=FOLDER keeps; RATE=n asks n questions a second, after WARM=4m of warming up.
.PHONY: bench-serve
bench-serve: build .bench/bin/serving ## measure the server while it indexes, on a graph of 100,000 entities
	@.bench/bin/serving $(if $(ENTITIES),-entities $(ENTITIES)) $(if $(RATE),-rate $(RATE)) $(if $(WARM),-warm $(WARM)) $(if $(DATA),-data $(DATA))

# ENTITIES=10000,100000 sets the sizes, DIR the folder for gigabytes of data.
.PHONY: bench-stages
bench-stages: .bench/bin/stages ## measure clustering, reports and labels on generated graphs of growing size
	@.bench/bin/stages $(if $(ENTITIES),-entities $(ENTITIES)) $(if $(DIR),-dir $(DIR))

# On a separate local server; JSON=1 prints only JSON, ENTITIES=n sets another size.
bench-explore: .bench/bin/savedqueries ## measure the saved queries on a graph of 100,000 entities
	@.bench/bin/savedqueries $(if $(ENTITIES),-entities $(ENTITIES)) $(if $(JSON),-json)

bench-page: ## measure the page of export --format html, with Chromium
	@go -C $(BROWSERTEST) run ./mapbench

# ONLY=name takes one; CHROMIUM=path runs another Chromium than the one on PATH, also for
# bench-page and the tests.
pictures: build ## take the screenshots of Neo4j Browser in docs/
	@go -C $(BROWSERTEST) run ./pictures $(if $(ONLY),-only $(ONLY))

.PHONY: changelog release release-test vulnerabilities
changelog: ## move changelog/unreleased into CHANGELOG.md, as the release VERSION
	@.ci/changelog "$(VERSION)"

release: $(NFPM) $(CYCLONEDX) ## build archives and packages of the release VERSION into dist, with checksums
	@NFPM=$(CURDIR)/$(NFPM) CYCLONEDX=$(CURDIR)/$(CYCLONEDX) .ci/release "$(VERSION)"

release-test: ## build a release of HEAD twice, compare the bytes, and use the archive of this machine
	@.ci/release-test

vulnerabilities: $(GOVULNCHECK) ## check the modules against the database of known vulnerabilities
	@$(GOVULNCHECK) $(ARGS) ./...

up: build ## start a local Neo4j
	$(BIN) up

down: build ## stop the local Neo4j; its data stays
	$(BIN) down

# HEAD=rev compares another commit than the working tree; RUN=1 starts a local server,
# measures indexing and queries and compares exports.
.PHONY: figures
figures: .bench/bin/figures ## compare the figures of the code with those of the commit BASE
	@.bench/bin/figures -base "$(BASE)" $(if $(HEAD),-head "$(HEAD)") $(if $(RUN),-run)

# ONLY=method, setting or artifact makes one addition; SERVER=1 also runs the tests that need a
# server.
.PHONY: toys
toys: .bench/bin/toys ## add a toy method, setting and artifact to a clone of HEAD, and count the files that each takes
	@.bench/bin/toys $(if $(ONLY),-only $(ONLY)) $(if $(SERVER),-run-server)

.bench/bin/%: FORCE
	@go build -C $(BENCH) -o $(CURDIR)/$@ ./$*

.PHONY: FORCE
FORCE:

# The tools are built the same on every machine, since the bill of materials names their hash.
define tool
	@mkdir -p .bin
	GOGC=400 GOFLAGS=-trimpath CGO_ENABLED=0 GOBIN=$(CURDIR)/.bin go install $(1)@$(2)
	@mv .bin/$(notdir $(1)) $@
endef

$(GOLANGCI):
	$(call tool,github.com/golangci/golangci-lint/v2/cmd/golangci-lint,$(GOLANGCI_VERSION))

$(GOTESTSUM):
	$(call tool,gotest.tools/gotestsum,$(GOTESTSUM_VERSION))

$(NFPM):
	$(call tool,github.com/goreleaser/nfpm/v2/cmd/nfpm,$(NFPM_VERSION))

$(CYCLONEDX):
	$(call tool,github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod,$(CYCLONEDX_VERSION))

$(GOVULNCHECK):
	$(call tool,golang.org/x/vuln/cmd/govulncheck,$(GOVULNCHECK_VERSION))
