package neo4jstore

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// dropBatch is how many nodes one transaction deletes.
const dropBatch = 10_000

// dropKinds are the kinds of nodes of a corpus, in the order of their deletion. Nodes
// with many edges come last, when most of their edges are deleted.
var dropKinds = []graph.Kind{
	graph.KindPassage, graph.KindSentence, graph.KindNamePair, graph.KindQuery, graph.KindFinding, graph.KindReport, graph.KindClaim,
	graph.KindRelationship, graph.KindChunk, graph.KindEntity, graph.KindCommunity, graph.KindDocument, "Run",
}

// DropCorpus deletes a corpus as Writer.Drop does, and returns the changes. The owner is
// as in WithWriter; "" is a random name. The error is ErrLeased while another process
// writes. Dropping a corpus that does not exist changes nothing.
func (s *Store) DropCorpus(ctx context.Context, corpus, owner string) (Counters, error) {
	var counters Counters
	if owner == "" {
		owner = "drop " + rand.Text()
	}
	err := s.WithWriter(ctx, corpus, owner, 0, func(ctx context.Context, w *Writer) error {
		defer func() { counters = w.Counters() }()
		if err := w.Drop(ctx); err != nil {
			return err
		}
		w.DropLease()
		return nil
	})
	return counters, wrap(err, "drop corpus "+corpus)
}

// Drop deletes all nodes of the corpus in batches, then its indexes, then the corpus
// itself. Corpus.Removing shows that it was interrupted; the next call continues.
func (w *Writer) Drop(ctx context.Context) error {
	err := w.write(ctx, "removing", func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteCorpusSet, w.corpus, map[string]any{"set": map[string]any{"removing": true}}, nil)
	})
	if err != nil {
		return err
	}
	for _, kind := range dropKinds {
		if err := w.dropNodes(ctx, kind); err != nil {
			return err
		}
	}
	if err := w.dropIndexes(ctx); err != nil {
		return err
	}
	return w.write(ctx, "dropped corpus", func(tx *transaction) error {
		return tx.each(ctx, cypher.SchemaDropCorpus, w.corpus, nil, nil)
	})
}

// dropNodes deletes the nodes of a kind.
func (w *Writer) dropNodes(ctx context.Context, kind graph.Kind) error {
	return w.writeUntilDone(ctx, "dropped nodes", cypher.SchemaDropNodes.For(string(kind)), dropBatch, nil)
}

// dropIndexes drops all indexes of the corpus.
func (w *Writer) dropIndexes(ctx context.Context) error {
	shown, err := w.store.indexesOf(ctx, w.corpus)
	if err != nil {
		return err
	}
	var own []string
	for name, x := range shown {
		if x.belongsTo(w.corpus) {
			own = append(own, name)
		}
	}
	if len(own) == 0 {
		return nil
	}
	slices.Sort(own)
	return w.changeSchema(ctx, "indexes dropped", dropping(ctx, own))
}
