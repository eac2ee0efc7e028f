package index

import (
	"context"
	"math"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/web"
)

// Prices are the prices of the models by stage.
type Prices map[string]llm.Price

// An Estimate is the expected use of models in a run, in the format of
// `index --dry-run --json`. It ignores the cache: cached answers are counted too.
type Estimate struct {
	Corpus    string          `json:"corpus"`
	Documents DocumentCounts  `json:"documents"`
	Chunks    int             `json:"chunks"`              // to extract
	Sentences int             `json:"sentences,omitempty"` // to make; absent for a corpus without them
	Pairs     int             `json:"pairs,omitempty"`     // question-answer pairs to make, at most; absent for a corpus without them
	Names     int             `json:"names,omitempty"`     // names of entities to embed, for synonyms; absent if there are none
	Stages    []StageEstimate `json:"stages"`
	Calls     int64           `json:"calls"`
	TokensIn  int64           `json:"tokens_in"`
	TokensOut int64           `json:"tokens_out"`
	Cost      float64         `json:"cost"`
	Seconds   float64         `json:"seconds"`
	Notes     []string        `json:"notes,omitempty"`
	Skipped   map[string]int  `json:"skipped,omitempty"` // files that no format reads, by extension
}

// A StageEstimate is the expected use of models in one stage.
type StageEstimate struct {
	Name      string  `json:"name"`
	Calls     int64   `json:"calls"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"`
	Seconds   float64 `json:"seconds"`
}

// The assumed speed of a server: seconds until an answer begins, and tokens per
// second from then on.
const (
	assumedStart = 0.5
	assumedPace  = 60
)

// Estimate returns how many calls and tokens a run over the paths would need. It calls no
// model and writes nothing. The pending chunks are the real ones; the records that a
// model would find in them are predicted with extract.Rules.
func (x *Indexer) Estimate(ctx context.Context, paths []string, prices Prices) (Estimate, error) {
	out := Estimate{Corpus: x.options.Corpus, Stages: []StageEstimate{}}
	listing, err := web.List(ctx, paths, x.options.Source, x.options.Web)
	if err != nil {
		return out, err
	}
	diff, err := x.diff(ctx, listing)
	if err != nil {
		return out, err
	}
	out.Documents, out.Skipped = diff.counts, listing.Skipped
	for _, note := range []string{source.SkippedNote(listing.Skipped), diff.missing} {
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	e := newEstimator(x)
	if !diff.isEmpty() {
		if err := x.gather(ctx, diff, e); err != nil {
			return out, err
		}
	}
	out.Chunks = e.chunks
	if out.Sentences, _, err = e.expectedSentences(ctx); err != nil {
		return out, err
	}
	out.Pairs, out.Names = e.expectedPairs(), e.expectedNames()
	if x.options.Model == nil {
		out.Notes = append(out.Notes, "no chat model is configured: extraction, descriptions and reports cost nothing")
	}
	if !diff.isNew {
		counts, err := x.store.Counts(ctx, x.options.Corpus)
		if err != nil {
			return out, err
		}
		if drift := diff.corpus.Drift(counts.Relationships); drift != nil {
			out.Notes = append(out.Notes, "communities: "+drift.String())
		}
		if older := EditionOf(diff.corpus); older != nil && !x.options.Upgrade && x.options.Model != nil {
			out.Notes = append(out.Notes, older.Note(counts))
		}
		note, err := x.oldProfilesNote(ctx, diff.corpus)
		if err != nil {
			return out, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	stages, err := e.stages(ctx)
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

// expectedSeconds returns the time that the calls of a stage take, with
// Options.Concurrency concurrent calls.
func (x *Indexer) expectedSeconds(s StageEstimate) float64 {
	if s.Calls == 0 {
		return 0
	}
	rounds := math.Ceil(float64(s.Calls) / float64(x.options.Concurrency))
	return rounds * (assumedStart + float64(s.TokensOut)/float64(s.Calls)/assumedPace)
}
