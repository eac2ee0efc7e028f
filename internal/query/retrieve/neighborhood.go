package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Bounds of what is read around the entities of a question: about twice what
// fits into the usual budget, since each row costs the server time.
const (
	maxEntities            = 12
	maxFacts               = 20 // relationships, and claims, that the search itself found
	maxEntityRelationships = 8  // of each entity
	maxEntityClaims        = 6  // of each entity
	maxReports             = 12 // of which one is kept for each branch of the hierarchy
	maxMentioning          = 20 // chunks that mention the entities
	maxChunks              = 40 // of those that the search itself found
)

// mentionWeight is the weight of chunks that mention the question's entities, relative to
// those that the search found.
const mentionWeight = .1

// A Neighborhood is what the graph holds around the entities of a question, each
// kind best first.
type Neighborhood struct {
	Entities      []graph.Entity
	Relationships []graph.Relationship
	Claims        []graph.Claim
	Reports       []neo4jstore.ReportRow
	Chunks        []Chunk
}

// NeighborhoodOptions control how a neighborhood is read and ranked.
type NeighborhoodOptions struct {
	Level    int    // the deepest level of the reports
	Question string // by which claims are chosen and ranked
	Tuning   Tuning // NeighborhoodTuning lists its names
	PageRank bool   // rank relationships by personalized PageRank from the question's entities too
}

// NeighborhoodTuning returns the settings of the chunks around the question's entities: the
// weights of the views of full text, the number of these entities, and the weight of mentioning them.
func NeighborhoodTuning() []string { return append([]string{"entities", "mention"}, ViewNames...) }

// Neighborhood reads what surrounds the best candidates, in one round trip for
// each corpus. Without candidates it reads nothing.
func (r Reader) Neighborhood(ctx context.Context, found Candidates, o NeighborhoodOptions) (Neighborhood, error) {
	chunks := ScoredKeys(found.Chunks[:min(maxChunks, len(found.Chunks))])
	most := int(o.Tuning.Value("entities", maxEntities))
	entities := ScoredKeys(found.Entities[:min(most, len(found.Entities))])
	if len(chunks) == 0 && len(entities) == 0 {
		return Neighborhood{}, nil
	}
	terms := textproc.TermSetOf(o.Question)
	relationships, claims := HitKeys(found.Hits.Relationships), HitKeys(found.Hits.Claims)
	read, err := r.ReadNeighborhood(ctx, neo4jstore.NeighborhoodQuery{
		Entities: entities, Chunks: chunks, Level: o.Level,
		Relationships: relationships[:min(maxFacts, len(relationships))], Claims: claims[:min(maxFacts, len(claims))],
		Terms: slices.Sorted(maps.Keys(terms)), MaxRelationships: maxEntityRelationships, MaxClaims: maxEntityClaims, MaxReports: maxReports, MaxChunks: maxMentioning,
	})
	if err != nil {
		return Neighborhood{}, err
	}
	return Neighborhood{
		Entities: read.Entities, Relationships: rankRelationships(found, read, o.PageRank),
		Claims: rankClaims(found, read, terms), Reports: oneOfEachBranch(read), Chunks: rankMentions(found, read, o.Tuning),
	}, nil
}

// ReadNeighborhood joins what surrounds nodes in every corpus.
func (r Reader) ReadNeighborhood(ctx context.Context, q neo4jstore.NeighborhoodQuery) (neo4jstore.Neighborhood, error) {
	all := neo4jstore.Neighborhood{Members: map[string]int{}, Ancestors: map[string][]string{}, Weights: map[string]float64{}, Touched: map[string]float64{}, Degrees: map[string]int{}}
	for _, c := range r.Corpora {
		own := q
		own.Scope = c.Filter
		for _, keys := range []*[]string{&own.Entities, &own.Relationships, &own.Retrieved, &own.Claims, &own.Chunks} {
			*keys = KeysOfCorpus(c.Name, *keys)
		}
		found, err := r.Store.Neighborhood(ctx, c.Name, own)
		if err != nil {
			return all, err
		}
		all.Entities, all.Relationships = append(all.Entities, found.Entities...), append(all.Relationships, found.Relationships...)
		all.Claims, all.Reports = append(all.Claims, found.Claims...), append(all.Reports, found.Reports...)
		all.Chunks, all.Mentioned = append(all.Chunks, found.Chunks...), append(all.Mentioned, found.Mentioned...)
		maps.Copy(all.Members, found.Members)
		maps.Copy(all.Ancestors, found.Ancestors)
		all.Neighbours = append(all.Neighbours, found.Neighbours...)
		maps.Copy(all.Weights, found.Weights)
		maps.Copy(all.Touched, found.Touched)
		maps.Copy(all.Degrees, found.Degrees)
	}
	at := PlacesOf(q.Entities)
	slices.SortStableFunc(all.Entities, func(a, b graph.Entity) int { return cmp.Compare(Place(at, a.Key), Place(at, b.Key)) })
	slices.SortStableFunc(all.Neighbours, func(a, b graph.Entity) int { return cmp.Compare(all.Touched[b.Key], all.Touched[a.Key]) })
	slices.SortStableFunc(all.Reports, func(a, b neo4jstore.ReportRow) int { return all.Members[b.Key] - all.Members[a.Key] })
	return all, nil
}

// rankRelationships fuses the hits of the search with the relationships that
// join the question's entities, and with PageRank if that is asked for.
func rankRelationships(found Candidates, near neo4jstore.Neighborhood, pageRank bool) []graph.Relationship {
	place := map[string]int{}
	for i, n := range near.Entities {
		place[n.Key] = i
	}
	byKey := map[string]graph.Relationship{}
	joining := make([]rank.Scored, 0, len(near.Relationships))
	for _, r := range near.Relationships {
		byKey[r.Key] = r
		score := 0.
		for _, end := range []string{r.Source, r.Target} {
			if at, ok := place[end]; ok {
				score += 1 + 1/float64(1+at)
			}
		}
		joining = append(joining, rank.Scored{Key: r.Key, Score: score + float64(r.Weight)/float64(1+r.Weight)})
	}
	lists := []rank.List{{Keys: HitKeys(found.Hits.Relationships)}, {Keys: ScoredKeys(rank.Boost(joining, nil, 0))}}
	if pageRank {
		lists = append(lists, rank.List{Keys: rankByPageRank(found, near)})
	}
	var out []graph.Relationship
	for _, s := range rank.Fuse(lists...) {
		if r, ok := byKey[s.Key]; ok {
			out = append(out, r)
		}
	}
	return out
}

// rankByPageRank ranks relationships by the PageRank of their ends, with the
// question's entities as seeds.
func rankByPageRank(found Candidates, near neo4jstore.Neighborhood) []string {
	at := map[string]uint32{}
	place := func(key string) uint32 {
		i, ok := at[key]
		if !ok {
			i = uint32(len(at))
			at[key] = i
		}
		return i
	}
	edges := make([]rank.Edge, len(near.Relationships))
	for i, r := range near.Relationships {
		edges[i] = rank.Edge{A: place(r.Source), B: place(r.Target), Weight: float32(r.Weight)}
	}
	var seeds []rank.Seed
	for _, s := range found.Entities {
		if i, ok := at[s.Key]; ok {
			seeds = append(seeds, rank.Seed{Node: i, Weight: s.Score})
		}
	}
	scores := rank.PageRank(rank.NewGraph(len(at), edges), seeds, rank.PageRankOptions{})
	list := make([]rank.Scored, len(edges))
	for i, r := range near.Relationships {
		list[i] = rank.Scored{Key: r.Key, Score: scores[edges[i].A] + scores[edges[i].B]}
	}
	return ScoredKeys(rank.Boost(list, nil, 0))
}

// rankClaims puts claims that the search found before others of the entities, which are
// ranked by the terms that they share with the question.
func rankClaims(found Candidates, near neo4jstore.Neighborhood, terms textproc.TermSet) []graph.Claim {
	byKey := map[string]graph.Claim{}
	shared := make([]rank.Scored, len(near.Claims))
	for i, c := range near.Claims {
		byKey[c.Key] = c
		shared[i] = rank.Scored{Key: c.Key, Score: float64(textproc.TermSetOf(c.Description).Shared(terms))}
	}
	slices.SortStableFunc(shared, func(a, b rank.Scored) int { return cmp.Compare(b.Score, a.Score) })
	var out []graph.Claim
	for _, s := range rank.Fuse(rank.List{Keys: HitKeys(found.Hits.Claims), Weight: 2}, rank.List{Keys: ScoredKeys(shared), Weight: .5}) {
		if c, ok := byKey[s.Key]; ok {
			out = append(out, c)
		}
	}
	return out
}

// oneOfEachBranch returns the reports, best first, without those whose community contains
// the community of a better one or is inside it.
func oneOfEachBranch(near neo4jstore.Neighborhood) []neo4jstore.ReportRow {
	var out []neo4jstore.ReportRow
	for _, r := range near.Reports {
		nested := slices.ContainsFunc(out, func(o neo4jstore.ReportRow) bool {
			return slices.Contains(near.Ancestors[r.Key], o.Community.Key) || slices.Contains(near.Ancestors[o.Key], r.Community.Key)
		})
		if !nested {
			out = append(out, r)
		}
	}
	return out
}

// rankMentions ranks chunks as the search does, and lifts those that mention the
// question's entities.
func rankMentions(found Candidates, near neo4jstore.Neighborhood, t Tuning) []Chunk {
	rows := map[string]neo4jstore.ChunkRow{}
	mentioning := make([]rank.Scored, len(near.Mentioned))
	for i, row := range near.Mentioned {
		rows[row.Key] = row
		mentioning[i] = rank.Scored{Key: row.Key, Score: near.Weights[row.Key]}
	}
	for _, row := range near.Chunks {
		rows[row.Key] = row
	}
	weight := t.Value("mention", mentionWeight)
	var out []Chunk
	for _, s := range rank.Boost(found.Chunks, mentioning, weight) {
		if row, ok := rows[s.Key]; ok {
			out = append(out, Chunk{ChunkRow: row, Score: s.Score / (1 + weight)})
		}
	}
	return out
}
