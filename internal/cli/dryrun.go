package cli

import (
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
)

// estimate prints what a run would ask of models, and what that costs.
func (c *command) estimate(cc *ucli.Context, m *models, indexer *index.Indexer) error {
	p, err := m.prices()
	if err != nil {
		return err
	}
	e, err := indexer.Estimate(cc.Context, cc.Args().Slice(), p)
	if err != nil {
		return c.indexError(err)
	}
	if cc.Bool("json") {
		return c.printJSON(e)
	}
	d := e.Documents
	c.printf("Nothing was written and no model was asked.\nDocuments: %d to add, %d changed, %d to remove, %d unchanged; %d chunks to extract\n", d.Added, d.Changed, d.Removed, d.Unchanged, e.Chunks)
	if len(e.Stages) > 0 {
		c.printf("%-9s %9s %12s %12s %11s %9s\n", "stage", "calls", "tokens in", "tokens out", "cost", "time")
	}
	for _, s := range e.Stages {
		c.printf("%-9s %9d %12d %12d %11.4f %9s\n", s.Name, s.Calls, s.TokensIn, s.TokensOut, s.Cost, seconds(s.Seconds))
	}
	c.printf("%-9s %9d %12d %12d %11.4f %9s\n", "all", e.Calls, e.TokensIn, e.TokensOut, e.Cost, seconds(e.Seconds))
	for _, n := range e.Notes {
		c.note(cc, "%s", n)
	}
	if e.Calls > 0 && !priced(p) {
		c.note(cc, "no prices are given (--price-in, --price-out, --embedding-price-in): the cost is not known")
	}
	return nil
}

func seconds(s float64) string {
	return (time.Duration(s) * time.Second).String()
}
