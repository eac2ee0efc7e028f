package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

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
			"Documents that were indexed from other paths stay.\n" +
			"An interrupted run continues where it stopped; a run with nothing to do writes nothing.",
		Flags: slices.Concat([]ucli.Flag{
			corpusFlag(),
			&ucli.BoolFlag{Name: "dry-run", Usage: "estimate calls, tokens, cost and time; call no model and write nothing"},
			&ucli.BoolFlag{Name: "watch", Usage: "keep running, and index again when something changes under the PATHs"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "allow a run that redoes results of a model, replaces results made without a model, or removes most documents"},
			&ucli.BoolFlag{Name: "fresh-communities", Usage: "find communities as in a new corpus, instead of starting from those that there are; most reports are then written again"},
			&ucli.BoolFlag{Name: "upgrade", Usage: "make again, with the prompts and rules of this version, what a model made with older ones; with --dry-run, show the cost"},
			&ucli.IntFlag{Name: "follow", Usage: "read up to `N` more pages of the same site by the links of a web page; robots.txt is obeyed"},
			&ucli.BoolFlag{Name: "private-addresses", Usage: "allow web pages on addresses that are not public, such as those of this machine, and the proxy of the environment"},
			&ucli.BoolFlag{Name: "checksum", Usage: "read every file, also those whose size and times are as they were"},
			listFlag{&ucli.StringSliceFlag{Name: "ignore", Usage: "skip files that match `PATTERN`, in the syntax of .gitignore; .neoragignore files are obeyed too, .gitignore files are not"}},
		}, runFlags(), modelFlags(indexUse.Tasks...), documentFlags(), extractFlags(), communityFlags(), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, indexOptionsFrom, runIndex),
	}
}

// runFlags configure a run, whatever it works on.
func runFlags() []ucli.Flag {
	return []ucli.Flag{
		listFlag{&ucli.StringSliceFlag{Name: "without", Usage: "leave out `ARTIFACT`: reports, in this run, or queries, sentences, synonyms or documents, which deletes those that the corpus has"}},
		listFlag{&ucli.StringSliceFlag{Name: "with", Usage: "make `ARTIFACT` too: queries, question-answer pairs for --method qcg and d2q, sentences, for --method linear and --node sentence, synonyms, edges between similar names for --method ppr, or documents, edges between similar documents for --method kgr; later runs keep them up to date"}},
		&ucli.IntFlag{Name: "pairs", Category: pairGroup, Usage: "make at most `N` question-answer pairs of a chunk", DefaultText: "as before, at first 20"},
		&ucli.Float64Flag{Name: "pair-share", Category: pairGroup, Usage: "keep the `SHARE` of the pairs of a chunk that is most similar to it", DefaultText: "as before, at first 0.8"},
		&ucli.IntFlag{Name: "neighbours", Category: pairGroup, Usage: "link a pair to the `N` most similar ones", DefaultText: "as before, at first those of --preset"},
		&ucli.StringFlag{Name: "preset", Category: pairGroup, Usage: "link and search pairs as suits `KIND` of text: news (3 neighbours) or dialogue (2)", DefaultText: "as before, at first news"},
		&ucli.BoolFlag{Name: "report-small", Category: communityGroup, Usage: "have the model also write the reports of communities of fewer than 4 entities"},
		&ucli.IntFlag{Name: "report-context", Category: communityGroup, Value: 8000, Usage: "write a report from at most `TOKENS` of records"},
		&ucli.StringFlag{Name: "rewrite-reports", Category: communityGroup, Value: "changed", Usage: "write reports again `WHEN` their context changed (changed), always, or when more than a share of it is new, such as drift=0.1"},
		&ucli.StringFlag{Name: "allow-failures", Value: "0", Usage: "exit with code 3 only if more than `N` documents, chunks or other items fail; N% is of the items of the largest stage"},
		listFlag{&ucli.StringSliceFlag{Name: "time-limit", Usage: "let the server take DURATION for one transaction of a stage: `STAGE=DURATION`, such as cluster=10m; without it, 1m"}},
		maxCostFlag(),
	}
}

// documentFlags configure how documents are read and split.
func documentFlags() []ucli.Flag {
	return []ucli.Flag{
		listFlag{&ucli.StringSliceFlag{Name: "field", Category: documentGroup, Usage: "read the text, title, id or date (TARGET) of a record from the column or key NAME: `TARGET=NAME`, such as text=body, or text=title,body, or reviews*.csv:text=review for some files"}},
		&ucli.StringFlag{Name: "source-encoding", Category: documentGroup, Usage: "read texts that are not UTF-8, and have no byte order mark, in the encoding `NAME`, such as windows-1251", DefaultText: "what HTML declares, or the text looks like"},
		&ucli.StringFlag{Name: "html", Category: documentGroup, Value: "main", Usage: "read `PART` of HTML pages: main (without menus, footers and banners) or all"},
		&ucli.StringFlag{Name: "ocr-command", Category: documentGroup, Usage: "recognize the text of pages that are pictures with `PROGRAM`, which reads JPEG on standard input and writes text, such as \"tesseract stdin stdout\"", DefaultText: "none; such files fail"},
		&ucli.IntFlag{Name: "max-file-size", Category: documentGroup, Value: 64, Usage: "reject files larger than this many `MB`"},
		&ucli.IntFlag{Name: "chunk-size", Category: documentGroup, Value: 600, Usage: "cut documents into chunks of `TOKENS`"},
		&ucli.IntFlag{Name: "chunk-overlap", Category: documentGroup, Value: 100, Usage: "repeat the last `TOKENS` of a chunk in the next one"},
		&ucli.StringFlag{Name: "boundary", Category: documentGroup, Value: "content", Usage: "end chunks at `BOUNDARY`: content (the end of a paragraph, sentence or word near --chunk-size) or exact (at exactly --chunk-size)"},
		&ucli.StringFlag{Name: "encoding", Category: documentGroup, Value: "o200k_base", Usage: "count tokens as in the tokenizer `ENCODING` o200k_base or cl100k_base"},
	}
}

// communityFlags configure how communities are detected and labelled.
func communityFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.IntFlag{Name: "max-community-size", Category: communityGroup, Value: 10, Usage: "try to split communities of `N` or more entities"},
		&ucli.Float64Flag{Name: "resolution", Category: communityGroup, Value: 1, Usage: "resolution `R` of the clustering; higher gives smaller communities"},
		&ucli.Uint64Flag{Name: "seed", Category: communityGroup, Usage: "random seed `N` of the clustering"},
		&ucli.Float64Flag{Name: "fresh-share", Category: communityGroup, Value: index.DefaultFreshShare, Usage: "without a model, find communities as in a new corpus when more than `SHARE` of the relationships changed since the last time; -1 means never"},
		&ucli.StringFlag{Name: "weight", Category: communityGroup, Value: "count", Usage: "weigh relationships by `MEASURE`: count (number of mentions) or strength (1 to 10 for each mention, summed)"},
		&ucli.IntFlag{Name: "label-levels", Category: communityGroup, Usage: "label entities in Neo4j with their communities of the first `N` levels from the root; 0 means all levels, -1 none"},
		&ucli.IntFlag{Name: "label-max", Category: communityGroup, Value: 1000, Usage: "create at most `N` community labels, those of root levels and large communities first"},
		&ucli.StringFlag{Name: "label-prefix", Category: communityGroup, Value: "C", Usage: "begin community labels with `PREFIX`"},
	}
}

type indexOptions struct {
	corpusOptions
	modelOptions
	extractOptions

	paths  []string      // "-" is standard input
	run    index.Options // without what the environment and the models add
	dryRun bool
	watch  bool
}

func indexOptionsFrom(cc *ucli.Context) (indexOptions, error) {
	o := indexOptions{paths: cc.Args().Slice(), dryRun: cc.Bool("dry-run"), watch: cc.Bool("watch")}
	if len(o.paths) == 0 {
		return o, usage("index: give at least one PATH, or - for standard input")
	}
	if o.watch && (o.dryRun || slices.Contains(o.paths, "-") || slices.ContainsFunc(o.paths, web.IsURL)) {
		return o, usage("--watch follows files: leave out --dry-run, standard input and web pages")
	}
	settings, err := indexSettingsFrom(cc)
	settings.paths, settings.dryRun, settings.watch = o.paths, o.dryRun, o.watch
	return settings, err
}

// indexSettingsFrom returns the options that settings determine, and the corpus.
func indexSettingsFrom(cc *ucli.Context) (o indexOptions, err error) {
	if o.corpusOptions, err = corpusOptionsFrom(cc); err != nil {
		return o, err
	}
	if o.run, err = indexRunOptionsFrom(cc); err != nil {
		return o, err
	}
	if o.modelOptions, err = modelOptionsFrom(cc, indexUse); err != nil {
		return o, err
	}
	o.run.Corpus, o.run.Concurrency = o.corpus, o.workers
	o.extractOptions, err = extractOptionsFrom(cc)
	return o, err
}

// sourceOptionsFrom reads the flags of documentFlags that say how files are read.
func sourceOptionsFrom(cc *ucli.Context) (source.Options, error) {
	fields, err := source.ParseFields(cc.StringSlice("field"))
	if err != nil {
		return source.Options{}, &userError{code: exitUsage, message: "--" + err.Error(), cause: err}
	}
	o := source.Options{
		MaxFileSize: int64(cc.Int("max-file-size")) << 20, Ignore: cc.StringSlice("ignore"), Fields: fields, Encoding: cc.String("source-encoding"), OCRCommand: cc.String("ocr-command"), WholePages: cc.String("html") == "all",
	}
	if part := cc.String("html"); part != "main" && part != "all" {
		return o, usage("--html %q: choose main or all", part)
	}
	if err := o.Validate(); err != nil {
		return o, usage("--source-encoding: %v", err)
	}
	return o, nil
}

func indexRunOptionsFrom(cc *ucli.Context) (index.Options, error) {
	allowance, err := index.ParseAllowance(cc.String("allow-failures"))
	if err != nil {
		return index.Options{}, usageError(err)
	}
	from, err := sourceOptionsFrom(cc)
	if err != nil {
		return index.Options{}, err
	}
	limits, err := index.ParseTimeLimits(cc.StringSlice("time-limit"))
	if err != nil {
		return index.Options{}, usageError(err)
	}
	rewrite, err := index.ParseRewrite(cc.String("rewrite-reports"))
	if err != nil {
		return index.Options{}, usage("--rewrite-reports %q: %v", cc.String("rewrite-reports"), err)
	}
	o := index.Options{
		Source:        from,
		Chunk:         chunkOptionsFrom(cc),
		Yes:           cc.Bool("yes"),
		Upgrade:       cc.Bool("upgrade"),
		Language:      language.NameOf(strings.TrimSpace(cc.String("language"))),
		Names:         index.Names(cc.String("resolve")),
		Report:        report.Options{ContextTokens: cc.Int("report-context")},
		Checksum:      cc.Bool("checksum"),
		Web:           web.Options{Follow: cc.Int("follow"), Private: cc.Bool("private-addresses")},
		Fresh:         cc.Bool("fresh-communities"),
		Rewrite:       rewrite,
		AllowFailures: allowance,
		TimeLimits:    limits,
	}
	if o.Web.Follow < 0 {
		return o, usage("--follow %d: give a number of pages", o.Web.Follow)
	}
	if err := checkLanguage(o.Language); err != nil {
		return o, err
	}
	if err := o.Names.Validate(); err != nil {
		return o, usage("--resolve %q: choose exact or similar", cc.String("resolve"))
	}
	if o.Report.ContextTokens < minReportContext {
		return o, usage("--report-context %d: give at least %d tokens", o.Report.ContextTokens, minReportContext)
	}
	if err := setArtifacts(cc, &o); err != nil {
		return o, err
	}
	return o, setCommunityOptions(cc, &o)
}

// chunkOptionsFrom reads the documentFlags that say how documents are split.
func chunkOptionsFrom(cc *ucli.Context) chunk.Options {
	overlap := cc.Int("chunk-overlap")
	if !cc.IsSet("chunk-overlap") && cc.IsSet("chunk-size") {
		overlap = min(overlap, cc.Int("chunk-size")/6)
	}
	return chunk.Options{Size: cc.Int("chunk-size"), Overlap: &overlap, Boundary: chunk.Boundary(cc.String("boundary")), Encoding: cc.String("encoding")}
}

// minReportContext is the fewest tokens that a report can be written from.
const minReportContext = 500

// checkLanguage returns an error for a text that is not the name of a language: it becomes part of
// prompts.
func checkLanguage(name string) error {
	ok := len(name) <= 60 && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -()'", r)
	})
	if !ok {
		return usage("--language %q: give the name of a language, such as German, or its code, such as de", name)
	}
	return nil
}

// setArtifacts sets what a run makes in addition, and what it leaves out.
func setArtifacts(cc *ucli.Context, o *index.Options) error {
	o.Queries = index.Queries{Count: cc.Int("pairs"), Alpha: cc.Float64("pair-share"), Neighbours: cc.Int("neighbours"), Preset: cc.String("preset")}
	for _, artifact := range cc.StringSlice("without") {
		switch artifact {
		case "reports":
			o.WithoutReports = true
		case "queries":
			o.Queries.Without = true
		case "sentences":
			o.Sentences.Without = true
		case "synonyms":
			o.Synonyms.Without = true
		case "documents":
			o.DocumentLinks.Without = true
		default:
			return usage("--without %q: only reports, queries, sentences, synonyms and documents can be left out", artifact)
		}
	}
	for _, artifact := range cc.StringSlice("with") {
		switch artifact {
		case "queries":
			o.Queries.With = true
		case "sentences":
			o.Sentences.With = true
		case "synonyms":
			o.Synonyms.With = true
		case "documents":
			o.DocumentLinks.With = true
		default:
			return usage("--with %q: only queries, sentences, synonyms and documents can be added", artifact)
		}
		if slices.Contains(cc.StringSlice("without"), artifact) {
			return usage("--with %s and --without %s: give one of them", artifact, artifact)
		}
	}
	return nil
}

// setCommunityOptions sets the options of communityFlags and entityTypeFlag.
func setCommunityOptions(cc *ucli.Context, o *index.Options) error {
	o.Community = community.Options{Leiden: leiden.Options{Resolution: cc.Float64("resolution"), MaxSize: cc.Int("max-community-size"), Seed: cc.Uint64("seed")}}
	o.Weight, o.FreshShare = cc.String("weight"), cc.Float64("fresh-share")
	o.Labels = index.Labels{Levels: cc.Int("label-levels"), Max: cc.Int("label-max"), Prefix: cc.String("label-prefix")}
	if o.EntityTypes = cc.StringSlice("entity-type"); len(o.EntityTypes) == 0 {
		o.EntityTypes = nil
	}
	if o.Weight != "count" && o.Weight != "strength" {
		return usage("--weight %q: choose count or strength", o.Weight)
	}
	return nil
}

func runIndex(ctx context.Context, env *environment, o indexOptions) error {
	env.resumable = true
	if !o.dryRun {
		if err := ensureServer(ctx, env); err != nil {
			return err
		}
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
		env.exit = result.Exit
		return print(ctx, env, store, result)
	})
}

// withIndexer calls do with an indexer that has the options and the models, and shows its
// progress until progress is closed.
func withIndexer(ctx context.Context, env *environment, o indexOptions, do func(ctx context.Context, store *neo4jstore.Store, x *index.Indexer, progress *terminal.Progress) error) error {
	m, err := newModels(ctx, env, o.modelOptions, o.corpus)
	if err != nil {
		return err
	}
	defer m.close()
	run := o.run
	run.Source.Stdin, run.Logger = env.Stdin, env.logger()
	if data, err := config.DataDir(env.Getenv); err == nil { // without one, every file is read
		run.FileStates = filepath.Join(data, "files")
	}
	if err := m.configureIndex(&run, o.extractOptions); err != nil {
		return err
	}
	progress, update := newProgress(env)
	run.Progress = update
	defer progress.Close()
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		indexer, err := index.New(store, run)
		if err != nil {
			return usageError(err)
		}
		if o.dryRun && len(o.paths) > 0 {
			return estimateIndex(ctx, env, m, indexer, o.paths)
		}
		defer forgetStaleGraph(ctx, env, store, o.corpus)
		return do(ctx, store, indexer, progress)
	})
}

// indexError adds hints to the errors of an index run.
func indexError(err error) error {
	if errors.Is(err, source.ErrNoInput) {
		return failure(err, err.Error(), "supported are text, Markdown, HTML, PDF, Word (.docx), CSV and JSON files; a file of another kind is read as text if it is named itself")
	}
	if errors.Is(err, neo4jstore.ErrUnreachable) {
		return failure(err, err.Error(), "restart Neo4j (a local one with `neorag up`), then run the same command again: it continues where it stopped")
	}
	return err
}
