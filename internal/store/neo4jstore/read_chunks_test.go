package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func chunkKeys(chunks []ChunkRow) []string {
	keys := []string{}
	for _, c := range chunks {
		keys = append(keys, graph.Local(c.Key))
	}
	return keys
}

func testChunkRows(t *testing.T, s *Store, corpus string) {
	ctx := t.Context()
	key := func(local string) string { return graph.Key(corpus, local) }

	rows, err := s.ChunkRows(ctx, corpus, []string{key("c3"), key("nothing"), key("c1")})
	if err != nil {
		t.Fatal(err)
	}
	want := []ChunkRow{
		{
			Chunk:       graph.Chunk{Key: key("c3"), Document: key("docs/b.txt"), Text: "Größe: Cratchit kept the ledger.", NTokens: 6, End: 34},
			DocumentURI: "docs/b.txt", DocumentTitle: "Ledger",
		},
		{
			Chunk:       graph.Chunk{Key: key("c1"), Document: key("docs/a.txt"), Text: "Marley was dead: Scrooge knew.", NTokens: 7, End: 30},
			DocumentURI: "docs/a.txt", DocumentTitle: "Christmas", Date: "1843-12-19",
		},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("ChunkRows (-want +got):\n%s", diff)
	}

	var pages []string
	after := ""
	for {
		page, err := s.ChunkRowPage(ctx, corpus, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		pages = append(pages, chunkKeys(page)...)
		after = page[len(page)-1].Key
	}
	if diff := cmp.Diff([]string{"c1", "c2", "c3"}, pages); diff != "" {
		t.Errorf("pages of ChunkRowPage (-want +got):\n%s", diff)
	}
}
