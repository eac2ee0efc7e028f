package tune

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/sys/parallel"
)

// Figures are what the extraction of some chunks found and took.
type Figures struct {
	Chunks        int         `json:"chunks"`
	Failed        int         `json:"failed"` // chunks without an answer that can be read
	Entities      int         `json:"entities"`
	Relationships int         `json:"relationships"`
	Unread        int         `json:"unread"` // records that cannot be parsed
	Types         []TypeCount `json:"types"`  // of the entities, most frequent first
	Calls         int64       `json:"calls"`
	Cached        int64       `json:"cached"` // further answers, from the cache
	TokensIn      int64       `json:"tokens_in"`
	TokensOut     int64       `json:"tokens_out"`
}

// A TypeCount is how many extracted entities have a type.
type TypeCount struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// Measure extracts chunks, without gleaning and claims, and counts what is found.
func (t *Tuner) Measure(ctx context.Context, d extract.Domain, chunks []graph.Chunk) (Figures, error) {
	meter := &llm.Meter{}
	m := extract.Model{Chat: t.Chat, Prompts: t.Prompts, Domain: d, Gleanings: -1, Claims: extract.ClaimsNone}
	limit := cmp.Or(t.Concurrency, llm.DefaultConcurrency)
	found, err := parallel.Map(llm.WithMeter(ctx, meter), limit, chunks, func(ctx context.Context, c graph.Chunk) (*graph.Extraction, error) {
		x, err := m.Chunk(ctx, c)
		if errors.Is(err, llm.ErrInvalid) || errors.Is(err, llm.ErrTruncated) {
			return nil, nil
		}
		return &x, err
	})
	if err != nil {
		return Figures{}, err
	}
	return count(found, meter), nil
}

// count sums up extractions; nil is one that failed.
func count(found []*graph.Extraction, meter *llm.Meter) Figures {
	out := Figures{Chunks: len(found), Types: []TypeCount{}}
	types := map[string]int{}
	for _, x := range found {
		if x == nil {
			out.Failed++
			continue
		}
		out.Entities, out.Relationships, out.Unread = out.Entities+len(x.Entities), out.Relationships+len(x.Relationships), out.Unread+x.Unread
		for _, e := range x.Entities {
			types[e.Type]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		out.Types = append(out.Types, TypeCount{name, types[name]})
	}
	slices.SortStableFunc(out.Types, func(a, b TypeCount) int { return b.Count - a.Count })
	for _, u := range meter.Tasks() {
		out.Calls, out.Cached = out.Calls+u.Calls, out.Cached+u.Hits
		out.TokensIn, out.TokensOut = out.TokensIn+u.TokensIn, out.TokensOut+u.TokensOut
	}
	return out
}
