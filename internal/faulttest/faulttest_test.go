package faulttest

import (
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	t.Setenv(Env, "all")
	if got := Places(t, 5, 2); !slices.Equal(got, []int{1, 2, 3, 4, 5}) {
		t.Errorf("all of 5 places: got %v", got)
	}
	t.Setenv(Env, "")
	got := Places(t, 50, 7)
	if len(got) != 7 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != 7 || got[0] < 1 || got[6] > 50 {
		t.Errorf("a sample of 7 from 50: got %v, want 7 different ones in order", got)
	}
	if again := Places(t, 50, 7); !slices.Equal(got, again) {
		t.Errorf("the sample changes: %v, then %v", got, again)
	}
	if got := Places(t, 3, 7); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("a sample of 7 from 3: got %v, want all", got)
	}
}
