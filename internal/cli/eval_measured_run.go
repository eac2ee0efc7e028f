package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
)

// measuredRunFlag names an evaluation whose answers are measured.
func measuredRunFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "run", Usage: "measure the answers of the evaluation in `FOLDER`, which `neorag eval answer` made"}
}

// checkMeasuredRun refuses flags that have no effect with --run, or none without it.
func checkMeasuredRun(cc invocation, command, run string, judge bool, flags ...string) error {
	if run == "" && judge {
		return usage("%s --judge: name the folder of an evaluation with --run, where the verdicts are kept; `neorag eval answer` makes one", command)
	}
	if run != "" && cc.NArg() > 0 {
		return usage("%s: give questions or --run, not both", command)
	}
	for _, name := range flags {
		if run != "" && cc.IsSet(name) {
			return usage("%s: --%s has no effect with --run, which measures all answers of the folder", command, name)
		}
	}
	return nil
}

// An assessment makes the verdicts of a model on the answers of an evaluation.
type assessment struct {
	command string // for messages
	prompt  string
	judge   func(context.Context, *evalrun.Folder, *score.Model, score.Options) (evalrun.Count, error)
}

// judgeRun makes the verdicts that are missing, if a judge is asked for, and calls score with the
// folder and the identity of the judge, "" for none.
func judgeRun(ctx context.Context, env *environment, run string, judged bool, o modelOptions, a assessment, score func(*evalrun.Folder, string) error) (err error) {
	if !judged {
		f, err := evalrun.Open(run)
		if err != nil {
			return usageError(err)
		}
		defer func() { _ = f.Close() }()
		return score(f, "")
	}
	env.resumable.Store(true)
	m, _, err := requiredModels(ctx, env, o, a.command+" --judge")
	if err != nil {
		return err
	}
	defer m.close()
	assessor, err := assessorOf(m)
	if err != nil {
		return err
	}
	f, err := answeredRun(env, run, nil)
	if err != nil {
		return err
	}
	defer func() { err = closeRun(f, err) }()
	count, err := a.judge(ctx, f, assessor, assessOptions(env, m, o))
	why, err := stopped(err)
	if err != nil {
		return err
	}
	noteFailures(env, f, "verdicts", count.Failed, why)
	return score(f, assessor.Identity(a.prompt))
}
