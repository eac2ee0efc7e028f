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

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) eval() *ucli.Command {
	return &ucli.Command{
		Name:        "eval",
		Usage:       "measure how well questions are served",
		Subcommands: []*ucli.Command{c.evalRetrieval()},
		Action: func(cc *ucli.Context) error {
			return usage("eval: say what to measure: retrieval; `neorag eval retrieval --help` tells more")
		},
	}
}

func (c *command) evalRetrieval() *ucli.Command {
	return &ucli.Command{
		Name:      "retrieval",
		Usage:     "measure which documents the methods find, against known evidence, without a model",
		ArgsUsage: "QUESTIONS.jsonl | CORPUS=QUESTIONS.jsonl...",
		Description: "A line of QUESTIONS is {id, question, type, documents}; a document goes by its file name, with or without its extension.\n" +
			"With CORPUS=QUESTIONS each set is asked in its own corpus, and all questions count alike.\n" +
			"A run that was interrupted goes on where it stopped.",
		Flags: append([]ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringSliceFlag{Name: "methods", Usage: "`NAMES` of methods, parted by commas", DefaultText: "all that search"},
			&ucli.StringSliceFlag{Name: "sweep", Usage: "`NAME=VALUES`: a setting of the search and its values, parted by commas"},
			&ucli.StringFlag{Name: "results", Usage: "`FILE` that keeps what was measured", DefaultText: "in the user's data folder"},
			&ucli.BoolFlag{Name: "verbose", Usage: "log what is done"},
		}, append(filterFlags(), modelFlags()...)...),
		Action: c.runEvalRetrieval,
	}
}

func (c *command) runEvalRetrieval(cc *ucli.Context) error {
	methods := cc.StringSlice("methods")
	if len(methods) == 0 {
		methods = query.RetrievalMethods()
		if !filterOf(cc).IsZero() {
			methods = query.FilterMethods()
		}
	}
	variants, err := variantsOf(methods, cc.StringSlice("sweep"))
	if err != nil {
		return err
	}
	sets, err := c.questionSets(cc)
	if err != nil {
		return err
	}
	m, err := c.models(cc)
	if err != nil {
		return err
	}
	defer m.close()
	options := eval.Options{Variants: variants, Results: cc.String("results"), Settings: filterOf(cc).String()}
	options.Progress = c.evalProgress(cc)
	var result eval.Retrieval
	err = c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		for i := range sets {
			if err := c.searchable(cc, store, m, &sets[i]); err != nil {
				return err
			}
		}
		options.Sets = sets
		if options.Results == "" {
			options.Results = c.resultsFile(sets)
		}
		result, err = eval.Run(cc.Context, options)
		return err
	})
	if err != nil {
		if errors.Is(err, query.ErrUnknownMethod) || errors.Is(err, query.ErrFilter) || errors.Is(err, eval.ErrQuestions) {
			return &userError{code: exitUsage, message: err.Error(), cause: err}
		}
		return err
	}
	if cc.Bool("json") {
		return c.printJSON(result)
	}
	c.printf("%s", terminal.Sanitize(result.Table()))
	for _, remark := range result.Remarks() {
		c.note(cc, "%s", remark)
	}
	return nil
}

// questionSets reads the files of questions.
func (c *command) questionSets(cc *ucli.Context) ([]eval.Set, error) {
	if cc.NArg() == 0 {
		return nil, usage("eval retrieval: give a file of questions, one JSON object a line: {id, question, type, documents}")
	}
	var sets []eval.Set
	for _, arg := range cc.Args().Slice() {
		corpus, name, paired := strings.Cut(arg, "=")
		if _, err := os.Stat(filepath.Join(c.env.Dir, arg)); err == nil || !paired {
			name = arg
			corpora, err := c.corpora(cc)
			if err != nil {
				return nil, err
			}
			corpus = strings.Join(corpora, ",")
			if cc.NArg() > 1 {
				return nil, usage("eval retrieval: with several files say CORPUS=FILE for each")
			}
		}
		if err := graph.CheckCorpus(corpus); err != nil && paired {
			return nil, &userError{code: exitUsage, message: err.Error()}
		}
		questions, err := readQuestions(name)
		if err != nil {
			return nil, &userError{code: exitUsage, message: err.Error(), cause: err}
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
		return nil, fmt.Errorf("read questions: %s: %w", name, err)
	}
	return questions, nil
}

// variantsOf are the methods, each with every combination of swept values.
func variantsOf(names, sweeps []string) ([]eval.Variant, error) {
	var variants []eval.Variant
	for _, name := range names {
		name = strings.TrimSpace(name)
		if !slices.Contains(query.RetrievalMethods(), name) {
			return nil, usage("--methods %q: no method with that name searches; choose of %s", name, strings.Join(query.RetrievalMethods(), ", "))
		}
		variants = append(variants, eval.Variant{Method: name})
	}
	for _, s := range joinSweeps(sweeps) {
		name, list, _ := strings.Cut(s, "=")
		var values []float64
		for text := range strings.SplitSeq(list, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || !(v >= 0 && v <= maxTuned) {
				return nil, usage("--sweep %q: give NAME=VALUES with numbers from 0 to %d, such as length=0,0.05,0.1", s, maxTuned)
			}
			values = append(values, v)
		}
		var swept []eval.Variant
		for _, v := range variants {
			if !slices.Contains(query.Tunes(v.Method), name) {
				return nil, usage("--sweep %q: the method %s has no such setting; it has %s", name, v.Method, strings.Join(query.Tunes(v.Method), ", "))
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

// maxTuned is the largest value that a sweep takes.
const maxTuned = 10_000

// joinSweeps puts values back to their name: the flag parts at every comma.
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

// searchable gives a set its corpus, or corpora, to search in.
func (c *command) searchable(cc *ucli.Context, store *neo4jstore.Store, m *models, set *eval.Set) error {
	corpora := strings.Split(set.Corpus, ",")
	engine, err := c.engine(cc, store, m, corpora)
	if err != nil {
		return err
	}
	uri := map[string]string{}
	states := []string{version()}
	for _, corpus := range corpora {
		documents, err := store.Documents(cc.Context, corpus)
		if err != nil {
			return err
		}
		if len(documents) == 0 {
			return fmt.Errorf("corpus %s: %w: it has no documents; run `neorag index PATH`", corpus, query.ErrNotIndexed)
		}
		for _, d := range documents {
			uri[d.Key] = d.URI
			set.Documents = append(set.Documents, d.URI)
			states = append(states, d.URI+" "+d.SHA256+" "+d.ChunkFP)
		}
		k, err := store.Corpus(cc.Context, corpus)
		if err != nil {
			return err
		}
		states = append(states, k.Embedder, strconv.FormatInt(k.Generation, 10))
	}
	set.State = graph.Hash(states...)
	filter := filterOf(cc)
	set.Search = func(ctx context.Context, v eval.Variant, text string) ([]string, time.Duration, error) {
		before := store.Waited()
		found, err := engine.Retrieve(ctx, query.Question{Text: text, Method: v.Method, Tuning: v.Settings, Filter: filter})
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

// resultsFile is where results of these corpora are kept.
func (c *command) resultsFile(sets []eval.Set) string {
	var names []string
	for _, s := range sets {
		names = append(names, s.Corpus)
	}
	return filepath.Join(c.home(), "eval", "retrieval-"+graph.Hash(names...)[:16]+".jsonl")
}

// evalProgress tells a person how far a measurement is, seldom.
func (c *command) evalProgress(cc *ucli.Context) func(done, total int) {
	last := time.Now()
	return func(done, total int) {
		if done == total || time.Since(last) >= progressEvery {
			last = time.Now()
			c.note(cc, "measured %d of %d", done, total)
		}
	}
}

// progressEvery is how often a measurement says how far it is.
const progressEvery = 5 * time.Second
