package query

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
)

// A Ranker ranks chunks for a question. trace, unless nil, makes a trace of the chunks that were read.
type Ranker func(ctx context.Context, r Request) (found retrieve.Ranking, trace func(read []retrieve.Chunk) Trace, err error)

// RegisterRanked registers a method that answers from the best chunks of a ranking, in rank order,
// as far as they fit.
func RegisterRanked(m Method, rank Ranker) Method {
	m.Retrieve = func(ctx context.Context, r Request) (retrieve.Ranking, error) {
		found, _, err := rank(ctx, r)
		if err != nil {
			return found, err
		}
		return r.RerankRanking(ctx, found)
	}
	m.Answer = func(ctx context.Context, r Request) (Answer, error) {
		found, trace, err := rank(ctx, r)
		if err != nil {
			return Answer{}, err
		}
		a, read, err := r.AnswerRanked(ctx, found)
		if trace != nil {
			a.Traces = append(a.Traces, trace(read))
		}
		return a, err
	}
	m.Shared = append(m.Shared, rankedSettings...)
	return Register(m)
}

// rankedSettings are the shared settings that affect all methods that answer from ranked chunks.
var rankedSettings = []string{"map-reduce", "map-tokens"}

// AnswerRanked answers from ranked chunks, in the order of the reranker if the engine has one, as far as
// they fit. It also returns the chunks, in the order of their ranking.
func (r Request) AnswerRanked(ctx context.Context, found retrieve.Ranking) (Answer, []retrieve.Chunk, error) {
	chunks, err := r.Reader.Chunks(ctx, found.Chunks[:min(retrieve.CandidateChunks, len(found.Chunks))])
	if err != nil {
		return Answer{}, nil, err
	}
	a, err := r.answerFrom(ctx, chunks, found.Notes)
	return a, chunks, err
}

// SourceName returns the name of a chunk in what --explain shows, by its index from 0.
func SourceName(title string, index int) string { return title + " #" + strconv.Itoa(index+1) }

// answerFrom is AnswerRanked for chunks that were read. The notes are the notes of their search.
func (r Request) answerFrom(ctx context.Context, chunks []retrieve.Chunk, found []string) (Answer, error) {
	chunks, reranked, err := r.Rerank(ctx, chunks)
	if err != nil {
		return Answer{}, err
	}
	blocks, notes := r.packChunks(chunks)
	if len(blocks) == 0 {
		return r.Complete(ctx, synth.Draft{Notes: notes}, Completion{})
	}
	write := r.Synthesizer().Answer
	if r.MapReduce {
		write = r.Synthesizer().MapReduce
	}
	d, err := write(ctx, r.Synthesis(), blocks)
	if err != nil {
		return Answer{}, err
	}
	if !d.Empty() {
		d.Notes = slices.Concat(d.Notes, found, reranked)
	}
	return r.Complete(ctx, d, Completion{Known: KnownChunks(chunks)})
}

// packChunks returns the chunks that fit into a context, best first. If none does, it is the
// beginning of the best one.
func (r Request) packChunks(chunks []retrieve.Chunk) (blocks []synth.Block, notes []string) {
	budget := r.ContextBudget(r.Tokens(0))
	tokens := make([]int, len(chunks))
	for i, c := range chunks {
		tokens[i] = c.NTokens
	}
	for _, i := range rank.Pack(tokens, budget).Kept {
		blocks = append(blocks, synth.ChunkBlock(chunks[i]))
	}
	if len(blocks) > 0 || len(chunks) == 0 {
		return blocks, nil
	}
	best := beginning(chunks[0], budget)
	if best.Text == "" {
		return nil, []string{fmt.Sprintf("No source fits into a context of %d tokens.", budget)}
	}
	return []synth.Block{synth.ChunkBlock(best)}, nil
}

// beginning returns a chunk with as many of its first sentences as fit into some tokens.
// The rest of the text is left out at its end, so that sentences keep their numbers.
func beginning(c retrieve.Chunk, tokens int) retrieve.Chunk {
	if c.NTokens > tokens {
		text := c.Text[:len(c.Text)*max(0, tokens)/c.NTokens]
		c.Text, c.NTokens = text[:strings.LastIndexAny(text, ".!?\n")+1], tokens
	}
	return c
}
