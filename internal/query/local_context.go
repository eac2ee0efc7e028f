package query

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A sectionShare is the nodes of one kind in a context, with their share of the budget.
type SectionShare struct {
	Kind  graph.Kind
	Share float64
}

// localSections are the sections of a local context in the order shown: first the text itself,
// then what the graph adds to it.
var localSections = []SectionShare{
	{graph.KindChunk, .65},
	{graph.KindEntity, .08},
	{graph.KindRelationship, .08},
	{graph.KindClaim, .05},
	{graph.KindReport, .14},
}

const (
	// localTokens is the default budget of a local context for a model. With the prompt, a
	// question takes at most 5,000 tokens.
	localTokens = 4400
	// minChunkScore is the share of the best chunk's score below which a chunk is left out.
	minChunkScore = .3
	// minRelevance is the score of the best chunk as a sentence that answers the question, and
	// minCosine that of its vector. If both are lower, nothing seems to answer the question, and
	// the context is fewChunks and fewEntities. Cosines of unrelated texts are below .2 with
	// some embedding models, and always above minCosine with others, which then never give a
	// small context.
	minRelevance = .15
	minCosine    = .25
	fewChunks    = 2
	fewEntities  = 3
)

// contextBudget returns the tokens of blocks that fit into a context.
func (r Request) ContextBudget(tokens int) int {
	if r.Options.Model == nil {
		return tokens
	}
	return r.Generative().Budget(tokens)
}

// localBudget is the tokens of a local context.
func (r Request) localBudget() int {
	if r.Options.Model == nil {
		return r.ReduceTokens
	}
	return r.localTokens
}

// A localContext is what an answer about particular things is made from.
type PackedContext struct {
	Blocks   []synth.Block
	Sections []ContextSection
	Known    cite.Known // evidence that was read with it
	Notes    []string
}

// localContext packs what surrounds the candidates into a budget of tokens.
func (r Request) localContext(ctx context.Context, found retrieve.Candidates, budget int) (PackedContext, error) {
	near, notes, err := r.neighborhood(ctx, found)
	if err != nil {
		return PackedContext{}, err
	}
	c := PackedContext{Known: cite.Known{}, Notes: notes}
	if r.Options.Model == nil {
		c.Know(near.Chunks)
		c.Pack(NeighborhoodBlocks(near), localSections, budget)
		return c, nil
	}
	near.Chunks = slices.DeleteFunc(near.Chunks, func(chunk retrieve.Chunk) bool { return chunk.Score < minChunkScore*near.Chunks[0].Score })
	if found.BestCosine() < minCosine && !answersAny(r.Text, near.Chunks) {
		near = retrieve.Neighborhood{Chunks: near.Chunks[:min(fewChunks, len(near.Chunks))], Entities: near.Entities[:min(fewEntities, len(near.Entities))]}
	}
	c.Know(near.Chunks)
	budget = r.ContextBudget(budget)
	blocks := NeighborhoodBlocks(near)
	var packed PackedContext
	packed.Pack(map[graph.Kind][]synth.Block{graph.KindChunk: blocks[graph.KindChunk]}, localSections[:1], int(float64(budget)*localSections[0].Share))
	for _, kind := range []graph.Kind{graph.KindRelationship, graph.KindClaim} {
		blocks[kind] = slices.DeleteFunc(blocks[kind], func(b synth.Block) bool { return saidIn(packed.Blocks, b) })
	}
	c.Pack(blocks, localSections, budget)
	return c, nil
}

// know adds chunks that were read to what is known.
func (c *PackedContext) Know(chunks []retrieve.Chunk) {
	for _, chunk := range chunks {
		c.Known.AddChunk(chunk.ChunkRow)
	}
}

// minSaid is the share of a text's terms that a source holds if it says the same.
const minSaid = .8

// saidIn reports whether one of some sources holds the words of a block.
func saidIn(sources []synth.Block, b synth.Block) bool {
	l := language.Of(b.Text)
	terms := textproc.TermSetIn(l, b.Text)
	return slices.ContainsFunc(sources, func(source synth.Block) bool {
		return float64(textproc.TermSetIn(l, source.Text).Shared(terms)) >= minSaid*float64(len(terms))
	})
}

// answersAny reports whether one of some chunks holds enough of the question's terms to answer it.
func answersAny(question string, chunks []retrieve.Chunk) bool {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Text
	}
	scorer := textproc.NewSentenceScorer(textproc.ReadQuestion(question), texts)
	return slices.ContainsFunc(texts, func(text string) bool { return scorer.Score(text) >= minRelevance })
}

// pack packs the blocks of each kind into their share of the budget.
func (c *PackedContext) Pack(blocks map[graph.Kind][]synth.Block, shares []SectionShare, budget int) {
	sections := make([]rank.Section, len(shares))
	for i, k := range shares {
		sections[i].Share = k.Share
		for _, b := range blocks[k.Kind] {
			sections[i].Items = append(sections[i].Items, rank.Item{Key: b.Key, Tokens: b.Tokens})
		}
	}
	for i, packed := range rank.PackSections(sections, budget) {
		kind := shares[i].Kind
		if len(sections[i].Items) == 0 {
			continue
		}
		section := ContextSection{Kind: kind, Tokens: packed.Tokens, LeftOut: len(packed.LeftOut), Keys: []string{}}
		for _, at := range packed.Kept {
			section.Keys = append(section.Keys, blocks[kind][at].Key)
			c.Blocks = append(c.Blocks, blocks[kind][at])
		}
		c.Sections = append(c.Sections, section)
	}
}

// localBlocks returns the blocks of each kind, best first.
func NeighborhoodBlocks(near retrieve.Neighborhood) map[graph.Kind][]synth.Block {
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
