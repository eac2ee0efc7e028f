package cli

import (
	"testing"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestDeletedText checks what a person is told before a corpus is deleted: what is in it, and what
// models were paid for.
func TestDeletedText(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		deleted deletedCorpus
		want    string
	}{
		"nothing is in it": {deletedCorpus{}, "0 documents, 0 entities"},
		"made without a model": {
			deletedCorpus{Contents: neo4jstore.Counts{Documents: 2, Entities: 5, Relationships: 4, Reports: 1, Isolated: 1}},
			"2 documents, 5 entities, 4 relationships, 1 report",
		},
		"all artifacts": {
			deletedCorpus{Contents: neo4jstore.Counts{Documents: 2, Entities: 5, Relationships: 4, Claims: 3, Reports: 2, Queries: 8, Sentences: 9, Synonyms: 6, DocumentLinks: 7}},
			"2 documents, 5 entities, 4 relationships, 3 claims, 2 reports, 8 question-answer pairs, 9 sentences, 6 synonyms, 7 edges between documents",
		},
		"a model without prices": {
			deletedCorpus{Contents: neo4jstore.Counts{Documents: 1}, Usage: evalrun.Usage{Calls: 12, TokensIn: 3400, TokensOut: 560}},
			"1 document, 0 entities, made with 12 calls of models, 3400 tokens in, 560 tokens out",
		},
		"a model that was paid": {
			deletedCorpus{Contents: neo4jstore.Counts{Documents: 1}, Usage: evalrun.Usage{Calls: 12, TokensIn: 3400, TokensOut: 560, Cost: 1.5}},
			"1 document, 0 entities, made with 12 calls of models, 3400 tokens in, 560 tokens out, cost 1.5000",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.deleted.text(&environment{}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestUsageOfRuns checks that the cost of a corpus is that of all its runs.
func TestUsageOfRuns(t *testing.T) {
	t.Parallel()
	got := usageOf([]neo4jstore.Run{{Calls: 3, TokensIn: 100, TokensOut: 10, Cost: .5}, {}, {Calls: 1, TokensIn: 20, TokensOut: 2, Cost: .25}})
	if want := (evalrun.Usage{Calls: 4, TokensIn: 120, TokensOut: 12, Cost: .75}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
