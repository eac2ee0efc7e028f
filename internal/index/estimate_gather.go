package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
)

// A estimator is what pending chunks are expected to bring into the graph.
type estimator struct {
	*Indexer
	chunks, chunkTokens int // to extract
	newTexts, newTokens int // chunks to embed
	entityTokens        int // in answers
	claimTokens         int
	nodes               map[string]*expectedNode // entities and relationships
	edges               map[[2]string]int        // weights
	counts              neo4jstore.Counts        // of the corpus as it is
	marks               map[string]int
	changed             map[string]string // settings that redo a stage
}

// expectedNode is an entity or relationship with its distinct descriptions.
type expectedNode struct {
	seen   map[string]bool // hashes
	tokens int
	edge   bool
}

func newEstimator(x *Indexer) *estimator {
	return &estimator{Indexer: x, nodes: map[string]*expectedNode{}, edges: map[[2]string]int{}, marks: map[string]int{}}
}

// addDocument extracts a document by the rules, and keeps what the chunks say that are to
// be done. Chunks that are in the graph carry their own marks for embedding.
func (f *estimator) addDocument(ctx context.Context, chunks []graph.Chunk, todo []bool, inGraph bool) error {
	var found []graph.Extraction
	for i, c := range chunks {
		if !todo[i] {
			continue
		}
		if !inGraph {
			f.newTexts, f.newTokens = f.newTexts+1, f.newTokens+c.NTokens
		}
		if found == nil {
			var err error
			if found, err = f.options.Rules.Document(ctx, joinChunks(chunks), chunks); err != nil {
				return fmt.Errorf("estimate what %s says: %w", c.Document, err)
			}
		}
		f.chunks, f.chunkTokens = f.chunks+1, f.chunkTokens+c.NTokens
		f.addExtraction(c, found[i])
	}
	return nil
}

// recordTokens is what a record takes in an answer beside its texts.
const recordTokens = 20

func (f *estimator) addExtraction(c graph.Chunk, x graph.Extraction) {
	m := resolve.Merge(f.options.Corpus, c, x)
	for _, e := range m.Entities {
		f.addDescriptions(e.Key, false, e.Name, e.Descriptions)
	}
	for _, l := range m.Relationships {
		f.addDescriptions(l.Key, true, "", l.Descriptions)
		f.edges[[2]string{l.Source, l.Target}] += l.Count
	}
	for _, k := range m.Claims {
		f.claimTokens += recordTokens + 2*f.counter.Count(k.Description)
	}
}

func (f *estimator) addDescriptions(key string, edge bool, name string, descriptions []string) {
	n := f.nodes[key]
	if n == nil {
		n = &expectedNode{seen: map[string]bool{}, edge: edge, tokens: f.counter.Count(name)}
		f.nodes[key] = n
	}
	for _, d := range descriptions {
		tokens := f.counter.Count(d)
		f.entityTokens += recordTokens + tokens
		if h := graph.Hash(d); d != "" && !n.seen[h] {
			n.seen[h] = true
			n.tokens += tokens
		}
	}
}

// gather gathers the chunks that are to be extracted and all texts that are
// known to be embedded: of files that are read anew, and in the graph.
func (x *Indexer) gather(ctx context.Context, p runDiff, f *estimator) error {
	known := map[string]bool{}
	if !p.isNew {
		states, err := x.store.Documents(ctx, x.options.Corpus)
		if err != nil {
			return fmt.Errorf("list documents of %s: %w", x.options.Corpus, err)
		}
		for _, d := range states {
			known[d.Key] = true
		}
		if f.counts, err = x.store.Counts(ctx, x.options.Corpus); err != nil {
			return err
		}
		if f.marks, err = x.store.Pending(ctx, x.options.Corpus); err != nil {
			return err
		}
	}
	f.changed = p.changedSettings
	if p.isNew {
		f.changed = nil
	}
	r := x.newRun()
	for _, file := range p.files {
		writes, _, err := r.chunkFile(ctx, file)
		if err != nil {
			continue // the run will name it
		}
		for _, w := range writes {
			if err := x.gatherDocument(ctx, w.Document.Key, w.Chunks, known[w.Document.Key], f); err != nil {
				return err
			}
			delete(known, w.Document.Key)
		}
	}
	for _, key := range p.removed {
		delete(known, key)
	}
	if f.marks["extract"] == 0 && f.changed["extract"] == "" {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if err := x.gatherDocument(ctx, key, nil, true, f); err != nil {
			return err
		}
	}
	return nil
}

// gatherDocument adds the chunks of a document that a run would extract: those
// that it will be cut into, or, without any, those that it has.
func (x *Indexer) gatherDocument(ctx context.Context, key string, cut []graph.Chunk, inGraph bool, f *estimator) error {
	done := map[string]bool{}
	has := cut == nil
	if inGraph {
		states, err := x.store.DocumentChunks(ctx, x.options.Corpus, key)
		if err != nil {
			return err
		}
		for _, c := range states {
			done[c.ExtractFP] = true
			if has {
				cut = append(cut, c.Chunk)
			}
		}
	}
	var todo []bool
	for _, c := range cut {
		todo = append(todo, !done[graph.Hash(x.extractFP, c.Text)])
	}
	return f.addDocument(ctx, cut, todo, has)
}
