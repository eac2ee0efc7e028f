package index

import (
	"cmp"
	"strconv"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Synonyms choose whether a corpus has edges between entities with similar names. That is
// stored with the corpus: the zero value keeps it.
type Synonyms struct {
	With    bool // make them
	Without bool // delete them

	Most  int     // synonyms of an entity; 0 means 100
	Least float64 // cosine of the vectors of two names; 0 means .8
}

// bound says which entities are synonyms.
func (s Synonyms) bound() qcg.Bound {
	return qcg.Bound{K: cmp.Or(s.Most, synonymMost), Least: cmp.Or(s.Least, synonymLeast)}
}

// Validate returns an error if synonyms are both made and deleted.
func (s Synonyms) Validate() error {
	return checkWanted("synonyms", s.With, s.Without)
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

// synonymsFP returns the fingerprint of what makes synonyms, "" for a corpus without them.
func (e *effective) synonymsFP() string {
	if !e.synonyms {
		return ""
	}
	b := e.Synonyms.bound()
	return graph.Hash(e.Embedder.Fingerprint(), strconv.Itoa(b.K), strconv.FormatFloat(b.Least, 'g', -1, 64), strconv.Itoa(synonymLetters))
}

// synonymArtifact is how the corpus has synonyms.
func (r *run) synonymArtifact() artifact {
	return artifact{"synonyms", r.synonyms, func(c neo4jstore.Corpus) bool { return c.Synonyms }, r.writer.SetSynonyms, r.writer.DropSynonyms}
}

// nameTokens is about how many tokens the name of an entity has.
const nameTokens = 4

// expectedNames estimates how many names a model embeds: those of new entities, and of entities
// in the graph whose names it has not embedded. Names that synonyms are too short for count.
func (e *estimator) expectedNames() int {
	if !e.synonyms || !e.embedsLater() {
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
