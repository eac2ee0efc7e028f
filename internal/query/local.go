package query

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/retrieve"
	"github.com/neorag/neorag/internal/synth"
)

var _ = register(Method{
	Name:     "local",
	Summary:  "entities near the question with what surrounds them: questions about particular things",
	answer:   answerLocal,
	retrieve: retrieveLocal,
	scoped:   true,
	unpinned: true,
})

func answerLocal(ctx context.Context, r request) (Answer, error) {
	found, err := r.reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return Answer{}, err
	}
	return r.answerNeighborhood(ctx, found)
}

// retrieveLocal ranks the chunks that a local context would be packed from, and
// the documents by their best chunk.
func retrieveLocal(ctx context.Context, r request) (retrieve.Ranking, error) {
	found, err := r.reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	near, notes, err := r.neighborhood(ctx, found)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return rankingOf(near.Chunks, notes), nil
}

// rankingOf returns chunks as a ranking, and ranks documents by their best chunk.
func rankingOf(chunks []retrieve.Chunk, notes []string) retrieve.Ranking {
	out := retrieve.Ranking{Notes: notes}
	seen := map[string]bool{}
	for _, c := range chunks {
		out.Chunks = append(out.Chunks, rank.Scored{Key: c.Key, Score: c.Score})
		if !seen[c.Document] {
			seen[c.Document] = true
			out.Documents = append(out.Documents, rank.Scored{Key: c.Document, Score: c.Score})
		}
	}
	return out
}

// neighborhood reads what surrounds the candidates, with its chunks reranked and
// diversified as the question asks. The notes include those of the search.
func (r request) neighborhood(ctx context.Context, found retrieve.Candidates) (retrieve.Neighborhood, []string, error) {
	near, err := r.reader.Neighborhood(ctx, found, retrieve.NeighborhoodOptions{Level: r.Level.Number(), PageRank: r.PageRank})
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	notes := found.Notes
	reranked, note, err := retrieve.Rerank(ctx, r.options.Reranker, r.Text, near.Chunks)
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	if note != "" {
		notes = append(slices.Clip(notes), note)
	}
	near.Chunks = retrieve.Diversify(reranked, r.Diversity)
	return near, notes, nil
}

// A sectionShare is the nodes of one kind in a context, with their share of the budget.
type sectionShare struct {
	kind  graph.Kind
	share float64
}

// localSections are the sections of a local context in the order shown.
var localSections = []sectionShare{
	{graph.KindEntity, .10},
	{graph.KindRelationship, .15},
	{graph.KindClaim, .10},
	{graph.KindReport, .15},
	{graph.KindChunk, .50},
}

// answerNeighborhood answers from what surrounds the entities of the question,
// each kind within its share of the budget.
func (r request) answerNeighborhood(ctx context.Context, found retrieve.Candidates) (Answer, error) {
	c, err := r.localContext(ctx, found, r.ReduceTokens)
	if err != nil {
		return Answer{}, err
	}
	return r.answerContext(ctx, c)
}

// answerContext answers from a packed context.
func (r request) answerContext(ctx context.Context, c localContext) (Answer, error) {
	if len(c.blocks) == 0 {
		return r.complete(ctx, synth.Draft{}, completion{})
	}
	d, err := r.synthesizer().Answer(ctx, r.synthesis(), c.blocks)
	if err != nil {
		return Answer{}, err
	}
	d.Notes = append(d.Notes, c.notes...)
	a, err := r.complete(ctx, d, completion{known: c.known})
	a.Context = c.sections
	return a, err
}

// A localContext is what an answer about particular things is made from.
type localContext struct {
	blocks   []synth.Block
	sections []ContextSection
	known    cite.Known // evidence that was read with it
	notes    []string
}

// localContext packs what surrounds the candidates into a budget of tokens.
func (r request) localContext(ctx context.Context, found retrieve.Candidates, budget int) (localContext, error) {
	near, notes, err := r.neighborhood(ctx, found)
	if err != nil {
		return localContext{}, err
	}
	c := localContext{known: cite.Known{}, notes: notes}
	for _, chunk := range near.Chunks {
		c.known.AddChunk(chunk.ChunkRow)
	}
	c.pack(localBlocks(near), localSections, budget)
	return c, nil
}

// pack packs the blocks of each kind into their share of the budget.
func (c *localContext) pack(blocks map[graph.Kind][]synth.Block, shares []sectionShare, budget int) {
	sections := make([]rank.Section, len(shares))
	for i, k := range shares {
		sections[i].Share = k.share
		for _, b := range blocks[k.kind] {
			sections[i].Items = append(sections[i].Items, rank.Item{Key: b.Key, Tokens: b.Tokens})
		}
	}
	for i, packed := range rank.PackSections(sections, budget) {
		kind := shares[i].kind
		if len(sections[i].Items) == 0 {
			continue
		}
		section := ContextSection{Kind: kind, Tokens: packed.Tokens, LeftOut: len(packed.LeftOut), Keys: []string{}}
		for _, at := range packed.Kept {
			section.Keys = append(section.Keys, blocks[kind][at].Key)
			c.blocks = append(c.blocks, blocks[kind][at])
		}
		c.sections = append(c.sections, section)
	}
}

// localBlocks returns the blocks of each kind, best first.
func localBlocks(near retrieve.Neighborhood) map[graph.Kind][]synth.Block {
	blocks := map[graph.Kind][]synth.Block{}
	for i, n := range near.Entities {
		blocks[graph.KindEntity] = append(blocks[graph.KindEntity], synth.EntityBlock(n, weightOfPlace(i)))
	}
	for i, r := range near.Relationships {
		blocks[graph.KindRelationship] = append(blocks[graph.KindRelationship], synth.RelationshipBlock(r, weightOfPlace(i)))
	}
	for i, c := range near.Claims {
		blocks[graph.KindClaim] = append(blocks[graph.KindClaim], synth.ClaimBlock(c, weightOfPlace(i)))
	}
	for i, r := range near.Reports {
		blocks[graph.KindReport] = append(blocks[graph.KindReport], synth.ReportBlock(r, weightOfPlace(i)))
	}
	for _, c := range near.Chunks {
		blocks[graph.KindChunk] = append(blocks[graph.KindChunk], synth.ChunkBlock(c))
	}
	return blocks
}

// weightOfPlace is the weight of a block at a place of a ranking, from 0. It falls
// so that a sentence of a low place needs a high score to be chosen.
func weightOfPlace(place int) float64 { return .4 + .4/float64(1+place) }
