package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// An estimator collects what the pending chunks are expected to add to the graph.
type estimator struct {
	*effective

	store               *neo4jstore.Store
	chunks, chunkTokens int                      // to extract
	newTexts, newTokens int                      // chunks to embed
	newSentences        int                      // of these chunks, if the corpus has sentences
	entityTokens        int                      // of entities and relationships in answers
	claimTokens         int                      // of claims in answers
	claimsOf            map[string]int           // tokens of the claims about an entity in contexts, by its key
	nodes               map[string]*expectedNode // entities and relationships by key
	edges               map[[2]string]int        // weights by the keys of both ends
	names               map[string]resolve.Group // by name, if the model is asked about names
	counts              neo4jstore.Counts        // of the corpus before the run
	marks               map[string]int           // of the corpus before the run, by stage
	changed             map[string]string        // changed settings, by the stage that they redo
	err                 error                    // of the first prompt that is missing
}

// An expectedNode is an expected entity or relationship.
type expectedNode struct {
	seen   map[string]bool // hashes of its distinct descriptions
	tokens int             // of its name and descriptions
	name   int             // tokens of its name
	edge   bool            // it is a relationship
	ends   [2]string       // keys of its ends, if it is one
}

func newEstimator(store *neo4jstore.Store, e *effective) *estimator {
	return &estimator{effective: e, store: store, nodes: map[string]*expectedNode{}, claimsOf: map[string]int{}, edges: map[[2]string]int{}, names: map[string]resolve.Group{}, marks: map[string]int{}}
}

// addDocument extracts a document by rules and adds the records of the chunks with
// todo set. Chunks that are in the graph already are not counted as texts to embed:
// their marks are.
func (e *estimator) addDocument(ctx context.Context, chunks []graph.Chunk, todo []bool, inGraph bool) error {
	var found []graph.Extraction
	for i, c := range chunks {
		if !todo[i] {
			continue
		}
		if !inGraph {
			e.newTexts, e.newTokens = e.newTexts+1, e.newTokens+c.NTokens
			if e.has(neo4jstore.ArtifactSentences) {
				e.newSentences += len(textproc.Statements(c.Text))
			}
		}
		if found == nil {
			var err error
			if found, err = e.Rules.Document(ctx, joinChunks(chunks), chunks); err != nil {
				return fmt.Errorf("estimate the records of %s: %w", c.Document, err)
			}
		}
		e.chunks, e.chunkTokens = e.chunks+1, e.chunkTokens+c.NTokens
		e.addExtraction(c, found[i])
	}
	return nil
}

// recordTokens is the number of tokens of a record in an answer in addition to the
// tokens of its texts.
const recordTokens = 20

// addExtraction adds the records of one chunk.
func (e *estimator) addExtraction(c graph.Chunk, x graph.Extraction) {
	m := resolve.Merge(e.Corpus, c, x)
	for _, n := range m.Entities {
		e.addDescriptions(n.Key, n.Name, [2]string{}, n.Descriptions)
		if e.asksNames() {
			e.addName(n)
		}
	}
	for _, l := range m.Relationships {
		e.addDescriptions(l.Key, "", [2]string{l.Source, l.Target}, l.Descriptions)
		e.edges[[2]string{l.Source, l.Target}] += l.Count
	}
	for _, k := range m.Claims {
		tokens := e.counter.Count(k.Description)
		e.claimTokens += recordTokens + 2*tokens
		e.claimsOf[k.Subject] += recordTokens + tokens
	}
}

// addDescriptions adds the descriptions of an entity, or of a relationship with its ends.
func (e *estimator) addDescriptions(key, name string, ends [2]string, descriptions []string) {
	n := e.nodes[key]
	if n == nil {
		n = &expectedNode{seen: map[string]bool{}, edge: ends != [2]string{}, ends: ends, name: e.counter.Count(name)}
		n.tokens = n.name
		e.nodes[key] = n
	}
	for _, d := range descriptions {
		tokens := e.counter.Count(d)
		e.entityTokens += recordTokens + tokens
		if h := graph.Hash(d); d != "" && !n.seen[h] {
			n.seen[h] = true
			n.tokens += tokens
		}
	}
}

// gather collects the chunks to extract and the known texts to embed, both of files to
// read and of documents in the graph.
func (e *estimator) gather(ctx context.Context, diff runDiff) error {
	known := map[string]bool{}
	if !diff.isNew {
		states, err := e.store.Documents(ctx, e.Corpus)
		if err != nil {
			return fmt.Errorf("list documents of %s: %w", e.Corpus, err)
		}
		for _, d := range states {
			known[d.Key] = true
		}
		if e.counts, err = e.store.Counts(ctx, e.Corpus); err != nil {
			return err
		}
		if e.marks, err = e.store.Pending(ctx, e.Corpus); err != nil {
			return err
		}
	}
	e.changed = diff.changedSettings
	if diff.isNew {
		e.changed = nil
	}
	r := documentReader{e.effective, e.Source}
	for task, err := range r.readTasks(ctx, diff.files) {
		if err != nil {
			return err
		}
		read, err := r.readTask(ctx, task)
		if err != nil {
			return err
		}
		for _, w := range read.docs { // none if the file cannot be read: the run will report it
			if err := e.gatherDocument(ctx, w.Document.Key, w.Chunks, known[w.Document.Key]); err != nil {
				return err
			}
			delete(known, w.Document.Key)
		}
	}
	for _, key := range diff.removed {
		delete(known, key)
	}
	if e.marks["extract"] == 0 && e.changed["extract"] == "" {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if err := e.gatherDocument(ctx, key, nil, true); err != nil {
			return err
		}
	}
	return nil
}

// gatherDocument adds the chunks of a document that a run would extract: the given
// ones, or if chunks is nil, those that the graph has.
func (e *estimator) gatherDocument(ctx context.Context, key string, chunks []graph.Chunk, inGraph bool) error {
	done := map[string]bool{}
	fromGraph := chunks == nil
	if inGraph {
		states, err := e.store.DocumentChunks(ctx, e.Corpus, key)
		if err != nil {
			return err
		}
		for _, c := range states {
			done[c.ExtractFP] = true
			if fromGraph {
				chunks = append(chunks, c.Chunk)
			}
		}
	}
	var todo []bool
	for _, c := range chunks {
		todo = append(todo, !done[graph.Hash(e.settings["extract"], c.Text)])
	}
	return e.addDocument(ctx, chunks, todo, fromGraph)
}
