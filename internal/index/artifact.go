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

// keepArtifacts sets which artifacts the corpus has after the run: those that it has, unless the
// options say something else.
func (x *Indexer) keepArtifacts(c neo4jstore.Corpus) {
	x.keepSettings(c)
	x.keepQueries(c)
	x.keepSentences(c)
	x.keepSynonyms(c)
	x.keepDocumentLinks(c)
}

// checkWanted returns an error if something is both made and deleted.
func checkWanted(what string, with, without bool) error {
	if with && without {
		return fmt.Errorf("%s are both wanted and not", what)
	}
	return nil
}

// settle stores whether the corpus has an artifact, and deletes it if it shall have none. A
// deletion that was interrupted left the fingerprint of the stage, and is completed. It runs
// before the fingerprints are stored.
func (r *run) settle(ctx context.Context, a artifact, c neo4jstore.Corpus) error {
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

// sweep deletes what a corpus without an artifact has of it, which only a repair or a person can
// have left.
func (r *run) sweep(ctx context.Context, a artifact) error {
	marks, err := r.store.Pending(ctx, r.options.Corpus)
	if err != nil || marks[a.stage] == 0 {
		return err
	}
	return a.drop(ctx)
}
