package cli

import (
	"context"
	"fmt"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newEmbedCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "embed",
		Usage: "compute the vectors that are missing, or all of them with another model",
		Description: "Chunks, entities, relationships and reports have vectors. If another model has another dimension, new vector indexes replace the old ones.\n" +
			"Run the same command again to finish an interrupted run; `neorag status` counts what is left.\n" +
			"Questions are embedded with the model of the corpus.",
		Flags: slices.Concat([]ucli.Flag{
			corpusFlag(),
			&ucli.BoolFlag{Name: "again", Usage: "replace all vectors by vectors of --embedding-model, or with --offline by vectors made without a model"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "allow --again to replace vectors that a model made"},
			maxCostFlag(),
		}, settingFlags("offline", "models.chat.base_url", "models.chat.api_key_env", "concurrency", "cache_dir", "models.embedding"), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, embedOptionsFrom, runEmbed),
	}
}

type embedOptions struct {
	modelOptions

	corpus string
	again  bool
	yes    bool
}

func embedOptionsFrom(cc invocation) (o embedOptions, err error) {
	o.again, o.yes = cc.Bool("again"), cc.Bool("yes")
	if o.corpus, err = corpusFrom(cc); err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, config.Use{})
	return o, err
}

func runEmbed(ctx context.Context, env *environment, o embedOptions) error {
	env.resumable.Store(true)
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	run := index.Options{Corpus: o.corpus, Concurrency: o.workers, AllowRedo: o.yes, Logger: env.logger(), Observe: env.telemetry.Stage}
	progress, update := newProgress(env)
	run.Progress = update
	defer progress.Close()
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		if err := chooseEmbedder(ctx, env, store, m, &run); err != nil {
			return err
		}
		indexer, err := index.New(store, run)
		if err != nil {
			return usageError(err)
		}
		if note, err := indexer.ProfilesNote(ctx); err != nil {
			return err
		} else if note != "" {
			env.note("%s", note)
		}
		var result index.Result
		err = progress.While(func() (err error) {
			result, err = indexer.Embed(ctx, o.again)
			return err
		})
		progress.Close()
		if err != nil {
			return err
		}
		env.exit, result.PriceDate = result.Exit, env.priceDate
		return env.print(result, func() { printEmbed(env, result) })
	})
}

// chooseEmbedder sets the embedding model: the one of the settings, or else the one
// of the corpus.
func chooseEmbedder(ctx context.Context, env *environment, store *neo4jstore.Store, m *models, run *index.Options) error {
	corpus, err := store.Corpus(ctx, run.Corpus)
	if err != nil {
		return err
	}
	current := index.EmbedderModel(corpus.Embedder)
	if m == nil {
		if current != "" && env.settings.Text("offline") != "true" {
			return usage("embed: corpus %s is embedded with the model %s: give --base-url, or --offline with --again", run.Corpus, current)
		}
		return nil
	}
	name := m.embedding
	if current != "" && env.settings.Text("models.embedding.model") == "" {
		name = current
	}
	if name == "" {
		return usage("embed: give --embedding-model NAME")
	}
	run.Meter = m.meter
	embedder, err := m.embedder(name)
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	run.Embedder = embedder
	return nil
}

func printEmbed(env *environment, r index.Result) {
	done := 0
	for _, s := range r.Stages {
		done += s.Done
	}
	if r.Writes == 0 {
		env.printf("Nothing to do: everything is embedded; nothing was written.\n")
	} else {
		env.printf("Embedded %d nodes in %.1f s\n", done, r.Seconds)
	}
	printUsage(env, r)
}
