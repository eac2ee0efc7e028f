package retrieve

import (
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// WithQueries reads a corpus, which must have pairs.
func (r Reader) WithQueries(ctx context.Context, name string) (neo4jstore.Corpus, error) {
	corpus, err := r.Store.Corpus(ctx, name)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return corpus, fmt.Errorf("corpus %s: %w: run `neorag index PATH --with queries` first", name, ErrNotIndexed)
	}
	if err == nil && !corpus.HasQueries() {
		err = Lacks("corpus " + name + " has no question-answer pairs: run `neorag index PATH --with queries` to make them")
	}
	return corpus, err
}
