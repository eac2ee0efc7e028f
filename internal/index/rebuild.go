package index

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A RebuildShare is what a run cost, as a share of what a new corpus of the same documents
// would cost: estimated from what this run and earlier ones cost for each item of a stage.
type RebuildShare struct {
	Calls  float64 `json:"calls"`
	Tokens float64 `json:"tokens"`
}

// comparedRuns is how many of the latest runs the costs are taken from.
const comparedRuns = 1000

// costCounts returns the items, calls and tokens of the stages that call models, to be
// stored with the run.
func (r *run) costCounts() map[string]int64 {
	counts := map[string]int64{}
	for _, s := range r.result.Stages {
		if specOf(s.Name).task == "" {
			continue
		}
		items := s.Done
		if s.Name == "report" {
			items = r.result.Reports.Rewritten
		}
		counts[s.Name+"_items"], counts[s.Name+"_calls"], counts[s.Name+"_tokens"] = int64(items), s.Calls, s.TokensIn+s.TokensOut
	}
	return counts
}

// rebuildShare returns the share of a run with such counts; nil if it called no model.
func (r *run) rebuildShare(ctx context.Context, own map[string]int64) (*RebuildShare, error) {
	if r.result.Calls == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	runs, err := r.store.Runs(ctx, r.Corpus, comparedRuns)
	if err != nil {
		return nil, fmt.Errorf("read what earlier runs cost: %w", err)
	}
	counts, err := r.store.Counts(ctx, r.Corpus)
	if err != nil {
		return nil, fmt.Errorf("read what there is to rebuild: %w", err)
	}
	return shareOf(own, runs, counts), nil
}

// shareOf returns the share of a run with its own counts and earlier runs, given what
// there is to rebuild.
func shareOf(own map[string]int64, runs []neo4jstore.Run, all neo4jstore.Counts) *RebuildShare {
	nodes := all.Entities + all.Relationships
	totals := map[string]int{"extract": all.Chunks, "derive": nodes, "describe": nodes, "report": all.Reports, "embed": all.Chunks + nodes + all.Reports + all.Sentences}
	if all.Queries > 0 {
		totals["queries"] = all.Chunks
	}
	var calls, tokens, rebuildCalls, rebuildTokens float64
	for stage, total := range totals {
		sum := [3]int64{own[stage+"_items"], own[stage+"_calls"], own[stage+"_tokens"]}
		calls, tokens = calls+float64(sum[1]), tokens+float64(sum[2])
		for _, run := range runs {
			sum[0] += run.Counts[stage+"_items"]
			sum[1] += run.Counts[stage+"_calls"]
			sum[2] += run.Counts[stage+"_tokens"]
		}
		if sum[0] > 0 {
			each := float64(total) / float64(sum[0])
			rebuildCalls, rebuildTokens = rebuildCalls+each*float64(sum[1]), rebuildTokens+each*float64(sum[2])
		}
	}
	if rebuildCalls == 0 || rebuildTokens == 0 {
		return nil
	}
	return &RebuildShare{calls / rebuildCalls, tokens / rebuildTokens}
}
