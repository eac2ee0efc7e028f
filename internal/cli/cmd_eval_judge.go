package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/headtohead"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newEvalJudgeCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "judge",
		Usage:     "have a model compare the answers of an evaluation, pair by pair",
		ArgsUsage: "[CONDITION...]",
		Description: "Compares the answers of each pair of conditions on each question, by each criterion, in both orders, and keeps the judgements in the folder.\n" +
			"A CONDITION is named as `neorag eval answer` prints it, such as 'global level=0' or C0, or by its key; without any, all are compared.\n" +
			"The judge sees the question and both answers without their references, not which method wrote them.\n" +
			"Judgements by the same model and prompts are reused: an interrupted run continues.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(), runFolderFlag(),
			listFlag{&ucli.StringSliceFlag{Name: "criteria", Usage: "compare by the criteria `NAMES`, separated by commas: " + strings.Join(headtohead.Criteria(), ", "), DefaultText: "all"}},
			&ucli.IntFlag{Name: "replicates", Value: 5, Usage: "judge each pair `N` times in each order, with another seed each time"},
			&ucli.IntFlag{Name: "limit", Usage: "compare only the answers to the first `N` questions", DefaultText: "all"},
			maxCostFlag(),
		}, hide(modelFlags(), "embedding-base-url", "embedding-model"), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalJudgeOptionsFrom, runEvalJudge),
	}
}

type evalJudgeOptions struct {
	evaluationOptions

	conditions []string
	criteria   []string
	replicates int
	limit      int // 0 for all questions
}

func evalJudgeOptionsFrom(cc invocation) (o evalJudgeOptions, err error) {
	o = evalJudgeOptions{
		conditions: cc.Args().Slice(), criteria: cc.StringSlice("criteria"),
		replicates: cc.Int("replicates"), limit: cc.Int("limit"),
	}
	if len(o.criteria) == 0 {
		o.criteria = headtohead.Criteria()
	}
	for _, name := range o.criteria {
		if !slices.Contains(headtohead.Criteria(), name) {
			return o, usage("--criteria %q: choose from %s", name, strings.Join(headtohead.Criteria(), ", "))
		}
	}
	if o.replicates < 1 {
		return o, usage("--replicates %d: give at least 1", o.replicates)
	}
	if o.limit < 0 {
		return o, usage("--limit %d: give a number of questions", o.limit)
	}
	if len(o.conditions) == 1 {
		return o, usage("eval judge: give at least two conditions, or none for all")
	}
	o.evaluationOptions, err = evaluationOptionsFrom(cc, judgeUse)
	return o, err
}

func runEvalJudge(ctx context.Context, env *environment, o evalJudgeOptions) (err error) {
	env.resumable.Store(true)
	m, chat, err := requiredModels(ctx, env, o.modelOptions, "judge")
	if err != nil {
		return err
	}
	defer m.close()
	judge := headtohead.Judge{Chat: chat, Prompts: m.prompts}
	f, err := createRun(env, o.run, o.corpora)
	if err != nil {
		return err
	}
	defer func() { err = closeRun(f, err) }()
	conditions, err := selectConditions(f, o.conditions)
	if err != nil {
		return err
	}
	cells, without, err := cellsToJudge(f, conditions, o)
	if err != nil {
		return err
	}
	identity := judge.Identity()
	job := evalrun.Job[evalrun.Judgement]{
		Kind: "judgements", Cells: f.Judgements, Limit: cellLimit(m, o.modelOptions), Ends: endsRun, Progress: countedProgress(env, "judged"),
		Make: func(ctx context.Context, i int) (evalrun.Judgement, error) {
			c := cells[i]
			made, err := judge.Compare(ctx, headtohead.AnswerPair{Question: c.Question.Text, First: c.First.Text, Second: c.Second.Text}, c.Criterion, c.Replicate)
			made.First, made.Second = c.First.Key(), c.Second.Key()
			return made, err
		},
	}
	for _, c := range cells {
		job.Keys = append(job.Keys, c.Key(identity))
	}
	count, err := evalrun.Run(ctx, f, job)
	why, err := stopped(err)
	if err != nil {
		return err
	}
	if without > 0 {
		env.note("%d comparisons of two conditions on a question are left out: an answer is missing; `neorag eval answer` makes it", without)
	}
	noteFailures(env, f, job.Kind, count.Failed, why)
	return printJudgeSummary(env, judgeSummary{
		Run: f.Dir, Judge: identity, Count: count, Without: without, Stopped: why, Pairs: tally(f, conditions, cells, identity),
	})
}

// cellsToJudge returns the comparisons of the conditions, and how many are left out because an
// answer is missing.
func cellsToJudge(f *evalrun.Folder, conditions []evalrun.Condition, o evalJudgeOptions) ([]headtohead.Cell, int, error) {
	plan := headtohead.Plan{
		Questions: f.Questions.All(), Criteria: o.criteria, Replicates: o.replicates,
		Answer: func(condition, question string) (evalrun.Answer, bool) {
			return f.Answers.Get(evalrun.AnswerKey(condition, question))
		},
	}
	if o.limit > 0 {
		plan.Questions = plan.Questions[:min(o.limit, len(plan.Questions))]
	}
	for _, c := range conditions {
		plan.Conditions = append(plan.Conditions, c.Key())
	}
	cells, without := plan.Cells()
	if len(cells) == 0 {
		return nil, without, usage("eval judge: %s has no question that is answered under two conditions: run `neorag eval answer --methods METHODS`", f.Dir)
	}
	return cells, without, nil
}

// A judgeSummary is what `eval judge --json` prints.
type judgeSummary struct {
	Run     string        `json:"run"`   // folder of the evaluation
	Judge   string        `json:"judge"` // the model with its parameters, and the first digits of the fingerprint of its prompts
	Count   evalrun.Count `json:"cells"`
	Without int           `json:"without"`           // comparisons of two conditions on a question that are left out because an answer is missing
	Pairs   []pairTally   `json:"pairs"`             // judgements of each pair by each criterion, of both orders and all replicates
	Stopped string        `json:"stopped,omitempty"` // why the run ended early: its budget is spent
}

// A pairTally counts the judgements of two conditions by a criterion, in both orders.
type pairTally struct {
	First      string `json:"first"`  // name of a condition
	Second     string `json:"second"` // name of the other
	Criterion  string `json:"criterion"`
	Questions  int    `json:"questions"` // that both conditions answer
	FirstWins  int    `json:"first_wins"`
	SecondWins int    `json:"second_wins"`
	Ties       int    `json:"ties"`
	Missing    int    `json:"missing"` // judgements that failed or were not made
}

// tally counts who won, for each pair of conditions and each criterion, in the order of the
// conditions.
func tally(f *evalrun.Folder, conditions []evalrun.Condition, cells []headtohead.Cell, judge string) []pairTally {
	names, order := shownNames(conditions), map[string]int{}
	for i, c := range conditions {
		order[c.Key()] = i
	}
	type pair struct{ first, second, criterion string }
	at, out := map[pair]int{}, []pairTally{}
	questions := map[string]bool{}
	for _, c := range cells {
		p := pair{c.First.Condition, c.Second.Condition, c.Criterion}
		swapped := order[p.first] > order[p.second]
		if swapped {
			p.first, p.second = p.second, p.first
		}
		if _, known := at[p]; !known {
			at[p] = len(out)
			out = append(out, pairTally{First: names[p.first], Second: names[p.second], Criterion: p.criterion})
		}
		t := &out[at[p]]
		if seen := fmt.Sprint(at[p], c.Question.Key()); !questions[seen] {
			questions[seen] = true
			t.Questions++
		}
		made, ok := f.Judgements.Get(c.Key(judge))
		switch {
		case !ok:
			t.Missing++
		case made.Winner == 0:
			t.Ties++
		case (made.Winner == 1) != swapped:
			t.FirstWins++
		default:
			t.SecondWins++
		}
	}
	return out
}

func printJudgeSummary(env *environment, s judgeSummary) error {
	return env.print(s, func() {
		env.printf("%d judgements by %s: %d new, %d failed; in %s\n", s.Count.Cells, s.Judge, s.Count.Made, s.Count.Failed, s.Run)
		env.printf("Judgements for the first, for the second, and for neither:\n%s", s.table())
	})
}

// table has a row for each pair and a column for each criterion.
func (s judgeSummary) table() string {
	criteria := []string{}
	type pair struct{ first, second string }
	pairs, cells := []pair{}, map[pair]map[string]string{}
	for _, t := range s.Pairs {
		p := pair{t.First, t.Second}
		if cells[p] == nil {
			pairs, cells[p] = append(pairs, p), map[string]string{}
		}
		if !slices.Contains(criteria, t.Criterion) {
			criteria = append(criteria, t.Criterion)
		}
		cells[p][t.Criterion] = fmt.Sprintf("%d, %d, %d", t.FirstWins, t.SecondWins, t.Ties)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| first | second | %s |\n|---|---|%s\n", strings.Join(criteria, " | "), strings.Repeat("---|", len(criteria)))
	for _, p := range pairs {
		fmt.Fprintf(&b, "| %s | %s |", terminal.OneLine(p.first), terminal.OneLine(p.second))
		for _, c := range criteria {
			fmt.Fprintf(&b, " %s |", cells[p][c])
		}
		b.WriteString("\n")
	}
	return b.String()
}
