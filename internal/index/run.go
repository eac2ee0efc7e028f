package index

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A run is one execution of stages, under the lease of the corpus.
type run struct {
	*effective
	*outcome

	store       *neo4jstore.Store
	diff        runDiff                  // what stage chunk reads and writes
	stageDone   map[string]chan struct{} // closed when a stage has ended
	budgetSpent chan struct{}            // closed when the budget is spent
	started     map[string]*stage        // that have begun; guarded by the mutex of the outcome
	expected    map[string]int           // items of stages that have not, guarded too

	textsGone     bool // documents were removed or changed
	noCommunities bool // the corpus had none before this run, whose communities are all reported
	vectorsOnly   bool // texts of question-answer pairs are not made
	indexesLater  bool // the stage embed asks for the dimension and creates the indexes of the corpus

	// What stages pass to others.

	// documentsWritten receives a value when documents were written, if extraction
	// does not wait for the end of stage chunk; else it is nil.
	documentsWritten chan struct{}
	lastChunkTaken   chan struct{}         // closed when a model extracts the last chunk, or is done with it
	partition        *neo4jstore.Partition // how this run found communities; nil if it did not
	regrouped        *regrouped            // what this run made of the communities; nil if it did not look
	reportVectors    *stage                // counts the vectors of reports, which are added to the counts of embed
}

func newRun(store *neo4jstore.Store, e *effective, out *outcome) *run {
	return &run{effective: e, outcome: out, store: store, lastChunkTaken: make(chan struct{})}
}

// update prepares the corpus for the work that was found, and runs every stage.
func (r *run) update(ctx context.Context, d runDiff) error {
	if d.removing {
		r.Logger.InfoContext(ctx, "completing the interrupted removal of the corpus", "corpus", r.Corpus)
		if err := r.writer.Drop(ctx); err != nil {
			return err
		}
	}
	if err := r.writer.CreateCorpus(ctx); err != nil {
		return err
	}
	if err := r.storeArtifacts(ctx, d.corpus); err != nil {
		return err
	}
	// The embedder is stored before the indexes change, so that an interrupted change of
	// their dimension is continued, or undone by a run with the previous embedder.
	if err := r.storeSettings(ctx, d); err != nil {
		return err
	}
	if !d.isNew {
		note, err := oldProfiles(ctx, r.store, r.effective, d.corpus, oldProfilesNote)
		if err != nil {
			return err
		}
		if note != "" {
			r.addNote("%s", note)
		}
	}
	r.diff = d
	r.textsGone = len(d.removed)+len(d.changed) > 0
	r.noCommunities = d.isNew || d.corpus.Generation == 0 && d.corpus.Next == 0 && d.corpus.Clustered == 0
	if r.indexesLater = d.probesLater(); !r.indexesLater {
		if err := r.ensureIndexes(ctx); err != nil {
			return err
		}
	}
	if d.isNew && r.extractor != nil { // no chunk will be replaced in this run
		r.documentsWritten = make(chan struct{}, 1)
	}
	if err := r.schedule(ctx, stageSpecs); err != nil {
		return err
	}
	if err := r.noteNoEntities(ctx); err != nil {
		return err
	}
	if err := r.noteGeneralTypes(ctx); err != nil {
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
	if err := r.finishRemovals(ctx); err != nil {
		return err
	}
	return r.recordRun(ctx)
}

// noteNoEntities notes that rules found nothing in a whole corpus, as in a language that they do not
// know.
func (r *run) noteNoEntities(ctx context.Context) error {
	if r.extractor != nil {
		return nil
	}
	counts, err := r.store.Counts(ctx, r.Corpus)
	if err != nil {
		return err
	}
	if counts.Documents > 0 && counts.Entities == 0 {
		r.addNote("no entities were found: rules know names in some languages (docs/languages.md), and find none in very short texts; a model finds more. `neorag query --method basic` answers from the text")
	}
	return nil
}

// From this many entities on, a larger share of general ones means that the types do not fit the documents.
const (
	minTypedEntities = 50
	maxGeneralShare  = .6
)

// generalTypes are the default types that say least.
var generalTypes = []string{"concept", "thing"}

// noteGeneralTypes notes that a model found little else than concepts with the default types, where it extracted
// in this run.
func (r *run) noteGeneralTypes(ctx context.Context) error {
	extracted := slices.ContainsFunc(r.result.Stages, func(s StageResult) bool { return s.Name == "extract" && s.Done > 0 })
	if r.extractor == nil || r.Domain.EntityTypes != nil || !extracted {
		return nil
	}
	counts, err := r.store.EntityTypeCounts(ctx, r.Corpus)
	if err != nil {
		return err
	}
	all, general := 0, 0
	for t, n := range counts {
		if all += n; slices.Contains(generalTypes, t) {
			general += n
		}
	}
	if all >= minTypedEntities && float64(general) > maxGeneralShare*float64(all) {
		r.addNote("%d of %d entities have no other type than %s; `neorag tune` proposes types that fit the documents", general, all, strings.Join(generalTypes, " or "))
	}
	return nil
}

// recordRun stores the run with its counts in the graph.
func (r *run) recordRun(ctx context.Context) error {
	now := r.Clock()
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
		ID: r.Owner, Corpus: r.Corpus, Started: r.start, Finished: now, RebuildCalls: share.Calls, RebuildTokens: share.Tokens,
		Counts: counts, Calls: r.result.Calls, TokensIn: r.result.TokensIn, TokensOut: r.result.TokensOut, Cost: r.result.Cost, Exit: r.result.exit(r.AllowFailures),
	})
}
