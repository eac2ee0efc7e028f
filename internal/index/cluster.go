package index

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/community"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// cluster finds communities if edges or settings changed, or if an interrupted run left
// an incomplete generation. It writes the communities as the next generation, which
// readers do not see before the flip.
func (r *run) cluster(ctx context.Context, s *stage) error {
	c, err := r.store.Corpus(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	settings := r.settings()["cluster"]
	if c.Topology == c.Clustered && c.Next <= c.Generation && c.Settings["cluster"] == settings {
		return nil
	}
	adjacency, err := r.store.Adjacency(ctx, r.options.Corpus, r.options.Weight)
	if err != nil {
		return fmt.Errorf("read the adjacency: %w", err)
	}
	snapshot := community.Snapshot{Keys: adjacency.Keys, Graph: adjacency.Graph}
	visible, err := r.store.Communities(ctx, r.options.Corpus, c.Generation, true)
	if err != nil {
		return fmt.Errorf("read communities: %w", err)
	}
	found, stats, err := community.Detect(ctx, r.options.Corpus, snapshot, previous(visible), r.options.Community)
	if err != nil {
		return fmt.Errorf("find communities: %w", err)
	}
	r.log.InfoContext(ctx, "communities found", "levels", len(stats.Levels), "clustered", stats.Clustered, "modularity", stats.Modularity)
	s.addTotal(len(found))
	next, err := s.writer.OpenGeneration(ctx, found)
	if err != nil {
		return fmt.Errorf("write communities: %w", err)
	}
	if next == c.Generation {
		if err := s.writer.RecordClustered(ctx, c.Topology); err != nil {
			return err
		}
	}
	r.topology = c.Topology
	s.addDone(len(found))
	return s.writer.SetSettings(ctx, map[string]string{"cluster": settings}, neo4jstore.CorpusSet{})
}

// previous returns the visible communities with their ordinals, which new communities
// take over.
func previous(visible []graph.Community) []community.Previous {
	out := make([]community.Previous, len(visible))
	for i, c := range visible {
		out[i] = community.Previous{Key: c.Key, Level: c.Level, Ordinal: c.Ordinal, Members: c.Members}
	}
	return out
}
