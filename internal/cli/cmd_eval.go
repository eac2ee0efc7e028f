package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
)

func newEvalCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "eval",
		Usage: "measure the quality of retrieval, of answers, and of their evidence",
		Subcommands: []*ucli.Command{
			newEvalRetrievalCommand(env), newEvalQACommand(env), newEvalEvidenceCommand(env), newEvalClaimsCommand(env),
			newEvalQuestionsCommand(env), newEvalAnswerCommand(env), newEvalJudgeCommand(env), newEvalImportCommand(env),
			newEvalReportCommand(env), newEvalCostCommand(env), newEvalCompareCommand(env),
		}, HideHelpCommand: true,
		Action: func(*ucli.Context) error {
			return usage("eval: name what to measure: retrieval, qa, evidence or claims, a step of an evaluation in a folder: questions, answer, judge or import, or what to print of it: report, cost or compare; see `neorag eval retrieval --help`")
		},
	}
}

// evalUse are the models of a measurement, which only searches.
var evalUse = config.Use{Chat: true}

// retrievalModelFlags are the flags of the models of a measurement. Those of a chat
// model, which is not called, are hidden. --model is not: --base-url requires it.
func retrievalModelFlags() []ucli.Flag {
	flags := hide(modelFlags(), "embedding-model", "parameter", "price-in", "price-out", "prompts")
	if model, ok := flags[0].(*ucli.StringFlag); ok {
		model.Usage = "name a chat model `NAME`, which --base-url requires; it is not called"
	}
	return flags
}

func newEvalRetrievalCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "retrieval",
		Usage:     "measure which documents the query methods find, against known evidence",
		ArgsUsage: "QUESTIONS.jsonl | CORPUS=QUESTIONS.jsonl...",
		Description: "A line of QUESTIONS is {id, question, type, documents}. documents are the file names, with or without extension, that hold the evidence;\n" +
			"type is any word by which results are grouped. With CORPUS=QUESTIONS each set is asked in its own corpus; means are over all questions.\n" +
			"No answer is written: models only embed the questions, as the corpus was embedded, and rerank.\n" +
			"An interrupted run continues where it stopped.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(),
			listFlag{&ucli.StringSliceFlag{Name: "methods", Usage: "measure the methods `NAMES`, separated by commas", DefaultText: "all that rank documents, except those that need an index --with queries"}},
			listFlag{&ucli.StringSliceFlag{Name: "sweep", Usage: "measure each value of a setting of the search: `NAME=VALUES`, separated by commas; without --methods, with the methods that have the setting: " + sweptSettings()}},
			&ucli.StringFlag{Name: "results", Usage: "keep results in `FILE`", DefaultText: "in the user's data folder"},
		}, retrievalModelFlags(), rerankFlags(), filterFlags(), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalOptionsFrom, runEvalRetrieval),
	}
}

type evalOptions struct {
	corporaOptions
	modelOptions

	sets     []string // QUESTIONS or CORPUS=QUESTIONS
	variants []eval.Variant
	results  string // "" means a file in the data folder
	filter   query.Filter
}

func evalOptionsFrom(cc *ucli.Context) (evalOptions, error) {
	o := evalOptions{sets: cc.Args().Slice(), results: cc.String("results"), filter: filterFrom(cc)}
	methods, sweeps := cc.StringSlice("methods"), joinSweeps(cc.StringSlice("sweep"))
	if len(methods) == 0 {
		methods = query.CommonMethods()
		if !o.filter.IsZero() {
			methods = query.FilterMethods()
		}
		methods = methodsWith(methods, sweeps)
	}
	var err error
	if o.variants, err = variantsOf(methods, sweeps); err != nil {
		return o, err
	}
	if len(o.sets) == 0 {
		return o, usage("eval retrieval: give a file of questions, one JSON object per line: {id, question, type, documents}")
	}
	if o.corporaOptions, err = corporaOptionsFrom(cc); err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, evalUse)
	return o, err
}

func runEvalRetrieval(ctx context.Context, env *environment, o evalOptions) error {
	sets, err := readQuestionSets(env, o.sets, o.corpora)
	if err != nil {
		return err
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	options := eval.Options{Variants: o.variants, Results: o.results, Settings: o.filter.String(), Progress: evalProgress(env)}
	var result eval.Retrieval
	reranker, err := newReranker(env, o.use)
	if err != nil {
		return err
	}
	var configure func(*query.Options)
	if reranker != nil {
		defer reranker.Close()
		configure = func(options *query.Options) { options.Reranker = reranker }
		options.Settings += " rerank " + env.setting("models.rerank.base_url") + " " + env.setting("models.rerank.model")
	}
	err = withStore(ctx, env, func(store *neo4jstore.Store) error {
		for i := range sets {
			if err := bindSet(ctx, env, store, m, o, configure, &sets[i]); err != nil {
				return err
			}
		}
		options.Sets = sets
		if options.Results == "" {
			if options.Results, err = resultsFile(env, sets); err != nil {
				return err
			}
		}
		result, err = eval.Run(ctx, options)
		return err
	})
	if err != nil {
		if errors.Is(err, query.ErrUnknownMethod) || errors.Is(err, query.ErrFilter) || errors.Is(err, query.ErrNoVectors) || errors.Is(err, query.ErrNoModel) || errors.Is(err, eval.ErrQuestions) {
			return usageError(err)
		}
		return err
	}
	if env.json {
		return env.printJSON(result)
	}
	env.printf("%s", result.Table())
	if c := result.Comparison(); c != "" {
		env.printf("\n%s", c)
	}
	for _, remark := range result.Remarks() {
		env.note("%s", remark)
	}
	return nil
}

// readQuestionSets reads the files of questions.
func readQuestionSets(env *environment, args, corpora []string) ([]eval.Set, error) {
	var sets []eval.Set
	for _, arg := range args {
		corpus, name, paired := strings.Cut(arg, "=")
		if _, err := os.Stat(filepath.Join(env.Dir, arg)); err == nil || !paired {
			corpus, name = strings.Join(corpora, ","), arg
			if len(args) > 1 {
				return nil, usage("eval: with several files, give CORPUS=FILE for each")
			}
		}
		if err := graph.CheckCorpus(corpus); err != nil && paired {
			return nil, usageError(err)
		}
		questions, err := readQuestions(name)
		if err != nil {
			return nil, usageError(err)
		}
		sets = append(sets, eval.Set{Corpus: corpus, Questions: questions})
	}
	return sets, nil
}

func readQuestions(name string) ([]eval.Question, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	defer func() { _ = f.Close() }()
	questions, err := eval.ReadQuestions(f)
	if err != nil {
		return nil, fmt.Errorf("read questions %s: %w", name, err)
	}
	return questions, nil
}

// sweptSettings lists the settings of each method that searches.
func sweptSettings() string {
	var all []string
	for _, m := range query.Methods() {
		if names := query.TuningNames(m.Name); len(names) > 0 {
			all = append(all, m.Name+" "+strings.Join(names, ", "))
		}
	}
	return strings.Join(all, "; ")
}

// methodsWith returns the methods that have all swept settings, or all if none has.
func methodsWith(methods, sweeps []string) []string {
	with := slices.DeleteFunc(slices.Clone(methods), func(method string) bool {
		return slices.ContainsFunc(sweeps, func(s string) bool {
			name, _, _ := strings.Cut(s, "=")
			return !slices.Contains(query.TuningNames(method), name)
		})
	})
	if len(with) == 0 {
		return methods
	}
	return with
}

// variantsOf returns the methods, each with every combination of swept values.
func variantsOf(names, sweeps []string) ([]eval.Variant, error) {
	var variants []eval.Variant
	for _, name := range names {
		name = strings.TrimSpace(name)
		if err := query.CheckRetrieval(name); err != nil {
			return nil, usage("--methods: no such method that searches: %v", err)
		}
		variants = append(variants, eval.Variant{Method: name})
	}
	for _, s := range sweeps {
		name, list, _ := strings.Cut(s, "=")
		var values []float64
		for text := range strings.SplitSeq(list, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || !(v >= 0 && v <= maxSweepValue) {
				return nil, usage("--sweep %q: give NAME=VALUES with numbers from 0 to %d, such as length=0,0.05,0.1", s, maxSweepValue)
			}
			values = append(values, v)
		}
		var swept []eval.Variant
		for _, v := range variants {
			if !slices.Contains(query.TuningNames(v.Method), name) {
				return nil, usage("--sweep %q: method %s has no such setting; it has %s", name, v.Method, strings.Join(query.TuningNames(v.Method), ", "))
			}
			for _, value := range values {
				settings := map[string]float64{name: value}
				maps.Copy(settings, v.Settings)
				swept = append(swept, eval.Variant{Method: v.Method, Settings: settings})
			}
		}
		variants = swept
	}
	return variants, nil
}

// maxSweepValue is the largest value of a swept setting.
const maxSweepValue = 10_000

// joinSweeps joins the values of a name again, which the flag splits at commas.
func joinSweeps(items []string) []string {
	var out []string
	for _, item := range items {
		if strings.Contains(item, "=") || len(out) == 0 {
			out = append(out, item)
			continue
		}
		out[len(out)-1] += "," + item
	}
	return out
}

// bindSet sets the documents and the search function of a set of questions.
func bindSet(ctx context.Context, env *environment, store *neo4jstore.Store, m *models, o evalOptions, configure func(*query.Options), set *eval.Set) error {
	corpora := strings.Split(set.Corpus, ",")
	engine, err := newEngine(ctx, env, store, m, corpora, o.workers, configure)
	if err != nil {
		return err
	}
	uri := map[string]string{}
	state, err := stateOf(ctx, store, corpora, func(d neo4jstore.DocumentState) {
		uri[d.Key] = d.URI
		set.Documents = append(set.Documents, d.URI)
	})
	if err != nil {
		return err
	}
	set.State = graph.Hash(version(), state)
	set.Search = func(ctx context.Context, v eval.Variant, text string) ([]string, time.Duration, error) {
		before := store.Waited()
		found, err := engine.Retrieve(ctx, query.Question{Text: text, Method: v.Method, Tuning: v.Settings, Filter: o.filter})
		if err != nil {
			return nil, 0, err
		}
		names := make([]string, len(found.Documents))
		for i, d := range found.Documents {
			names[i] = uri[d.Key]
		}
		return names, store.Waited() - before, nil
	}
	return nil
}

// stateOf returns a text that changes when one of the corpora does, and calls each for every
// document.
func stateOf(ctx context.Context, store *neo4jstore.Store, corpora []string, each func(neo4jstore.DocumentState)) (string, error) {
	var states []string
	for _, name := range corpora {
		documents, err := store.Documents(ctx, name)
		if err != nil {
			return "", err
		}
		if len(documents) == 0 {
			return "", fmt.Errorf("corpus %s: %w: it has no documents; run `neorag index PATH`", name, query.ErrNotIndexed)
		}
		for _, d := range documents {
			each(d)
			states = append(states, d.URI+" "+d.SHA256+" "+d.ChunkFP)
		}
		corpus, err := store.Corpus(ctx, name)
		if err != nil {
			return "", err
		}
		states = append(states, corpus.Mode, corpus.Embedder, strconv.FormatInt(corpus.Generation, 10))
		for _, stage := range slices.Sorted(maps.Keys(corpus.Settings)) {
			states = append(states, stage+" "+corpus.Settings[stage])
		}
	}
	return graph.Hash(states...), nil
}

// resultsFile returns the file that keeps the results of these corpora.
func resultsFile(env *environment, sets []eval.Set) (string, error) {
	var names []string
	for _, s := range sets {
		names = append(names, s.Corpus)
	}
	home, err := env.home()
	return filepath.Join(home, "eval", "retrieval-"+graph.Hash(names...)[:16]+".jsonl"), err
}

// evalProgressInterval is the time between two notes on the progress.
const evalProgressInterval = 5 * time.Second

// evalProgress notes the progress of a measurement now and then.
func evalProgress(env *environment) func(done, total int) { return countedProgress(env, "measured") }

// countedProgress notes now and then how much of something is done.
func countedProgress(env *environment, did string) func(done, total int) {
	last := time.Now()
	return func(done, total int) {
		if done == total || time.Since(last) >= evalProgressInterval {
			last = time.Now()
			env.note("%s %d of %d", did, done, total)
		}
	}
}
