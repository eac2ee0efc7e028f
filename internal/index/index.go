package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/web"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/tokens"
)

// Errors for callers to check with errors.Is.
var (
	// ErrOtherRoot means that a URI is already indexed from another path.
	ErrOtherRoot = errors.New("URI belongs to another path")
	// ErrOtherMode means that the corpus was made with other models, or offline.
	ErrOtherMode = errors.New("corpus was made with other settings")
	// ErrManyGone means that most documents of a corpus that a model made are gone from
	// the given paths.
	ErrManyGone = errors.New("most documents are gone")
)

// An Indexer runs the stages of one corpus against one store.
type Indexer struct {
	store   *neo4jstore.Store
	options Options
	counter *tokens.Counter
	log     *slog.Logger

	// givenEmbedder is the embedder of the caller; options.Embedder may be another one, see
	// keepEmbedder.
	givenEmbedder Embedder
	// given are the options of the caller; what they leave open is taken over from the corpus,
	// see keepSettings.
	given    Options
	domain   extract.Domain
	language string // in which descriptions and reports are written; empty means that of the documents
	// usualLanguage is the language of most documents, in which reports are written if language is
	// empty. It is known when reports are written.
	usualLanguage string
	similar       bool // similar names are joined
	folded        bool // names were folded before
	edition       int  // of the prompts and rules
	newest        int  // edition of new corpora
	keepsChunks   bool // unchanged documents keep the chunks of an earlier edition
	// modelExtractor extracts chunk by chunk with a model. If it is nil, rules
	// extract a whole document at a time, because they count over the document.
	modelExtractor        *extract.Model
	extractFP, describeFP string
	queries               neo4jstore.QuerySettings // how question-answer pairs are made; zero for none, see keepQueries
	sentences             bool                     // the corpus has sentences after the run, see keepSentences
	synonyms              bool                     // the corpus has synonyms after the run, see keepSynonyms
	documentLinks         bool                     // the corpus has edges between similar documents after the run, see keepDocumentLinks
}

// New checks the options and returns an indexer. It does not take ownership of the
// store: the caller closes it.
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
	if err := o.Names.Validate(); err != nil {
		return nil, err
	}
	if err := o.Queries.Validate(); err != nil {
		return nil, err
	}
	if err := errors.Join(o.Sentences.Validate(), o.Synonyms.Validate(), o.DocumentLinks.Validate()); err != nil {
		return nil, err
	}
	counter, err := tokens.Get(o.Chunk.Encoding)
	if err != nil {
		return nil, err
	}
	x := &Indexer{store: store, options: o, counter: counter, log: o.Logger, givenEmbedder: o.Embedder, given: o, newest: currentEdition}
	if m := o.Model; m != nil {
		if err := m.Prompts.Check(); err != nil {
			return nil, err
		}
	}
	x.keepSettings(neo4jstore.Corpus{})
	return x, nil
}

// Run indexes the paths: it reads new and changed documents, removes documents that
// are gone from a given path, and updates everything that depends on them. If it
// returns an error, the result covers what was done before.
func (x *Indexer) Run(ctx context.Context, paths []string) (Result, error) {
	return x.withDimension(ctx, func() (Result, error) { return x.runOnce(ctx, paths) })
}

func (x *Indexer) runOnce(ctx context.Context, paths []string) (Result, error) {
	r := x.newRun()
	sandbox := source.NewSandbox()
	defer sandbox.Close()
	r.source.Sandbox = sandbox
	listing, err := web.List(ctx, paths, x.options.Source, x.options.Web)
	if err != nil {
		return r.result, err
	}
	r.result.Skipped = listing.Skipped
	if note := source.SkippedNote(listing.Skipped); note != "" {
		r.addNote("%s", note)
	}
	if err := x.store.EnsureSchema(ctx); err != nil {
		return r.result, fmt.Errorf("prepare the schema: %w", err)
	}
	d, err := x.diff(ctx, listing)
	if err != nil {
		return r.result, err
	}
	if d.missing != "" {
		r.addNote("%s", d.missing)
	}
	if err := d.states.Save(d.listing.Roots); err != nil {
		r.log.WarnContext(ctx, "the next run reads all files", "error", err)
	}
	r.takeDiff(d)
	if d.isEmpty() {
		r.finish()
		return r.result, nil
	}
	if err := x.confirm(d); err != nil {
		r.finish()
		return r.result, err
	}
	later := x.probesLater(d)
	if !later {
		if err := x.probeEmbedder(ctx); err != nil {
			return r.endWithoutProbe(err)
		}
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, waited bool) error {
		r.writer = writer
		if d, err = x.diffAgain(ctx, listing, d, waited); err != nil {
			return err
		}
		if later && !x.probesLater(d) { // another run made the corpus meanwhile
			if err := x.probeEmbedder(ctx); err != nil {
				return err
			}
			d.changedSettings = x.settingsDiff(d.corpus)
		}
		if r.takeDiff(d); d.isEmpty() {
			return nil
		}
		if err := x.confirm(d); err != nil {
			return err
		}
		return r.stages(ctx, d)
	})
	r.finish()
	return r.result, err
}

// A run is the state of one execution: its writer, its result, and the state that its
// stages share.
type run struct {
	*Indexer
	source      source.Options // those of the indexer, with the sandbox of this run
	writer      *neo4jstore.Writer
	diff        runDiff // what stage chunk reads and writes
	start       time.Time
	stageDone   map[string]chan struct{} // closed when a stage has ended
	budgetSpent chan struct{}            // closed when the budget is spent

	lastChunkTaken chan struct{} // closed when a model extracts the last chunk, or is done with it

	mu     sync.Mutex // guards the result and the counts of stages
	result Result
	// documentsWritten receives a value when documents were written, if extraction
	// does not wait for the end of stage chunk; else it is nil.
	documentsWritten chan struct{}
	// partition is how this run found communities; nil if it did not.
	partition *neo4jstore.Partition
	// regrouped is what this run made of the communities; nil if it did not look.
	regrouped     *regrouped
	dropped       resolve.Dropped
	indexesLater  bool   // the stage embed asks for the dimension and creates the indexes of the corpus
	textsGone     bool   // documents were removed or changed
	vectorsOnly   bool   // texts of question-answer pairs are not made
	noCommunities bool   // the corpus had none before this run, whose communities are all reported
	reportVectors *stage // counts the vectors of reports, which are added to those of embed
	// modelReports are the keys of the communities whose reports the model writes; nil
	// means all.
	modelReports map[string]bool
}

func (x *Indexer) newRun() *run {
	r := &run{Indexer: x, source: x.options.Source, start: x.options.Clock(), lastChunkTaken: make(chan struct{})}
	r.result.Corpus = x.options.Corpus
	r.result.Run = x.options.Owner
	return r
}

// takeDiff copies the counts and failures of documents into the result.
func (r *run) takeDiff(d runDiff) {
	r.result.Documents = d.counts
	r.result.Failures = slices.Clone(d.failures)
}

// stages prepares the corpus, and runs every stage.
func (r *run) stages(ctx context.Context, d runDiff) error {
	if d.removing {
		r.log.InfoContext(ctx, "completing the interrupted removal of the corpus", "corpus", r.options.Corpus)
		if err := r.writer.Drop(ctx); err != nil {
			return err
		}
	}
	if err := r.writer.CreateCorpus(ctx); err != nil {
		return err
	}
	// The embedder is noted before the indexes change, so that an interrupted change of
	// their dimension is continued, or undone by a run with the embedder of before.
	if err := r.settleQueries(ctx, d.corpus); err != nil {
		return err
	}
	for _, a := range []artifact{r.sentenceArtifact(), r.synonymArtifact(), r.documentLinkArtifact()} {
		if err := r.settle(ctx, a, d.corpus); err != nil {
			return err
		}
	}
	if err := r.noteSettings(ctx, d); err != nil {
		return err
	}
	note, err := r.oldProfilesNote(ctx, d.corpus)
	if err != nil {
		return err
	}
	if note != "" && !d.isNew {
		r.addNote("%s", note)
	}
	r.textsGone = len(d.removed)+len(d.changed) > 0
	r.noCommunities = d.isNew || d.corpus.Generation == 0 && d.corpus.Next == 0 && d.corpus.Clustered == 0
	if r.indexesLater = r.probesLater(d); !r.indexesLater {
		if err := r.ensureIndexes(ctx); err != nil {
			return err
		}
	}
	r.diff = d
	if d.isNew && r.modelExtractor != nil { // no chunk will be replaced in this run
		r.documentsWritten = make(chan struct{}, 1)
	}
	if err := r.schedule(ctx, stageSpecs); err != nil {
		return err
	}
	if err := r.noteNoEntities(ctx); err != nil {
		return err
	}
	return r.conclude(ctx)
}

// conclude notes what is left if the budget is spent, reports as a failure what is left
// for no reason, and records the run.
func (r *run) conclude(ctx context.Context) error {
	if r.result.Stopped != "" {
		if err := r.noteRemaining(ctx); err != nil {
			return err
		}
	} else if err := r.failRemaining(ctx); err != nil {
		return err
	}
	return r.recordRun(ctx)
}

// noteNoEntities notes that rules found nothing in a whole corpus, as in a language that they do not
// know.
func (r *run) noteNoEntities(ctx context.Context) error {
	if r.modelExtractor != nil {
		return nil
	}
	counts, err := r.store.Counts(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	if counts.Documents > 0 && counts.Entities == 0 {
		r.addNote("no entities were found: rules know names in some languages (docs/languages.md), and find none in very short texts; a model finds more. `neorag query --method basic` answers from the text")
	}
	return nil
}

// recordRun stores the run with its counts in the graph.
func (r *run) recordRun(ctx context.Context) error {
	now := r.options.Clock()
	r.takeUsage()
	counts := map[string]int64{
		"added": int64(r.result.Documents.Added), "changed": int64(r.result.Documents.Changed),
		"moved": int64(r.result.Documents.Moved), "removed": int64(r.result.Documents.Removed),
		"failed": int64(len(r.result.Failures)), "writes": r.writer.Counters().Total(),
		"communities_kept": int64(r.result.Communities.Kept), "communities_changed": int64(r.result.Communities.Changed),
		"communities_new": int64(r.result.Communities.New), "communities_gone": int64(r.result.Communities.Gone),
		"reports_kept": int64(r.result.Reports.Kept), "reports_rewritten": int64(r.result.Reports.Rewritten),
		"findings_dropped": int64(r.result.Reports.DroppedFindings), "references_dropped": int64(r.result.Reports.DroppedReferences),
	}
	for _, s := range r.result.Stages {
		counts[s.Name+"_writes"] = s.Writes
	}
	costs := r.costCounts()
	maps.Copy(counts, costs)
	share, err := r.rebuildShare(ctx, costs)
	if err != nil {
		return err
	}
	if r.result.Rebuild = share; share == nil {
		share = &RebuildShare{}
	}
	return r.writer.RecordRun(ctx, neo4jstore.Run{
		ID: r.options.Owner, Corpus: r.options.Corpus, Started: r.start, Finished: now, RebuildCalls: share.Calls, RebuildTokens: share.Tokens,
		Counts: counts, Calls: r.result.Calls, TokensIn: r.result.TokensIn, TokensOut: r.result.TokensOut, Cost: r.result.Cost, Exit: r.result.exit(r.options.AllowFailures),
	})
}
