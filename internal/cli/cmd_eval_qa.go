package cli

import (
	"context"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

func newEvalQACommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "qa",
		Usage:     "measure answers, against known ones",
		ArgsUsage: "QUESTIONS.jsonl | CORPUS=QUESTIONS.jsonl... | --run FOLDER",
		Description: "A line of QUESTIONS is {id, question, answer, type}. Questions of the type null are not answered by the documents. With --run the\n" +
			"answers of `neorag eval answer` in the folder are measured, and nothing is asked.\n" +
			"Prints for each method: accuracy, in all and by type; the share of answers that equal the known answer, verbatim and normalized; the F1 of\n" +
			"the words of both; the share of answers with four fifths of the words of the known answer, in the first line or anywhere; the mean number of\n" +
			"words of an answer; and the share of questions that are not answered, if the documents answer them and if not. Figures of all questions\n" +
			"have 95 % intervals.\n" +
			"With --judge a model decides on accuracy; its verdicts are kept in the folder.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(), measuredRunFlag(),
			&ucli.BoolFlag{Name: "judge", Usage: "have the model compare each answer in the folder of --run with the known answer"},
			maxCostFlag(),
			listFlag{&ucli.StringSliceFlag{Name: "methods", Value: ucli.NewStringSlice("auto"), Usage: "measure the methods `NAMES`, separated by commas"}},
		}, queryModelFlags(), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalQAOptionsFrom, runEvalQA),
	}
}

type evalQAOptions struct {
	evaluationOptions

	sets    []string // QUESTIONS or CORPUS=QUESTIONS
	methods []string
	judge   bool
}

func evalQAOptionsFrom(cc invocation) (o evalQAOptions, err error) {
	o = evalQAOptions{sets: cc.Args().Slice(), methods: cc.StringSlice("methods"), judge: cc.Bool("judge")}
	for _, name := range o.methods {
		if !slices.ContainsFunc(query.Methods(), func(m query.Method) bool { return m.Name == name }) {
			return o, usage("--methods: no method is named %q; `neorag methods` lists them", name)
		}
	}
	use := queryUse
	if cc.String("run") != "" {
		use = judgeUse
	}
	if o.evaluationOptions, err = evaluationOptionsFrom(cc, use); err != nil {
		return o, err
	}
	if err := checkMeasuredRun(cc, "eval qa", o.run, o.judge, "methods"); err != nil {
		return o, err
	}
	if len(o.sets) == 0 && o.run == "" {
		return o, usage("eval qa: give a file of questions, one JSON object per line: {id, question, answer, type}")
	}
	return o, nil
}

func runEvalQA(ctx context.Context, env *environment, o evalQAOptions) error {
	if o.run != "" {
		return runEvalQAOfRun(ctx, env, o)
	}
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
		result, err := eval.AnswerQuestions(ctx, sets, o.methods, countedProgress(env, "measured"))
		if err != nil {
			return err
		}
		return printQA(env, result)
	})
}

// runEvalQAOfRun measures the answers of an evaluation.
func runEvalQAOfRun(ctx context.Context, env *environment, o evalQAOptions) error {
	var result score.QA
	err := judgeRun(ctx, env, o.run, o.judge, o.modelOptions, assessment{"qa", prompts.AnswerCorrect, score.JudgeCorrect}, func(f *evalrun.Folder, judge string) (err error) {
		result, err = score.Folder(f, judge)
		return err
	})
	if err != nil {
		return err
	}
	return printQA(env, result)
}

// printQA prints how well methods answer.
func printQA(env *environment, result score.QA) error {
	if env.json {
		return env.printJSON(result)
	}
	env.printf("%s", result.Table())
	if result.Without > 0 {
		env.note("%d questions have no known answer and are left out.", result.Without)
	}
	for _, m := range result.Methods {
		if m.Failed > 0 {
			env.note("%s: %d answers or verdicts failed, and count as wrong.", m.Method, m.Failed)
		}
		if m.Missing+m.Unjudged > 0 {
			env.note("%s: %d questions have no answer and %d no verdict yet; they are left out.", m.Method, m.Missing, m.Unjudged)
		}
	}
	return nil
}
