package faulttest

import (
	"slices"
	"strconv"
	"testing"
)

func TestPlaces(t *testing.T) {
	t.Setenv(Env, "all")
	if got := Points(t, 5, 2); !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
		t.Errorf("all of 5 places: got %v", got)
	}
	t.Setenv(Env, "")
	t.Setenv(SeedEnv, "7")
	got := Points(t, 50, 7)
	if len(got) != 7 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != 7 || got[0] < 1 || got[6] > 50 {
		t.Errorf("a sample of 7 from 50: got %v, want 7 different ones in order", got)
	}
	if again := Points(t, 50, 7); !slices.Equal(got, again) {
		t.Errorf("the sample changes: %v, then %v", got, again)
	}
	seen := map[int]bool{}
	for seed := range 60 {
		t.Setenv(SeedEnv, strconv.Itoa(seed))
		for _, n := range Points(t, 10, 2) {
			seen[n] = true
		}
	}
	if len(seen) != 10 {
		t.Errorf("60 seeds choose %v, want all 10 places", seen)
	}
	if got := Sample(t, []string{"a", "b", "c"}, 2); len(got) != 2 || got[0] >= got[1] {
		t.Errorf("a sample of 2 from a, b, c: got %v", got)
	}
	if got := Points(t, 3, 7); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("a sample of 7 from 3: got %v, want all", got)
	}
}
