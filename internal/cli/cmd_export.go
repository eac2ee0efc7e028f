package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/view/export"
)

// Formats that package export does not write.
const (
	exportJSONL = "jsonl"
	exportHTML  = "html"
)

func newExportCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:        "export",
		Usage:       "export a corpus for other programs, as a web page, or for comparison",
		Description: formatsHelp(),
		Flags: append([]ucli.Flag{
			corpusFlag(),
			&ucli.StringFlag{Name: "format", Value: exportJSONL, Usage: "export as `FORMAT`: " + strings.Join(exportFormats(), ", ")},
			&ucli.StringFlag{Name: "part", Usage: "export only `PART`: evidence, which is documents, chunks, entities, relationships and claims, without communities and reports (jsonl only)"},
			rawFlag(),
			&ucli.BoolFlag{Name: "bom", Usage: "begin each table with a byte order mark, without which Excel misreads letters such as ü (csv only)"},
			&ucli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; csv requires a folder, or a file that ends in .zip", DefaultText: "standard output"},
		}, serverFlags()...),
		Action: action(env, exportOptionsFrom, runExport),
	}
}

func exportFormats() []string {
	names := []string{exportJSONL, exportHTML}
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatsHelp describes each format on a line.
func formatsHelp() string {
	lines := []string{
		"Formats:",
		"  jsonl    each node and edge on a line; equal graphs give equal bytes",
		"  html     a self-contained web page with the map of communities",
	}
	for _, f := range export.Formats() {
		lines = append(lines, fmt.Sprintf("  %-8s %s", f.Name, f.About))
	}
	return strings.Join(lines, "\n")
}

type exportOptions struct {
	corpus string
	format string
	part   string // "" or "evidence"; jsonl only
	raw    bool   // csv only
	bom    bool   // csv only
	output string // "" and "-" mean standard output
}

func exportOptionsFrom(cc invocation) (o exportOptions, err error) {
	o = exportOptions{format: cc.String("format"), part: cc.String("part"), raw: cc.Bool("raw"), bom: cc.Bool("bom"), output: cc.String("output")}
	format, known := export.FindFormat(o.format)
	switch {
	case !known && o.format != exportJSONL && o.format != exportHTML:
		return o, usage("--format %q: choose one of %s", o.format, strings.Join(exportFormats(), ", "))
	case o.part != "" && o.format != exportJSONL:
		return o, usage("--part: only --format jsonl has parts")
	case o.part != "" && o.part != "evidence":
		return o, usage("--part %q: choose evidence, or leave it out to export everything", o.part)
	case o.raw && o.format != "csv":
		return o, usage("--raw: only --format csv has cells")
	case o.bom && o.format != "csv":
		return o, usage("--bom: only --format csv is for spreadsheets")
	case known && format.Files() && o.output == "":
		return o, usage("--format %s writes several files: name a folder, or a file that ends in .zip, with --output", o.format)
	}
	o.corpus, err = corpusFrom(cc)
	return o, err
}

func runExport(ctx context.Context, env *environment, o exportOptions) error {
	if o.format != exportJSONL {
		return exportGraph(ctx, env, o)
	}
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		return writeTo(env, o.output, func(out io.Writer) error {
			w := bufio.NewWriterSize(out, 1<<16)
			err := store.Dump(ctx, o.corpus, o.part, func(line []byte) error {
				if _, err := w.Write(sanitize.JSON(line)); err != nil {
					return err
				}
				return w.WriteByte('\n')
			})
			if err != nil {
				return fmt.Errorf("export corpus %s: %w", o.corpus, err)
			}
			return w.Flush()
		})
	})
}

// writeTo calls write with the new content of a file, or with standard output if path is "" or
// "-". If write fails, the file stays as it was.
func writeTo(env *environment, path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return write(env.Stdout)
	}
	f, err := userfile.Create(path, 0o666)
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}
