package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
)

// runDryRun says how much answers over the whole read, and asks nothing.
func (c *command) runDryRun(cc *ucli.Context) error {
	corpus, err := c.corpus(cc)
	if err != nil {
		return err
	}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		engine, err := query.New(store, query.Options{Corpus: corpus})
		if err != nil {
			return &userError{code: exitUsage, message: err.Error(), cause: err}
		}
		sizes, err := engine.LevelSizes(cc.Context)
		if err != nil {
			return err
		}
		if cc.Bool("json") {
			return c.printJSON(sizes)
		}
		c.printSizes(sizes)
		return nil
	})
}

// printSizes compares each level with the text for a person.
func (c *command) printSizes(s query.LevelSizes) {
	for _, v := range s.Levels {
		share := 0.
		if s.TextTokens > 0 {
			share = 100 * float64(v.Tokens) / float64(s.TextTokens)
		}
		c.printf("global --level %-3d %6d reports %9d tokens %6.1f %% of the text\n", v.Level, v.Reports, v.Tokens, share)
	}
	c.printf("text               %6d chunks  %9d tokens\n", s.Chunks, s.TextTokens)
}
