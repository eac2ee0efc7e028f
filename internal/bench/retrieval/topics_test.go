package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRanksOf(t *testing.T) {
	t.Parallel()
	found := []string{"retrieval_nature/docs/b.txt", "a.txt", "c.txt"}
	if diff := cmp.Diff([]int{3, 1, 0}, ranksOf([]string{"c.txt", "b.txt", "d.txt"}, found)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
}
