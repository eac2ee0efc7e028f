package query

import (
	"context"
	"math"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
)

var _ = register(Method{
	Name:    "local",
	Summary: "entities near the question with what surrounds them: questions about particular things",
	single:  true,
	bounded: true,
	answer: func(ctx context.Context, e *Engine, q Question, _ int64) (Answer, error) {
		found, err := e.near(ctx, q.Text)
		if err != nil {
			return Answer{}, err
		}
		return e.answerLocal(ctx, q, found)
	},
	retrieve: retrieveLocal,
})

// retrieveLocal ranks the chunks that a local context would be packed from, and
// the documents by their best chunk.
func retrieveLocal(ctx context.Context, e *Engine, q Question, _ int64) (Retrieved, error) {
	found, err := e.near(ctx, q.Text)
	if err != nil {
		return Retrieved{}, err
	}
	c, err := e.searchLocal(ctx, q, found, math.MaxInt32)
	if err != nil {
		return Retrieved{}, err
	}
	out := Retrieved{Notes: c.notes}
	seen := map[string]bool{}
	for _, b := range c.blocks {
		if b.kind != graph.KindChunk {
			continue
		}
		one := rank.Scored{Key: b.key, Score: b.weight}
		out.Chunks = append(out.Chunks, one)
		one.Key = c.known[graph.Reference{Kind: graph.KindChunk, Key: b.key}].Document
		if !seen[one.Key] {
			seen[one.Key] = true
			out.Documents = append(out.Documents, one)
		}
	}
	return out, nil
}

// Bounds of what is read around the entities of a question: about twice what
// has room in the shares of the usual budget, since each row costs the server time.
const (
	localEntities  = 12
	localFacts     = 20 // relationships, and claims, found by themselves
	localRelated   = 8  // relationships of each entity
	localStated    = 6  // claims of each entity
	localReports   = 6
	localMentioned = 20 // chunks of the entities
	localChunks    = 40 // of those that the question finds
)

// localKinds are the sections of a local context in the order shown, each with
// its share of the budget.
var localKinds = []struct {
	kind  graph.Kind
	share float64
}{
	{graph.KindEntity, .10},
	{graph.KindRelationship, .15},
	{graph.KindClaim, .10},
	{graph.KindReport, .15},
	{graph.KindChunk, .50},
}

// answerLocal is the local answer: what stands around the entities near the
// question, each kind within its share of the budget.
func (e *Engine) answerLocal(ctx context.Context, q Question, found nearby) (Answer, error) {
	c, err := e.searchLocal(ctx, q, found, q.ReduceTokens)
	if err != nil {
		return Answer{}, err
	}
	if len(c.blocks) == 0 {
		return e.nothingFound(ctx)
	}
	d, err := e.synthesis().answer(ctx, q, c.blocks)
	if err != nil {
		return Answer{}, err
	}
	d.known, d.notes = c.known, append(d.notes, c.notes...)
	if len(d.statements) == 0 && !d.written {
		a, err := e.nothingFound(ctx)
		a.Usage, a.Notes, a.Context = d.usage(), d.notes, c.sections
		return a, err
	}
	a, err := e.finish(ctx, d, false)
	a.Context = c.sections
	return a, err
}

// A localContext is what an answer about particular things is written from.
type localContext struct {
	blocks   []block
	sections []ContextSection
	known    known // evidence that was read with it
	notes    []string
}

// searchLocal reads what stands around the entities that were found and packs it into a budget of tokens.
func (e *Engine) searchLocal(ctx context.Context, q Question, found nearby, budget int) (localContext, error) {
	c := localContext{notes: found.notes, known: known{}}
	chunks := found.chunks[:min(localChunks, len(found.chunks))]
	entities := scoredKeys(found.entities[:min(localEntities, len(found.entities))])
	if len(chunks) == 0 && len(entities) == 0 {
		return c, nil
	}
	facts, claims := found.found.Relationships, found.found.Claims
	around, err := e.around(ctx, neo4jstore.NeighborhoodQuery{
		Entities: entities, Chunks: scoredKeys(chunks), Level: q.Level.Number(),
		Relationships: keysOf(facts[:min(localFacts, len(facts))]), Claims: keysOf(claims[:min(localFacts, len(claims))]),
		MaxRelationships: localRelated, MaxClaims: localStated, MaxReports: localReports, MaxChunks: localMentioned,
	})
	if err != nil {
		return c, err
	}
	blocks := localBlocks(q, found, around)
	if blocks[graph.KindChunk], err = e.reorder(ctx, q, blocks[graph.KindChunk], &c.notes); err != nil {
		return c, err
	}
	c.pack(blocks, budget)
	for _, row := range append(around.Chunks, around.Mentioned...) {
		c.known.chunk(row)
	}
	return c, nil
}

// pack puts the blocks of each kind into their share of the budget.
func (c *localContext) pack(blocks map[graph.Kind][]block, budget int) {
	sections := make([]rank.Section, len(localKinds))
	for i, k := range localKinds {
		sections[i].Share = k.share
		for _, b := range blocks[k.kind] {
			sections[i].Items = append(sections[i].Items, rank.Item{Key: b.key, Tokens: b.tokens})
		}
	}
	for i, packed := range rank.PackSections(sections, budget) {
		kind := localKinds[i].kind
		if len(sections[i].Items) == 0 {
			continue
		}
		section := ContextSection{Kind: kind, Tokens: packed.Tokens, LeftOut: len(packed.LeftOut), Keys: []string{}}
		for _, at := range packed.Kept {
			section.Keys = append(section.Keys, blocks[kind][at].key)
			c.blocks = append(c.blocks, blocks[kind][at])
		}
		c.sections = append(c.sections, section)
	}
}

// localBlocks are the blocks of each kind, best first.
func localBlocks(q Question, found nearby, around neo4jstore.Neighborhood) map[graph.Kind][]block {
	blocks := map[graph.Kind][]block{}
	for i, n := range around.Entities {
		blocks[graph.KindEntity] = append(blocks[graph.KindEntity], entityBlock(n, falling(i)))
	}
	for i, r := range rankRelationships(q, found, around) {
		blocks[graph.KindRelationship] = append(blocks[graph.KindRelationship], relationshipBlock(r, falling(i)))
	}
	for i, c := range rankClaims(found, around) {
		blocks[graph.KindClaim] = append(blocks[graph.KindClaim], claimBlock(c, falling(i)))
	}
	for i, r := range around.Reports {
		blocks[graph.KindReport] = append(blocks[graph.KindReport], reportBlock(r, falling(i)))
	}
	blocks[graph.KindChunk] = rankSources(found, around)
	return blocks
}

// falling is the weight of what stands at a place of a ranking, from 0: the
// sentences of a node far down have to speak clearly to be chosen.
func falling(place int) float64 { return .4 + .4/float64(1+place) }

// rankRelationships fuses what speaks to the question with what joins its
// entities, and with the spread of PageRank where it is asked for.
func rankRelationships(q Question, found nearby, around neo4jstore.Neighborhood) []graph.Relationship {
	place := map[string]int{}
	for i, n := range around.Entities {
		place[n.Key] = i
	}
	byKey := map[string]graph.Relationship{}
	joined := make([]rank.Scored, 0, len(around.Relationships))
	for _, r := range around.Relationships {
		byKey[r.Key] = r
		score := 0.
		for _, end := range []string{r.Source, r.Target} {
			if at, ok := place[end]; ok {
				score += 1 + 1/float64(1+at)
			}
		}
		joined = append(joined, rank.Scored{Key: r.Key, Score: score + float64(r.Weight)/float64(1+r.Weight)})
	}
	lists := []rank.List{{Keys: keysOf(found.found.Relationships)}, {Keys: scoredKeys(rank.Lift(joined, nil, 0))}}
	if q.Spread {
		lists = append(lists, rank.List{Keys: spreadRelationships(found, around)})
	}
	var out []graph.Relationship
	for _, s := range rank.Fuse(lists, 0) {
		if r, ok := byKey[s.Key]; ok {
			out = append(out, r)
		}
	}
	return out
}

const (
	spreadDamping = .5 // as HippoRAG 2 has it
	spreadRounds  = 20
)

// spreadRelationships ranks relationships by the PageRank of their ends, with
// the entities of the question as seeds.
func spreadRelationships(found nearby, around neo4jstore.Neighborhood) []string {
	at := map[string]int{}
	place := func(key string) int {
		i, ok := at[key]
		if !ok {
			i = len(at)
			at[key] = i
		}
		return i
	}
	edges := make([]rank.Edge, len(around.Relationships))
	for i, r := range around.Relationships {
		edges[i] = rank.Edge{A: place(r.Source), B: place(r.Target), Weight: float64(r.Weight)}
	}
	seeds := make([]float64, len(at))
	for _, s := range found.entities {
		if i, ok := at[s.Key]; ok {
			seeds[i] = s.Score
		}
	}
	scores := rank.PersonalizedPageRank(rank.NewGraph(len(at), edges), seeds, spreadDamping, spreadRounds)
	list := make([]rank.Scored, len(edges))
	for i, r := range around.Relationships {
		list[i] = rank.Scored{Key: r.Key, Score: scores[edges[i].A] + scores[edges[i].B]}
	}
	return scoredKeys(rank.Lift(list, nil, 0))
}

// rankClaims puts claims that speak to the question before others of its entities.
func rankClaims(found nearby, around neo4jstore.Neighborhood) []graph.Claim {
	byKey := map[string]graph.Claim{}
	keys := make([]string, len(around.Claims))
	for i, c := range around.Claims {
		byKey[c.Key] = c
		keys[i] = c.Key
	}
	var out []graph.Claim
	for _, s := range rank.Fuse([]rank.List{{Keys: keysOf(found.found.Claims), Weight: 2}, {Keys: keys, Weight: .5}}, 0) {
		if c, ok := byKey[s.Key]; ok {
			out = append(out, c)
		}
	}
	return out
}

// rankSources ranks chunks as basic does, and lifts those that mention the
// entities of the question.
func rankSources(found nearby, around neo4jstore.Neighborhood) []block {
	rows := map[string]neo4jstore.ChunkRow{}
	mentioned := make([]rank.Scored, len(around.Mentioned))
	for i, row := range around.Mentioned {
		rows[row.Key] = row
		mentioned[i] = rank.Scored{Key: row.Key, Score: around.Weights[row.Key]}
	}
	for _, row := range around.Chunks {
		rows[row.Key] = row
	}
	weight := mentionedWeight
	if len(found.found.ChunkVectors) > 0 {
		weight = mentionedByModel
	}
	var out []block
	for _, s := range rank.Lift(found.chunks, mentioned, weight) {
		if row, ok := rows[s.Key]; ok {
			out = append(out, chunkBlock(row, s.Score/(1+weight)))
		}
	}
	return out
}
