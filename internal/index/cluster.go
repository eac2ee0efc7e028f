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

// cluster finds communities if edges or settings changed, or if an interrupted run left
// an incomplete generation. It writes the communities as the next generation, which
// readers do not see before the flip.
func (r *run) cluster(ctx context.Context, s *stage) error {
	c, err := r.store.Corpus(ctx, r.Corpus)
	if err != nil {
		return err
	}
	settings := r.settings()["cluster"]
	if c.Topology == c.Clustered && c.Next <= c.Generation && c.Settings["cluster"] == settings && !r.Fresh {
		return nil
	}
	adjacency, visible, err := r.readGraph(ctx, c)
	if err != nil {
		return err
	}
	found, err := r.findCommunities(ctx, c, adjacency, visible)
	if err != nil {
		return err
	}
	regrouped := &regrouped{now: found}
	if c.Labelled == c.Generation {
		regrouped.before = newLabelTable(visible, r.Labels).compact(adjacency.Keys)
	}
	s.addTotal(len(found))
	next, err := s.writer.OpenGeneration(ctx, adjacency.Entities, found)
	if err != nil {
		return fmt.Errorf("write communities: %w", err)
	}
	regrouped.generation = next
	r.regrouped = regrouped
	if next == c.Generation {
		if err := s.writer.RecordClustered(ctx, *r.partition); err != nil {
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
	before     *labelTable       // the labels that entities have, if they are those of the visible communities
}

// readGraph reads what the clustering starts from: the edges and the visible communities.
func (r *run) readGraph(ctx context.Context, c neo4jstore.Corpus) (adjacency neo4jstore.Adjacency, visible []graph.Community, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return panicerr.Catch(func() (err error) {
			start := r.Clock()
			if adjacency, err = r.store.Adjacency(ctx, r.Corpus, r.Weight); err != nil {
				return fmt.Errorf("read the adjacency: %w", err)
			}
			r.setAdjacencySeconds(r.Clock().Sub(start).Seconds())
			return nil
		})
	})
	g.Go(func() error {
		return panicerr.Catch(func() (err error) {
			if visible, err = r.store.Communities(ctx, r.Corpus, c.Generation, true); err != nil {
				return fmt.Errorf("read communities: %w", err)
			}
			return nil
		})
	})
	err = g.Wait()
	return adjacency, visible, err
}

// communities returns the communities of a generation by level and ordinal: those that this
// run found, or those of the graph, without members.
func (r *run) communities(ctx context.Context, generation int64) ([]graph.Community, error) {
	if g := r.regrouped; g != nil && g.generation == generation {
		return g.now, nil
	}
	all, err := r.store.Communities(ctx, r.Corpus, generation, false)
	if err != nil {
		return nil, fmt.Errorf("read communities: %w", err)
	}
	return all, nil
}

// findCommunities clusters the graph, and stores how in r.partition.
func (r *run) findCommunities(ctx context.Context, c neo4jstore.Corpus, adjacency neo4jstore.Adjacency, visible []graph.Community) ([]graph.Community, error) {
	snapshot := community.Snapshot{Keys: adjacency.Keys, Graph: adjacency.Graph, Changed: make([]bool, len(adjacency.Keys))}
	for i, topology := range adjacency.Topology {
		snapshot.Changed[i] = topology > c.Partition.Topology
	}
	var before []community.Previous
	if !r.Fresh {
		before = previous(visible)
	}
	o := r.Community
	o.Fresh = len(before) == 0 || r.startsFresh(c, adjacency.Graph.Edges())
	found, stats, err := community.Detect(ctx, r.Corpus, snapshot, before, o)
	if err != nil {
		return nil, fmt.Errorf("find communities: %w", err)
	}
	r.partition = &neo4jstore.Partition{
		Topology: c.Topology, Modularity: stats.Modularity, FreshModularity: c.Partition.FreshModularity, FreshEdges: c.Partition.FreshEdges,
	}
	if o.Fresh {
		r.partition.FreshModularity, r.partition.FreshEdges = stats.Modularity, c.EdgesChanged
	}
	r.countCommunities(visible, found, o.Fresh)
	r.Logger.InfoContext(ctx, "communities found", "levels", len(stats.Levels), "clustered", stats.Clustered, "modularity", stats.Modularity, "fresh", o.Fresh)
	return found, nil
}

func (r *run) setAdjacencySeconds(seconds float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.AdjacencySeconds = seconds
}

// countCommunities counts what became of the visible communities.
func (r *run) countCommunities(visible, found []graph.Community, fresh bool) {
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Communities = counts
	if !r.WithoutReports {
		r.result.Reports.Kept = len(found)
	}
}

// startsFresh reports whether the communities are found without those of before: because
// settings changed, because it is not known which edges changed since, or because too many
// did. With a model the last is left to the user, because new reports cost money: the run
// gets a note.
func (r *run) startsFresh(c neo4jstore.Corpus, edges int) bool {
	if c.Partition.FreshModularity == 0 || c.Settings["cluster"] != r.settings()["cluster"] {
		return true
	}
	share := c.ChangedShare(edges)
	if r.FreshShare <= 0 || share <= r.FreshShare {
		return false
	}
	if r.Model == nil {
		return true
	}
	r.addNote("%.0f %% of the relationships changed since communities were last found as in a new corpus; --fresh-communities does that again, and most reports are written again", 100*share)
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
