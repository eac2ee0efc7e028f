package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestDocumentChunks(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	p := pipeline{store: s, corpus: corpus}
	d := p.documentWrite("a", []string{"one", "two"})
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{d})
	})
	got, err := s.DocumentChunks(t.Context(), corpus, d.Document.Key)
	if err != nil || len(got) != len(d.Chunks) {
		t.Fatalf("DocumentChunks = %v, %v", got, err)
	}
	for i, c := range got {
		if diff := cmp.Diff(d.Chunks[i], c.Chunk); diff != "" || !c.Pending {
			t.Errorf("chunk %d, pending %v (-want +got):\n%s", i, c.Pending, diff)
		}
	}
}
