package query

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
)

// A SectionShare is the nodes of one kind in a context, with their share of the budget.
type SectionShare struct {
	Kind  graph.Kind
	Share float64
}

// A PackedContext is a context with its blocks packed by kind.
type PackedContext struct {
	Blocks   []synth.Block
	Sections []ContextSection
	Known    cite.Known // evidence that was read with it
	Notes    []string
}

// Know adds chunks that were read to what is known.
func (c *PackedContext) Know(chunks []retrieve.Chunk) {
	for _, chunk := range chunks {
		c.Known.AddChunk(chunk.ChunkRow)
	}
}

// Pack packs the blocks of each kind into their share of the budget.
func (c *PackedContext) Pack(blocks map[graph.Kind][]synth.Block, shares []SectionShare, budget int) {
	sections := make([]rank.Section, len(shares))
	for i, k := range shares {
		sections[i].Share = k.Share
		for _, b := range blocks[k.Kind] {
			sections[i].Tokens = append(sections[i].Tokens, b.Tokens)
		}
	}
	for i, packed := range rank.PackSections(sections, budget) {
		kind := shares[i].Kind
		if len(sections[i].Tokens) == 0 {
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

// NeighborhoodBlocks returns the blocks of each kind, best first.
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

// ContextBudget returns the tokens of blocks that fit into a context.
func (r Request) ContextBudget(tokens int) int {
	if r.Options.Model == nil {
		return tokens
	}
	return r.Generative().Budget(tokens)
}

// AnswerContext answers from a packed context.
func (r Request) AnswerContext(ctx context.Context, c PackedContext) (Answer, error) {
	if len(c.Blocks) == 0 {
		return r.Complete(ctx, synth.Draft{}, Completion{})
	}
	d, err := r.Synthesizer().Answer(ctx, r.Synthesis(), c.Blocks)
	if err != nil {
		return Answer{}, err
	}
	d.Notes = append(d.Notes, c.Notes...)
	a, err := r.Complete(ctx, d, Completion{Known: c.Known})
	a.Context = c.Sections
	return a, err
}
