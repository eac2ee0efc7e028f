package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/web"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// indexUse are the models of an index run.
var indexUse = config.Use{Chat: true, Tasks: []string{"extract", "summarise", "report", "queries"}}

func newIndexCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "index",
		Usage:     "index files, folders and web pages into a corpus, and update what has changed",
		ArgsUsage: "PATH... (- is standard input; https://... is a web page)",
		Description: "Reads new and changed documents, removes documents that no longer exist under the given PATHs, and redoes what depends on them.\n" +
			"Documents that were indexed from other paths are kept.\n" +
			"An interrupted run continues where it stopped; a run with nothing to do writes nothing.",
		Flags: slices.Concat([]ucli.Flag{
			corpusFlag(),
			&ucli.BoolFlag{Name: "dry-run", Usage: "estimate calls, tokens, cost and time; call no model and write nothing"},
			&ucli.BoolFlag{Name: "watch", Usage: "keep running, and index again when something changes under the PATHs"},
			&ucli.BoolFlag{Name: "requested", Usage: "with --watch and without a PATH, execute the runs that `neorag serve` is asked for, of its --documents and --root"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "allow a run that redoes results of a model, replaces results made without a model, deletes what a model made, or removes most documents"},
			&ucli.BoolFlag{Name: "fresh-communities", Usage: "find communities as in a new corpus, instead of updating the current ones; most reports are then rewritten"},
			&ucli.BoolFlag{Name: "upgrade", Usage: "redo results that were made with prompts and rules of an earlier version; with --dry-run, show the cost"},
			&ucli.IntFlag{Name: "follow", Usage: "from a web page, follow links to up to `N` more pages of the same site; robots.txt is obeyed"},
			&ucli.BoolFlag{Name: "private-addresses", Usage: "allow web pages on private addresses, such as this machine, and use the proxy that HTTP_PROXY and HTTPS_PROXY name"},
			&ucli.BoolFlag{Name: "checksum", Usage: "read every file, even if its size and times are unchanged"},
			ownFlag("serve.documents", "with --requested, the `FOLDER` where the servers keep documents that clients add"),
			ownFlag("serve.roots", "with --requested, index `CORPUS=FOLDER` too in runs of that corpus; may be repeated"),
		}, settingFlags("source.ignore"), runFlags()),
		Action: action(env, indexOptionsFrom, runIndex),
	}
}

// runFlags configure a run, whatever it works on.
func runFlags() []ucli.Flag {
	return slices.Concat(settingFlags("index"), []ucli.Flag{maxCostFlag()}, modelFlags(indexUse.Tasks...), settingFlags("extract", "language", "resolve"),
		documentFlags(), settingFlags("clusters", "reports", "labels", "queries"), serverFlags(), []ucli.Flag{verboseFlag()})
}

// documentFlags configure how documents are read and split.
func documentFlags() []ucli.Flag {
	return settingFlags("source.fields", "source.encoding", "source.html", "source.ocr_command", "source.max_file_size", "chunk")
}

type indexOptions struct {
	modelOptions
	extractOptions

	corpus string
	paths  []string      // "-" is standard input
	run    index.Options // without what the environment and the models add
	dryRun bool
	watch  bool

	requested *runsOptions // what is requested is indexed instead of paths; else nil
}

func indexOptionsFrom(cc invocation) (indexOptions, error) {
	o := indexOptions{paths: cc.Args().Slice(), dryRun: cc.Bool("dry-run"), watch: cc.Bool("watch")}
	if cc.Bool("requested") {
		return requestedOptionsFrom(cc, o)
	}
	if len(o.paths) == 0 {
		return o, usage("index: give at least one PATH, or - for standard input")
	}
	if o.watch && (o.dryRun || slices.Contains(o.paths, "-") || slices.ContainsFunc(o.paths, web.IsURL)) {
		return o, usage("--watch follows files: leave out --dry-run, standard input and web pages")
	}
	corpus, err := corpusFrom(cc)
	if err != nil {
		return o, err
	}
	settings, err := indexSettingsFrom(cc, corpus)
	settings.paths, settings.dryRun, settings.watch = o.paths, o.dryRun, o.watch
	return settings, err
}

// requestedOptionsFrom returns the options of --requested.
func requestedOptionsFrom(cc invocation, o indexOptions) (indexOptions, error) {
	if !o.watch || o.dryRun || len(o.paths) > 0 {
		return o, usage("--requested executes the runs that `neorag serve` is asked for: add --watch, and leave out --dry-run and PATHs; --documents and --root name folders")
	}
	runs, err := runsOptionsFrom(cc, "")
	runs.runs, o.requested = true, &runs
	return o, err
}

// indexSettingsFrom returns the options that settings determine.
func indexSettingsFrom(cc invocation, corpus string) (o indexOptions, err error) {
	o.corpus, o.extractOptions = corpus, extractOptionsFrom(cc.settings)
	if o.run, err = indexRunOptionsFrom(cc); err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, indexUse)
	o.run.Corpus, o.run.Concurrency = o.corpus, o.workers
	return o, err
}

// sourceOptionsFrom returns how files are read.
func sourceOptionsFrom(settings *config.Config) (source.Options, error) {
	fields, err := source.ParseFields(settings.Items("source.fields"))
	if err != nil {
		return source.Options{}, usage("--%w", err)
	}
	o := source.Options{
		MaxFileSize: int64(settings.Int("source.max_file_size")) << 20, Ignore: settings.Items("source.ignore"), Fields: fields,
		Encoding: settings.Text("source.encoding"), OCRCommand: settings.Text("source.ocr_command"), WholePages: settings.Text("source.html") == "all",
	}
	if err := o.Validate(); err != nil {
		return o, usage("--source-encoding: %v", err)
	}
	return o, nil
}

func indexRunOptionsFrom(cc invocation) (index.Options, error) {
	settings := cc.settings
	allowance, err := index.ParseAllowance(settings.Text("index.allow_failures"))
	if err != nil {
		return index.Options{}, usageError(err)
	}
	from, err := sourceOptionsFrom(settings)
	if err != nil {
		return index.Options{}, err
	}
	limits, err := index.ParseTimeLimits(settings.Items("index.time_limits"))
	if err != nil {
		return index.Options{}, usageError(err)
	}
	rewrite, err := index.ParseRewrite(settings.Text("reports.rewrite"))
	if err != nil {
		return index.Options{}, usage("--rewrite-reports %q: %v", settings.Text("reports.rewrite"), err)
	}
	o := index.Options{
		Source:        from,
		Chunk:         chunkOptionsFrom(settings),
		AllowRedo:     cc.Bool("yes"),
		Upgrade:       cc.Bool("upgrade"),
		Language:      language.NameOf(strings.TrimSpace(settings.Text("language"))),
		Names:         index.Names(settings.Text("resolve")),
		Report:        report.Options{ContextTokens: settings.Int("reports.context_tokens")},
		Checksum:      cc.Bool("checksum"),
		Web:           web.Options{Follow: cc.Int("follow"), Private: cc.Bool("private-addresses")},
		Fresh:         cc.Bool("fresh-communities"),
		Rewrite:       rewrite,
		AllowFailures: allowance,
		TimeLimits:    limits,
		With:          settings.Items("index.with"),
		Without:       settings.Items("index.without"),
		Queries: index.Queries{
			Count: settings.Int("queries.pairs"), Alpha: settings.Float("queries.share"), Neighbours: settings.Int("queries.neighbours"), Preset: settings.Text("queries.preset"),
		},
	}
	if o.Web.Follow < 0 {
		return o, usage("--follow %d: give a number of pages", o.Web.Follow)
	}
	if err := index.CheckArtifacts(o.With, o.Without); err != nil {
		return o, usageError(err)
	}
	setCommunityOptions(settings, &o)
	return o, nil
}

// chunkOptionsFrom returns how documents are split.
func chunkOptionsFrom(settings *config.Config) chunk.Options {
	o := chunk.Options{Size: settings.Int("chunk.size"), Boundary: chunk.Boundary(settings.Text("chunk.boundary")), Encoding: settings.Text("chunk.encoding")}
	if overlap, given := settings.Parsed("chunk.overlap").(int); given {
		o.Overlap = &overlap
	}
	return o
}

// setCommunityOptions sets how communities are found and labelled.
func setCommunityOptions(settings *config.Config, o *index.Options) {
	o.Community = community.Options{Leiden: leidenOptionsFrom(settings)}
	o.Weight, o.FreshShare = settings.Text("clusters.weight"), settings.Float("clusters.fresh_share")
	o.Labels = index.Labels{Levels: settings.Int("labels.levels"), Max: settings.Int("labels.max"), Prefix: settings.Text("labels.prefix")}
	o.EntityTypes = settings.Items("extract.entity_types")
	o.Community.Leiden.MaxSize = settings.Int("clusters.max_size")
}

// leidenOptionsFrom returns how a graph is clustered, without the size of communities.
func leidenOptionsFrom(settings *config.Config) leiden.Options {
	return leiden.Options{Resolution: settings.Float("clusters.resolution"), Seed: uint64(settings.Int("clusters.seed"))}
}

func runIndex(ctx context.Context, env *environment, o indexOptions) error {
	env.resumable.Store(true)
	if !o.dryRun {
		if err := ensureServer(ctx, env); err != nil {
			return err
		}
	}
	if o.requested != nil {
		return watchRequests(ctx, env, *o.requested)
	}
	if o.watch {
		return watchIndex(ctx, env, o)
	}
	return indexOnce(ctx, env, o, printIndex)
}

// indexOnce indexes and prints the result with print.
func indexOnce(ctx context.Context, env *environment, o indexOptions, print func(context.Context, *environment, *neo4jstore.Store, index.Result) error) error {
	return withIndexer(ctx, env, o, func(ctx context.Context, store *neo4jstore.Store, x *index.Indexer, progress *terminal.Progress) error {
		result, err := x.Run(ctx, o.paths)
		progress.Close()
		if err != nil {
			return indexError(err)
		}
		env.exit, result.PriceDate = result.Exit, env.priceDate
		return print(ctx, env, store, result)
	})
}

// withIndexer calls do with an indexer that has the options and the models, and shows its
// progress until progress is closed.
func withIndexer(ctx context.Context, env *environment, o indexOptions, do func(ctx context.Context, store *neo4jstore.Store, x *index.Indexer, progress *terminal.Progress) error) error {
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	suggestLocalModels(ctx, env, o.use, true)
	run, err := completeRun(env, m, o)
	if err != nil {
		return err
	}
	progress, update := newProgress(env)
	run.Progress = update
	defer progress.Close()
	return progress.While(func() error {
		return withStore(ctx, env, func(store *neo4jstore.Store) error {
			indexer, err := index.New(store, run)
			if err != nil {
				return usageError(err)
			}
			if o.dryRun && len(o.paths) > 0 {
				return estimateIndex(ctx, env, m, indexer, o.paths)
			}
			defer deleteStaleGraph(ctx, env, store, o.corpus)
			return do(ctx, store, indexer, progress)
		})
	})
}

// completeRun returns the options of a run with what the environment and the models add.
func completeRun(env *environment, m *models, o indexOptions) (index.Options, error) {
	run := o.run
	run.Source.Stdin, run.Logger, run.Observe = env.Stdin, env.logger(), env.telemetry.Stage
	if data, err := config.DataDir(env.Getenv); err == nil { // without one, every file is read
		run.FileStates = filepath.Join(data, "files")
	}
	err := m.configureIndex(&run, o.extractOptions)
	return run, err
}

// indexError adds a hint to an error of an index run that lost the server.
func indexError(err error) error {
	if errors.Is(err, neo4jstore.ErrUnreachable) {
		return failure(err, err.Error(), "restart Neo4j (a local one with `neorag up`), then run the same command again: it continues where it stopped")
	}
	return err
}
