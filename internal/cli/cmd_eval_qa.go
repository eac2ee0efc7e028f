package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/query"
)

func newEvalQACommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "qa",
		Usage:     "measure answers, against known ones",
		ArgsUsage: "QUESTIONS.jsonl | CORPUS=QUESTIONS.jsonl...",
		Description: "A line of QUESTIONS is {id, question, answer, type}. A question of the type null is one that the documents do not answer.\n" +
			"Printed for each method: the share of questions whose answer has four fifths of the words of the known one, in its first line or at all; its\n" +
			"words; and the share of questions without an answer, of those that the documents answer and of the others.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(),
			listFlag{&ucli.StringSliceFlag{Name: "methods", Value: ucli.NewStringSlice("auto"), Usage: "measure the methods `NAMES`, separated by commas"}},
		}, queryModelFlags(), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalQAOptionsFrom, runEvalQA),
	}
}

type evalQAOptions struct {
	corporaOptions
	modelOptions

	sets    []string // QUESTIONS or CORPUS=QUESTIONS
	methods []string
}

func evalQAOptionsFrom(cc *ucli.Context) (evalQAOptions, error) {
	o := evalQAOptions{sets: cc.Args().Slice(), methods: cc.StringSlice("methods")}
	for _, name := range o.methods {
		if !slices.ContainsFunc(query.Methods(), func(m query.Method) bool { return m.Name == name }) {
			return o, usage("--methods: no method is named %q; `neorag methods` lists them", name)
		}
	}
	if len(o.sets) == 0 {
		return o, usage("eval qa: give a file of questions, one JSON object per line: {id, question, answer, type}")
	}
	var err error
	if o.corporaOptions, err = corporaOptionsFrom(cc); err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, queryUse)
	return o, err
}

func runEvalQA(ctx context.Context, env *environment, o evalQAOptions) error {
	read, err := readQuestionSets(env, o.sets, o.corpora)
	if err != nil {
		return err
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		sets := make([]eval.QASet, len(read))
		for i, s := range read {
			engine, err := newEngine(ctx, env, store, m, strings.Split(s.Corpus, ","), o.workers, nil)
			if err != nil {
				return err
			}
			sets[i] = eval.QASet{Questions: s.Questions, Ask: func(ctx context.Context, method, text string) (string, int, error) {
				a, err := engine.Ask(ctx, query.Question{Text: text, Method: method})
				return a.Answer, len(a.References), err
			}}
		}
		result, err := eval.AnswerQuestions(ctx, sets, o.methods, evalProgress(env))
		if errors.Is(err, eval.ErrQuestions) {
			return usageError(err)
		}
		if err != nil {
			return err
		}
		if env.json {
			return env.printJSON(result)
		}
		env.printf("%s", result.Table())
		if result.Without > 0 {
			env.note("%d questions have no known answer and are left out.", result.Without)
		}
		return nil
	})
}
