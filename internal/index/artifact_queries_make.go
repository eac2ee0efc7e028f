package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/stage/querygen"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// queryPage is the number of chunks that are read with their pairs at a time.
const queryPage = 128

// A queryResult is the pairs of one chunk, or the error of making them.
type queryResult struct {
	neo4jstore.ChunkQueries

	later bool // the run makes no texts, and the chunk keeps its mark
	err   error
}

// A pairMaking is the stage queries.
type pairMaking struct{ *stage }

// run makes the question-answer pairs of the marked chunks. A chunk that fails keeps
// its mark, with the reason.
func (s *pairMaking) run(ctx context.Context) error {
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	breaker := &circuitBreaker{limit: 2 * s.Concurrency}
	maker := s.pairMaker()
	one := func(ctx context.Context, c neo4jstore.QueryChunk) (queryResult, error) {
		return s.queriesOf(ctx, maker, c)
	}
	chunks := inPages(s.Corpus, s.store.PendingQueries, queryPage, func(c neo4jstore.QueryChunk) string { return c.Key })
	return parallelMap(ctx, s.Concurrency, chunks, one, func(done []queryResult) error {
		var rows []neo4jstore.ChunkQueries
		failed := map[string]string{}
		var end error
		for _, d := range done {
			bad, stop := breaker.record(d.err)
			end = errors.Join(end, stop)
			switch {
			case bad:
				failed[d.Chunk] = text.FirstLine(d.err.Error())
				s.addFailure(d.Chunk, d.err)
			case d.err == nil && !d.later:
				rows = append(rows, d.ChunkQueries)
			}
		}
		if err := s.writer.WriteQueries(ctx, s.Embedder.Dimension(), rows); err != nil {
			return fmt.Errorf("write pairs: %w", err)
		}
		s.addDone(len(rows))
		if err := s.writer.FailStage(ctx, graph.KindChunk, "queries", failed); err != nil {
			return fmt.Errorf("record failed pairs: %w", err)
		}
		return end
	})
}

// errNoVector means that the vector of a chunk is missing, which its pairs are compared with.
var errNoVector = errors.New("the chunk has no vector; its pairs are made when it has one")

// queriesOf makes the pairs of a chunk. New texts are made only if the text of the chunk
// or what makes them changed. A failure is part of the result; the error is only the error of the
// context.
func (s *pairMaking) queriesOf(ctx context.Context, maker pairMaker, c neo4jstore.QueryChunk) (queryResult, error) {
	out := queryResult{ChunkQueries: neo4jstore.ChunkQueries{Chunk: c.Key}}
	if out.QueriesFP = graph.Hash(maker.Fingerprint(), c.Text); s.shared.vectorsOnly {
		out.QueriesFP, out.later = c.QueriesFP, c.QueriesFP == ""
	}
	if out.later {
		return out, nil
	}
	out.PairsFP = graph.Hash(out.QueriesFP, s.settings["pairs"])
	if c.QueriesFP == out.QueriesFP && c.PairsFP == out.PairsFP {
		out.Unchanged = true
		return out, nil
	}
	var pairs []querygen.QAPair
	if c.QueriesFP == out.QueriesFP {
		for _, p := range c.Pairs {
			pairs = append(pairs, querygen.QAPair{Query: p.Query, Answer: p.Answer})
		}
	} else {
		pairs, out.err = maker.Pairs(ctx, c.Text)
	}
	if out.err == nil && len(pairs) > 0 {
		out.err = s.embedPairs(ctx, c, pairs, &out.ChunkQueries)
	}
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	return out, nil
}

// embedPairs embeds the pairs of a chunk, and chooses those that are kept: the share alpha
// that is nearest to the chunk.
func (s *pairMaking) embedPairs(ctx context.Context, c neo4jstore.QueryChunk, pairs []querygen.QAPair, out *neo4jstore.ChunkQueries) error {
	if len(c.Vector) != s.Embedder.Dimension() {
		return errNoVector
	}
	texts := make([]string, 0, len(pairs)+1)
	all := []string{c.Text}
	for _, p := range pairs {
		texts, all = append(texts, p.Text()), append(all, p.Query)
	}
	vectors, err := s.Embedder.Embed(ctx, append(texts, strings.Join(all, "\n")))
	if err != nil {
		return fmt.Errorf("embed %d pairs: %w", len(pairs), err)
	}
	out.D2Q = vectors[len(pairs)]
	out.Pairs = make([]neo4jstore.PairWrite, len(pairs))
	for i, p := range pairs {
		out.Pairs[i] = neo4jstore.PairWrite{Vector: vectors[i], NTokens: s.counter.Count(p.Text()), QAPair: neo4jstore.QAPair{
			Key: graph.QueryKey(s.Corpus, c.Key, i), Index: i, Query: p.Query, Answer: p.Answer, Similarity: qcg.Cosine(vectors[i], c.Vector),
		}}
	}
	keepNearest(out.Pairs, s.queries.Alpha)
	stored := map[string]string{}
	for _, p := range c.Pairs {
		stored[p.Key] = p.FP
	}
	kept := []string{c.Text}
	for i := range out.Pairs {
		p := &out.Pairs[i]
		if p.Kept {
			kept = append(kept, p.Query)
		}
		p.FP = graph.Hash(s.Embedder.Fingerprint(), p.Query, p.Answer, strconv.FormatBool(p.Kept))
		p.Unchanged = stored[p.Key] == p.FP
	}
	last, err := s.Embedder.Embed(ctx, []string{strings.Join(kept, "\n")})
	if err != nil {
		return fmt.Errorf("embed a chunk with its questions: %w", err)
	}
	out.D2QKept = last[0]
	return nil
}

// keepNearest marks a share of pairs as kept, those with the highest similarity.
func keepNearest(pairs []neo4jstore.PairWrite, share float64) {
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pairs[b].Similarity, pairs[a].Similarity) })
	for _, i := range order[:qcg.Kept(len(pairs), share)] {
		pairs[i].Kept = true
	}
}
