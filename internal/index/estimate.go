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
	Names     int             `json:"names,omitempty"`     // names of entities to embed, for synonyms; absent if 0
	Stages    []StageEstimate `json:"stages"`
	Calls     int64           `json:"calls"`
	TokensIn  int64           `json:"tokens_in"`
	TokensOut int64           `json:"tokens_out"`
	Cost      float64         `json:"cost"`
	PriceDate string          `json:"price_date,omitempty"` // of the built-in list of prices, in USD, that the cost is from; absent for other prices
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
	out := Estimate{Corpus: x.requested.Corpus, Stages: []StageEstimate{}}
	listing, err := web.List(ctx, paths, x.requested.Source, x.requested.Web)
	if err != nil {
		return out, err
	}
	diff, err := x.diff(ctx, listing)
	if err != nil {
		return out, err
	}
	out.Documents, out.Skipped = diff.counts, listing.Skipped
	for _, note := range append([]string{source.SkippedNote(listing.Skipped), diff.missing}, diff.notes...) {
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	e := newEstimator(x.store, diff.effective)
	if !diff.isEmpty() {
		if err := e.gather(ctx, diff); err != nil {
			return out, err
		}
	}
	out.Chunks = e.chunks
	if out.Sentences, _, err = e.expectedSentences(ctx); err != nil {
		return out, err
	}
	out.Pairs, out.Names = e.expectedPairs(), e.expectedNames()
	notes, err := e.notes(ctx, diff)
	if err != nil {
		return out, err
	}
	out.Notes = append(out.Notes, notes...)
	stages, err := e.stages(ctx)
	if err != nil {
		return out, err
	}
	for _, s := range stages {
		s.Cost = prices[s.Name].Cost(llm.Usage{TokensIn: s.TokensIn, TokensOut: s.TokensOut})
		s.Seconds = e.expectedSeconds(s)
		out.Stages = append(out.Stages, s)
		out.Calls, out.TokensIn, out.TokensOut = out.Calls+s.Calls, out.TokensIn+s.TokensIn, out.TokensOut+s.TokensOut
		out.Cost, out.Seconds = out.Cost+s.Cost, out.Seconds+s.Seconds
	}
	return out, nil
}

// notes returns what people should know of a run: what it does without a model, and what it leaves as
// it is.
func (e *estimator) notes(ctx context.Context, diff runDiff) (notes []string, err error) {
	if e.Model == nil {
		notes = append(notes, "no chat model is configured: extraction, descriptions and reports cost nothing")
	}
	if diff.isNew {
		return notes, nil
	}
	counts, err := e.store.Counts(ctx, e.Corpus)
	if err != nil {
		return nil, err
	}
	if drift := diff.corpus.PartitionChange(counts.Relationships); drift != nil {
		notes = append(notes, "communities: "+drift.String())
	}
	if older := EditionOf(diff.corpus); older != nil && !e.Upgrade && e.Model != nil {
		notes = append(notes, older.Note(counts))
	}
	note, err := oldProfiles(ctx, e.store, e.effective, diff.corpus, oldProfilesNote)
	if note != "" {
		notes = append(notes, note)
	}
	return notes, err
}

// expectedSeconds returns the time that the calls of a stage take, with
// Options.Concurrency concurrent calls.
func (e *estimator) expectedSeconds(s StageEstimate) float64 {
	if s.Calls == 0 {
		return 0
	}
	rounds := math.Ceil(float64(s.Calls) / float64(e.Concurrency))
	return rounds * (assumedStart + float64(s.TokensOut)/float64(s.Calls)/assumedPace)
}
