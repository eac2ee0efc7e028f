package cli

import (
	"context"
	"time"

	"github.com/neorag/neorag/internal/index"
)

// estimateIndex prints the model calls that a run would make and their cost.
func estimateIndex(ctx context.Context, env *environment, m *models, indexer *index.Indexer, paths []string) error {
	p, err := m.prices()
	if err != nil {
		return err
	}
	e, err := indexer.Estimate(ctx, paths, p)
	if err != nil {
		return indexError(err)
	}
	if env.json {
		return env.printJSON(e)
	}
	d := e.Documents
	env.printf("Nothing was written and no model was called.\nDocuments: %d to add, %d changed, %d to remove, %d unchanged; %d chunks to extract\n", d.Added, d.Changed, d.Removed, d.Unchanged, e.Chunks)
	if e.Sentences > 0 {
		env.printf("Sentences: about %d to make\n", e.Sentences)
	}
	if e.Pairs > 0 {
		env.printf("Question-answer pairs: at most %d to make\n", e.Pairs)
	}
	if e.Names > 0 {
		env.printf("Synonyms: about %d names to embed\n", e.Names)
	}
	if len(e.Stages) > 0 {
		env.printf("%-9s %9s %12s %12s %11s %9s\n", "stage", "calls", "tokens in", "tokens out", "cost", "time")
	}
	for _, s := range e.Stages {
		env.printf("%-9s %9d %12d %12d %11.4f %9s\n", s.Name, s.Calls, s.TokensIn, s.TokensOut, s.Cost, wholeSeconds(s.Seconds))
	}
	env.printf("%-9s %9d %12d %12d %11.4f %9s\n", "all", e.Calls, e.TokensIn, e.TokensOut, e.Cost, wholeSeconds(e.Seconds))
	for _, n := range e.Notes {
		env.note("%s", n)
	}
	if e.Calls > 0 && !anyPrice(p) {
		env.note("the cost is unknown without prices (--price-in, --price-out, --embedding-price-in)")
	}
	return nil
}

func wholeSeconds(s float64) string { return (time.Duration(s) * time.Second).String() }
