package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newStatusCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "status",
		Usage: "show contents, pending work and failures of one corpus, or of all if --corpus is not given",
		Flags: append([]ucli.Flag{
			anyCorpusFlag("show"),
			&ucli.BoolFlag{Name: "runs", Usage: "instead, list the runs that wrote something, the latest first"},
			&ucli.BoolFlag{Name: "files", Usage: "instead, list the documents and the files that could not be read, and count the skipped files"},
		}, serverFlags()...),
		Action: action(env, statusOptionsFrom, runStatus),
	}
}

type statusOptions struct {
	corpus      string // "" for all
	runs, files bool
}

func statusOptionsFrom(cc invocation) (o statusOptions, err error) {
	if o.runs, o.files = cc.Bool("runs"), cc.Bool("files"); o.runs && o.files {
		return o, usage("status: give --runs or --files")
	}
	if cc.settings.Text("corpus") != "" {
		o.corpus, err = corpusFrom(cc)
	}
	return o, err
}

// shownRuns returns how many runs are shown.
func (o statusOptions) shownRuns() int {
	if o.runs {
		return maxRuns
	}
	return shownRuns
}

// statusList is the shape of `status --json` without --corpus.
type statusList struct {
	Corpora []Status `json:"corpora"`
}

// Status is the shape of `status --json` with --corpus.
type Status struct {
	Corpus        string                      `json:"corpus"`
	Mode          string                      `json:"mode"` // offline, or the names of the models
	Counts        neo4jstore.Counts           `json:"counts"`
	Absent        neo4jstore.AbsentCounts     `json:"absent"`                        // names and quotes that no chunk holds
	Excluded      int                         `json:"excluded"`                      // documents that were removed with `neorag remove` and are kept out
	Unfinished    []string                    `json:"unfinished_removals,omitempty"` // documents whose removal was interrupted or left failed parts
	Communities   []CommunityLevel            `json:"communities"`
	Partition     *neo4jstore.PartitionChange `json:"partition,omitempty"` // absent if it is not known
	Reports       []ReportLevel               `json:"reports"`
	Pending       map[string]int              `json:"pending"`                 // by stage: nodes that may be out of date
	Without       []string                    `json:"without"`                 // artifacts that were left out
	Sentences     bool                        `json:"sentences"`               // the corpus has sentences
	Synonyms      bool                        `json:"synonyms"`                // the corpus has synonyms
	DocumentLinks bool                        `json:"document_links"`          // it has edges between similar documents
	Queries       *QueryStatus                `json:"queries,omitempty"`       // of a corpus with question-answer pairs
	Resolve       string                      `json:"resolve"`                 // which names are merged into one entity: exact or similar
	Language      string                      `json:"language,omitempty"`      // in which descriptions and reports are written, if one was named
	Domain        *extract.Domain             `json:"domain,omitempty"`        // what the model is shown of the documents
	OlderEdition  *index.OlderEdition         `json:"older_edition,omitempty"` // set if the model's results were made with prompts and rules of an earlier version
	Running       *RunningLine                `json:"running,omitempty"`       // the run that is under way, in whatever process
	Requested     bool                        `json:"requested,omitempty"`     // a run is requested that has not ended
	Failure       string                      `json:"failure,omitempty"`       // why the last requested run failed, unless another run followed
	Failed        []FailedItem                `json:"failed"`
	Skipped       map[string]int              `json:"skipped,omitempty"` // files of the last run that no format reads, by extension; absent without any
	Files         []FileLine                  `json:"files,omitempty"`   // with --files
	Runs          []RunLine                   `json:"runs"`

	artifacts []index.ArtifactStatus
}

// A QueryStatus is how the question-answer pairs of a corpus are made and asked.
type QueryStatus struct {
	Pairs      int     `json:"pairs"` // of a chunk
	Share      float64 `json:"share"` // of the pairs of a chunk that is kept
	Neighbours int     `json:"neighbours"`
	Preset     string  `json:"preset"`
	Unrelated  float64 `json:"unrelated"` // mean cosine of unrelated pairs
	Near       float64 `json:"near"`      // mean cosine of a pair and its nearest neighbour
}

// A CommunityLevel counts the communities of a level and the entities in them.
type CommunityLevel struct {
	Level    int `json:"level"`
	Count    int `json:"count"`
	Entities int `json:"entities"`
}

// A ReportLevel counts the reports of a level.
type ReportLevel struct {
	Level int `json:"level"`
	Count int `json:"count"`
	Stale int `json:"stale"` // reports whose context changed since, by less than reports.rewrite allows
}

// A RunningLine is the last progress that the run under way has stored: one of its stages.
type RunningLine struct {
	Stage  string  `json:"stage"` // empty at its beginning
	Done   int     `json:"done"`
	Total  int     `json:"total"`       // 0 while it is not known
	Calls  int64   `json:"calls"`       // of models, of the whole run so far
	Holder string  `json:"holder"`      // the process that runs it
	Age    float64 `json:"age_seconds"` // since it stored this
}

// A FailedItem is an item on which a stage failed.
type FailedItem struct {
	Key    string `json:"key"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

// A RunLine is a run that wrote something.
type RunLine struct {
	ID            string           `json:"id"`
	Started       time.Time        `json:"started"`
	Finished      time.Time        `json:"finished"`
	Counts        map[string]int64 `json:"counts"`
	Calls         int64            `json:"calls"`
	TokensIn      int64            `json:"tokens_in"`
	TokensOut     int64            `json:"tokens_out"`
	Cost          float64          `json:"cost"`
	Exit          int              `json:"exit"`
	RebuildCalls  float64          `json:"rebuild_calls,omitempty"`  // share of the calls of a new corpus; absent without calls
	RebuildTokens float64          `json:"rebuild_tokens,omitempty"` // share of the tokens of a new corpus; absent without calls
}

const (
	shownFailures = 100
	shownRuns     = 5
	maxRuns       = 10_000
)

func runStatus(ctx context.Context, env *environment, o statusOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		if o.corpus == "" {
			return statusOfAll(ctx, env, store, o)
		}
		s, err := readStatus(ctx, store, o.corpus, o)
		if err != nil {
			return err
		}
		return env.print(s, func() { o.print(env, s) })
	})
}

// print prints the status of a corpus, or its runs.
func (o statusOptions) print(env *environment, s Status) {
	switch {
	case o.runs:
		printRuns(env, s)
	case o.files:
		printFiles(env, s)
	default:
		printStatus(env, s)
	}
}

func statusOfAll(ctx context.Context, env *environment, store *neo4jstore.Store, o statusOptions) error {
	corpora, err := store.Corpora(ctx)
	if err != nil {
		return err
	}
	all := []Status{}
	for _, c := range corpora {
		s, err := readStatus(ctx, store, c.Name, o)
		if errors.Is(err, neo4jstore.ErrNoCorpus) {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	if env.json {
		return env.printJSON(statusList{all})
	}
	if len(all) == 0 {
		env.printf("There is no corpus yet; `neorag index PATH` creates one.\n")
	}
	for i, s := range all {
		if i > 0 {
			env.printf("\n")
		}
		o.print(env, s)
	}
	return nil
}

// readStatus reads the status of a corpus, with its latest runs, or with its files.
func readStatus(ctx context.Context, store *neo4jstore.Store, corpus string, o statusOptions) (Status, error) {
	c, err := store.Corpus(ctx, corpus)
	if err != nil {
		return Status{}, explainFirstRun(ctx, store, corpus, err)
	}
	s := Status{Corpus: corpus, Mode: c.Mode, Communities: []CommunityLevel{}, Reports: []ReportLevel{}, Failed: []FailedItem{}, Runs: []RunLine{}, Without: []string{}}
	if s.Counts, err = store.Counts(ctx, corpus); err != nil {
		return s, err
	}
	if s.Absent, err = store.Absent(ctx, corpus); err != nil {
		return s, err
	}
	kept, err := store.Exclusions(ctx, corpus)
	if err != nil {
		return s, err
	}
	s.Excluded, s.Unfinished = len(kept.Documents), kept.Unfinished
	s.Partition = c.PartitionChange(s.Counts.Relationships)
	s.OlderEdition = index.EditionOf(c)
	s.Resolve = string(index.NamesOf(c))
	domain, language := index.DomainOf(c)
	if s.Language = language; domain.Description != "" || len(domain.EntityTypes) > 0 {
		s.Domain = &domain
	}
	s.artifacts = index.StatusOfArtifacts(c, s.Counts)
	s.Sentences, s.Synonyms, s.DocumentLinks = c.Has(neo4jstore.ArtifactSentences), c.Has(neo4jstore.ArtifactSynonyms), c.Has(neo4jstore.ArtifactDocumentLinks)
	if q := c.Queries; c.HasQueries() {
		s.Queries = &QueryStatus{q.Count, q.Alpha, q.Neighbours, q.Preset, q.Unrelated, q.Near}
	}
	levels, err := store.CommunityLevels(ctx, corpus)
	if err != nil {
		return s, err
	}
	for _, l := range levels {
		s.Communities = append(s.Communities, CommunityLevel{l.Level, l.Count, l.Entities})
	}
	if levels, err = store.ReportLevels(ctx, corpus); err != nil {
		return s, err
	}
	for _, l := range levels {
		s.Reports = append(s.Reports, ReportLevel{l.Level, l.Count, l.Stale})
	}
	if s.Pending, err = store.Pending(ctx, corpus); err != nil {
		return s, err
	}
	// A run makes communities visible before their reports are written only if it
	// skips reports.
	if s.Counts.Reports < s.Counts.Communities && s.Pending["report"] > 0 {
		s.Without = append(s.Without, "reports")
	}
	if s.Failed, err = readFailed(ctx, store, c); err != nil {
		return s, err
	}
	s.Skipped = c.Unread.Skipped
	if err = s.readLease(ctx, store); err != nil {
		return s, err
	}
	runs, err := store.Runs(ctx, corpus, o.shownRuns())
	if err != nil {
		return s, err
	}
	for _, r := range runs {
		s.Runs = append(s.Runs, RunLine{r.ID, r.Started, r.Finished, r.Counts, r.Calls, r.TokensIn, r.TokensOut, r.Cost, r.Exit, r.RebuildCalls, r.RebuildTokens})
	}
	if o.files {
		if s.Files, err = readFiles(ctx, store, corpus); err != nil {
			return s, err
		}
	}
	return s, nil
}

// readLease reads the run that is under way, and what became of the last request for a run.
func (s *Status) readLease(ctx context.Context, store *neo4jstore.Store) error {
	l, err := store.Lease(ctx, s.Corpus)
	s.Requested, s.Failure = l.Requested, l.Failure
	if l.Owner != "" && !index.LeaseOwnerEnded(l.Owner) {
		p := l.Progress
		s.Running = &RunningLine{p.Stage, p.Done, p.Total, p.Calls, l.Holder(), l.Age.Seconds()}
	}
	return err
}

// explainFirstRun adds to the error of a corpus that does not exist what became of the request for its first run.
func explainFirstRun(ctx context.Context, store *neo4jstore.Store, corpus string, err error) error {
	if !errors.Is(err, neo4jstore.ErrNoCorpus) {
		return err
	}
	switch l, leaseErr := store.Lease(ctx, corpus); {
	case leaseErr != nil:
		return err
	case l.Requested:
		return fmt.Errorf("%w: %s", err, requestedRun)
	case l.Failure != "":
		return fmt.Errorf("%w: %s", err, failedRun(l.Failure))
	}
	return err
}

// readFailed returns the files that were not read, and then the items that a stage failed on.
func readFailed(ctx context.Context, store *neo4jstore.Store, c neo4jstore.Corpus) ([]FailedItem, error) {
	items := []FailedItem{}
	failed, err := store.Failed(ctx, c.Name, shownFailures)
	for _, f := range c.WithUnread(failed) {
		items = append(items, FailedItem(f))
	}
	return items, err
}
