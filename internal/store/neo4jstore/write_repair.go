package neo4jstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A Damage lists the nodes that repairs work on, by key. Every list may be empty.
type Damage struct {
	Redo          map[MarkedKind][]string // to be redone by a stage even if nothing changed
	Edges         []string                // relationships whose edge is deleted, to be rebuilt by derive
	Relationships []string                // without an end: deleted, and extracted again
	Claims        []string                // without an end, or with wrong words: deleted, and extracted again
	Stray         map[graph.Kind][]string // passages, reports and findings that belong to nothing: deleted
	StrayEdges    []StrayEdge
	Labels        []EntityLabels          // community labels to remove, to be written again by label
	Ended         map[graph.Kind][]string // communities and reports to delete in the next sweep
	Unfindable    map[graph.Kind][]string // without the label of the corpus
	Chunks        []string                // without a document: deleted with everything that only they state
	Documents     []string                // to be read again by the next run
	ExtractAll    bool                    // mentions or claims are lost: extract every chunk again
	Recluster     bool                    // communities or their members are lost: cluster again
}

// A MarkedKind is a kind of nodes with a stage that marks them.
type MarkedKind struct {
	Kind  graph.Kind
	Stage string
}

// A StrayEdge is an edge between entities without a relationship.
type StrayEdge struct {
	Source string // key of the entity that it starts at
	Key    string // of the relationship that does not exist
}

// Repair deletes orphaned nodes and edges, and marks what is damaged, so that the stages
// rebuild it from the mentions and texts. It does not compute anything itself. An
// interrupted call is repeated by the next one, which finds what is still damaged.
func (w *Writer) Repair(ctx context.Context, d *Damage) error {
	if err := w.deleteChunks(ctx, slices.Sorted(slices.Values(d.Chunks))); err != nil {
		return fmt.Errorf("repair corpus %s: %w", w.corpus, err)
	}
	for _, step := range []func(context.Context, *Damage) error{w.repairNodes, w.repairEdges, w.repairMarks, w.repairCorpus} {
		if err := step(ctx, d); err != nil {
			return fmt.Errorf("repair corpus %s: %w", w.corpus, err)
		}
	}
	return nil
}

func (w *Writer) repairNodes(ctx context.Context, d *Damage) error {
	for _, group := range []struct {
		statement cypher.Statement
		keys      map[graph.Kind][]string
	}{
		{cypher.WriteRepairStray, d.Stray}, {cypher.WriteRepairEnded, d.Ended}, {cypher.WriteRepairFindable, d.Unfindable},
	} {
		for _, kind := range slices.Sorted(maps.Keys(group.keys)) {
			if err := w.writeKeys(ctx, "repair", group.statement.For(string(kind)), group.keys[kind], nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) repairEdges(ctx context.Context, d *Damage) error {
	var stray, labels []any
	for _, e := range d.StrayEdges {
		stray = append(stray, map[string]any{"key": e.Source, "edge": e.Key})
	}
	for _, e := range d.Labels {
		labels = append(labels, map[string]any{"key": e.Key, "labels": listOrEmpty(e.Labels)})
	}
	for _, step := range []rowStep{{cypher.WriteRepairStrayEdges, stray, false}, {cypher.WriteRepairLabels, labels, false}} {
		if err := w.writeSorted(ctx, "repair", step); err != nil {
			return err
		}
	}
	for _, group := range []struct {
		statement cypher.Statement
		keys      []string
	}{
		{cypher.WriteRepairEdges, d.Edges},
		{cypher.WriteRepairRelationships, d.Relationships},
		{cypher.WriteRepairClaims, d.Claims},
		{cypher.WriteDocumentsUnhashed, d.Documents},
	} {
		if err := w.writeKeys(ctx, "repair", group.statement, group.keys, nil); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) repairMarks(ctx context.Context, d *Damage) error {
	for _, m := range markedKinds() {
		if err := w.writeKeys(ctx, "repair", cypher.WriteRepairMarks.For(string(m.Kind), m.Stage), d.Redo[m], nil); err != nil {
			return err
		}
	}
	if !d.ExtractAll {
		return nil
	}
	_, err := w.markPages(ctx, "repair", writeRepairChunks, nil)
	return err
}

// repairCorpus resets the counters that tell the stages cluster and label that their
// work is done.
func (w *Writer) repairCorpus(ctx context.Context, d *Damage) error {
	if d.Recluster {
		err := w.write(ctx, "repair", func(tx *transaction) error {
			return tx.exactly(ctx, cypher.WriteTopology, w.corpus, map[string]any{"edges": 0}, 1)
		})
		if err != nil {
			return err
		}
	}
	set := map[string]any{}
	if len(d.Labels) > 0 || d.Recluster {
		set["labelled"] = -1
	}
	if len(d.Ended) > 0 {
		set["swept"] = -1
	}
	if len(set) == 0 {
		return nil
	}
	return w.set(ctx, "repair", set)
}
