package cli

import (
	"errors"
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/chunk"
	"github.com/neorag/neorag/internal/community"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) index() *ucli.Command {
	return &ucli.Command{
		Name:      "index",
		Usage:     "bring a corpus up to date with the documents of some paths",
		ArgsUsage: "PATH... (- is standard input)",
		Description: "New and changed documents are read, documents that are gone from a given path are removed, and what depends on them is redone.\n" +
			"A run that was interrupted goes on where it stopped; one with nothing to do writes nothing.",
		Flags: append([]ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringFlag{Name: "allow-failures", Value: "0", Usage: "`N` or N% of items may fail before the exit code is 3"},
			&ucli.BoolFlag{Name: "yes", Usage: "go on where other settings redo what a model made, or make it with one"},
			&ucli.StringSliceFlag{Name: "without", Usage: "leave out an artifact: `reports`"},
			&ucli.BoolFlag{Name: "dry-run", Usage: "call no model and write nothing: print the calls, tokens, cost and time that are expected"},
			budgetFlag(),
			&ucli.BoolFlag{Name: "verbose", Usage: "log what is done"},
		}, append(append(modelFlags("extract", "summarise", "report"), extractFlags()...), settingFlags()...)...),
		Action: c.runIndex,
	}
}

// settingFlags change what is made; a change redoes what depends on it.
func settingFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.IntFlag{Name: "chunk-size", Value: 600, Usage: "`TOKENS` per chunk"},
		&ucli.IntFlag{Name: "chunk-overlap", Value: 100, Usage: "`TOKENS` that a chunk shares with the one before"},
		&ucli.StringFlag{Name: "boundary", Value: "content", Usage: "where chunks end: `content` (paragraph, sentence, word) or exact"},
		&ucli.StringFlag{Name: "encoding", Value: "o200k_base", Usage: "tokenizer `NAME`: o200k_base or cl100k_base"},
		&ucli.StringSliceFlag{Name: "ignore", Usage: "`PATTERN` of files to leave out, as in .gitignore"},
		&ucli.StringSliceFlag{Name: "field", Usage: "`TARGET=NAME`: the column or key that is the text, title, id or date of a record"},
		&ucli.IntFlag{Name: "max-file-size", Value: 64, Usage: "larger files fail, in `MB`"},
		&ucli.IntFlag{Name: "max-community-size", Value: 10, Usage: "communities of `N` and more entities are split"},
		&ucli.Float64Flag{Name: "resolution", Value: 1, Usage: "higher gives smaller communities"},
		&ucli.Uint64Flag{Name: "seed", Usage: "of clustering"},
		&ucli.StringFlag{Name: "weight", Value: "count", Usage: "what an edge weighs: `count` or strength"},
		&ucli.IntFlag{Name: "label-levels", Usage: "community labels for `N` levels from the root; 0 for all, -1 for none"},
		&ucli.IntFlag{Name: "label-max", Value: 1000, Usage: "community labels in all"},
		&ucli.StringFlag{Name: "label-prefix", Value: "C", Usage: "of community labels"},
	}
}

func (c *command) runIndex(cc *ucli.Context) error {
	c.resumes = true
	if cc.NArg() == 0 {
		return usage("index: give at least one PATH, or - for standard input")
	}
	options, err := c.indexOptions(cc)
	if err != nil {
		return err
	}
	m, err := c.models(cc)
	if err != nil {
		return err
	}
	defer m.close()
	if err := m.index(cc, &options); err != nil {
		return err
	}
	progress, update := c.progress(cc)
	options.Progress = update
	defer progress.Close()
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		indexer, err := index.New(store, options)
		if err != nil {
			return &userError{code: exitUsage, message: err.Error(), cause: err}
		}
		if cc.Bool("dry-run") {
			return c.estimate(cc, m, indexer)
		}
		result, err := indexer.Run(cc.Context, cc.Args().Slice())
		progress.Close()
		if err != nil {
			return c.indexError(err)
		}
		c.exit = result.Exit
		if cc.Bool("json") {
			return c.printJSON(result)
		}
		if err := c.printIndex(cc, store, result); err != nil {
			return err
		}
		return nil
	})
}

func (c *command) indexError(err error) error {
	if errors.Is(err, source.ErrNoInput) {
		return &userError{code: exitFailure, message: err.Error(), hint: "text, Markdown, HTML, PDF, Word (.docx), CSV and JSON files are read; a file of another kind is read as text when it is given by name", cause: err}
	}
	if errors.Is(err, neo4jstore.ErrUnreachable) {
		return &userError{code: exitFailure, message: err.Error(), hint: "start Neo4j again (a local one with `neorag up`), then run the same command again: it goes on where it stopped", cause: err}
	}
	return err
}

func (c *command) indexOptions(cc *ucli.Context) (index.Options, error) {
	corpus, err := c.corpus(cc)
	if err != nil {
		return index.Options{}, err
	}
	allowance, err := index.ParseAllowance(cc.String("allow-failures"))
	if err != nil {
		return index.Options{}, &userError{code: exitUsage, message: err.Error()}
	}
	fields, err := source.ParseFields(cc.StringSlice("field"))
	if err != nil {
		return index.Options{}, &userError{code: exitUsage, message: "--" + err.Error()}
	}
	overlap := cc.Int("chunk-overlap")
	if !cc.IsSet("chunk-overlap") && cc.IsSet("chunk-size") {
		overlap = min(overlap, cc.Int("chunk-size")/6)
	}
	o := index.Options{
		Corpus:        corpus,
		Source:        source.Options{MaxFileSize: int64(cc.Int("max-file-size")) << 20, Ignore: cc.StringSlice("ignore"), Fields: fields, Stdin: c.env.Stdin},
		Chunk:         chunk.Options{Size: cc.Int("chunk-size"), Overlap: &overlap, Boundary: chunk.Boundary(cc.String("boundary")), Encoding: cc.String("encoding")},
		Community:     community.Options{Leiden: leiden.Options{Resolution: cc.Float64("resolution"), MaxSize: cc.Int("max-community-size"), Seed: cc.Uint64("seed")}},
		Weight:        cc.String("weight"),
		Labels:        index.Labels{Levels: cc.Int("label-levels"), Max: cc.Int("label-max"), Prefix: cc.String("label-prefix")},
		EntityTypes:   cc.StringSlice("entity-type"),
		Concurrency:   cc.Int("concurrency"),
		Yes:           cc.Bool("yes"),
		AllowFailures: allowance,
		Logger:        c.logger(cc),
	}
	for _, what := range cc.StringSlice("without") {
		if what != "reports" {
			return o, usage("--without %q: only reports can be left out", what)
		}
		o.WithoutReports = true
	}
	if o.Weight != "count" && o.Weight != "strength" {
		return o, usage("--weight %q: choose count or strength", o.Weight)
	}
	return o, nil
}

// printUse tells a person what models were asked, what failed and what is left.
func (c *command) printUse(cc *ucli.Context, r index.Result) {
	if r.Calls > 0 {
		c.printf("Models: %d calls, %d tokens in, %d tokens out%s\n", r.Calls, r.TokensIn, r.TokensOut, cost(r.Cost))
	}
	for _, f := range r.Failures {
		fmt.Fprintf(c.env.Stderr, "failed: %s: %s: %s\n", f.Stage, terminal.Sanitize(f.Key), terminal.Sanitize(f.Reason))
	}
	for _, n := range r.Notes {
		if r.Stopped != "" && strings.HasPrefix(n, r.Stopped) {
			fmt.Fprintln(c.env.Stderr, n) // also where --quiet is said: it is why the exit code is 3
			continue
		}
		c.note(cc, "%s", n)
	}
}

// printIndex tells a person what the run did and what the corpus holds now.
func (c *command) printIndex(cc *ucli.Context, store *neo4jstore.Store, r index.Result) error {
	d := r.Documents
	if r.Writes == 0 {
		c.printf("Nothing to do: %d documents are unchanged; nothing was written.\n", d.Unchanged)
	} else {
		c.printf("Documents: %d added, %d changed, %d moved, %d removed, %d unchanged, %d failed; %d writes in %.1f s\n",
			d.Added, d.Changed, d.Moved, d.Removed, d.Unchanged, d.Failed, r.Writes, r.Seconds)
	}
	c.printUse(cc, r)
	status, err := readStatus(cc.Context, store, r.Corpus)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return nil
	}
	if err != nil {
		return err
	}
	c.printStatus(status)
	return nil
}
