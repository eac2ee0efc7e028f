package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// redoneByStage names what changed settings of a stage redo, and whether anything of it was made.
// Stages that never call a model are not listed.
var redoneByStage = []struct {
	stage, what string
	isMade      func(neo4jstore.Made) bool
}{
	{"extract", "the extraction of all chunks", func(m neo4jstore.Made) bool { return m.Extracted }},
	{"describe", "all descriptions", func(m neo4jstore.Made) bool { return m.Described }},
	{"embed", "all vectors", func(m neo4jstore.Made) bool { return m.Embedded }},
	{"report", "all reports", func(m neo4jstore.Made) bool { return m.Reported }},
	{"queries", "all question-answer pairs", func(m neo4jstore.Made) bool { return m.Pairs }},
}

// everything is what a corpus is taken to have made until that is read.
var everything = neo4jstore.Made{Extracted: true, Described: true, Embedded: true, Reported: true, ModelReported: true, Pairs: true, Sentences: true}

// manyGone is the number of documents from which a removal may need Options.AllowRedo.
const manyGone = 10

// paidArtifactsGone returns the artifacts that a run would delete although models were paid for them.
func (d *runDiff) paidArtifactsGone(made neo4jstore.Made) []string {
	var names []string
	for _, a := range artifacts {
		if a.paid != nil && a.paid(made) && d.corpus.Has(a.name) && !d.has(a.name) {
			names = append(names, string(a.name))
		}
	}
	return names
}

// confirm checks that the results that a run would redo or delete may be. Settings with which
// nothing was made, because the address, the key or the name of a model was wrong, do not count.
// What was made is read only if the run would be refused otherwise.
func (x *Indexer) confirm(ctx context.Context, d *runDiff) error {
	err := d.confirm(everything)
	if err == nil || errors.Is(err, ErrManyGone) {
		return err
	}
	made, err := x.store.Made(ctx, d.Corpus)
	if err != nil {
		return err
	}
	if !isOffline(d.corpus.Mode) { // extractive reports are there where the model failed, and of small communities
		made.Reported = made.ModelReported
	}
	return d.confirm(made)
}

// confirm returns ErrOtherMode for a run that would redo the results of models, or
// replace results made without a model by results of one, unless Options.AllowRedo or
// Options.Upgrade is set.
// That costs money or discards what was paid for. Redoing what was made without a
// model, again without one, costs only time. It returns ErrManyGone, on the same terms,
// if most documents of a corpus that a model made would be removed, and ErrArtifactsGone if
// artifacts that a model made would be deleted.
func (d *runDiff) confirm(made neo4jstore.Made) error {
	if d.AllowRedo || d.isNew || d.corpus.Mode == "" || d.corpus.Mode == modeOffline && d.mode == modeOffline {
		return nil
	}
	if n := d.counts; d.corpus.Mode != modeOffline && n.Removed >= manyGone && n.Removed > n.Unchanged+n.Changed+n.Moved {
		return fmt.Errorf("index %s: %w: this run would remove %d of %d", d.Corpus, ErrManyGone, n.Removed, n.Removed+n.Unchanged+n.Changed+n.Moved)
	}
	if gone := d.paidArtifactsGone(made); d.corpus.Mode != modeOffline && len(gone) > 0 {
		return fmt.Errorf("index %s: %w: %s, because of --without or the setting index.without", d.Corpus, ErrArtifactsGone, strings.Join(gone, ", "))
	}
	if d.Upgrade {
		return nil
	}
	var what []string
	for _, r := range redoneByStage {
		fp, changed := d.changedSettings[r.stage]
		if r.stage == queryArtifact.stage && (fp == "" || d.corpus.Settings[r.stage] == "") {
			continue // they are made for the first time, or deleted on request
		}
		if changed && r.isMade(made) {
			what = append(what, r.what)
			if r.stage == "embed" {
				what[len(what)-1] += movedEmbedder(d.Embedder, d.corpus)
			}
		}
	}
	if d.rechunked > 0 && len(what) == 0 && (made.Extracted || made.Embedded) {
		what = append(what, fmt.Sprintf("the chunks and the extraction of %d documents that are split differently", d.rechunked))
	}
	if len(what) == 0 {
		return nil
	}
	return fmt.Errorf("index %s: %w: it was made with %s, and with %s this run would redo %s", d.Corpus, ErrOtherMode, d.corpus.Mode, d.mode, strings.Join(what, ", "))
}

// movedEmbedder returns where the embedding model was when it embedded the corpus and where
// it is now, or the lengths of its vectors, "" if the corpus was embedded with another
// model.
func movedEmbedder(embedder Embedder, before neo4jstore.Corpus) string {
	now := embedder.Fingerprint()
	model := EmbedderModel(now)
	switch {
	case model == "" || model != EmbedderModel(before.Embedder):
		return ""
	case now == before.Embedder:
		return fmt.Sprintf(" (%s now makes vectors of %d numbers, and made %d)", model, embedder.Dimension(), before.Dimension)
	}
	return fmt.Sprintf(" (%s is now at %s, and was at %s)", model, EmbedderServer(now), EmbedderServer(before.Embedder))
}
