package cli

import (
	"bufio"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) remove() *ucli.Command {
	return &ucli.Command{
		Name:  "remove",
		Usage: "remove a corpus with its indexes",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "corpus", Usage: "`NAME` of the corpus; must be given"}, dataFlag(),
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
		},
		Action: c.runRemove,
	}
}

func (c *command) runRemove(cc *ucli.Context) error {
	c.resumes = true
	corpus := cc.String("corpus")
	if corpus == "" {
		return usage("remove: name the corpus with --corpus; everything in it is deleted")
	}
	if err := graph.CheckCorpus(corpus); err != nil {
		return &userError{code: exitUsage, message: err.Error()}
	}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		counts, err := store.Counts(cc.Context, corpus)
		if err != nil {
			return err
		}
		if terminal.IsTerminal(c.env.Stdin) && !cc.Bool("yes") {
			c.printf("Remove corpus %s with %d documents and %d entities? [y/N] ", corpus, counts.Documents, counts.Entities)
			line, _ := bufio.NewReader(c.env.Stdin).ReadString('\n') // no answer means no
			if a := strings.ToLower(strings.TrimSpace(line)); a != "y" && a != "yes" {
				c.printf("nothing was removed\n")
				return nil
			}
		}
		done, err := index.Remove(cc.Context, store, corpus)
		if err != nil {
			return err
		}
		if cc.Bool("json") {
			return c.printJSON(map[string]any{"corpus": corpus, "documents": counts.Documents, "writes": done.Total()})
		}
		c.printf("Corpus %s is removed: %d documents, %d entities, with its indexes.\n", corpus, counts.Documents, counts.Entities)
		return nil
	})
}
