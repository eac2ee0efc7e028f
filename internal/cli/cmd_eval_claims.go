package cli

import (
	"context"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/synth"
)

func newEvalClaimsCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "claims",
		Usage: "count the claims of the answers of an evaluation, and their clusters",
		Description: "Extracts the factual claims of every answer in the folder with a model. Without a model, each statement counts as a claim.\n" +
			"Prints for each condition: the mean number of claims (comprehensiveness), and of clusters of claims (diversity) by complete linkage on\n" +
			"1 - ROUGE-L up to each of four distances; and how often the answer with more claims or clusters is also the one that `neorag eval judge` prefers.\n" +
			"Extracted claims are reused: an interrupted run continues.",
		Flags:  slices.Concat([]ucli.Flag{corporaFlag(), runFolderFlag(), maxCostFlag()}, hide(modelFlags(), "embedding-base-url", "embedding-model", "embedding-price-in"), []ucli.Flag{verboseFlag()}),
		Action: action(env, evalClaimsOptionsFrom, runEvalClaims),
	}
}

func evalClaimsOptionsFrom(cc invocation) (evaluationOptions, error) {
	if cc.NArg() > 0 {
		return evaluationOptions{}, usage("eval claims: name the folder of the evaluation with --run; it takes no arguments")
	}
	return evaluationOptionsFrom(cc, judgeUse)
}

func runEvalClaims(ctx context.Context, env *environment, o evaluationOptions) (err error) {
	env.resumable.Store(true)
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	extractor, err := assessorOf(m)
	if err != nil {
		return err
	}
	f, err := answeredRun(env, o.run, o.corpora)
	if err != nil {
		return err
	}
	defer func() { err = closeRun(f, err) }()
	if extractor == nil {
		env.note("no model is used: the claims are the statements of the answers, by rules")
	}
	count, err := score.ExtractClaims(ctx, f, extractor, assessOptions(env, m, o.modelOptions))
	why, err := stopped(err)
	if err != nil {
		return err
	}
	noteFailures(env, f, "claims", count.Failed, why)
	result := score.Claims(f, score.ExtractorOf(extractor))
	return env.printTable(result)
}

// answeredRun opens the folder of an evaluation that has answers, for writing.
func answeredRun(env *environment, given string, corpora []string) (*evalrun.Folder, error) {
	dir, err := runFolder(env, given, corpora)
	if err != nil {
		return nil, err
	}
	f, err := evalrun.Open(dir)
	if err != nil {
		return nil, err
	}
	answers := len(f.Answers.All())
	if err := f.Close(); err != nil {
		return nil, err
	}
	if answers == 0 {
		return nil, usage("%s has no answers: make them with `neorag eval answer --run %s`", dir, dir)
	}
	return createRun(env, given, corpora)
}

// assessorOf returns what asks the models about answers, nil without models.
func assessorOf(m *models) (*score.Model, error) {
	if !m.hasChat() {
		return nil, nil
	}
	chat, err := m.chat(synth.TaskAnswer)
	if err != nil {
		return nil, err
	}
	return &score.Model{Ask: askerOf(m, chat, score.Task), Name: llm.Identity(chat), Prompts: m.prompts}, nil
}

// assessOptions configure how answers are assessed.
func assessOptions(env *environment, m *models, o modelOptions) score.Options {
	return score.Options{Limit: cellLimit(m, o), Ends: endsRun, Progress: countedProgress(env, "measured")}
}
