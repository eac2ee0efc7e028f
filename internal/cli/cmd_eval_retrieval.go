package cli

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// evalUse are the models of a measurement, which only searches.
var evalUse = config.Use{Chat: true}

// retrievalModelFlags are the flags of the models of a measurement. The flags of a
// chat model, which few methods call, are hidden. --model is not: --base-url requires it.
func retrievalModelFlags() []ucli.Flag {
	flags := hide(modelFlags(), "embedding-base-url", "embedding-model", "parameter", "price-in", "price-out", "prompts")
	named := slices.IndexFunc(flags, func(f ucli.Flag) bool { return f.Names()[0] == "model" })
	flags[named] = ownFlag("models.chat.model", "use the chat model `NAME`, which --base-url requires; only hyde and rq call it")
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
			"An interrupted run continues where it stopped. With --run questions and results are cells of the evaluation in the folder: measurements under the\n" +
			"same conditions are reused, and `neorag eval report` and `neorag eval compare` show them.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(),
			&ucli.StringFlag{Name: "run", Usage: "keep results in the evaluation in `FOLDER`"},
			listFlag{&ucli.StringSliceFlag{Name: "methods", Usage: "measure the methods `NAMES`, separated by commas", DefaultText: "all that rank documents, except those that need an index --with queries"}},
			listFlag{&ucli.StringSliceFlag{Name: "sweep", Usage: "measure with each of several values of a search setting: `NAME=VALUES`, separated by commas; if --methods is not given, all methods that have the setting are measured; settings: " + sweptSettings()}},
			&ucli.StringFlag{Name: "results", Usage: "keep results in `FILE`", DefaultText: "in the user's data folder"},
		}, retrievalModelFlags(), settingFlags("models.rerank"), filterFlags(), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalOptionsFrom, runEvalRetrieval),
	}
}

type evalOptions struct {
	evaluationOptions

	sets     []string // QUESTIONS or CORPUS=QUESTIONS
	variants []eval.Variant
	results  string // "" means a file in the data folder
	filter   query.Filter
}

func evalOptionsFrom(cc invocation) (o evalOptions, err error) {
	o = evalOptions{sets: cc.Args().Slice(), results: cc.String("results"), filter: filterFrom(cc)}
	if cc.String("run") != "" && o.results != "" {
		return o, usage("eval retrieval: give --run or --results, not both")
	}
	methods, sweeps := cc.StringSlice("methods"), config.JoinValues(cc.StringSlice("sweep"))
	if len(methods) == 0 {
		methods = query.CommonMethods()
		if !o.filter.IsZero() {
			methods = query.FilterMethods()
		}
		methods = methodsWith(methods, sweeps)
	}
	if o.variants, err = variantsOf(methods, sweeps); err != nil {
		return o, err
	}
	if len(o.sets) == 0 {
		return o, usage("eval retrieval: give a file of questions, one JSON object per line: {id, question, type, documents}")
	}
	o.evaluationOptions, err = evaluationOptionsFrom(cc, evalUse)
	return o, err
}

func runEvalRetrieval(ctx context.Context, env *environment, o evalOptions) (err error) {
	sets, err := readQuestionSets(env, o.sets, o.corpora)
	if err != nil {
		return err
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	options := eval.Options{Variants: o.variants, Results: o.results, Ends: endsSearches, Progress: countedProgress(env, "measured")}
	if options.Condition, err = searchCondition(m, o); err != nil {
		return err
	}
	if o.run != "" {
		env.resumable.Store(true)
		if options.Folder, err = createRun(env, o.run, nil); err != nil {
			return err
		}
		defer func() { err = closeRun(options.Folder, err) }()
	}
	reranker, err := newReranker(env, o.use)
	if err != nil {
		return err
	}
	var configure func(*query.Options)
	if reranker != nil {
		defer reranker.Close()
		configure = func(options *query.Options) { options.Reranker = reranker }
		options.Condition.Settings["rerank"] = config.HostOf(env.settings.Text("models.rerank.base_url")) + " " + env.settings.Text("models.rerank.model")
	}
	var result eval.Retrieval
	err = withStore(ctx, env, func(store *neo4jstore.Store) error {
		for i := range sets {
			if err := bindSet(ctx, env, store, m, o, configure, &sets[i]); err != nil {
				return err
			}
		}
		options.Sets = sets
		if options.Results == "" && options.Folder == nil {
			if options.Results, err = resultsFile(env, sets); err != nil {
				return err
			}
		}
		result, err = eval.Run(ctx, options)
		return err
	})
	if err != nil {
		return err
	}
	if options.Folder != nil {
		noteFailures(env, options.Folder, "searches", result.Failed, "")
	}
	return printRetrieval(env, result)
}

// endsSearches reports whether it is pointless to search again after an error.
func endsSearches(err error) bool { return endsRun(err) || errors.Is(err, query.ErrFilter) }

// searchCondition returns what all searches of a measurement have in common.
func searchCondition(m *models, o evalOptions) (evalrun.Condition, error) {
	c, err := m.condition()
	c.Settings = map[string]string{}
	if f := o.filter.String(); f != "" {
		c.Settings["filter"] = f
	}
	return c, err
}

// printRetrieval prints the measurements.
func printRetrieval(env *environment, result eval.Retrieval) error {
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
	set.State = state[:16]
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

// resultsFile returns the file that keeps the results of these corpora.
func resultsFile(env *environment, sets []eval.Set) (string, error) {
	var names []string
	for _, s := range sets {
		names = append(names, s.Corpus)
	}
	home, err := env.home()
	return filepath.Join(home, "eval", "retrieval-"+graph.Hash(names...)[:16]+".jsonl"), err
}
