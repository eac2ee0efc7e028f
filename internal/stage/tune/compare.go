package tune

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/sys/panicerr"
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
	found := make([]graph.Extraction, len(chunks))
	failed := make([]bool, len(chunks))
	g, gctx := errgroup.WithContext(llm.WithMeter(ctx, meter))
	g.SetLimit(cmp.Or(t.Concurrency, llm.DefaultConcurrency))
	for i, c := range chunks {
		g.Go(func() error {
			return panicerr.Catch(func() (err error) {
				if found[i], err = m.Chunk(gctx, c); err == nil {
					return nil
				}
				if failed[i] = errors.Is(err, llm.ErrInvalid) || errors.Is(err, llm.ErrTruncated); !failed[i] {
					return err
				}
				return nil
			})
		})
	}
	if err := g.Wait(); err != nil {
		return Figures{}, err
	}
	return count(found, failed, meter), nil
}

func count(found []graph.Extraction, failed []bool, meter *llm.Meter) Figures {
	out := Figures{Chunks: len(found), Types: []TypeCount{}}
	types := map[string]int{}
	for i, x := range found {
		if failed[i] {
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
