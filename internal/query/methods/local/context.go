package local

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// localSections are the sections of a local context in the order shown: first the text itself,
// then what the graph adds to it.
var localSections = []query.SectionShare{
	{Kind: graph.KindChunk, Share: .65},
	{Kind: graph.KindEntity, Share: .08},
	{Kind: graph.KindRelationship, Share: .08},
	{Kind: graph.KindClaim, Share: .05},
	{Kind: graph.KindReport, Share: .14},
}

const (
	// minChunkScore is the share of the best chunk's score below which a chunk is left out.
	minChunkScore = .3
	// minRelevance is the score of the best chunk as a sentence that answers the question, and
	// minCosine the cosine of its vector. If both are lower, nothing seems to answer the question, and
	// the context is fewChunks and fewEntities. Cosines of unrelated texts are below .2 with
	// some embedding models, and always above minCosine with others, which then never give a
	// small context.
	minRelevance = .15
	minCosine    = .25
	fewChunks    = 2
	fewEntities  = 3
)

// Context packs what surrounds the candidates into a budget of tokens.
func Context(ctx context.Context, r query.Request, found retrieve.Candidates, budget int) (query.PackedContext, error) {
	near, notes, err := neighborhood(ctx, r, found)
	if err != nil {
		return query.PackedContext{}, err
	}
	if !r.ForModel() {
		c := query.PackedContext{Known: query.KnownChunks(near.Chunks), Notes: notes}
		c.Pack(query.NeighborhoodBlocks(near), localSections, budget)
		return c, nil
	}
	near.Chunks = slices.DeleteFunc(near.Chunks, func(chunk retrieve.Chunk) bool { return chunk.Score < minChunkScore*near.Chunks[0].Score })
	if found.BestCosine() < minCosine && !answersAny(r.Text, near.Chunks) {
		near = retrieve.Neighborhood{Chunks: near.Chunks[:min(fewChunks, len(near.Chunks))], Entities: near.Entities[:min(fewEntities, len(near.Entities))]}
	}
	c := query.PackedContext{Known: query.KnownChunks(near.Chunks), Notes: notes}
	budget = r.ContextBudget(budget)
	asked := textproc.ReadQuestion(r.Text)
	blocks := query.NeighborhoodBlocks(near)
	var packed query.PackedContext
	packed.Pack(map[graph.Kind][]synth.Block{graph.KindChunk: blocks[graph.KindChunk]}, localSections[:1], int(float64(budget)*localSections[0].Share))
	for _, kind := range []graph.Kind{graph.KindRelationship, graph.KindClaim} {
		blocks[kind] = slices.DeleteFunc(blocks[kind], func(b synth.Block) bool { return saidIn(packed.Blocks, b) || isForeign(asked, b) })
	}
	c.Pack(blocks, localSections, budget)
	return c, nil
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

// isForeign reports whether a block shares no term with a question in the same language: it surrounds what was
// found, but is about something else.
func isForeign(asked textproc.Query, b synth.Block) bool {
	if l := language.Of(b.Text); len(asked.Terms) == 0 || l != asked.Language {
		return false
	}
	terms := textproc.TermSetIn(asked.Language, b.Text)
	return !slices.ContainsFunc(asked.Terms, func(t textproc.WeightedTerm) bool {
		_, shared := terms[t.Term]
		return shared
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
