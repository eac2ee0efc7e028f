package neo4jstore

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A CorpusSet is what SetSettings notes beside the fingerprints.
type CorpusSet struct {
	Embedder  string
	Mode      string
	Dimension int
}

var propertyName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// SetSettings notes the settings fingerprints of stages, and what the corpus
// was made with. What is noted already is not written; stages that are not
// named, and empty values of set, stay as they are.
func (l *Writer) SetSettings(ctx context.Context, settings map[string]string, set CorpusSet) error {
	have, err := l.store.Corpus(ctx, l.corpus)
	if err != nil {
		return err
	}
	properties := map[string]any{}
	for stage, fingerprint := range settings {
		if !propertyName.MatchString(stage) {
			return fmt.Errorf("set settings of corpus %s: %q is not the name of a stage", l.corpus, stage)
		}
		if have.Settings[stage] != fingerprint {
			properties[settingsPrefix+stage] = fingerprint
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
	return l.set(ctx, "settings", properties)
}

// set writes properties of the corpus.
func (l *Writer) set(ctx context.Context, point string, properties map[string]any) error {
	return l.write(ctx, point, func(tx *transaction) error {
		return l.setIn(ctx, tx, properties)
	})
}

func (l *Writer) setIn(ctx context.Context, tx *transaction, properties map[string]any) error {
	return tx.exactly(ctx, cypher.WriteCorpusSet, l.corpus, map[string]any{"set": properties}, 1)
}

// markPage bounds how many nodes one transaction marks.
const markPage = 10000

// MarkAll marks all nodes of a stage, because its settings changed, and
// returns how many were not marked before. The stages are extract, derive,
// describe, embed and report.
func (l *Writer) MarkAll(ctx context.Context, stage string) (int64, error) {
	var all int64
	known := false
	for _, m := range marked {
		if m.stage != stage {
			continue
		}
		known = true
		for _, kind := range m.kinds {
			n, err := l.markKind(ctx, kind, stage)
			all += n
			if err != nil {
				return all, err
			}
		}
	}
	if !known {
		return 0, fmt.Errorf("mark corpus %s: no stage %q marks nodes", l.corpus, stage)
	}
	return all, nil
}

func (l *Writer) markKind(ctx context.Context, kind graph.Kind, stage string) (int64, error) {
	var all int64
	for after := graph.Key(l.corpus, ""); ; {
		var seen, set int64
		var last string
		params := keyRange(l.corpus, after, markPage)
		err := l.write(ctx, "mark "+stage, func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteMarkAll.For(string(kind), stage), l.corpus, params, eachRow(func(v values) {
				seen, set, last = v.whole("seen"), v.whole("marked"), v.text("last")
			}))
		})
		all += set
		if err != nil || seen < markPage {
			return all, err
		}
		after = last
	}
}

// RecordRun writes the record of a run. It does not count as a change.
func (l *Writer) RecordRun(ctx context.Context, run Run) error {
	properties := map[string]any{
		"started": run.Started.UTC(), "finished": run.Finished.UTC(), "calls": run.Calls, "tokens_in": run.TokensIn,
		"tokens_out": run.TokensOut, "cost": run.Cost, "exit": run.Exit, "name": run.Started.UTC().Format(time.DateTime),
	}
	for name, n := range run.Counts {
		if !propertyName.MatchString(name) {
			return fmt.Errorf("record run of corpus %s: %q cannot name a count", l.corpus, name)
		}
		properties["count_"+name] = n
	}
	params := map[string]any{"key": graph.Key(l.corpus, run.ID), "set": properties}
	return l.commit(ctx, "run", false, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteRun, l.corpus, params, nil)
	})
}
