package cli

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// runQueryDryRun prints how much each level would read, and asks nothing.
func runQueryDryRun(ctx context.Context, env *environment, corpora []string) error {
	if len(corpora) > 1 {
		return usage("query: --dry-run takes one corpus, not %d", len(corpora))
	}
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		engine, err := query.New(store, query.Options{Corpus: corpora[0]})
		if err != nil {
			return usageError(err)
		}
		sizes, err := engine.LevelSizes(ctx)
		if err != nil {
			return err
		}
		return env.print(sizes, func() { printLevelSizes(env, sizes) })
	})
}

// printLevelSizes compares the reports of each level with the text.
func printLevelSizes(env *environment, s query.LevelSizes) {
	for _, level := range s.Levels {
		share := 0.
		if s.TextTokens > 0 {
			share = 100 * float64(level.Tokens) / float64(s.TextTokens)
		}
		env.printf("global --level %-3d %6d reports %9d tokens %6.1f %% of the text\n", level.Level, level.Reports, level.Tokens, share)
	}
	env.printf("text               %6d chunks  %9d tokens\n", s.Chunks, s.TextTokens)
}
