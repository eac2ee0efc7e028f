package query

import (
	"context"
	"math"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
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

// KnownChunks returns chunks that were read as evidence.
func KnownChunks(chunks []retrieve.Chunk) cite.Known {
	known := cite.Known{}
	for _, c := range chunks {
		known.AddChunk(c.ChunkRow)
	}
	return known
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
	return map[graph.Kind][]synth.Block{
		graph.KindEntity:       rankedBlocks(near.Entities, synth.EntityBlock),
		graph.KindRelationship: rankedBlocks(near.Relationships, synth.RelationshipBlock),
		graph.KindClaim:        rankedBlocks(near.Claims, synth.ClaimBlock),
		graph.KindReport:       rankedBlocks(near.Reports, synth.ReportBlock),
		graph.KindChunk:        synth.ChunkBlocks(near.Chunks),
	}
}

// rankedBlocks returns nodes as blocks. Their weights fall with their places, so that a sentence of a low
// place needs a high score to be chosen.
func rankedBlocks[T any](nodes []T, block func(T, float64) synth.Block) []synth.Block {
	out := make([]synth.Block, len(nodes))
	for i, n := range nodes {
		out[i] = block(n, .4+.4/float64(1+i))
	}
	return out
}

// ContextBudget returns the tokens of blocks that fit into a context.
func (r Request) ContextBudget(tokens int) int {
	if !r.ForModel() {
		return tokens
	}
	return r.Generative().Budget(r.withinRoom(tokens))
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

// ReportBlocks returns reports as blocks, and weighs each report by its size relative to the largest.
func ReportBlocks(reports []neo4jstore.ReportRow) []synth.Block {
	largest := 1
	for _, r := range reports {
		largest = max(largest, r.Size)
	}
	blocks := make([]synth.Block, len(reports))
	for i, r := range reports {
		weight := math.Log(1+float64(r.Size)) / math.Log(1+float64(largest))
		blocks[i] = synth.ReportBlock(r, weight)
	}
	return blocks
}
