package index

import (
	"math"
	"testing"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestRebuildShare(t *testing.T) {
	t.Parallel()
	all := neo4jstore.Counts{Chunks: 100, Entities: 150, Relationships: 50, Reports: 20}
	first := map[string]int64{
		"extract_items": 90, "extract_calls": 180, "extract_tokens": 90_000, "describe_items": 190, "describe_calls": 19, "describe_tokens": 1900,
		"report_items": 18, "report_calls": 18, "report_tokens": 18_000,
	}
	update := map[string]int64{
		"extract_items": 10, "extract_calls": 20, "extract_tokens": 10_000, "describe_items": 10, "describe_calls": 1, "describe_tokens": 100,
		"report_items": 2, "report_calls": 2, "report_tokens": 2000,
	}
	for name, tt := range map[string]struct {
		own           map[string]int64
		runs          []neo4jstore.Run
		all           neo4jstore.Counts
		calls, tokens float64
	}{
		"the first run":  {own: first, all: neo4jstore.Counts{Chunks: 90, Entities: 190, Reports: 18}, calls: 1, tokens: 1},
		"an update":      {own: update, runs: []neo4jstore.Run{{Counts: first}}, all: all, calls: 23. / 240, tokens: 12_100. / 122_000},
		"a run like it":  {own: update, runs: []neo4jstore.Run{{Counts: first}, {Counts: map[string]int64{"writes": 3}}}, all: all, calls: 23. / 240, tokens: 12_100. / 122_000},
		"nothing known":  {own: map[string]int64{"extract_calls": 1}, all: all},
		"without tokens": {own: map[string]int64{"extract_items": 1, "extract_calls": 1}, all: all},
	} {
		got := shareOf(tt.own, tt.runs, tt.all)
		if tt.calls == 0 {
			if got != nil {
				t.Errorf("%s: %+v, want none", name, got)
			}
			continue
		}
		if got == nil || math.Abs(got.Calls-tt.calls) > 1e-9 || math.Abs(got.Tokens-tt.tokens) > 1e-9 {
			t.Errorf("%s: %+v, want %v and %v", name, got, tt.calls, tt.tokens)
		}
	}
}
