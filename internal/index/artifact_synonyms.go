package index

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Synonyms configure the edges between entities with similar names.
type Synonyms struct {
	Most  int     // synonyms of an entity; 0 means 100
	Least float64 // cosine of the vectors of two names; 0 means .8
}

// bound says which entities are synonyms.
func (s Synonyms) bound() qcg.Bound {
	return qcg.Bound{K: cmp.Or(s.Most, synonymMost), Least: cmp.Or(s.Least, synonymLeast)}
}

// Which entities are synonyms in HippoRAG 2.
const (
	synonymMost  = 100
	synonymLeast = .8
)

// synonymLetters is how many letters and digits a name must have more than for synonyms: the
// vectors of shorter ones say little.
const synonymLetters = 2

// hasSynonyms reports whether an entity with a name may have synonyms.
func hasSynonyms(name string) bool {
	n := 0
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n > synonymLetters
}

// synonymArtifact is the edges between entities with similar names.
var synonymArtifact = artifact{
	name: neo4jstore.ArtifactSynonyms, stage: "synonyms", compares: "synonyms",
	settings: func(e *effective) map[string]string {
		b := e.Synonyms.bound()
		return map[string]string{"synonyms": graph.Hash(e.Embedder.Fingerprint(), strconv.Itoa(b.K), strconv.FormatFloat(b.Least, 'g', -1, 64), strconv.Itoa(synonymLetters))}
	},
	label: "synonyms", status: func(_ neo4jstore.Corpus, n neo4jstore.Counts) string { return fmt.Sprintf("%d edges", n.Synonyms) },
}

// A synonymFinder is the stage synonyms.
type synonymFinder struct{ *stage }

// run gives the marked entities edges to those with similar names, and adds marked ones
// to the lists of the others. The edges are a function of the names of all entities.
func (s *synonymFinder) run(ctx context.Context) error {
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	nodes, err := s.namedNodes(ctx)
	if err != nil {
		return err
	}
	dimension := textproc.Dimension
	if s.embedsLater() {
		dimension = s.Embedder.Dimension()
	}
	l := linker{set: qcg.NewSet(dimension, len(nodes)), bound: s.Synonyms.bound()}
	for _, n := range nodes {
		l.add(n.Key, n.Vector, n.Marked, n.Neighbours)
	}
	before, err := l.relink(ctx, l.marked, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	return l.write(ctx, s.stage, before, s.writer.WriteSynonyms)
}

// namedNodes reads all entities and gives them the vectors of their names. Those whose names a
// model could not embed are left out, and keep their marks.
func (s *synonymFinder) namedNodes(ctx context.Context) ([]neo4jstore.SynonymNode, error) {
	var nodes []neo4jstore.SynonymNode
	err := s.store.SynonymNodes(ctx, s.Corpus, s.embedsLater(), func(n neo4jstore.SynonymNode) {
		if !hasSynonyms(n.Name) {
			n.Vector = nil
		} else if !s.embedsLater() {
			n.Vector = textproc.Vector(n.Name)
		}
		nodes = append(nodes, n)
	})
	if err != nil || !s.embedsLater() {
		return nodes, err
	}
	return s.embedNames(ctx, nodes)
}

// embedNames has the model embed the names that it has not embedded yet, and stores the vectors.
func (s *synonymFinder) embedNames(ctx context.Context, nodes []neo4jstore.SynonymNode) ([]neo4jstore.SynonymNode, error) {
	var items []neo4jstore.EmbedItem
	for _, n := range nodes {
		known := n.NameFP == s.embedFP(n.Name) && (len(n.Vector) == 0 || len(n.Vector) == s.Embedder.Dimension())
		if hasSynonyms(n.Name) && !known {
			items = append(items, neo4jstore.EmbedItem{Key: n.Key, Text: n.Name})
		}
	}
	made, failed := map[string][]float32{}, map[string]bool{}
	err := parallelMapBatches(ctx, s.embedCalls(), embedWrite, inBatches(items), s.embedBatch, func(done []embedded) error {
		all := joinEmbedded(done)
		for _, row := range all.rows {
			made[row.Key] = row.Vector
		}
		for key := range all.failed {
			failed[key] = true
		}
		return writeEmbedded(ctx, s.stage, marked{graph.KindEntity, "synonyms", "embed the name"}, all, func(rows []neo4jstore.Embedded) error {
			return s.writer.WriteNameVectors(ctx, s.Embedder.Dimension(), rows)
		})
	})
	if err != nil {
		return nil, err
	}
	var out []neo4jstore.SynonymNode
	for _, n := range nodes {
		if vector, ok := made[n.Key]; ok {
			n.Vector, n.Marked = vector, true
		}
		if !failed[n.Key] {
			out = append(out, n)
		}
	}
	return out, nil
}

// nameTokens is about how many tokens the name of an entity has.
const nameTokens = 4

// expectedNames estimates how many names a model embeds: the names of new entities, and of entities
// in the graph whose names it has not embedded. Names that synonyms are too short for count.
func (e *estimator) expectedNames() int {
	if !e.has(neo4jstore.ArtifactSynonyms) || !e.embedsLater() {
		return 0
	}
	n := e.marks["synonyms"]
	if e.changed["synonyms"] != "" {
		n = e.counts.Entities
	}
	for _, node := range e.nodes {
		if !node.edge {
			n++
		}
	}
	return n
}
