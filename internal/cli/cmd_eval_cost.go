package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newEvalCostCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "cost",
		Usage: "print what a question and the index cost, in calls, tokens, time and money",
		Description: "Costs of questions are read from the folder of an evaluation. With a server, the costs of the index and the share of the corpus that a question\n" +
			"reads are printed too, for the current state of the corpora.",
		Flags:  append([]ucli.Flag{corporaFlag(), evalFolderFlag(), allConditionsFlag()}, serverFlags()...),
		Action: action(env, evalCostOptionsFrom, runEvalCost),
	}
}

func evalCostOptionsFrom(cc invocation) (evalReportOptions, error) {
	o := evalReportOptions{Options: evalreport.Options{All: cc.Bool("all")}, run: cc.String("run")}
	return o, o.readFolder("eval cost", cc)
}

func runEvalCost(ctx context.Context, env *environment, o evalReportOptions) error {
	r, err := readEvalReport(env, o)
	if err != nil {
		return err
	}
	var indexes []evalreport.IndexCost
	err = withStore(ctx, env, func(store *neo4jstore.Store) error {
		indexes, err = indexCosts(ctx, store, r.Corpora())
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		env.note("Costs of the index are left out: %v", err)
	}
	costs := r.CostsOf(indexes)
	return env.print(costs, func() { env.printf("%s", evalreport.Markdown(costs.Tables())) })
}

// indexCosts reads what the runs of corpora cost. A corpus that is not on the server is left out.
func indexCosts(ctx context.Context, store *neo4jstore.Store, corpora []string) ([]evalreport.IndexCost, error) {
	var out []evalreport.IndexCost
	for _, corpus := range corpora {
		documents, err := store.Documents(ctx, corpus)
		if err != nil {
			return nil, err
		}
		if len(documents) == 0 {
			continue
		}
		cost := evalreport.IndexCost{Corpus: corpus}
		for _, d := range documents {
			cost.Tokens += int64(d.NTokens)
		}
		runs, err := store.Runs(ctx, corpus, maxRuns)
		if err != nil {
			return nil, err
		}
		cost.Runs, cost.Usage = len(runs), usageOf(runs)
		for _, r := range runs {
			cost.Seconds += r.Finished.Sub(r.Started).Seconds()
		}
		out = append(out, cost)
	}
	return out, nil
}
