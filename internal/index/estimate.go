package index

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/source"
)

// Prices are what the models cost, by stage.
type Prices map[string]llm.Price

// An Estimate says what a run would ask of models, in the shape of
// `index --dry-run --json`. Answers that are in the cache are counted too.
type Estimate struct {
	Corpus    string          `json:"corpus"`
	Documents DocumentCounts  `json:"documents"`
	Chunks    int             `json:"chunks"` // to extract
	Stages    []StageEstimate `json:"stages"`
	Calls     int64           `json:"calls"`
	TokensIn  int64           `json:"tokens_in"`
	TokensOut int64           `json:"tokens_out"`
	Cost      float64         `json:"cost"`
	Seconds   float64         `json:"seconds"`
	Notes     []string        `json:"notes,omitempty"`
}

// A StageEstimate is what one stage would ask.
type StageEstimate struct {
	Name      string  `json:"name"`
	Calls     int64   `json:"calls"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"`
	Seconds   float64 `json:"seconds"`
}

// How fast a server is taken to be: seconds to begin an answer, and tokens a
// second from then on.
const (
	assumedStart = 0.5
	assumedPace  = 60
)

// Estimate says what a run over the paths would ask of models. It asks none and
// writes nothing. Chunks are those that are really pending; what they will say is
// taken from the rules that extract without a model.
func (x *Indexer) Estimate(ctx context.Context, paths []string, prices Prices) (Estimate, error) {
	out := Estimate{Corpus: x.options.Corpus, Stages: []StageEstimate{}}
	listing, err := source.List(ctx, paths, x.options.Source)
	if err != nil {
		return out, err
	}
	p, err := x.diff(ctx, listing)
	if err != nil {
		return out, err
	}
	out.Documents = p.counts
	f := newEstimator(x)
	if !p.isEmpty() {
		if err := x.gather(ctx, p, f); err != nil {
			return out, err
		}
	}
	out.Chunks = f.chunks
	if x.options.Model == nil {
		out.Notes = append(out.Notes, "no model is configured: extraction, descriptions and reports cost nothing")
	}
	stages, err := f.stages(ctx)
	if err != nil {
		return out, err
	}
	for _, s := range stages {
		s.Cost = prices[s.Name].Cost(llm.Usage{TokensIn: s.TokensIn, TokensOut: s.TokensOut})
		s.Seconds = x.expectedSeconds(s)
		out.Stages = append(out.Stages, s)
		out.Calls, out.TokensIn, out.TokensOut = out.Calls+s.Calls, out.TokensIn+s.TokensIn, out.TokensOut+s.TokensOut
		out.Cost, out.Seconds = out.Cost+s.Cost, out.Seconds+s.Seconds
	}
	return out, nil
}

// expectedSeconds is how long the calls of a stage take, so many at once.
func (x *Indexer) expectedSeconds(s StageEstimate) float64 {
	if s.Calls == 0 {
		return 0
	}
	rounds := math.Ceil(float64(s.Calls) / float64(x.options.Concurrency))
	return rounds * (assumedStart + float64(s.TokensOut)/float64(s.Calls)/assumedPace)
}

// gather gathers the chunks that are to be extracted and all texts that are
// known to be embedded: of files that are read anew, and in the graph.
func (x *Indexer) gather(ctx context.Context, p runDiff, f *estimator) error {
	known := map[string]bool{}
	if !p.isNew {
		states, err := x.store.Documents(ctx, x.options.Corpus)
		if err != nil {
			return fmt.Errorf("list documents of %s: %w", x.options.Corpus, err)
		}
		for _, d := range states {
			known[d.Key] = true
		}
		if f.counts, err = x.store.Counts(ctx, x.options.Corpus); err != nil {
			return err
		}
		if f.marks, err = x.store.Pending(ctx, x.options.Corpus); err != nil {
			return err
		}
	}
	f.changed = p.changedSettings
	if p.isNew {
		f.changed = nil
	}
	r := x.newRun()
	for _, file := range p.files {
		writes, _, err := r.chunkFile(ctx, file)
		if err != nil {
			continue // the run will name it
		}
		for _, w := range writes {
			if err := x.gatherDocument(ctx, w.Document.Key, w.Chunks, known[w.Document.Key], f); err != nil {
				return err
			}
			delete(known, w.Document.Key)
		}
	}
	for _, key := range p.removed {
		delete(known, key)
	}
	if f.marks["extract"] == 0 && f.changed["extract"] == "" {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if err := x.gatherDocument(ctx, key, nil, true, f); err != nil {
			return err
		}
	}
	return nil
}

// gatherDocument adds the chunks of a document that a run would extract: those
// that it will be cut into, or, without any, those that it has.
func (x *Indexer) gatherDocument(ctx context.Context, key string, cut []graph.Chunk, inGraph bool, f *estimator) error {
	done := map[string]bool{}
	has := cut == nil
	if inGraph {
		states, err := x.store.DocumentChunks(ctx, x.options.Corpus, key)
		if err != nil {
			return err
		}
		for _, c := range states {
			done[c.ExtractFP] = true
			if has {
				cut = append(cut, c.Chunk)
			}
		}
	}
	var todo []bool
	for _, c := range cut {
		todo = append(todo, !done[graph.Hash(x.extractFP, c.Text)])
	}
	return f.addDocument(ctx, cut, todo, has)
}
