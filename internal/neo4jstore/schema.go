package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// SchemaVersion is the version of the graph's shape, kept on each corpus.
const SchemaVersion = 1

// awaitSeconds bounds the wait for a new index to come online.
const awaitSeconds = 50

// Types of indexes as the server names them.
const (
	rangeIndex    = "RANGE"
	fulltextIndex = "FULLTEXT"
	vectorIndex   = "VECTOR"
)

// An index is one as it is meant, or as the server shows it.
type index struct {
	name       string
	kind       string // RANGE, FULLTEXT or VECTOR
	unique     bool
	labels     []string
	properties []string
	analyzer   string
	dimension  int

	state   string // as shown
	percent float64

	make   cypher.Statement // as meant
	params map[string]any
}

// stages that mark nodes, and the kinds that each marks.
var marked = []struct {
	stage string
	kinds []graph.Kind
}{
	{"extract", []graph.Kind{graph.KindChunk}},
	{"derive", []graph.Kind{graph.KindRelationship, graph.KindEntity}},
	{"describe", []graph.Kind{graph.KindEntity, graph.KindRelationship}},
	{"embed", []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport}},
	{"report", []graph.Kind{graph.KindCommunity}},
}

// kinds are all labels of nodes that have a key.
var kinds = []graph.Kind{
	"Corpus", "Lease", "Run", graph.KindDocument, graph.KindChunk, graph.KindPassage, graph.KindEntity,
	graph.KindRelationship, graph.KindClaim, graph.KindCommunity, graph.KindReport, graph.KindFinding,
	graph.KindQuery, graph.KindSentence,
}

// schemaIndexes are the indexes and constraints that all corpora share.
func schemaIndexes() []index {
	var all []index
	for _, kind := range kinds {
		name := string(kind)
		all = append(all, index{
			name: strings.ToLower(name) + "_key", kind: rangeIndex, unique: true, labels: []string{name},
			properties: []string{"key"}, make: cypher.SchemaKey.For(name),
		})
	}
	for _, m := range marked {
		for _, kind := range m.kinds {
			name := string(kind)
			all = append(all, index{
				name: strings.ToLower(name) + "_todo_" + m.stage, kind: rangeIndex, labels: []string{name},
				properties: []string{"todo_" + m.stage, "key"}, make: cypher.SchemaTodo.For(name, m.stage),
			})
		}
	}
	for _, kind := range []graph.Kind{graph.KindCommunity, graph.KindReport} {
		name := string(kind)
		all = append(all, index{
			name: strings.ToLower(name) + "_gone", kind: rangeIndex, labels: []string{name},
			properties: []string{"gone", "key"}, make: cypher.SchemaGone.For(name),
		})
	}
	return all
}

// corpusIndexes are the indexes of one corpus; with dimension 0 those without vectors.
func corpusIndexes(corpus string, dimension int) []index {
	label := func(kind graph.Kind) string { return string(kind) + "_" + corpus }
	fulltext := func(name, property string, make cypher.Statement, kinds ...graph.Kind) index {
		x := index{name: name + "_" + corpus, kind: fulltextIndex, properties: []string{property}, analyzer: "whitespace", make: make}
		for _, kind := range kinds {
			x.labels = append(x.labels, label(kind))
		}
		slices.Sort(x.labels)
		return x
	}
	all := []index{
		fulltext("passage", "terms", cypher.SchemaFulltextPassage, graph.KindPassage),
		fulltext("pairs", "pairs", cypher.SchemaFulltextPairs, graph.KindPassage),
		fulltext("document", "terms", cypher.SchemaFulltextDocument, graph.KindDocument),
		fulltext("lead", "lead", cypher.SchemaFulltextLead, graph.KindDocument),
		fulltext("terms", "terms", cypher.SchemaFulltextTerms, graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport, graph.KindQuery),
	}
	if dimension == 0 {
		return all
	}
	for _, kind := range []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport} {
		name := strings.ToLower(string(kind)) + "_vector_" + corpus
		all = append(all, index{
			name: name, kind: vectorIndex, labels: []string{label(kind)}, properties: []string{"embedding"},
			dimension: dimension, make: cypher.SchemaVector.For(string(kind)), params: map[string]any{"dimension": dimension},
		})
	}
	return all
}

// EnsureSchema makes the constraints and indexes that all corpora share, and
// fails when one of them is not as it is meant. Where all stand it only reads.
func (s *Store) EnsureSchema(ctx context.Context) error {
	if err := s.ensure(ctx, "", schemaIndexes()); err != nil {
		return fmt.Errorf("ensure schema: %w", err)
	}
	return nil
}

// EnsureCorpus makes the corpus and its own full-text indexes, and, when the
// dimension is known, those of vectors. Vectors of another dimension than the
// corpus has are ErrDimension. A corpus of an older schema is upgraded, one of a
// newer schema is refused. Where all stands it only reads.
func (s *Store) EnsureCorpus(ctx context.Context, corpus string, dimension int) error {
	schema, err := s.corpusNode(ctx, corpus)
	if err != nil {
		return err
	}
	if schema < SchemaVersion {
		return s.upgrade(ctx, corpus, corpusIndexes(corpus, dimension))
	}
	if err := s.ensure(ctx, corpus, corpusIndexes(corpus, dimension)); err != nil {
		return fmt.Errorf("ensure corpus %s: %w", corpus, err)
	}
	return nil
}

// MakeCorpus makes the corpus without its indexes, which EnsureCorpus makes
// afterwards, also while documents are written.
func (s *Store) MakeCorpus(ctx context.Context, corpus string) error {
	_, err := s.corpusNode(ctx, corpus)
	return err
}

// corpusNode makes the node of a corpus unless it is there, and gives its schema.
func (s *Store) corpusNode(ctx context.Context, corpus string) (schema int, err error) {
	if err := graph.CheckCorpus(corpus); err != nil {
		return 0, err
	}
	c, err := s.Corpus(ctx, corpus)
	if errors.Is(err, ErrNoCorpus) {
		err = s.writeOne(ctx, func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteCorpus, corpus, map[string]any{"schema": SchemaVersion}, nil)
		})
		c.Schema = SchemaVersion
	}
	if err != nil {
		return 0, fmt.Errorf("ensure corpus %s: %w", corpus, err)
	}
	if err := checkSchema(c.Schema); err != nil && c.Schema > SchemaVersion {
		return 0, fmt.Errorf("ensure corpus %s: %w", corpus, err)
	}
	return c.Schema, nil
}

// ensure makes the indexes of a corpus that are missing, or those that all share,
// and compares: the server leaves an index of the same name and another shape
// alone, in silence.
func (s *Store) ensure(ctx context.Context, corpus string, meant []index) error {
	missing, err := s.compare(ctx, corpus, meant)
	if err != nil || len(missing) == 0 {
		return err
	}
	if err := s.build(ctx, corpus, missing); err != nil {
		return err
	}
	if missing, err = s.compare(ctx, corpus, meant); err == nil && len(missing) > 0 {
		err = fmt.Errorf("index %s was not made: another index or constraint stands on the same labels and properties; drop that one", missing[0].name)
	}
	return err
}

// makeWithin bounds the making of indexes: a server that has no room to write
// them never answers.
const makeWithin = 100 * time.Second

// build makes indexes and waits until they are online.
func (s *Store) build(ctx context.Context, corpus string, missing []index) error {
	bounded, cancel := context.WithTimeout(ctx, makeWithin)
	defer cancel()
	err := s.create(bounded, corpus, missing)
	if err == nil {
		err = s.readOne(bounded, func(tx *transaction) error {
			return tx.each(bounded, cypher.SchemaAwait, "", map[string]any{"seconds": awaitSeconds}, nil)
		})
	}
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: it made no index within %v; look at its logs and at the room on its disk, then start the server again", ErrStopped, makeWithin)
	}
	return err
}

// An index that another process is making shows for a moment without the
// constraint that it belongs to.
const (
	settleFor   = 3 * time.Second
	settleEvery = 100 * time.Millisecond
)

// compare finds the indexes of a corpus that are missing, and fails for one that
// stands in another shape and stays so.
func (s *Store) compare(ctx context.Context, corpus string, meant []index) ([]index, error) {
	for left := settleFor; ; left -= settleEvery {
		shown, err := s.indexesOf(ctx, corpus)
		if err != nil {
			return nil, err
		}
		missing, err := lacking(meant, shown)
		if err == nil || errors.Is(err, ErrDimension) || left <= 0 {
			return missing, err
		}
		if err := pause(ctx, settleEvery); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// create makes indexes. Another process that makes the same ones at the same
// moment is no failure: ensure compares afterwards.
func (s *Store) create(ctx context.Context, corpus string, missing []index) error {
	err := s.writeTx(ctx, func(tx *transaction) error {
		for _, x := range missing {
			if err := tx.each(ctx, x.make, corpus, x.params, nil); err != nil {
				return fmt.Errorf("index %s: %w", x.name, err)
			}
		}
		return nil
	})
	var server *neo4j.Neo4jError
	if errors.As(err, &server) && strings.Contains(server.Code, "AlreadyExists") {
		return nil
	}
	return err
}

// lacking returns the indexes that are missing, and an error for the first
// that stands in another shape.
func lacking(meant []index, shown map[string]index) ([]index, error) {
	var missing []index
	for _, m := range meant {
		found, difference := m.among(shown)
		switch {
		case !found:
			missing = append(missing, m)
		case m.kind == vectorIndex && strings.HasPrefix(difference, "dimension"):
			return nil, fmt.Errorf("%w: index %s: %s; use the embedder that the corpus was indexed with, or remove the corpus and index it again",
				ErrDimension, m.name, difference)
		case difference != "":
			return nil, fmt.Errorf("index %s is not as it is meant: %s; drop it (DROP INDEX %s) and run again", m.name, difference, m.name)
		}
	}
	return missing, nil
}

// among finds an index among those that the server shows, by name, or, where
// the name does not matter, by what it stands on, and says how it differs.
func (x index) among(shown map[string]index) (found bool, difference string) {
	have, ok := shown[x.name]
	if !ok && x.kind == rangeIndex {
		for _, other := range shown {
			if other.kind == x.kind && other.unique == x.unique && slices.Equal(other.labels, x.labels) && slices.Equal(other.properties, x.properties) {
				have, ok = other, true
			}
		}
	}
	if !ok {
		return false, ""
	}
	different := func(what string, have, want any) string { return fmt.Sprintf("%s %v, not %v", what, have, want) }
	switch {
	case have.kind != x.kind:
		return true, different("type", have.kind, x.kind)
	case have.unique != x.unique:
		return true, different("unique", have.unique, x.unique)
	case !slices.Equal(have.labels, x.labels):
		return true, different("labels", have.labels, x.labels)
	case !slices.Equal(have.properties, x.properties):
		return true, different("properties", have.properties, x.properties)
	case have.analyzer != x.analyzer:
		return true, different("analyzer", have.analyzer, x.analyzer)
	case have.dimension != x.dimension:
		return true, different("dimension", have.dimension, x.dimension)
	case have.state == "FAILED":
		return true, "its state is FAILED"
	}
	return true, ""
}

// allIndexes are the indexes of the database by name.
func (s *Store) allIndexes(ctx context.Context) (map[string]index, error) {
	return s.shownIndexes(ctx, nil)
}

// indexesOf are, by name, the indexes of a corpus and perhaps of others whose
// names end like its own, or without a corpus those that all share.
func (s *Store) indexesOf(ctx context.Context, corpus string) (map[string]index, error) {
	return s.shownIndexes(ctx, corpus)
}

func (s *Store) shownIndexes(ctx context.Context, of any) (map[string]index, error) {
	found, err := rows(ctx, s, cypher.SchemaShowIndexes, "", map[string]any{"of": of}, func(v values) index {
		config := v.sub("options").sub("indexConfig")
		x := index{
			name: v.text("name"), kind: v.text("type"), unique: v.text("owningConstraint") != "",
			labels: v.texts("labelsOrTypes"), properties: v.texts("properties"),
			state: v.text("state"), percent: v.real("populationPercent"),
		}
		switch x.kind {
		case fulltextIndex:
			x.analyzer = config.text("fulltext.analyzer")
			slices.Sort(x.labels)
		case vectorIndex:
			x.dimension = config.int("vector.dimensions")
		}
		return x
	})
	if err != nil {
		return nil, fmt.Errorf("show indexes: %w", err)
	}
	shown := make(map[string]index, len(found))
	for _, x := range found {
		shown[x.name] = x
	}
	return shown, nil
}
