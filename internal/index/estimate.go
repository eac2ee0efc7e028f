package index

import (
	"context"
	"math"

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
