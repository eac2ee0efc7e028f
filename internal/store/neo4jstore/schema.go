package neo4jstore

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// SchemaVersion is the version of the graph schema, stored on each corpus.
const SchemaVersion = 1

// MaxDimension is the most numbers of a vector that an index of the server holds.
const MaxDimension = 4096

// Types of indexes, as the server calls them.
const (
	rangeIndex    = "RANGE"
	fulltextIndex = "FULLTEXT"
	vectorIndex   = "VECTOR"
)

// States of indexes other than ONLINE.
const (
	statePopulating = "POPULATING"
	stateFailed     = "FAILED"
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
	quantized  bool // its vectors, so that scores are inexact

	state   string // of an existing one
	percent float64

	create cypher.Statement // of a wanted one
	params map[string]any
}

// markedKinds are the kinds that each stage marks, which the header of the statement that indexes
// their marks lists.
var markedKinds = sync.OnceValue(func() (all []MarkedKind) {
	file, err := cypher.SchemaTodo.File()
	if err != nil {
		panic(err) // a file of the program, which tests read
	}
	for _, variant := range file.For {
		kind, stage, _ := strings.Cut(variant, " ")
		all = append(all, MarkedKind{graph.Kind(kind), stage})
	}
	return all
})

// kinds are the labels of all nodes that have a key.
var kinds = []graph.Kind{
	"Corpus", "Lease", "Run", graph.KindDocument, graph.KindChunk, graph.KindPassage, graph.KindEntity,
	graph.KindRelationship, graph.KindClaim, graph.KindCommunity, graph.KindReport, graph.KindFinding,
	graph.KindQuery, graph.KindSentence, graph.KindNamePair,
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
	for _, m := range markedKinds() {
		name := string(m.Kind)
		all = append(all, index{
			name: strings.ToLower(name) + "_todo_" + m.Stage, kind: rangeIndex, labels: []string{name},
			properties: []string{"todo_" + m.Stage, "key"}, create: cypher.SchemaTodo.For(name, m.Stage),
		})
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

// Vectors are the vectors that the nodes of a corpus have. The zero value means none.
type Vectors struct {
	Dimension int          // 0 means none, or not known yet
	Kinds     []graph.Kind // with vectors; nil means Chunk, Entity, Relationship and Report
	Artifacts []Artifact   // of the corpus; with question-answer pairs, chunks also have vectors with their questions
}

// d2qVectors are the vectors of a chunk with its questions appended: all, or those that are kept.
var d2qVectors = []string{"d2q", "d2q_kept"}

// corpusIndexes returns the indexes of one corpus.
func corpusIndexes(corpus string, v Vectors) []index {
	label := func(kind graph.Kind) string { return string(kind) + "_" + corpus }
	fulltext := func(name, property string, create cypher.Statement, kinds ...graph.Kind) index {
		x := index{name: name + "_" + corpus, kind: fulltextIndex, properties: []string{property}, analyzer: "whitespace", create: create}
		if name == passageIndex || name == documentIndex {
			x.name = indexName(name, corpus)
			x.params = map[string]any{"name": x.name}
		}
		for _, kind := range kinds {
			x.labels = append(x.labels, label(kind))
		}
		slices.Sort(x.labels)
		return x
	}
	all := []index{
		fulltext(passageIndex, "terms", cypher.SchemaFulltextPassage, graph.KindPassage),
		fulltext("pairs", "pairs", cypher.SchemaFulltextPairs, graph.KindPassage),
		fulltext(documentIndex, "terms", cypher.SchemaFulltextDocument, graph.KindDocument),
		fulltext("lead", "lead", cypher.SchemaFulltextLead, graph.KindDocument),
		fulltext("terms", "terms", cypher.SchemaFulltextTerms, graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport, graph.KindQuery),
	}
	if v.Dimension == 0 {
		return all
	}
	if v.Kinds == nil {
		v.Kinds = []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport}
	}
	for _, a := range v.Artifacts {
		v.Kinds = slices.Concat(v.Kinds, a.spec().vectors)
	}
	for _, kind := range v.Kinds {
		name := strings.ToLower(string(kind)) + "_vector_" + corpus
		all = append(all, index{
			name: name, kind: vectorIndex, labels: []string{label(kind)}, properties: []string{"embedding"},
			dimension: v.Dimension, create: cypher.SchemaVector.For(string(kind)), params: map[string]any{"dimension": v.Dimension},
		})
	}
	if !slices.Contains(v.Artifacts, ArtifactQueries) {
		return all
	}
	for _, vector := range d2qVectors {
		all = append(all, index{
			name: "chunk_" + vector + "_vector_" + corpus, kind: vectorIndex, labels: []string{label(graph.KindChunk)}, properties: []string{"embedding_" + vector},
			dimension: v.Dimension, create: cypher.SchemaVectorD2Q.For(string(graph.KindChunk), vector), params: map[string]any{"dimension": v.Dimension},
		})
	}
	return all
}

// The indexes of a corpus whose names searches are given.
const (
	passageIndex  = "passage"
	documentIndex = "document"
)

// indexName returns the name of the passageIndex or documentIndex of a corpus: the name
// of the corpus is appended, in capitals if the result is the name of a constraint or index
// that all corpora share, such as passage_key. No corpus has capitals in its name.
func indexName(name, corpus string) string {
	if full := name + "_" + corpus; !sharedNames()[full] {
		return full
	}
	return name + "_" + strings.ToUpper(corpus)
}

// sharedNames are the names of schemaIndexes.
var sharedNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, x := range schemaIndexes() {
		names[x.name] = true
	}
	return names
})

// withIndexNames adds the names of the indexes to the parameters of a search.
func withIndexNames(corpus string, params map[string]any) map[string]any {
	params["passage_index"], params["document_index"] = indexName(passageIndex, corpus), indexName(documentIndex, corpus)
	return params
}

// findIn finds an index among existing ones, by name or, for range indexes, by labels
// and properties.
func (x index) findIn(shown map[string]index) (have index, found bool) {
	have, found = shown[x.name]
	if !found && x.kind == rangeIndex {
		for _, other := range shown {
			if other.kind == x.kind && other.unique == x.unique && slices.Equal(other.labels, x.labels) && slices.Equal(other.properties, x.properties) {
				have, found = other, true
			}
		}
	}
	return have, found
}

// difference describes how an existing index differs, "" if it does not.
func (x index) difference(have index) string {
	different := func(what string, have, want any) string { return fmt.Sprintf("%s %v, not %v", what, have, want) }
	switch {
	case have.kind != x.kind:
		return different("type", have.kind, x.kind)
	case have.unique != x.unique:
		return different("unique", have.unique, x.unique)
	case !slices.Equal(have.labels, x.labels):
		return different("labels", have.labels, x.labels)
	case !slices.Equal(have.properties, x.properties):
		return different("properties", have.properties, x.properties)
	case have.analyzer != x.analyzer:
		return different("analyzer", have.analyzer, x.analyzer)
	case have.dimension != x.dimension:
		return different("dimension", have.dimension, x.dimension)
	case have.quantized != x.quantized:
		return different("quantized", have.quantized, x.quantized)
	case have.state == stateFailed:
		return "its state is " + stateFailed
	}
	return ""
}

// unfinished reports whether an existing index has the form of this one, except that the
// server did not complete it, for example on a full disk: its constraint is missing, or
// it could not be populated.
func (x index) unfinished(have index) bool {
	if have.name != x.name || have.unique || !x.unique && have.state != stateFailed {
		return false
	}
	have.unique, have.state = x.unique, ""
	return x.difference(have) == ""
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
