package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newRemoveCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "remove",
		Usage:     "take documents out of a corpus while their files stay, or delete a corpus",
		ArgsUsage: "[DOC...]",
		Description: "DOC is a document as references name it, or a file or folder of documents, such as letters/drafts. Facts that only these documents state are removed from the graph, and derived results are rebuilt, with the settings and models of the corpus.\n" +
			"`neorag index` keeps them out from then on, until they are readmitted.\n" +
			"Without DOC and --glob, the corpus is deleted with its indexes. That is asked on a terminal, and needs --yes elsewhere.",
		Flags: slices.Concat([]ucli.Flag{
			&ucli.StringFlag{Name: "corpus", Usage: "remove from the corpus `NAME`; required to delete a corpus"},
			listFlag{&ucli.StringSliceFlag{Name: "glob", Usage: "choose the documents that match `PATTERN`, in the syntax of .gitignore, such as letters/**/*.txt"}},
			&ucli.BoolFlag{Name: "readmit", Usage: "let the next run index the documents again, instead of removing them"},
			&ucli.BoolFlag{Name: "dry-run", Usage: "list the documents; write nothing"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask for confirmation"},
		}, runFlags()),
		Action: action(env, removeOptionsFrom, runRemove),
	}
}

type removeOptions struct {
	indexOptions

	selection index.Selection
	named     bool // --corpus is given
	readmit   bool
	yes       bool
}

// deletesCorpus reports whether no document is chosen.
func (o removeOptions) deletesCorpus() bool {
	return len(o.selection.Names)+len(o.selection.Globs) == 0
}

// removeOptionsFrom takes no default for the corpus that is deleted.
func removeOptionsFrom(cc invocation) (o removeOptions, err error) {
	selection := index.Selection{Names: cc.Args().Slice(), Globs: cc.StringSlice("glob")}
	o = removeOptions{selection: selection, named: cc.String("corpus") != "", readmit: cc.Bool("readmit"), yes: cc.Bool("yes")}
	if o.corpus, err = corpusNamed(cc.String("corpus")); err != nil {
		return o, err
	}
	if o.deletesCorpus() {
		switch {
		case o.readmit || cc.Bool("dry-run"):
			return o, usage("remove: name documents, or choose them with --glob; --glob '**' chooses all")
		case !o.named:
			return o, usage("remove: name the documents to remove, or name the corpus to delete with --corpus; everything in it is deleted")
		}
		return o, nil
	}
	o.indexOptions, err = indexSettingsFrom(cc, o.corpus)
	o.dryRun = cc.Bool("dry-run")
	return o, err
}

func runRemove(ctx context.Context, env *environment, o removeOptions) error {
	if o.deletesCorpus() {
		return deleteCorpus(ctx, env, o)
	}
	env.resumable.Store(true)
	return removeDocuments(ctx, env, o)
}

// confirmed asks whether something is to be removed. It is called if a person is at the terminal.
func confirmed(ctx context.Context, env *environment, question string) (bool, error) {
	fmt.Fprintf(env.messages(), "%s [y/N] ", question)
	line, _ := bufio.NewReader(terminal.NewContextReader(ctx, env.Stdin)).ReadString('\n') // no answer means no
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	if answer == "y" || answer == "yes" {
		return true, nil
	}
	fmt.Fprintln(env.messages(), "nothing was removed")
	return false, nil
}
