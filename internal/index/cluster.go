package index

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/panicerr"
)

// A clustering is the stage cluster.
type clustering struct{ *stage }

// run finds communities if edges or settings changed, or if an interrupted run left
// an incomplete generation. It writes the communities as the next generation, which
// readers do not see before the flip.
func (s *clustering) run(ctx context.Context) error {
	c, err := s.store.Corpus(ctx, s.Corpus)
	if err != nil {
		return err
	}
	settings := s.settings["cluster"]
	if c.Topology == c.Clustered && c.Next <= c.Generation && c.Settings["cluster"] == settings && !s.Fresh {
		return nil
	}
	adjacency, visible, err := s.readGraph(ctx, c)
	if err != nil {
		return err
	}
	found, err := s.findCommunities(ctx, c, adjacency, visible)
	if err != nil {
		return err
	}
	regrouped := &regrouped{now: found}
	if c.Labelled == c.Generation {
		regrouped.before = newLabelTable(visible, s.Labels).compact(adjacency.Keys)
	}
	s.addTotal(len(found))
	next, err := s.writer.OpenGeneration(ctx, adjacency.Entities, found)
	if err != nil {
		return fmt.Errorf("write communities: %w", err)
	}
	regrouped.generation = next
	s.shared.regrouped = regrouped
	if next == c.Generation {
		if err := s.writer.RecordClustered(ctx, *s.shared.partition); err != nil {
			return err
		}
	}
	s.addDone(len(found))
	return s.writer.SetSettings(ctx, map[string]string{"cluster": settings}, neo4jstore.CorpusSet{})
}

// A regrouped is what a run made of the communities. Later stages use it instead of reading
// the communities again.
type regrouped struct {
	generation int64             // in which now is valid
	now        []graph.Community // with members, by level and ordinal
	before     *labelTable       // the labels that entities have, if they are labels of the visible communities
}

// readGraph reads what the clustering starts from: the edges and the visible communities.
func (s *clustering) readGraph(ctx context.Context, c neo4jstore.Corpus) (adjacency neo4jstore.Adjacency, visible []graph.Community, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return panicerr.Catch(func() (err error) {
			start := s.Clock()
			if adjacency, err = s.store.Adjacency(ctx, s.Corpus, s.Weight); err != nil {
				return fmt.Errorf("read the adjacency: %w", err)
			}
			seconds := s.Clock().Sub(start).Seconds()
			s.shared.change(func(r *Result) { r.AdjacencySeconds = seconds })
			return nil
		})
	})
	g.Go(func() error {
		return panicerr.Catch(func() (err error) {
			if visible, err = s.store.Communities(ctx, s.Corpus, c.Generation, true); err != nil {
				return fmt.Errorf("read communities: %w", err)
			}
			return nil
		})
	})
	err = g.Wait()
	return adjacency, visible, err
}

// findCommunities clusters the graph, and stores how in s.shared.partition.
func (s *clustering) findCommunities(ctx context.Context, c neo4jstore.Corpus, adjacency neo4jstore.Adjacency, visible []graph.Community) ([]graph.Community, error) {
	snapshot := community.Snapshot{Keys: adjacency.Keys, Graph: adjacency.Graph, Changed: make([]bool, len(adjacency.Keys))}
	for i, topology := range adjacency.Topology {
		snapshot.Changed[i] = topology > c.Partition.Topology
	}
	var before []community.Previous
	if !s.Fresh {
		before = previous(visible)
	}
	o := s.Community
	o.Fresh = len(before) == 0 || s.startsFresh(c, adjacency.Graph.Edges())
	found, stats, err := community.Detect(ctx, s.Corpus, snapshot, before, o)
	if err != nil {
		return nil, fmt.Errorf("find communities: %w", err)
	}
	s.shared.partition = &neo4jstore.Partition{
		Topology: c.Topology, Modularity: stats.Modularity, FreshModularity: c.Partition.FreshModularity, FreshEdges: c.Partition.FreshEdges,
	}
	if o.Fresh {
		s.shared.partition.FreshModularity, s.shared.partition.FreshEdges = stats.Modularity, c.EdgesChanged
	}
	s.countCommunities(visible, found, o.Fresh)
	s.Logger.InfoContext(ctx, "communities found", "levels", len(stats.Levels), "clustered", stats.Clustered, "modularity", stats.Modularity, "fresh", o.Fresh)
	return found, nil
}

// countCommunities counts what became of the visible communities.
func (s *clustering) countCommunities(visible, found []graph.Community, fresh bool) {
	counts := CommunityCounts{Fresh: fresh}
	now, labels := make(map[string]bool, len(found)), make(map[string]bool, len(found))
	for _, c := range found {
		now[c.Key], labels[c.Label] = true, true
	}
	for _, c := range visible {
		switch {
		case now[c.Key]:
			counts.Kept++
		case labels[c.Label]:
			counts.Changed++
		default:
			counts.Gone++
		}
	}
	counts.New = len(found) - counts.Kept - counts.Changed
	s.shared.change(func(r *Result) {
		if r.Communities = counts; !s.WithoutReports {
			r.Reports.Kept = len(found)
		}
	})
}

// startsFresh reports whether the communities are found as in a new corpus: because
// settings changed, because it is not known which edges changed since, or because too many
// did. With a model the last is left to the user, because new reports cost money: the run
// gets a note.
func (s *clustering) startsFresh(c neo4jstore.Corpus, edges int) bool {
	if c.Partition.FreshModularity == 0 || c.Settings["cluster"] != s.settings["cluster"] {
		return true
	}
	share := c.ChangedShare(edges)
	if s.FreshShare <= 0 || share <= s.FreshShare {
		return false
	}
	if s.Model == nil {
		return true
	}
	s.shared.addNote("%.0f %% of the relationships changed since communities were last found as in a new corpus; --fresh-communities does that again, and most reports are then rewritten", 100*share)
	return false
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
