package rank_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/rank"
)

func TestFuse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		lists []rank.List
		want  []rank.Scored
	}{
		{"nothing", nil, []rank.Scored{}},
		{"an empty list", []rank.List{{Keys: []string{"a"}}, {}}, []rank.Scored{{"a", 1. / 61}}},
		{"two lists", []rank.List{{Keys: []string{"a", "b"}}, {Keys: []string{"b", "c"}}}, []rank.Scored{{"b", 1./62 + 1./61}, {"a", 1. / 61}, {"c", 1. / 62}}},
		{"weights", []rank.List{{Keys: []string{"a", "b"}, Weight: 2}, {Keys: []string{"c", "b"}}}, []rank.Scored{{"b", 3. / 62}, {"a", 2. / 61}, {"c", 1. / 61}}},
		{"ties by key", []rank.List{{Keys: []string{"z"}}, {Keys: []string{"y"}}}, []rank.Scored{{"y", 1. / 61}, {"z", 1. / 61}}},
		{"repeats count once", []rank.List{{Keys: []string{"a", "a", "b"}}}, []rank.Scored{{"a", 1. / 61}, {"b", 1. / 63}}},
	} {
		if diff := cmp.Diff(tc.want, rank.Fuse(tc.lists...), approx); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestLift(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		first, second []rank.Scored
		want          []rank.Scored
	}{
		{"nothing", nil, nil, []rank.Scored{}},
		{"the first only", []rank.Scored{{"a", 4}, {"b", 2}}, nil, []rank.Scored{{"a", 1}, {"b", .5}}},
		{"a small weight", []rank.Scored{{"a", 4}, {"b", 3.9}}, []rank.Scored{{"b", 9}}, []rank.Scored{{"b", 1.075}, {"a", 1}}},
		{"keys of the second list only are added", []rank.Scored{{"a", 1}}, []rank.Scored{{"z", 5}}, []rank.Scored{{"a", 1}, {"z", .1}}},
		{"scores below zero stay", []rank.Scored{{"a", 1}, {"b", -.5}}, nil, []rank.Scored{{"a", 1}, {"b", -.5}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, rank.Boost(tt.first, tt.second, .1), approx); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestStretched(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		list, want []rank.Scored
	}{
		{"nothing", nil, []rank.Scored{}},
		{"one", []rank.Scored{{"a", .4}}, []rank.Scored{{"a", 1}}},
		{"close to each other", []rank.Scored{{"a", .9}, {"b", .85}, {"c", .8}}, []rank.Scored{{"a", 1}, {"b", .5}, {"c", 0}}},
		{"equal", []rank.Scored{{"a", .9}, {"b", .9}}, []rank.Scored{{"a", 1}, {"b", 1}}},
		{"below zero", []rank.Scored{{"a", .5}, {"b", -.5}}, []rank.Scored{{"a", 1}, {"b", 0}}},
	} {
		if diff := cmp.Diff(tt.want, rank.MinMax(tt.list), approx); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
