package neo4jstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
)

// settingsPrefix is the prefix of the properties of a corpus with settings fingerprints.
const settingsPrefix = "settings_"

// A Corpus holds the properties of a corpus.
type Corpus struct {
	Name      string
	Created   time.Time
	Schema    int
	Dimension int
	Embedder  string
	Mode      string            // "offline" or the models
	Settings  map[string]string // settings fingerprint of each stage
	Removing  bool              // Writer.Drop was interrupted

	Topology   int64 // incremented when an edge between entities is added, removed or changes its weight
	Clustered  int64 // Partition.Topology; -1 minus that while other communities are being written
	Next       int64 // the generation that is being written, or the visible one
	Generation int64 // the visible generation
	Regrouped  int64 // the last generation with other communities than the one before; 0 if that is not known
	Labelled   int64 // the generation of the community labels of entities
	Swept      int64 // the generation whose predecessors are deleted
	Renaming   bool  // Writer.Flip was interrupted while it gave communities their ordinals and labels

	Forgetting bool // texts were removed, and reports that may hold their words are still to be written again

	Queries QuerySettings // of the question-answer pairs; HasQueries reports whether there are any

	Decisions graph.NameDecisions

	Unread Unread

	Artifacts []Artifact // that the corpus is indexed with

	EdgesChanged int64 // incremented for each edge when Topology is
	Partition    Partition
}

// A Partition is what is known of how the visible communities were found.
type Partition struct {
	Topology   int64 // Corpus.Topology of the edges that they were computed from
	Modularity float64
	// Of the last partition that did not start from the one before, which may be this one:
	// its modularity, and Corpus.EdgesChanged when it was computed.
	FreshModularity float64
	FreshEdges      int64
}

func (p Partition) properties() map[string]any {
	return map[string]any{"clustered": p.Topology, "modularity": p.Modularity, "fresh_modularity": p.FreshModularity, "fresh_edges": p.FreshEdges}
}

// ChangedShare returns how many edges changed since the last partition that did not start
// from the one before, as a share of the edges that there are.
func (c *Corpus) ChangedShare(edges int) float64 {
	return float64(c.EdgesChanged-c.Partition.FreshEdges) / float64(max(edges, 1))
}

// A PartitionChange is how far the communities of a corpus are from a fresh clustering.
type PartitionChange struct {
	Modularity      float64 `json:"modularity"`
	FreshModularity float64 `json:"fresh_modularity"` // when communities were last found as in a new corpus
	ChangedShare    float64 `json:"changed_share"`    // of the relationships, since then
}

// PartitionChange returns how far the communities are from a fresh clustering, for that many
// relationships; nil if it is not known.
func (c *Corpus) PartitionChange(relationships int) *PartitionChange {
	p := c.Partition
	if p.FreshModularity == 0 {
		return nil
	}
	return &PartitionChange{p.Modularity, p.FreshModularity, c.ChangedShare(relationships)}
}

// String returns the change as a sentence without its subject.
func (d *PartitionChange) String() string {
	return fmt.Sprintf("modularity %.3f, %.3f when they were last found as in a new corpus; %.1f %% of the relationships changed since",
		d.Modularity, d.FreshModularity, 100*d.ChangedShare)
}

// vectors returns the vectors that every corpus with this embedder has: without a model,
// entities and relationships may have none.
func (c *Corpus) vectors() Vectors {
	v := Vectors{Dimension: c.Dimension, Artifacts: c.Artifacts}
	if strings.HasPrefix(c.Embedder, "hashed-") {
		v.Kinds = []graph.Kind{graph.KindChunk, graph.KindReport}
	}
	return v
}

// QuerySettings are how the question-answer pairs of a corpus are made and asked, and what
// is measured of their vectors.
type QuerySettings struct {
	Count      int     // pairs of a chunk
	Alpha      float64 // share of them that is kept
	Neighbours int     // of a kept pair
	Preset     string  // of the search; "" for the default
	// Mean cosine of pairs that have nothing to do with each other, and of a pair with its
	// nearest neighbour, in a sample.
	Unrelated, Near float64
}

// properties returns what is stored on the corpus; without pairs all is removed.
func (q QuerySettings) properties() map[string]any {
	set := map[string]any{"queries_count": nil, "queries_alpha": nil, "queries_neighbours": nil, "queries_preset": nil, "queries_unrelated": nil, "queries_near": nil}
	if q != (QuerySettings{}) {
		set = map[string]any{
			"queries_count": q.Count, "queries_alpha": q.Alpha, "queries_neighbours": q.Neighbours, "queries_preset": optional(q.Preset),
			"queries_unrelated": q.Unrelated, "queries_near": q.Near,
		}
	}
	return set
}

func querySettingsOf(v values) QuerySettings {
	return QuerySettings{
		Count: v.int("queries_count"), Alpha: v.real("queries_alpha"), Neighbours: v.int("queries_neighbours"), Preset: v.text("queries_preset"),
		Unrelated: v.real("queries_unrelated"), Near: v.real("queries_near"),
	}
}

// HasQueries reports whether the corpus is indexed with question-answer pairs.
func (c *Corpus) HasQueries() bool { return c.Has(ArtifactQueries) }

// A Run is the record of a run that wrote something.
type Run struct {
	ID        string
	Corpus    string
	Started   time.Time
	Finished  time.Time
	Counts    map[string]int64
	Calls     int64
	TokensIn  int64
	TokensOut int64
	Cost      float64
	Exit      int
	// Calls and tokens as shares of those that a new corpus would need; 0 if not known.
	RebuildCalls, RebuildTokens float64
}

// Corpora reads all corpora in name order.
func (s *Store) Corpora(ctx context.Context) ([]Corpus, error) {
	found, err := corpora(ctx, s, readCorpora, "")
	return found, wrap(err, "list corpora")
}

// corpora reads corpora. It skips nodes without a key: a node that is deleted while it
// is being read has no properties.
func corpora(ctx context.Context, s *Store, st typed[values], corpus string) ([]Corpus, error) {
	found, err := rowsAs(ctx, s, st, corpus, nil, corpusOf)
	return slices.DeleteFunc(found, func(k Corpus) bool { return k.Name == "" }), err
}

// Corpus reads one corpus. The error is ErrNoCorpus if it does not exist.
func (s *Store) Corpus(ctx context.Context, corpus string) (Corpus, error) {
	found, err := corpora(ctx, s, readCorpus, corpus)
	if err != nil {
		return Corpus{}, fmt.Errorf("read corpus %s: %w", corpus, err)
	}
	if len(found) == 0 {
		return Corpus{}, fmt.Errorf("corpus %s: %w", corpus, ErrNoCorpus)
	}
	return found[0], nil
}

func corpusOf(v values) Corpus {
	c := Corpus{
		Name: v.text("key"), Schema: v.int("schema"), Dimension: v.int("dimension"),
		Embedder: v.text("embedder"), Mode: v.text("mode"), Settings: map[string]string{}, Removing: v["removing"] == true,
		Topology: v.whole("topology"), Clustered: v.whole("clustered"), Next: v.whole("next"),
		Generation: v.whole("generation"), Regrouped: v.whole("regrouped"), Labelled: v.whole("labelled"), Swept: v.whole("swept"), Renaming: v.flag("renaming"), EdgesChanged: v.whole("edges_changed"),
		Forgetting: v.flag("forgetting"), Queries: querySettingsOf(v), Artifacts: artifactsOf(v),
	}
	c.Partition = Partition{
		Topology: c.Clustered, Modularity: v.real("modularity"), FreshModularity: v.real("fresh_modularity"), FreshEdges: v.whole("fresh_edges"),
	}
	if c.Clustered < 0 {
		c.Partition.Topology = -1 - c.Clustered
	}
	for _, pair := range v.texts("merged") {
		a, b, _ := strings.Cut(pair, mergedSeparator)
		c.Decisions.Merged = append(c.Decisions.Merged, [2]string{a, b})
	}
	c.Decisions.Split = v.texts("split")
	c.Unread = unreadOf(v)
	c.Created, _ = v["created"].(time.Time)
	for name := range v {
		if stage, ok := strings.CutPrefix(name, settingsPrefix); ok {
			c.Settings[stage] = v.text(name)
		}
	}
	return c
}

// Generation reads the visible generation: 0 before the first communities. The error is
// ErrSchema for a corpus of another schema version.
func (s *Store) Generation(ctx context.Context, corpus string) (int64, error) {
	state, err := firstRow(ctx, s, readGeneration, corpus, nil, ErrNoCorpus)
	if err == nil {
		err = checkSchema(state.Schema)
	}
	if err != nil {
		return 0, fmt.Errorf("read the generation of corpus %s: %w", corpus, err)
	}
	return state.Generation, nil
}

// Runs reads the last runs that wrote something, latest first.
func (s *Store) Runs(ctx context.Context, corpus string, limit int) ([]Run, error) {
	runs, err := rowsAs(ctx, s, readRuns, corpus, map[string]any{"limit": limit}, func(v values) Run { return runOf(corpus, v) })
	return runs, wrap(err, "read runs of corpus "+corpus)
}

func runOf(corpus string, v values) Run {
	started, _ := v["started"].(time.Time)
	finished, _ := v["finished"].(time.Time)
	run := Run{
		ID: graph.Local(v.text("key")), Corpus: corpus, Started: started, Finished: finished, Counts: map[string]int64{},
		Calls: v.whole("calls"), TokensIn: v.whole("tokens_in"), TokensOut: v.whole("tokens_out"), Cost: v.real("cost"), Exit: v.int("exit"),
		RebuildCalls: v.real("rebuild_calls"), RebuildTokens: v.real("rebuild_tokens"),
	}
	for name := range v {
		if stage, ok := strings.CutPrefix(name, "count_"); ok {
			run.Counts[stage] = v.whole(name)
		}
	}
	return run
}
