package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/personas"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/view/reportbook"
	"github.com/neorag/neorag/prompts"
)

func newEvalQuestionsCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "questions",
		Usage: "have a model write questions about a corpus as a whole, for an evaluation",
		Description: "From a description of the corpus a model imagines users, tasks of each user, and questions for each task (GraphRAG, section 3.2), and the\n" +
			"questions are kept in the folder. Without --description the model describes the corpus from its most general reports.\n" +
			"A question is dropped if it equals an earlier one except for letter case, or has four fifths of its terms.\n" +
			"Questions of an earlier run are kept: an interrupted run continues, and larger numbers add questions.",
		Flags: slices.Concat([]ucli.Flag{
			corporaFlag(), runFolderFlag(),
			&ucli.StringFlag{Name: "description", Usage: "describe the corpus and its use by `TEXT`"},
			&ucli.IntFlag{Name: "personas", Value: 5, Usage: "imagine `N` users"},
			&ucli.IntFlag{Name: "tasks", Value: 5, Usage: "imagine `N` tasks of each user"},
			&ucli.IntFlag{Name: "questions", Value: 5, Usage: "write `N` questions for each task"},
			maxCostFlag(),
		}, hide(modelFlags(), "embedding-base-url", "embedding-model"), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalQuestionsOptionsFrom, runEvalQuestions),
	}
}

type evalQuestionsOptions struct {
	evaluationOptions

	options personas.Options
}

// maxPersonas is the largest number of personas, of tasks of one, and of questions for a task.
const maxPersonas = 100

func evalQuestionsOptionsFrom(cc invocation) (o evalQuestionsOptions, err error) {
	o = evalQuestionsOptions{options: personas.Options{
		Description: strings.TrimSpace(cc.String("description")), Personas: cc.Int("personas"), Tasks: cc.Int("tasks"), Questions: cc.Int("questions"),
	}}
	if cc.NArg() > 0 {
		return o, usage("eval questions: it takes no arguments; the questions of a file are added by `neorag eval answer QUESTIONS.jsonl`")
	}
	for flag, n := range map[string]int{"personas": o.options.Personas, "tasks": o.options.Tasks, "questions": o.options.Questions} {
		if n < 1 || n > maxPersonas {
			return o, usage("--%s %d: give a number from 1 to %d", flag, n, maxPersonas)
		}
	}
	o.evaluationOptions, err = evaluationOptionsFrom(cc, judgeUse)
	return o, err
}

// A questionsSummary is what `eval questions --json` prints.
type questionsSummary struct {
	Run         string `json:"run"`         // folder of the evaluation
	Description string `json:"description"` // of the corpus, as the model read it; empty if nothing was asked
	personas.Result
	Stopped string `json:"stopped,omitempty"` // why the run ended early: its budget is spent
}

func runEvalQuestions(ctx context.Context, env *environment, o evalQuestionsOptions) (err error) {
	env.resumable.Store(true)
	m, chat, err := requiredModels(ctx, env, o.modelOptions, "questions")
	if err != nil {
		return err
	}
	defer m.close()
	ask := askerOf(m, chat, personas.Task)
	f, err := createRun(env, o.run, o.corpora)
	if err != nil {
		return err
	}
	defer func() { err = closeRun(f, err) }()
	options := o.options
	options.Known, options.Add, options.Concurrency = f.Questions.All(), f.Questions.Add, o.concurrency()
	options.Progress = countedProgress(env, "wrote")
	if options.Description == "" {
		if options.Description, err = describeCorpora(ctx, env, ask, o.corpora); err != nil {
			return err
		}
	}
	summary := questionsSummary{Run: f.Dir, Description: options.Description}
	summary.Result, err = personas.Generate(ctx, ask, options)
	if summary.Stopped, err = stopped(err); err != nil {
		return err
	}
	if summary.Questions < summary.Wanted {
		env.exit = exitFailedParts
	}
	return printQuestionsSummary(env, summary, f.Questions.All())
}

func printQuestionsSummary(env *environment, s questionsSummary, all []evalrun.Question) error {
	if s.Stopped != "" {
		env.note("stopped: %s", s.Stopped)
	} else if s.Questions < s.Wanted {
		env.note("%d of %d questions are missing: the replacements that the model wrote repeat other questions", s.Wanted-s.Questions, s.Wanted)
	}
	if env.json {
		return env.printJSON(s)
	}
	for i, q := range all[len(all)-s.Made:] {
		last := evalrun.Question{}
		if i > 0 {
			last = all[len(all)-s.Made+i-1]
		}
		if q.Persona != last.Persona {
			env.printf("%s\n", q.Persona)
		}
		if q.Persona != last.Persona || q.Task != last.Task {
			env.printf("  %s\n", q.Task)
		}
		env.printf("    %-8s %s\n", q.ID, q.Text)
	}
	env.printf("%d of %d questions, %d new; %d left out because others ask the same; in %s\n", s.Questions, s.Wanted, s.Made, s.Duplicates, s.Run)
	return nil
}

// Limits of what a corpus is described from.
const (
	describedReports = 30
	describedBytes   = 24_000
)

// describeCorpora has a model describe corpora from their most general reports, or from the names
// of their documents where they have none.
func describeCorpora(ctx context.Context, env *environment, ask prompts.Asker, corpora []string) (string, error) {
	var topics strings.Builder
	err := withStore(ctx, env, func(store *neo4jstore.Store) error {
		for _, corpus := range corpora {
			found, err := topicsOf(ctx, store, corpus)
			if err != nil {
				return err
			}
			topics.WriteString(found)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	var described struct{ Description string }
	valid := func(answer string) error {
		if err := json.Unmarshal([]byte(answer), &described); err != nil {
			return fmt.Errorf("the description is not of the form asked for: %w", err)
		}
		if described.Description = text.OneLine(described.Description); described.Description == "" {
			return errors.New("the description is empty")
		}
		return nil
	}
	answer, err := ask(ctx, prompts.CorpusDescription, prompts.Values{"context": text.Truncate(topics.String(), describedBytes)}, valid)
	if err != nil {
		return "", fmt.Errorf("describe the corpus: %w", err)
	}
	return described.Description, valid(answer)
}

// topicsOf returns the titles and summaries of the reports on the largest communities of a corpus,
// or the names of its documents.
func topicsOf(ctx context.Context, store *neo4jstore.Store, corpus string) (string, error) {
	var b strings.Builder
	book, err := reportbook.Open(ctx, store, corpus)
	switch {
	case errors.Is(err, reportbook.ErrNoReports):
		documents, err := store.Documents(ctx, corpus)
		for _, d := range documents {
			fmt.Fprintf(&b, "Document: %s\n", d.URI)
		}
		return b.String(), err
	case err != nil:
		return "", err
	}
	largest := book.Level(0)
	slices.SortStableFunc(largest, func(a, b reportbook.Entry) int { return b.Size - a.Size })
	reports, err := book.Read(ctx, largest[:min(describedReports, len(largest))])
	for _, r := range reports {
		fmt.Fprintf(&b, "%s\n%s\n\n", text.OneLine(r.Title), text.OneLine(cite.StripNumbers(r.Summary)))
	}
	return b.String(), err
}
