package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/neo4jstore"
)

func (c *command) export() *ucli.Command {
	return &ucli.Command{
		Name:  "export",
		Usage: "write a corpus out: for other programs, as a page to look at, or to compare",
		Flags: []ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringFlag{Name: "format", Value: exportJSONL, Usage: exportUsage()},
			&ucli.StringFlag{Name: "part", Usage: "of jsonl: `evidence` stops below communities"},
			&ucli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FILE` (default: standard output); of csv a folder, or a file that ends in .zip"},
		},
		Action: c.runExport,
	}
}

func (c *command) runExport(cc *ucli.Context) error {
	corpus, err := c.corpus(cc)
	if err != nil {
		return err
	}
	if f := cc.String("format"); f != exportJSONL {
		return c.runPicture(cc, corpus, f)
	}
	if p := cc.String("part"); p != "" && p != "evidence" {
		return usage("part %q: evidence is the one there is; without it everything is written", p)
	}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		return c.writeTo(cc.String("output"), func(out io.Writer) error {
			w := bufio.NewWriterSize(out, 1<<16)
			err := store.Dump(cc.Context, corpus, cc.String("part"), func(line []byte) error {
				if _, err := w.Write(line); err != nil {
					return err
				}
				return w.WriteByte('\n')
			})
			if err != nil {
				return fmt.Errorf("export corpus %s: %w", corpus, err)
			}
			return w.Flush()
		})
	})
}

// writeTo has a function write to a file, or to standard output when there is no path.
func (c *command) writeTo(path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		return write(c.env.Stdout)
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
