package cli

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// runFolderFlag names the folder of an evaluation.
func runFolderFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "run", Usage: "keep the evaluation in `FOLDER`", DefaultText: "in the user's data folder, one for each corpus"}
}

// evaluationOptions are what the steps of an evaluation share.
type evaluationOptions struct {
	modelOptions

	corpora []string
	run     string // folder of the evaluation; "" if none is named
}

func evaluationOptionsFrom(cc invocation, use config.Use) (o evaluationOptions, err error) {
	o.run = cc.String("run")
	if o.corpora, err = corporaFrom(cc); err != nil {
		return o, err
	}
	o.modelOptions, err = modelOptionsFrom(cc, use)
	return o, err
}

// runFolder returns the folder of an evaluation: the given one, or the corpora's.
func runFolder(env *environment, given string, corpora []string) (string, error) {
	if given != "" {
		return given, nil
	}
	home, err := env.home()
	return filepath.Join(home, "eval", strings.Join(corpora, "+")), err
}

// createRun opens the folder of an evaluation for writing.
func createRun(env *environment, given string, corpora []string) (*evalrun.Folder, error) {
	dir, err := runFolder(env, given, corpora)
	if err != nil {
		return nil, err
	}
	return evalrun.Create(dir)
}

// judgeUse are the models that write questions and compare answers.
var judgeUse = config.Use{Chat: true, Tasks: []string{synth.TaskAnswer}}

// requiredModels returns the models of a step that cannot do without one.
func requiredModels(ctx context.Context, env *environment, o modelOptions, step string) (*models, llm.Chat, error) {
	m, err := newModels(ctx, env, o)
	if err != nil {
		return nil, nil, err
	}
	if !m.hasChat() {
		return nil, nil, usage("eval %s: name a model with --base-url and --model, or set OPENAI_API_KEY; it cannot be done without one", step)
	}
	chat, err := m.chat(synth.TaskAnswer)
	if err != nil {
		m.close()
		return nil, nil, err
	}
	return m, chat, nil
}

// askerOf returns what asks a model for the JSON of a prompt.
func askerOf(m *models, chat llm.Chat, task string) prompts.Asker {
	model := &synth.Model{Map: chat, Answer: chat, Prompts: m.prompts}
	return func(ctx context.Context, prompt string, values prompts.Values, valid func(string) error) (string, error) {
		return model.AskJSON(ctx, synth.Call{Task: task, Prompt: prompt, Values: values, Valid: valid})
	}
}

// cellLimit is how many cells of an evaluation are made at the same time.
func cellLimit(m *models, o modelOptions) int {
	if m == nil && o.workers == 0 {
		return runtime.NumCPU()
	}
	return o.concurrency()
}

// wrongMethod reports whether a method cannot answer any question on a corpus.
func wrongMethod(err error) bool {
	for _, known := range []error{query.ErrUnknownMethod, query.ErrUnknownPath, query.ErrNoVectors, query.ErrNoModel, query.ErrNotIndexed, neo4jstore.ErrNoCorpus} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// endsRun reports whether it is pointless to make another cell after an error. After a call that
// took too long it is not: another call may be faster.
func endsRun(err error) bool {
	unreachable := llm.IsUnreachable(err) && !errors.Is(err, context.DeadlineExceeded)
	return llm.IsFatal(err) || unreachable || wrongMethod(err) || errors.Is(err, neo4jstore.ErrUnreachable) || errors.Is(err, neo4jstore.ErrStopped)
}

// stopped returns why a run ended early because its budget is spent, "" if it did not, and any other
// error that ended it.
func stopped(err error) (string, error) {
	if errors.Is(err, llm.ErrBudget) {
		return err.Error() + "; run the same command again to continue", nil
	}
	if wrongMethod(err) {
		return "", usageError(err)
	}
	return "", err
}

// noteFailures notes how many cells are missing, with an example.
func noteFailures(env *environment, f *evalrun.Folder, kind string, failed int, why string) {
	if failed > 0 || why != "" {
		env.exit = exitFailedParts
	}
	if why != "" {
		env.note("stopped: %s", why)
	}
	if failed == 0 {
		return
	}
	example := ""
	for _, failure := range f.Failures() {
		if failure.Kind == kind && (example == "" || failure.Error < example) {
			example = failure.Error
		}
	}
	env.note("%d %s failed, such as: %s\n  run the same command again to make them", failed, kind, example)
}
