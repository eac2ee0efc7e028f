package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

func newEvalCompareCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "compare",
		Usage:     "show what became better or worse since another evaluation; exit 1 if anything is worse",
		ArgsUsage: "OLD NEW",
		Description: "OLD and NEW are folders of evaluations. Figures are paired by condition, judge and text of the question. A figure is better or worse if the\n" +
			"interval of the difference excludes 0 and a permutation test, corrected for all figures, is significant. What NEW lacks counts as worse.",
		Flags: []ucli.Flag{
			againstFlag(),
			&ucli.Float64Flag{Name: "cost-margin", Value: 10, Usage: "let calls and tokens of a question rise by `PERCENT` before they count as worse"},
			&ucli.BoolFlag{Name: "partial", Usage: "accept that NEW lacks conditions, questions or judges of OLD"},
			&ucli.BoolFlag{Name: "all", Usage: "print figures that stayed the same too"},
		},
		Action: action(env, evalCompareOptionsFrom, runEvalCompare),
	}
}

type evalCompareOptions struct {
	evalreport.CompareOptions

	before, after string // folders
	all           bool
}

func evalCompareOptionsFrom(cc invocation) (evalCompareOptions, error) {
	o := evalCompareOptions{CompareOptions: evalreport.CompareOptions{
		Against: cc.String("against"), CostMargin: cc.Float64("cost-margin") / 100, Partial: cc.Bool("partial"),
	}, all: cc.Bool("all")}
	args := cc.Args().Slice()
	if len(args) != 2 {
		return o, usage("eval compare: give two folders of evaluations, OLD and NEW")
	}
	if !(o.CostMargin >= 0) {
		return o, usage("--cost-margin: must not be negative")
	}
	o.before, o.after = args[0], args[1]
	return o, nil
}

func runEvalCompare(_ context.Context, env *environment, o evalCompareOptions) error {
	c, err := compareEvaluations(o)
	if err != nil {
		return usageError(err) // exit code 1 means worse
	}
	if c.Failed {
		env.exit = exitFailure
	}
	return env.print(c, func() { env.printf("%s", c.Table(o.all).Markdown()) })
}

func compareEvaluations(o evalCompareOptions) (evalreport.Comparison, error) {
	before, err := evalrun.Open(o.before)
	if err != nil {
		return evalreport.Comparison{}, err
	}
	after, err := evalrun.Open(o.after)
	if err != nil {
		return evalreport.Comparison{}, err
	}
	return evalreport.Compare(before, after, o.CompareOptions)
}
