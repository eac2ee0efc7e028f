package cli

import (
	"errors"
	"fmt"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jstore"
)

func (c *command) embed() *ucli.Command {
	flags := []ucli.Flag{
		corpusFlag(), dataFlag(),
		&ucli.BoolFlag{Name: "again", Usage: "make all vectors again by another embedder, which becomes the corpus' own"},
		&ucli.BoolFlag{Name: "yes", Usage: "go on where that redoes what a model made"},
		&ucli.BoolFlag{Name: "verbose", Usage: "log what is done"},
		budgetFlag(),
	}
	for _, f := range modelFlags() {
		// No chat model is asked; a server is named by its embedding model alone.
		if !slices.Contains([]string{"model", "parameter", "price-in", "price-out", "prompts"}, f.Names()[0]) {
			flags = append(flags, f)
		}
	}
	return &ucli.Command{
		Name:  "embed",
		Usage: "give vectors to what waits for them, or again to all by another model",
		Description: "Vectors of another length get indexes of their own. A run that was interrupted is finished by the same command; `neorag status` counts what is left.\n" +
			"Questions are embedded by the corpus' embedder.",
		Flags:  flags,
		Action: c.runEmbed,
	}
}

func (c *command) runEmbed(cc *ucli.Context) error {
	c.resumes = true
	corpus, err := c.corpus(cc)
	if err != nil {
		return err
	}
	m, err := c.models(cc)
	if err != nil {
		return err
	}
	defer m.close()
	options := index.Options{Corpus: corpus, Concurrency: cc.Int("concurrency"), Yes: cc.Bool("yes"), Logger: c.logger(cc)}
	progress, update := c.progress(cc)
	options.Progress = update
	defer progress.Close()
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		if err := c.embedder(cc, store, m, &options); err != nil {
			return err
		}
		indexer, err := index.New(store, options)
		if err != nil {
			return &userError{code: exitUsage, message: err.Error(), cause: err}
		}
		result, err := indexer.Embed(cc.Context, cc.Bool("again"))
		progress.Close()
		if errors.Is(err, index.ErrOtherEmbedder) {
			return &userError{code: exitFailure, message: err.Error(), hint: "say --again to make all vectors anew, or give the embedder that the corpus has", cause: err}
		}
		if err != nil {
			return err
		}
		c.exit = result.Exit
		if cc.Bool("json") {
			return c.printJSON(result)
		}
		return c.printEmbed(cc, result)
	})
}

// embedder puts into the options the embedder of the flags, or else the corpus' own.
func (c *command) embedder(cc *ucli.Context, store *neo4jstore.Store, m *models, o *index.Options) error {
	corpus, err := store.Corpus(cc.Context, o.Corpus)
	if err != nil {
		return err
	}
	own := index.EmbedderModel(corpus.Embedder)
	if m == nil {
		if own != "" && !cc.Bool("offline") {
			return usage("embed: the vectors of %s are by the model %s: give --base-url, or --offline with --again", o.Corpus, own)
		}
		return nil
	}
	name := m.named
	if own != "" && c.get(cc, "embedding-model").text() == "" {
		name = own
	}
	if name == "" {
		return usage("embed: give --embedding-model NAME")
	}
	o.Meter = m.meter
	vectors, err := m.vectors(name)
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	o.Embedder = vectors
	return nil
}

func (c *command) printEmbed(cc *ucli.Context, r index.Result) error {
	done := 0
	for _, s := range r.Stages {
		done += s.Done
	}
	if r.Writes == 0 {
		c.printf("Nothing to do: all vectors are there; nothing was written.\n")
	} else {
		c.printf("Vectors: %d nodes in %.1f s\n", done, r.Seconds)
	}
	c.printUse(cc, r)
	return nil
}
