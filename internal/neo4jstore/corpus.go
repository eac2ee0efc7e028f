package neo4jstore

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// settingsPrefix starts the properties of a Corpus that hold settings fingerprints.
const settingsPrefix = "settings_"

// A Corpus is what the node of a corpus keeps.
type Corpus struct {
	Name      string
	Created   time.Time
	Schema    int
	Dimension int
	Embedder  string
	Mode      string            // "offline" or the models
	Settings  map[string]string // settings fingerprint of each stage

	Topology   int64 // moves on when an edge between entities comes, goes or changes its weight
	Clustered  int64 // the topology that the communities were made of; -1 while they are being written
	Next       int64 // the generation that is being written, or the visible one
	Generation int64 // the generation that readers see
	Labelled   int64 // the generation that the labels show
	Swept      int64 // the generation whose predecessors are gone
}

// A CorpusSet is what SetSettings notes beside the fingerprints.
type CorpusSet struct {
	Embedder  string
	Mode      string
	Dimension int
}

// A Run is the record of a run that wrote something.
type Run struct {
	ID        string
	Corpus    string
	Started   time.Time
	Finished  time.Time
	Counts    map[string]int64
	Calls     int64
	TokensIn  int64
	TokensOut int64
	Cost      float64
	Exit      int
}

// Corpora lists all corpora by name.
func (s *Store) Corpora(ctx context.Context) ([]Corpus, error) {
	found, err := corpora(ctx, s, cypher.ReadCorpora, "")
	if err != nil {
		return nil, fmt.Errorf("list corpora: %w", err)
	}
	return found, nil
}

// corpora leaves out nodes without a key: a node that is deleted while it is
// read shows without its properties.
func corpora(ctx context.Context, s *Store, st cypher.Statement, corpus string) ([]Corpus, error) {
	found, err := rows(ctx, s, st, corpus, nil, corpusOf)
	return slices.DeleteFunc(found, func(k Corpus) bool { return k.Name == "" }), err
}

// Corpus reads one corpus. One that does not exist is ErrNoCorpus.
func (s *Store) Corpus(ctx context.Context, corpus string) (Corpus, error) {
	found, err := corpora(ctx, s, cypher.ReadCorpus, corpus)
	if err != nil {
		return Corpus{}, fmt.Errorf("read corpus %s: %w", corpus, err)
	}
	if len(found) == 0 {
		return Corpus{}, fmt.Errorf("corpus %s: %w", corpus, ErrNoCorpus)
	}
	return found[0], nil
}

func corpusOf(row values) Corpus {
	v := row.sub("corpus")
	c := Corpus{
		Name: v.text("key"), Schema: v.int("schema"), Dimension: v.int("dimension"),
		Embedder: v.text("embedder"), Mode: v.text("mode"), Settings: map[string]string{},
		Topology: v.whole("topology"), Clustered: v.whole("clustered"), Next: v.whole("next"),
		Generation: v.whole("generation"), Labelled: v.whole("labelled"), Swept: v.whole("swept"),
	}
	c.Created, _ = v["created"].(time.Time)
	for name := range v {
		if stage, ok := strings.CutPrefix(name, settingsPrefix); ok {
			c.Settings[stage] = v.text(name)
		}
	}
	return c
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

// sortedBy returns a copy of the rows in the order of their keys: locks are
// then taken in one order.
func sortedBy[T any](rows []T, key func(T) string) []T {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return rows
}
