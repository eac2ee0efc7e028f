package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newEvalAnswerCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "answer",
		Usage:     "answer the questions of an evaluation by several methods",
		ArgsUsage: "[QUESTIONS.jsonl]",
		Description: "Answers every question of the folder by every method, and keeps the answers there. A line of QUESTIONS is {id, question}; these questions are\n" +
			"added to the folder first. A method may have settings, by the names of the flags of `neorag query`: 'global level=0', 'basic:vectors reduce-tokens=4000'.\n" +
			"--conditions graphrag are the six conditions of the GraphRAG paper: C0 to C3, TS and SS.\n" +
			"Answers under the same conditions are reused: an interrupted run continues.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(), runFolderFlag(),
			listFlag{&ucli.StringSliceFlag{Name: "methods", Usage: "answer by the methods `METHODS`, each with its settings, separated by commas", DefaultText: "auto"}},
			&ucli.StringFlag{Name: "conditions", Usage: "answer under the conditions of the set `NAME`: " + strings.Join(slices.Sorted(maps.Keys(conditionSets)), ", ")},
			&ucli.IntFlag{Name: "limit", Usage: "answer only the first `N` questions", DefaultText: "all"},
			maxCostFlag(),
		}, queryModelFlags(), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalAnswerOptionsFrom, runEvalAnswer),
	}
}

type evalAnswerOptions struct {
	evaluationOptions

	file       string // of questions; "" for the folder's
	variants   []labelled
	conditions string // name of a set
	limit      int    // 0 for all questions
}

func evalAnswerOptionsFrom(cc invocation) (o evalAnswerOptions, err error) {
	o = evalAnswerOptions{file: cc.Args().First(), conditions: cc.String("conditions"), limit: cc.Int("limit")}
	if cc.NArg() > 1 {
		return o, usage("eval answer: give one file of questions, not %d", cc.NArg())
	}
	if o.limit < 0 {
		return o, usage("--limit %d: give a number of questions", o.limit)
	}
	if _, known := conditionSets[o.conditions]; o.conditions != "" && !known {
		return o, usage("--conditions %q: choose one of %s", o.conditions, strings.Join(slices.Sorted(maps.Keys(conditionSets)), ", "))
	}
	methods := cc.StringSlice("methods")
	if len(methods) == 0 && o.conditions == "" {
		methods = []string{"auto"}
	}
	if o.variants, err = parseVariants(methods); err != nil {
		return o, err
	}
	o.evaluationOptions, err = evaluationOptionsFrom(cc, queryUse)
	return o, err
}

// An answerSummary is what `eval answer --json` prints.
type answerSummary struct {
	Run        string             `json:"run"`       // folder of the evaluation
	Questions  int                `json:"questions"` // that are asked
	Count      evalrun.Count      `json:"cells"`
	Conditions []conditionSummary `json:"conditions"`
	Stopped    string             `json:"stopped,omitempty"` // why the run ended early: its budget is spent
}

// A conditionSummary is what the answers under a condition took together.
type conditionSummary struct {
	Key           string            `json:"key"`  // of the condition in the folder
	Name          string            `json:"name"` // its label, such as C0, or the method with its settings
	Method        string            `json:"method"`
	Settings      map[string]string `json:"settings,omitempty"` // that differ from their defaults
	Answers       int               `json:"answers"`            // to the questions that are asked
	Usage         evalrun.Usage     `json:"usage"`              // what the calls took, with those that the cache answered
	ContextTokens int               `json:"context_tokens"`     // that these answers were made from, together
}

func runEvalAnswer(ctx context.Context, env *environment, o evalAnswerOptions) (err error) {
	env.resumable.Store(true)
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	f, err := createRun(env, o.run, o.corpora)
	if err != nil {
		return err
	}
	defer func() { err = closeRun(f, err) }()
	questions, err := evalQuestions(f, o)
	if err != nil {
		return err
	}
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		if o.conditions != "" {
			vectors, err := hasVectors(ctx, store, m, o.corpora)
			if err != nil {
				return err
			}
			set, err := conditionSet(o.conditions, vectors)
			if err != nil {
				return err
			}
			if !vectors {
				env.note("SS finds chunks by full text: no embedding model made vectors of them, or none is used")
			}
			o.variants = append(set, o.variants...)
		}
		return answerCells(ctx, env, store, m, f, o, questions)
	})
}

// closeRun closes a folder, and returns the first error.
func closeRun(f *evalrun.Folder, err error) error {
	if cerr := f.Close(); err == nil && cerr != nil {
		return fmt.Errorf("close the evaluation: %w", cerr)
	}
	return err
}

// evalQuestions adds the questions of the file to the folder, and returns those that are asked.
func evalQuestions(f *evalrun.Folder, o evalAnswerOptions) ([]evalrun.Question, error) {
	if o.file != "" {
		read, err := readQuestions(o.file)
		if err != nil {
			return nil, usageError(err)
		}
		for _, q := range read {
			if err := f.Questions.Add(q); err != nil {
				return nil, err
			}
		}
	}
	questions := f.Questions.All()
	if len(questions) == 0 {
		return nil, usage("eval answer: %s has no questions: give a file of questions, or make some with `neorag eval questions`", f.Dir)
	}
	if o.limit > 0 {
		questions = questions[:min(o.limit, len(questions))]
	}
	return questions, nil
}

// answerCells answers each question under each condition, question by question, and prints what
// became of it.
func answerCells(ctx context.Context, env *environment, store *neo4jstore.Store, m *models, f *evalrun.Folder, o evalAnswerOptions, questions []evalrun.Question) error {
	engine, err := newEngine(ctx, env, store, m, o.corpora, o.workers, nil)
	if err != nil {
		return err
	}
	conditions, err := conditionsOf(ctx, store, m, o.corpora, o.variants)
	if err != nil {
		return err
	}
	job := evalrun.Job[evalrun.Answer]{Kind: "answers", Cells: f.Answers, Limit: cellLimit(m, o.modelOptions), Ends: endsRun, Progress: countedProgress(env, "answered")}
	for _, c := range conditions {
		if err := f.Conditions.Add(c); err != nil {
			return err
		}
	}
	for _, q := range questions {
		for _, c := range conditions {
			job.Keys = append(job.Keys, evalrun.AnswerKey(c.Key(), q.Key()))
		}
	}
	var budget *llm.Budget
	if m != nil {
		budget = m.budget
	}
	job.Make = func(ctx context.Context, i int) (evalrun.Answer, error) {
		q, at := questions[i/len(conditions)], i%len(conditions)
		a, err := engine.Ask(ctx, o.variants[at].Ask(q.Text))
		if err == nil && budget.Refused() {
			err = fmt.Errorf("question %s: %w: the answer may lack what was not read", q.ID, llm.ErrBudget)
		}
		return newAnswer(conditions[at].Key(), q.Key(), a), err
	}
	count, err := evalrun.Run(ctx, f, job)
	why, err := stopped(err)
	if err != nil {
		return err
	}
	summary := answerSummary{Run: f.Dir, Questions: len(questions), Count: count, Stopped: why}
	names := shownNames(conditions)
	for _, c := range conditions {
		summary.Conditions = append(summary.Conditions, summarise(f, c, names[c.Key()], questions))
	}
	noteFailures(env, f, job.Kind, count.Failed, why)
	return printAnswerSummary(env, summary)
}

// newAnswer returns the cell of an answer.
func newAnswer(condition, question string, a query.Answer) evalrun.Answer {
	out := evalrun.Answer{
		Condition: condition, Question: question, Text: a.Answer, WrittenBy: a.WrittenBy, References: len(a.References), Uncited: a.Uncited,
		ContextTokens: a.Usage.ContextTokens, ContextUnits: a.Usage.ContextItems, Seconds: a.Seconds, Notes: a.Notes,
		Usage: evalrun.Usage{Calls: a.Usage.Calls, TokensIn: a.Usage.TokensIn, TokensOut: a.Usage.TokensOut, Cost: a.Usage.Cost},
	}
	if c := a.Usage.Cached; c != nil {
		out.Usage = evalrun.Usage{Calls: out.Usage.Calls + c.Calls, TokensIn: out.Usage.TokensIn + c.TokensIn, TokensOut: out.Usage.TokensOut + c.TokensOut, Cost: out.Usage.Cost + c.Cost}
	}
	for _, c := range a.Citations {
		out.Citations = append(out.Citations, evalrun.Citation{N: c.N, Statement: c.Statement, Quote: c.Quote})
	}
	return out
}

// summarise adds up what the answers under a condition took.
func summarise(f *evalrun.Folder, c evalrun.Condition, name string, questions []evalrun.Question) conditionSummary {
	s := conditionSummary{Key: c.Key(), Name: name, Method: c.Method, Settings: c.Settings}
	for _, q := range questions {
		a, ok := f.Answers.Get(evalrun.AnswerKey(c.Key(), q.Key()))
		if !ok {
			continue
		}
		s.Answers++
		s.Usage.Calls += a.Usage.Calls
		s.Usage.TokensIn += a.Usage.TokensIn
		s.Usage.TokensOut += a.Usage.TokensOut
		s.Usage.Cost += a.Usage.Cost
		s.ContextTokens += a.ContextTokens
	}
	return s
}

func printAnswerSummary(env *environment, s answerSummary) error {
	if env.json {
		return env.printJSON(s)
	}
	env.printf("%d questions, %d answers: %d new, %d failed, %d missing; in %s\n", s.Questions, s.Count.Cells, s.Count.Made, s.Count.Failed, missingAnswers(s), s.Run)
	env.printf("| condition | answers | calls | tokens in | tokens out | context |\n|---|---:|---:|---:|---:|---:|\n")
	for _, c := range s.Conditions {
		n := float64(max(1, c.Answers))
		env.printf("| %s | %d | %.1f | %.0f | %.0f | %.0f |\n", terminal.OneLine(c.Name), c.Answers, float64(c.Usage.Calls)/n, float64(c.Usage.TokensIn)/n, float64(c.Usage.TokensOut)/n, float64(c.ContextTokens)/n)
	}
	return nil
}

// missingAnswers is how many cells are not there.
func missingAnswers(s answerSummary) int {
	n := s.Count.Cells
	for _, c := range s.Conditions {
		n -= c.Answers
	}
	return n
}
