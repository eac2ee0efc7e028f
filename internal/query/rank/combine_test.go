package rank_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/query/rank"
)

var approx = cmpopts.EquateApprox(0, 1e-9)

func TestCombine(t *testing.T) {
	t.Parallel()
	passages := []rank.Hit{{Key: "a1", Owner: "a", Score: 2}, {Key: "a2", Owner: "a", Score: 5}, {Key: "b1", Owner: "b", Score: 4}}
	for _, tc := range []struct {
		name     string
		views    rank.Views
		passages map[string]int
		weights  rank.Weights
		want     []rank.Scored
	}{
		{name: "nothing", want: []rank.Scored{}},
		{name: "best passage counts", views: rank.Views{Passages: passages}, want: []rank.Scored{{"a", 1}, {"b", .8}}},
		{
			name: "views are summed by weight",
			views: rank.Views{
				Passages: passages, Documents: []rank.Hit{{Key: "b", Score: 10}},
				Leads: []rank.Hit{{Key: "c", Owner: "c", Score: 10}}, Pairs: []rank.Hit{{Key: "c1", Owner: "c", Score: 5}},
			},
			want: []rank.Scored{{"b", 1}, {"a", 7 / 11.6}, {"c", 5 / 11.6}},
		},
		{
			name: "long documents lose a little", views: rank.Views{Passages: passages}, passages: map[string]int{"a": 99},
			want: []rank.Scored{{"b", .8}, {"a", 1 - .05*math.Log(100)}},
		},
		{
			name: "weights given", views: rank.Views{Passages: passages, Documents: []rank.Hit{{Key: "b", Score: 10}}},
			passages: map[string]int{"a": 99}, weights: rank.Weights{Document: 1},
			want: []rank.Scored{{"b", 1}, {"a", 0}},
		},
		{
			name:  "ties by key, invalid scores ignored",
			views: rank.Views{Documents: []rank.Hit{{Key: "y", Score: 1}, {Key: "x", Score: 1}, {Key: "n", Score: math.NaN()}, {Key: "i", Score: math.Inf(1)}, {Key: "m", Score: -1}}},
			want:  []rank.Scored{{"x", 1}, {"y", 1}},
		},
		{name: "scores of zero", views: rank.Views{Leads: []rank.Hit{{Key: "z"}}}, want: []rank.Scored{{"z", 0}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, rank.Combine(tc.views, tc.passages, tc.weights), approx); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCombineIgnoresTheOrderOfHits(t *testing.T) {
	t.Parallel()
	hits := rapid.SliceOf(rapid.Custom(func(t *rapid.T) rank.Hit {
		return rank.Hit{
			Key:   fmt.Sprint("k", rapid.IntRange(0, 20).Draw(t, "key")),
			Owner: rapid.SampledFrom([]string{"", "a", "b", "c", "d"}).Draw(t, "owner"),
			Score: rapid.Float64Range(0, 9).Draw(t, "score"),
		}
	}))
	rapid.Check(t, func(t *rapid.T) {
		v := rank.Views{Passages: hits.Draw(t, "passages"), Documents: hits.Draw(t, "documents"), Leads: hits.Draw(t, "leads"), Pairs: hits.Draw(t, "pairs")}
		sizes := map[string]int{"a": 3, "b": 100}
		want := rank.Combine(v, sizes, rank.Weights{})
		for i := range want {
			if i > 0 && want[i].Score > want[i-1].Score {
				t.Fatalf("rank %d has a better score than the one before: %v", i, want)
			}
		}
		seed := rapid.Uint64().Draw(t, "seed")
		for i, view := range [][]rank.Hit{v.Passages, v.Documents, v.Leads, v.Pairs} {
			rank.Shuffle(seed+uint64(i), view)
		}
		if diff := cmp.Diff(want, rank.Combine(v, sizes, rank.Weights{})); diff != "" {
			t.Fatalf("another order of hits (-want +got):\n%s", diff)
		}
	})
}
