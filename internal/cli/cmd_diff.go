package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/view/exportdiff"
)

func newDiffCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "diff",
		Usage:     "compare two exports: which entities, relationships and communities were added, removed or changed",
		ArgsUsage: "OLD.jsonl NEW.jsonl",
		Description: "Both files are written by `neorag export`. Communities are matched by label. Neo4j is not needed.\n" +
			"That an entity is in another community does not count as a change of the entity.",
		Flags:  []ucli.Flag{&ucli.IntFlag{Name: "limit", Value: 20, Usage: "list at most `N` nodes of each kind and change; 0 lists none; --json has all"}},
		Action: action(env, diffOptionsFrom, runDiff),
	}
}

type diffOptions struct {
	before, after string // files
	limit         int
}

func diffOptionsFrom(cc invocation) (diffOptions, error) {
	args := cc.Args().Slice()
	if len(args) != 2 {
		return diffOptions{}, usage("diff: give two files, OLD.jsonl and NEW.jsonl")
	}
	o := diffOptions{before: args[0], after: args[1], limit: cc.Int("limit")}
	if o.limit < 0 {
		return o, usage("--limit %d: must not be negative", o.limit)
	}
	return o, nil
}

func runDiff(_ context.Context, env *environment, o diffOptions) error {
	d, err := compareFiles(o.before, o.after)
	if err != nil {
		return failure(err, err.Error(), "`neorag export -o FILE` writes such a file")
	}
	if env.json {
		return env.printJSON(d)
	}
	if d.IsEmpty() {
		env.printf("Entities, relationships and communities are the same.\n")
		return nil
	}
	printChanges(env, "Entities", d.Entities, o.limit)
	printChanges(env, "Relationships", d.Relationships, o.limit)
	printChanges(env, "Communities", d.Communities, o.limit)
	return nil
}

// compareFiles compares the exports in two files.
func compareFiles(before, after string) (exportdiff.Diff, error) {
	a, err := os.Open(before)
	if err != nil {
		return exportdiff.Diff{}, err
	}
	defer func() { _ = a.Close() }()
	b, err := os.Open(after)
	if err != nil {
		return exportdiff.Diff{}, err
	}
	defer func() { _ = b.Close() }()
	d, err := exportdiff.Compare(a, b)
	if err != nil {
		return d, fmt.Errorf("compare %s and %s: %w", before, after, err)
	}
	return d, nil
}

func printChanges(env *environment, kind string, c exportdiff.Changes, limit int) {
	env.printf("%s: %d added, %d removed, %d changed, %d unchanged\n", kind, len(c.Came), len(c.Went), len(c.Changed), c.Same)
	for _, list := range []struct {
		mark  string
		nodes []exportdiff.Node
	}{{"+", c.Came}, {"-", c.Went}, {"~", c.Changed}} {
		for _, n := range list.nodes[:min(limit, len(list.nodes))] {
			what := ""
			if len(n.Properties) > 0 {
				what = ": " + strings.Join(n.Properties, ", ")
			}
			env.printf("  %s %s%s\n", list.mark, n.Name, what)
		}
		if more := len(list.nodes) - limit; more > 0 && limit > 0 {
			env.printf("  %s and %d more\n", list.mark, more)
		}
	}
}
