package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBM25(t *testing.T) {
	t.Parallel()
	b := &bm25{files: map[string][]passage{}, with: map[string]int{}}
	b.add("ferry.txt", "The ferry leaves the harbour at nine.")
	b.add("harbour.txt", "The harbour freezes in winter. Ice covers the harbour.")
	b.add("school.txt", "The roof of the school leaks.")
	b.add("empty.txt", "")
	for question, want := range map[string][]string{
		"When does the ferry leave the harbour?": {"ferry.txt", "harbour.txt"}, // the rare term
		"Where is the harbour?":                  {"harbour.txt", "ferry.txt"}, // the frequent one
		"Who sold the lamps?":                    {},
	} {
		if diff := cmp.Diff(want, b.ranked(question)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}
