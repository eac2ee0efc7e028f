package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/reportbook"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) report() *ucli.Command {
	return &ucli.Command{
		Name:      "report",
		Usage:     "list the community reports, show one, or write all of them out",
		ArgsUsage: "[LABEL | KEY | TITLE]",
		Flags: []ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringFlag{Name: "level", Usage: "list one level alone: a number, C0 to C3, root or leaf"},
			&ucli.BoolFlag{Name: "tree", Usage: "show the tree of all reports, or that below one"},
			&ucli.StringFlag{Name: "export", Usage: "write all reports, and what they cite, as pages with links into the new folder `DIR`"},
			&ucli.StringFlag{Name: "format", Value: "md", Usage: "`FORMAT` of the pages: md or html"},
		},
		Action: c.runReport,
	}
}

func (c *command) runReport(cc *ucli.Context) error {
	corpus, err := c.corpus(cc)
	if err != nil {
		return err
	}
	name, folder := strings.Join(cc.Args().Slice(), " "), cc.String("export")
	level, err := query.ParseLevel(cc.String("level"))
	switch {
	case err != nil:
		return &userError{code: exitUsage, message: err.Error()}
	case !slices.Contains(reportbook.Formats, cc.String("format")):
		return usage("--format %q: choose one of %s", cc.String("format"), strings.Join(reportbook.Formats, ", "))
	case cc.IsSet("format") && folder == "":
		return usage("--format: give --export DIR too")
	case folder != "" && (name != "" || cc.Bool("tree") || cc.IsSet("level")):
		return usage("--export writes all reports: give no name, --tree or --level")
	case name != "" && cc.IsSet("level"):
		return usage("report: give a name or --level")
	}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		b, err := reportbook.Open(cc.Context, store, corpus)
		if errors.Is(err, reportbook.ErrNone) {
			return &userError{code: exitFailure, message: err.Error(), hint: "`neorag index PATH` writes them, unless it is told --without reports", cause: err}
		}
		if err != nil {
			return err
		}
		switch {
		case folder != "":
			return c.exportReports(cc, b, folder)
		case cc.Bool("tree"):
			return c.reportTree(cc, b, name)
		case name != "":
			return c.showReport(cc, b, name)
		case cc.IsSet("level"):
			return c.listReports(cc, b, b.Level(level.Number()))
		}
		return c.listReports(cc, b, b.Entries)
	})
}

// listReports lists reports under the heads of their levels.
func (c *command) listReports(cc *ucli.Context, b *reportbook.Book, entries []reportbook.Entry) error {
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"corpus": b.Corpus, "reports": entries})
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
				c.printf("\n")
			}
			c.printf("Level %d: %d reports\n", e.Level, n)
		}
		c.printf("  %-7s %4.1f  %s\n", e.Label, e.Rating, terminal.Sanitize(strings.Join(strings.Fields(e.Title), " ")))
	}
	c.note(cc, "\n`neorag report %s` shows the first.", entries[0].Label)
	return nil
}

// findReport finds a report, or says how to find one.
func findReport(b *reportbook.Book, name string) (reportbook.Entry, error) {
	e, err := b.Find(name)
	if err != nil {
		return e, &userError{code: exitFailure, message: err.Error(), hint: "`neorag report` lists all: give a label such as " + b.Entries[0].Label + ", a key, or a whole title", cause: err}
	}
	return e, nil
}

func (c *command) reportTree(cc *ucli.Context, b *reportbook.Book, name string) error {
	root := ""
	if name != "" {
		e, err := findReport(b, name)
		if err != nil {
			return err
		}
		root = e.Label
	}
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"corpus": b.Corpus, "tree": b.Nodes(root)})
	}
	for _, line := range b.Tree(root) {
		c.printf("%s\n", terminal.Sanitize(line))
	}
	return nil
}

func (c *command) showReport(cc *ucli.Context, b *reportbook.Book, name string) error {
	e, err := findReport(b, name)
	if err != nil {
		return err
	}
	reports, err := b.Read(cc.Context, []reportbook.Entry{e})
	if err != nil {
		return err
	}
	if len(reports) == 0 {
		return fmt.Errorf("report %s: it went while it was read; run the command again", e.Label)
	}
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"corpus": b.Corpus, "report": reports[0]})
	}
	terminal.PrintMarkdown(c.env.Stdout, c.env.Getenv, reports[0].Markdown())
	return nil
}

// exportReports writes all pages into a folder that is new, or empty.
func (c *command) exportReports(cc *ucli.Context, b *reportbook.Book, folder string) error {
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return usage("--export %s: the folder is not empty; give a new one", folder)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("export the reports: %w", err)
	}
	root, err := os.OpenRoot(folder) // no page can be written elsewhere
	if err != nil {
		return fmt.Errorf("export the reports: %w", err)
	}
	defer func() { _ = root.Close() }()
	files, err := b.Export(cc.Context, cc.String("format"), func(name string, body []byte) error {
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		return root.WriteFile(name, body, 0o644)
	})
	if err != nil {
		return fmt.Errorf("export the reports: %w", err)
	}
	first := path.Join(folder, "index."+cc.String("format"))
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"corpus": b.Corpus, "folder": folder, "index": first, "files": files, "reports": len(b.Entries)})
	}
	c.printf("%d reports are in %d files; begin with %s\n", len(b.Entries), files, first)
	return nil
}
