package light

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/keywords"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Bounds of dual-level retrieval.
const (
	dualHits          = 40  // entities by low-level, and relationships by high-level keywords
	dualTermHits      = 300 // of a full-text search, in which other kinds are found too
	dualRelationships = 8   // of each entity
	dualNeighbours    = 20
	dualChunks        = 60 // that mention what was found
)

// Weights of what ranks chunks. An entity that only one chunk mentions weighs about .6 there
// if it is the best one; the question decides the order of chunks that mention much the same.
const (
	similarityWeight   = 10 // of the best chunk of the search for the question
	relationshipWeight = .3 // of the best relationship that keywords found
)

// A result is what dual-level retrieval finds, each kind best first.
type result struct {
	Entities      []graph.Entity // found by keywords, and ends of relationships that were
	Neighbours    []graph.Entity // related to several of Entities, or closely to one
	Relationships []graph.Relationship
	Chunks        []retrieve.Chunk
	Scores        map[string]float64 // by key: of entities and relationships that keywords found, and of neighbours
	Notes         []string
}

// search searches entities by low-level and relationships by high-level keywords (LightRAG, section
// 3.2), and reads what surrounds them: two round trips for each corpus. A level without keywords is not
// searched. In the mode mix, or if keywords find nothing, which a note says, it ranks the chunks
// that a search for the question finds too, not only those that mention what was found.
func search(ctx context.Context, r query.Request, k keywords.Keywords) (result, error) {
	low, high := strings.Join(k.Low, ", "), strings.Join(k.High, ", ")
	found, err := r.Reader.Search(ctx, retrieve.Search{
		Texts:   map[graph.Kind]string{graph.KindChunk: r.Text, graph.KindEntity: low, graph.KindRelationship: high},
		Vectors: []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship}, Names: k.Low, TermHits: dualTermHits,
	})
	if err != nil {
		return result{}, err
	}
	most := int(r.Tuning.Value("nodes", dualHits))
	entities := found.Entities[:min(most, len(found.Entities))]
	relationships := rank.Fuse(rank.List{Keys: retrieve.HitKeys(found.Hits.Relationships)}, rank.List{Keys: retrieve.HitKeys(found.Hits.RelationshipVectors)})
	relationships = relationships[:min(most, len(relationships))]
	allChunks := r.Mode == "mix"
	if len(entities)+len(relationships) == 0 && !allChunks {
		allChunks = true
		found.Notes = append(found.Notes, "No entity or relationship matches the keywords, so the chunks were searched.")
	}
	var chunks []rank.Scored
	if allChunks {
		chunks = found.Chunks[:min(retrieve.CandidateChunks, len(found.Chunks))]
	}
	if len(entities)+len(relationships)+len(chunks) == 0 {
		return result{Notes: found.Notes}, nil
	}
	similar := retrieve.Relative(found.Chunks, r.Tuning.Value("similarity", similarityWeight))
	weights := retrieve.Relative(entities, 1)
	maps.Copy(weights, retrieve.Relative(relationships, r.Tuning.Value("relationship", relationshipWeight)))
	near, err := r.Reader.ReadNeighborhood(ctx, neo4jstore.NeighborhoodQuery{
		Entities: retrieve.ScoredKeys(entities), Relationships: retrieve.ScoredKeys(relationships), Retrieved: retrieve.ScoredKeys(relationships), Chunks: retrieve.ScoredKeys(chunks),
		Weights: weights, Similar: similar,
		MaxRelationships: dualRelationships, MaxNeighbours: dualNeighbours, MaxChunks: dualChunks,
	})
	if err != nil {
		return result{}, err
	}
	out := result{
		Entities:      dualEntities(near, retrieve.ScoredKeys(entities), retrieve.ScoredKeys(relationships)),
		Neighbours:    near.Neighbours,
		Relationships: dualRelationshipsOf(near, entities, relationships),
		Chunks:        retrieve.RankedChunks(near, similar),
		Scores:        map[string]float64{},
		Notes:         found.Notes,
	}
	for _, s := range slices.Concat(entities, relationships) {
		out.Scores[s.Key] = s.Score
	}
	maps.Copy(out.Scores, near.Touched)
	return out, nil
}

// dualEntities takes turns between the entities that keywords found and the ends of the
// relationships that keywords found.
func dualEntities(near neo4jstore.Neighborhood, entities, relationships []string) []graph.Entity {
	byKey := map[string]graph.Entity{}
	for _, e := range near.Entities {
		byKey[e.Key] = e
	}
	at := retrieve.PlacesOf(relationships)
	found := slices.Clone(near.Relationships)
	slices.SortStableFunc(found, func(a, b graph.Relationship) int {
		return cmp.Compare(retrieve.Place(at, a.Key), retrieve.Place(at, b.Key))
	})
	var ends []string
	for _, r := range found {
		if _, ok := at[r.Key]; ok {
			ends = append(ends, r.Source, r.Target)
		}
	}
	return roundRobin(byKey, entities, ends)
}

// dualRelationshipsOf takes turns between the relationships of entities that keywords found,
// by the degrees of their ends and then by weight, and those that keywords found themselves.
func dualRelationshipsOf(near neo4jstore.Neighborhood, entities, relationships []rank.Scored) []graph.Relationship {
	seeds := retrieve.PlacesOf(retrieve.ScoredKeys(entities))
	byKey := map[string]graph.Relationship{}
	var around []graph.Relationship
	for _, r := range near.Relationships {
		byKey[r.Key] = r
		_, source := seeds[r.Source]
		_, target := seeds[r.Target]
		if source || target {
			around = append(around, r)
		}
	}
	degree := func(r graph.Relationship) int { return near.Degrees[r.Source] + near.Degrees[r.Target] }
	slices.SortFunc(around, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(degree(b), degree(a)), cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Key, b.Key))
	})
	keys := make([]string, len(around))
	for i, r := range around {
		keys[i] = r.Key
	}
	return roundRobin(byKey, keys, retrieve.ScoredKeys(relationships))
}

// roundRobin takes turns between two lists of keys, and returns the value of each key once.
func roundRobin[T any](byKey map[string]T, a, b []string) []T {
	var out []T
	seen := map[string]bool{}
	for i := range max(len(a), len(b)) {
		for _, list := range [][]string{a, b} {
			if i >= len(list) || seen[list[i]] {
				continue
			}
			seen[list[i]] = true
			if v, ok := byKey[list[i]]; ok {
				out = append(out, v)
			}
		}
	}
	return out
}
