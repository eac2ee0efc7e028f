package neo4jstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// SchemaVersion is the version of the graph schema, stored on each corpus.
const SchemaVersion = 1

// awaitSeconds is how long to wait for a new index to come online.
const awaitSeconds = 50

// Types of indexes, as the server calls them.
const (
	rangeIndex    = "RANGE"
	fulltextIndex = "FULLTEXT"
	vectorIndex   = "VECTOR"
)

// An index is a wanted index, or an existing one as the server shows it.
type index struct {
	name       string
	kind       string // RANGE, FULLTEXT or VECTOR
	unique     bool
	labels     []string
	properties []string
	analyzer   string
	dimension  int

	state   string // of an existing one
	percent float64

	create cypher.Statement // of a wanted one
	params map[string]any
}

// stageMarks are the stages that mark nodes, and the kinds that each marks.
var stageMarks = []struct {
	stage string
	kinds []graph.Kind
}{
	{"extract", []graph.Kind{graph.KindChunk}},
	{"derive", []graph.Kind{graph.KindRelationship, graph.KindEntity}},
	{"describe", []graph.Kind{graph.KindEntity, graph.KindRelationship}},
	{"embed", []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport}},
	{"report", []graph.Kind{graph.KindCommunity}},
}

// kinds are the labels of all nodes that have a key.
var kinds = []graph.Kind{
	"Corpus", "Lease", "Run", graph.KindDocument, graph.KindChunk, graph.KindPassage, graph.KindEntity,
	graph.KindRelationship, graph.KindClaim, graph.KindCommunity, graph.KindReport, graph.KindFinding,
	graph.KindQuery, graph.KindSentence,
}

// schemaIndexes returns the indexes and constraints that all corpora share.
func schemaIndexes() []index {
	var all []index
	for _, kind := range kinds {
		name := string(kind)
		all = append(all, index{
			name: strings.ToLower(name) + "_key", kind: rangeIndex, unique: true, labels: []string{name},
			properties: []string{"key"}, create: cypher.SchemaKey.For(name),
		})
	}
	for _, m := range stageMarks {
		for _, kind := range m.kinds {
			name := string(kind)
			all = append(all, index{
				name: strings.ToLower(name) + "_todo_" + m.stage, kind: rangeIndex, labels: []string{name},
				properties: []string{"todo_" + m.stage, "key"}, create: cypher.SchemaTodo.For(name, m.stage),
			})
		}
	}
	for _, kind := range []graph.Kind{graph.KindCommunity, graph.KindReport} {
		name := string(kind)
		all = append(all, index{
			name: strings.ToLower(name) + "_gone", kind: rangeIndex, labels: []string{name},
			properties: []string{"gone", "key"}, create: cypher.SchemaGone.For(name),
		})
	}
	return all
}

// corpusIndexes returns the indexes of one corpus; with dimension 0 without those of
// vectors.
func corpusIndexes(corpus string, dimension int) []index {
	label := func(kind graph.Kind) string { return string(kind) + "_" + corpus }
	fulltext := func(name, property string, create cypher.Statement, kinds ...graph.Kind) index {
		x := index{name: name + "_" + corpus, kind: fulltextIndex, properties: []string{property}, analyzer: "whitespace", create: create}
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
			dimension: dimension, create: cypher.SchemaVector.For(string(kind)), params: map[string]any{"dimension": dimension},
		})
	}
	return all
}

// findIn finds an index among existing ones, by name or, for range indexes, by labels
// and properties, and describes how it differs.
func (x index) findIn(shown map[string]index) (found bool, difference string) {
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

// unfinishedIn reports whether an existing index has the form of this one, except that the
// server did not complete it, for example on a full disk: its constraint is missing, or
// it could not be filled.
func (x index) unfinishedIn(shown map[string]index) bool {
	have, ok := shown[x.name]
	if !ok || have.unique || !x.unique && have.state != "FAILED" {
		return false
	}
	have.unique, have.state = x.unique, ""
	_, difference := x.findIn(map[string]index{x.name: have})
	return difference == ""
}

// belongsTo reports whether an index is on a label of the corpus.
func (x index) belongsTo(corpus string) bool {
	for _, kind := range kinds {
		if slices.Contains(x.labels, string(kind)+"_"+corpus) {
			return true
		}
	}
	return false
}
