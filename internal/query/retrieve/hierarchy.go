package retrieve

import (
	"context"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Hierarchy reads the community hierarchy of one whole corpus.
type Hierarchy struct {
	store  *neo4jstore.Store
	corpus Corpus
	reader Reader
}

// Hierarchy returns the hierarchy of a scope that is one corpus without a
// filter, and false for any other scope. The reader must be pinned.
func (r Reader) Hierarchy() (h Hierarchy, ok bool) {
	if len(r.Corpora) != 1 || r.Filtered() {
		return Hierarchy{}, false
	}
	return Hierarchy{store: r.Store, corpus: r.Corpora[0], reader: r}, true
}

// Roots reads the reports of the root communities. ErrNotIndexed means that the corpus has none.
func (h Hierarchy) Roots(ctx context.Context) ([]neo4jstore.ReportRow, error) {
	return h.reader.Reports(ctx, 0)
}

// Below reads the reports of the children of communities.
func (h Hierarchy) Below(ctx context.Context, communities []string) ([]neo4jstore.ReportRow, error) {
	return h.store.ReportsBelow(ctx, h.corpus.Name, h.corpus.Generation, communities)
}

// Of reads the reports of communities. A community without a report is left
// out.
func (h Hierarchy) Of(ctx context.Context, communities []string) ([]neo4jstore.ReportRow, error) {
	return h.store.ReportsOf(ctx, h.corpus.Name, h.corpus.Generation, communities)
}

// Sizes measures the reports by level.
func (h Hierarchy) Sizes(ctx context.Context) ([]neo4jstore.ReportSize, error) {
	return h.store.ReportSizes(ctx, h.corpus.Name, h.corpus.Generation)
}
