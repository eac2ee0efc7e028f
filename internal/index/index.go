// Package index is the conductor: it turns the documents of some paths into a
// graph in Neo4j, stage by stage, and is the only writer of that graph.
//
// Progress lives in the graph. Every stage pages through the nodes that carry
// its mark, compares fingerprints, redoes what differs and writes the result,
// the fingerprint and the removal of the mark in one transaction. A run that
// was killed therefore goes on where it stopped, and a run with nothing to do
// takes no lease and writes nothing.
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/extract"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/tokens"
)

// Errors that callers decide on.
var (
	// ErrOtherRoot says that a URI is already indexed from another path.
	ErrOtherRoot = errors.New("URI belongs to another path")
	// ErrOtherMode says that the corpus was made with other models, or offline.
	ErrOtherMode = errors.New("corpus was made with other settings")
)

// An Indexer runs the stages of one corpus against one store.
type Indexer struct {
	store   *neo4jstore.Store
	options Options
	counter *tokens.Counter
	log     *slog.Logger

	// modelExtractor reads chunks with a model. Rules, in place of it, read a whole
	// document at once, since their counts are those of the document.
	modelExtractor        *extract.Model
	extractFP, describeFP string
}

// New checks the options and prepares an indexer. The store stays the caller's.
func New(store *neo4jstore.Store, o Options) (*Indexer, error) {
	o = o.withDefaults()
	if err := graph.CheckCorpus(o.Corpus); err != nil {
		return nil, err
	}
	if err := o.Source.Validate(); err != nil {
		return nil, err
	}
	if err := o.Chunk.Validate(); err != nil {
		return nil, err
	}
	counter, err := tokens.Get(o.Chunk.Encoding)
	if err != nil {
		return nil, err
	}
	x := &Indexer{store: store, options: o, counter: counter, log: o.Logger, modelExtractor: newExtractor(o), extractFP: o.Rules.Fingerprint()}
	x.describeFP = graph.Hash(o.Resolve.Fingerprint(), "central")
	if m := o.Model; m != nil {
		if err := m.Prompts.Check(); err != nil {
			return nil, err
		}
		x.extractFP, x.describeFP = x.modelExtractor.Fingerprint(), x.describer().Fingerprint()
	}
	return x, nil
}

// Run indexes the paths: new and changed documents are read, documents that
// are gone from a given path are removed, and everything that depends on them
// is brought up to date. The result is valid also beside an error, as far as
// the run got.
func (x *Indexer) Run(ctx context.Context, paths []string) (Result, error) {
	r := x.newRun()
	listing, err := source.List(ctx, paths, x.options.Source)
	if err != nil {
		return r.result, err
	}
	if err := x.store.EnsureSchema(ctx); err != nil {
		return r.result, fmt.Errorf("prepare the schema: %w", err)
	}
	p, err := x.diff(ctx, listing)
	if err != nil {
		return r.result, err
	}
	r.takeDiff(p)
	if p.isEmpty() {
		r.finish()
		return r.result, nil
	}
	if err := x.confirm(p); err != nil {
		r.finish()
		return r.result, err
	}
	if err := x.probeEmbedder(ctx); err != nil {
		return r.endWithoutProbe(err)
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, after bool) error {
		r.writer = writer
		if after {
			// The other run may have done what this one found to do.
			if p, err = x.diff(ctx, listing); err != nil {
				return err
			}
			if r.takeDiff(p); p.isEmpty() {
				return nil
			}
		}
		return r.stages(ctx, p)
	})
	r.finish()
	return r.result, err
}

// run is the state of one run: where results are counted and writes go.
type run struct {
	*Indexer
	writer      *neo4jstore.Writer
	start       time.Time
	stageDone   map[string]chan struct{} // closed when a stage has ended
	budgetSpent chan struct{}            // closed when the budget is

	mu     sync.Mutex // of the result and of the counts of stages
	result Result
	// arrived hears of documents that were written, where extraction reads them
	// at once; nil where it waits for all.
	documentsWritten chan struct{}
	// topology is the state of the edges that this run clustered; 0 when it did not.
	topology      int64
	dropped       resolve.Dropped
	indexesLater  bool   // embed makes the indexes of the corpus
	reportVectors *stage // the vectors of reports, which count for embed
	// modelReports are the communities whose reports the model writes; nil means all.
	modelReports map[string]bool
}

func (x *Indexer) newRun() *run {
	r := &run{Indexer: x, start: x.options.Clock()}
	r.result.Corpus = x.options.Corpus
	r.result.Run = x.options.Owner
	return r
}

// takeDiff notes what the plan says about documents.
func (r *run) takeDiff(p runDiff) {
	r.result.Documents = p.counts
	r.result.Failures = slices.Clone(p.failures)
}

// stages runs every stage in the order of the data. Each looks for its own
// work, so that stages after an interrupted one find what it left. Stages that
// run at once never write what another one reads and clears a mark for: embed
// takes up descriptions when describe has ended.
func (r *run) stages(ctx context.Context, p runDiff) error {
	if p.dimension > 0 && p.dimension != r.options.Embedder.Dimension() {
		if err := r.writer.DropVectors(ctx); err != nil {
			return err
		}
	}
	// Making indexes takes seconds: a new corpus gets them while models are asked.
	r.indexesLater = p.isNew && r.overlaps()
	if err := r.prepareCorpus(ctx, !r.indexesLater); err != nil {
		return err
	}
	if err := r.noteSettings(ctx, p.changedSettings, p.isNew); err != nil {
		return err
	}
	err := r.schedule(ctx, []scheduledStage{
		{"chunk", nil, func(ctx context.Context, s *stage) error { return r.documents(ctx, s, p) }},
		{"extract", r.extractDependencies(p), r.extract},
		{"derive", []string{"extract"}, r.derive},
		{"describe", []string{"derive"}, r.describe},
		{"embed", nil, r.embed},
		{"cluster", []string{"derive"}, r.cluster},
		{"report", []string{"describe", "cluster"}, r.report},
		{"label", []string{"report"}, r.label},
	})
	if err != nil {
		return err
	}
	return r.conclude(ctx)
}

// prepareCorpus makes the corpus, and its indexes unless they can wait.
func (r *run) prepareCorpus(ctx context.Context, indexes bool) error {
	var err error
	if indexes {
		err = r.store.EnsureCorpus(ctx, r.options.Corpus, r.options.Embedder.Dimension())
	} else {
		err = r.store.MakeCorpus(ctx, r.options.Corpus)
	}
	if err != nil {
		return fmt.Errorf("prepare corpus %s: %w", r.options.Corpus, err)
	}
	return nil
}

// conclude says what is left, where the budget is spent, and records the run.
func (r *run) conclude(ctx context.Context) error {
	if r.result.Stopped != "" {
		if err := r.noteRemaining(ctx); err != nil {
			return err
		}
	}
	return r.recordRun(ctx)
}

// recordRun keeps the run in the graph, with its counts.
func (r *run) recordRun(ctx context.Context) error {
	now := r.options.Clock()
	r.takeUsage()
	counts := map[string]int64{
		"added": int64(r.result.Documents.Added), "changed": int64(r.result.Documents.Changed),
		"moved": int64(r.result.Documents.Moved), "removed": int64(r.result.Documents.Removed),
		"failed": int64(len(r.result.Failures)), "writes": r.writer.Counters().Total(),
	}
	return r.writer.RecordRun(ctx, neo4jstore.Run{
		ID: r.options.Owner, Corpus: r.options.Corpus, Started: r.start, Finished: now,
		Counts: counts, Calls: r.result.Calls, TokensIn: r.result.TokensIn, TokensOut: r.result.TokensOut, Cost: r.result.Cost, Exit: r.result.exit(r.options.AllowFailures),
	})
}
