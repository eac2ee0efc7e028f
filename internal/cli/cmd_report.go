package cli

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/ui/terminal"
	"github.com/neorag/neorag/internal/view/reportbook"
)

func newReportCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:        "report",
		Usage:       "list the community reports, show one, or export all as pages",
		ArgsUsage:   "[LABEL | KEY | TITLE]",
		Description: "A report is named by the label of its community, such as C1_3 (level 1, number 3), by its full title, or by its key, which --json shows.",
		Flags: append([]ucli.Flag{
			corpusFlag(),
			&ucli.StringFlag{Name: "level", Usage: "list only the reports of community level `L`: 0 (or root) has the largest communities, leaf the smallest; C1 means 1"},
			&ucli.BoolFlag{Name: "tree", Usage: "show the tree of all reports, or the one below the given report"},
			&ucli.StringFlag{Name: "export", Usage: "write all reports and their sources as linked pages to the new folder `FOLDER`"},
			&ucli.StringFlag{Name: "format", Value: "md", Usage: "write the pages of --export as `FORMAT`: md or html"},
		}, serverFlags()...),
		Action: action(env, reportOptionsFrom, runReport),
	}
}

type reportOptions struct {
	corpus string
	name   string // label, key or title of a report; "" for none
	level  *query.Level
	tree   bool
	folder string // to export to; "" for none
	format string
}

func reportOptionsFrom(cc invocation) (o reportOptions, err error) {
	o = reportOptions{name: strings.Join(cc.Args().Slice(), " "), tree: cc.Bool("tree"), folder: cc.String("export"), format: cc.String("format")}
	if o.corpus, err = corpusFrom(cc); err != nil {
		return o, err
	}
	level, err := query.ParseLevel(cc.String("level"))
	if cc.IsSet("level") {
		o.level = &level
	}
	switch {
	case err != nil:
		return o, usageError(err)
	case !slices.Contains(reportbook.Formats, o.format):
		return o, usage("--format %q: choose one of %s", o.format, strings.Join(reportbook.Formats, ", "))
	case cc.IsSet("format") && o.folder == "":
		return o, usage("--format: give --export FOLDER too")
	case o.folder != "" && (o.name != "" || o.tree || o.level != nil):
		return o, usage("--export writes all reports: remove the name, --tree and --level")
	case o.name != "" && o.level != nil:
		return o, usage("report: give either a name or --level")
	}
	return o, nil
}

func runReport(ctx context.Context, env *environment, o reportOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		b, err := reportbook.Open(ctx, store, o.corpus)
		if err != nil {
			return err
		}
		switch {
		case o.folder != "":
			return exportReports(ctx, env, b, o)
		case o.tree:
			return printReportTree(env, b, o.name)
		case o.name != "":
			return showReport(ctx, env, b, o.name)
		case o.level != nil:
			return listReports(env, b, b.Level(o.level.Number()))
		}
		return listReports(env, b, b.Entries)
	})
}

// The shapes of `report --json`: of a list, --tree, a report and --export.
type (
	reportList struct {
		Corpus  string             `json:"corpus"`
		Reports []reportbook.Entry `json:"reports"`
	}
	reportTree struct {
		Corpus string             `json:"corpus"`
		Tree   []*reportbook.Node `json:"tree"`
	}
	shownReport struct {
		Corpus string            `json:"corpus"`
		Report reportbook.Report `json:"report"`
	}
	exportedReports struct {
		Corpus  string `json:"corpus"`
		Files   int    `json:"files"`
		Folder  string `json:"folder"`
		Index   string `json:"index"` // the page to begin with
		Reports int    `json:"reports"`
	}
)

// listReports lists reports by level.
func listReports(env *environment, b *reportbook.Book, entries []reportbook.Entry) error {
	if env.json {
		return env.printJSON(reportList{b.Corpus, entries})
	}
	for i, e := range entries {
		if i == 0 || e.Level != entries[i-1].Level {
			n := 0
			for _, other := range entries {
				if other.Level == e.Level {
					n++
				}
			}
			if i > 0 {
				env.printf("\n")
			}
			env.printf("Level %d: %d reports\n", e.Level, n)
		}
		env.printf("  %-7s %4.1f  %s\n", e.Label, e.Rating, terminal.OneLine(e.Title))
	}
	env.note("\n`neorag report %s` shows the first.", entries[0].Label)
	return nil
}

// findReport finds a report by label, key or title.
func findReport(b *reportbook.Book, name string) (reportbook.Entry, error) {
	e, err := b.Find(name)
	if err != nil {
		return e, failure(err, err.Error(), "`neorag report` lists all: give a label such as "+b.Entries[0].Label+", a key, or a full title")
	}
	return e, nil
}

// printReportTree prints the tree of reports below the named one, or all.
func printReportTree(env *environment, b *reportbook.Book, name string) error {
	root := ""
	if name != "" {
		e, err := findReport(b, name)
		if err != nil {
			return err
		}
		root = e.Label
	}
	return env.print(reportTree{b.Corpus, b.Nodes(root)}, func() {
		for _, line := range b.Tree(root) {
			env.printf("%s\n", line)
		}
	})
}

func showReport(ctx context.Context, env *environment, b *reportbook.Book, name string) error {
	e, err := findReport(b, name)
	if err != nil {
		return err
	}
	reports, err := b.Read(ctx, []reportbook.Entry{e})
	if err != nil {
		return err
	}
	if len(reports) == 0 {
		return fmt.Errorf("read report %s: it was replaced meanwhile; run the command again", e.Label)
	}
	return env.print(shownReport{b.Corpus, reports[0]}, func() { terminal.PrintMarkdown(env.Stdout, env.Getenv, reports[0].Markdown()) })
}

// exportReports writes all pages to a folder that must be new or empty.
func exportReports(ctx context.Context, env *environment, b *reportbook.Book, o reportOptions) error {
	if entries, err := os.ReadDir(o.folder); err == nil && len(entries) > 0 {
		return usage("--export %s: the folder is not empty; give a new one", o.folder)
	}
	if err := os.MkdirAll(o.folder, 0o755); err != nil {
		return fmt.Errorf("export reports: %w", err)
	}
	root, err := os.OpenRoot(o.folder) // keeps pages inside the folder
	if err != nil {
		return fmt.Errorf("export reports: %w", err)
	}
	defer func() { _ = root.Close() }()
	var written []string
	files, err := b.Export(ctx, o.format, func(name string, body []byte) error {
		written = append(written, path.Dir(name), name)
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		return root.WriteFile(name, body, 0o644)
	})
	if err != nil {
		for _, name := range slices.Backward(written) { // the folder is empty again for another try
			_ = root.Remove(name)
		}
		return fmt.Errorf("export reports: %w", err)
	}
	first := path.Join(o.folder, "index."+o.format)
	return env.print(exportedReports{Corpus: b.Corpus, Folder: o.folder, Index: first, Files: files, Reports: len(b.Entries)}, func() {
		env.printf("Wrote %d reports to %d files; start with %s\n", len(b.Entries), files, first)
	})
}
