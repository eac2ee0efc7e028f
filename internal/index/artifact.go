package index

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// An artifact is a part of a corpus that a stage of the same name makes, if the corpus is stored
// as having it.
type artifact struct {
	stage  string
	wanted bool                                      // the corpus has it after the run
	stored func(neo4jstore.Corpus) bool              // whether the corpus has it
	set    func(ctx context.Context, has bool) error // stores whether the corpus has it
	drop   func(ctx context.Context) error           // deletes it, and stores that the corpus has it no longer
}

// planArtifacts sets which artifacts the corpus has after the run: those that it has, unless the
// options say something else.
func (e *effective) planArtifacts(kept neo4jstore.Corpus) {
	has := func(with, without, before bool) bool { return !without && (with || before) }
	if has(e.Queries.With, e.Queries.Without, kept.HasQueries()) {
		e.queries = queriesFor(e.Queries, kept.Queries)
	}
	e.sentences = has(e.Sentences.With, e.Sentences.Without, kept.Sentences)
	e.synonyms = has(e.Synonyms.With, e.Synonyms.Without, kept.Synonyms)
	e.documentLinks = has(e.DocumentLinks.With, e.DocumentLinks.Without, kept.DocumentLinks)
}

// artifactsChanged reports whether a corpus is stored as having other artifacts.
func (e *effective) artifactsChanged(c neo4jstore.Corpus) bool {
	return e.queries != c.Queries || e.sentences != c.Sentences || e.synonyms != c.Synonyms || e.documentLinks != c.DocumentLinks
}

// checkWanted returns an error if something is both made and deleted.
func checkWanted(what string, with, without bool) error {
	if with && without {
		return fmt.Errorf("%s are both wanted and not", what)
	}
	return nil
}

// storeArtifacts stores which artifacts the corpus has, and deletes those that it shall not have.
func (r *run) storeArtifacts(ctx context.Context, c neo4jstore.Corpus) error {
	if err := r.settleQueries(ctx, c); err != nil {
		return err
	}
	for _, a := range []artifact{r.sentenceArtifact(), r.synonymArtifact(), r.documentLinkArtifact()} {
		if err := r.storeArtifact(ctx, a, c); err != nil {
			return err
		}
	}
	return nil
}

// storeArtifact stores whether the corpus has an artifact, and deletes it if it shall have none. A
// deletion that was interrupted left the fingerprint of the stage, and is completed. It runs
// before the fingerprints are stored.
func (r *run) storeArtifact(ctx context.Context, a artifact, c neo4jstore.Corpus) error {
	stored := a.stored(c)
	left := !stored && c.Settings[a.stage] != ""
	if left || stored && !a.wanted {
		if err := a.drop(ctx); err != nil {
			return err
		}
		if err := r.writer.SetSettings(ctx, map[string]string{a.stage: ""}, neo4jstore.CorpusSet{}); err != nil {
			return fmt.Errorf("store settings: %w", err)
		}
	}
	return a.set(ctx, a.wanted)
}

// dropLeftovers deletes what a corpus without an artifact has of it, which only a repair or a person can
// have left.
func (r *run) dropLeftovers(ctx context.Context, a artifact) error {
	marks, err := r.store.Pending(ctx, r.Corpus)
	if err != nil || marks[a.stage] == 0 {
		return err
	}
	return a.drop(ctx)
}
