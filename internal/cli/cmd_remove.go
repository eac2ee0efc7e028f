package cli

import (
	"bufio"
	"context"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/terminal"
)

func newRemoveCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "remove",
		Usage: "delete a corpus and its indexes",
		Flags: append([]ucli.Flag{
			&ucli.StringFlag{Name: "corpus", Usage: "delete the corpus `NAME`; required"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask for confirmation"},
		}, serverFlags()...),
		Action: action(env, removeOptionsFrom, runRemove),
	}
}

type removeOptions struct {
	corpusOptions

	yes bool
}

// removeOptionsFrom takes no default for the corpus.
func removeOptionsFrom(cc *ucli.Context) (removeOptions, error) {
	o := removeOptions{corpusOptions: corpusOptions{cc.String("corpus")}, yes: cc.Bool("yes")}
	if o.corpus == "" {
		return o, usage("remove: name the corpus with --corpus; everything in it is deleted")
	}
	if err := graph.CheckCorpus(o.corpus); err != nil {
		return o, usageError(err)
	}
	return o, nil
}

func runRemove(ctx context.Context, env *environment, o removeOptions) error {
	env.resumable = true
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		counts, err := store.Counts(ctx, o.corpus)
		if err != nil {
			return err
		}
		if terminal.IsTerminal(env.Stdin) && !o.yes {
			env.printf("Delete corpus %s with %d documents and %d entities? [y/N] ", o.corpus, counts.Documents, counts.Entities)
			line, _ := bufio.NewReader(env.Stdin).ReadString('\n') // no answer means no
			if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
				env.printf("nothing was deleted\n")
				return nil
			}
		}
		done, err := index.Remove(ctx, store, o.corpus)
		if err != nil {
			return err
		}
		if env.json {
			return env.printJSON(map[string]any{"corpus": o.corpus, "documents": counts.Documents, "writes": done.Total()})
		}
		env.printf("Deleted corpus %s: %d documents, %d entities, and its indexes.\n", o.corpus, counts.Documents, counts.Entities)
		return nil
	})
}
