package neo4jstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// EnsureCorpus creates a corpus with its indexes, as Writer.CreateCorpus and
// Writer.EnsureIndexes do, for programs that write nothing else with a Writer: benchmarks
// and tests.
func (s *Store) EnsureCorpus(ctx context.Context, corpus string, dimension int) error {
	return s.WithWriter(ctx, corpus, "create "+rand.Text(), 0, func(ctx context.Context, w *Writer) error {
		if err := w.CreateCorpus(ctx); err != nil {
			return err
		}
		return w.EnsureIndexes(ctx, Vectors{Dimension: dimension})
	})
}

// CreateCorpus creates the node of the corpus if it does not exist. EnsureIndexes creates
// its indexes, also while documents are written. A corpus of a newer schema version is an
// error.
func (w *Writer) CreateCorpus(ctx context.Context) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	switch {
	case errors.Is(err, ErrNoCorpus):
		return w.write(ctx, "corpus", func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteCorpus, w.corpus, map[string]any{"schema": SchemaVersion}, nil)
		})
	case err == nil && c.Schema > SchemaVersion:
		err = checkSchema(c.Schema)
	}
	return wrap(err, "create corpus "+w.corpus)
}

// A CorpusSet is what SetSettings writes besides the fingerprints.
type CorpusSet struct {
	Embedder  string
	Mode      string
	Dimension int
}

var propertyName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// SetSettings writes the settings fingerprints of stages, of which it removes empty ones, and
// set. It writes only what differs; other stages, and empty values of set, stay unchanged.
func (w *Writer) SetSettings(ctx context.Context, settings map[string]string, set CorpusSet) error {
	have, err := w.store.Corpus(ctx, w.corpus)
	if err != nil {
		return err
	}
	properties := map[string]any{}
	for stage, fingerprint := range settings {
		if !propertyName.MatchString(stage) {
			return fmt.Errorf("set settings of corpus %s: %q is not the name of a stage", w.corpus, stage)
		}
		if have.Settings[stage] != fingerprint {
			properties[settingsPrefix+stage] = optional(fingerprint)
		}
	}
	if set.Embedder != "" && set.Embedder != have.Embedder {
		properties["embedder"] = set.Embedder
	}
	if set.Mode != "" && set.Mode != have.Mode {
		properties["mode"] = set.Mode
	}
	if set.Dimension != 0 && set.Dimension != have.Dimension {
		properties["dimension"] = set.Dimension
	}
	if len(properties) == 0 {
		return nil
	}
	return w.set(ctx, "settings", properties)
}

// set writes properties of the corpus in a transaction.
func (w *Writer) set(ctx context.Context, point string, properties map[string]any) error {
	return w.write(ctx, point, func(tx *transaction) error {
		return w.setTx(ctx, tx, properties)
	})
}

// setUnless is set, unless the corpus has the properties already.
func (w *Writer) setUnless(ctx context.Context, point string, has func(Corpus) bool, properties map[string]any) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil || has(c) {
		return err
	}
	return w.set(ctx, point, properties)
}

// SetForgetting records whether texts were removed of which reports may still hold words.
func (w *Writer) SetForgetting(ctx context.Context, forgetting bool) error {
	same := func(c Corpus) bool { return c.Forgetting == forgetting }
	return w.setUnless(ctx, "forgetting", same, map[string]any{"forgetting": optional(forgetting)})
}

// SetExclusions records which documents are kept out of the corpus.
func (w *Writer) SetExclusions(ctx context.Context, e Exclusions) error {
	return w.set(ctx, "excluded", map[string]any{
		"excluded": optionalList(e.Documents), "removing_documents": optionalList(e.Unfinished), "readmitted": optionalList(e.Readmitted),
	})
}

// setTx is set in the transaction tx.
func (w *Writer) setTx(ctx context.Context, tx *transaction, properties map[string]any) error {
	return tx.exactly(ctx, cypher.WriteCorpusSet, w.corpus, map[string]any{"set": properties}, 1)
}

// markPage is how many nodes one transaction marks.
const markPage = 10000

// MarkAll marks all nodes of a stage whose settings changed, and returns how many were
// not marked before.
func (w *Writer) MarkAll(ctx context.Context, stage string) (int64, error) {
	var all int64
	known := false
	for _, m := range markedKinds() {
		if m.Stage != stage {
			continue
		}
		known = true
		n, err := w.MarkKind(ctx, m.Kind, stage)
		all += n
		if err != nil {
			return all, err
		}
	}
	if !known {
		return 0, fmt.Errorf("mark corpus %s: no stage %q marks nodes", w.corpus, stage)
	}
	return all, nil
}

// MarkKind marks all nodes of a kind for a stage, and returns how many were not marked.
func (w *Writer) MarkKind(ctx context.Context, kind graph.Kind, stage string) (int64, error) {
	return w.markPages(ctx, "mark "+stage, writeMarkAll.For(string(kind), stage), nil)
}

// markPages runs a statement that marks a page of nodes over the whole corpus, each page
// in a transaction, and returns how many nodes it marked.
func (w *Writer) markPages(ctx context.Context, point string, st typed[markAllRow], more map[string]any) (int64, error) {
	var all int64
	for after := graph.Key(w.corpus, ""); ; {
		var seen, set int64
		var last string
		params := keyRange(w.corpus, after, markPage)
		maps.Copy(params, more)
		err := w.write(ctx, point, func(tx *transaction) error {
			return tx.each(ctx, st.Statement, w.corpus, params, st.each(func(row markAllRow) {
				// Another attempt marks none if this one is committed and its answer lost.
				seen, set, last = row.Seen, max(set, row.Marked), row.Last
			}))
		})
		all += set
		if err != nil || seen < markPage {
			return all, err
		}
		after = last
	}
}

// RecordRun writes the record of a run, which is not counted as a change.
func (w *Writer) RecordRun(ctx context.Context, run Run) error {
	properties := map[string]any{
		"started": run.Started.UTC(), "finished": run.Finished.UTC(), "calls": run.Calls, "tokens_in": run.TokensIn,
		"tokens_out": run.TokensOut, "cost": run.Cost, "exit": run.Exit, "name": run.Started.UTC().Format(time.DateTime),
	}
	if run.RebuildTokens > 0 {
		properties["rebuild_calls"], properties["rebuild_tokens"] = run.RebuildCalls, run.RebuildTokens
	}
	for name, n := range run.Counts {
		if !propertyName.MatchString(name) {
			return fmt.Errorf("record run of corpus %s: %q cannot name a count", w.corpus, name)
		}
		properties["count_"+name] = n
	}
	params := map[string]any{"key": graph.Key(w.corpus, run.ID), "set": properties}
	return w.commit(ctx, "run", false, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteRun, w.corpus, params, nil)
	})
}
