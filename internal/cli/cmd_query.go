package cli

import (
	"context"
	"errors"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/cli/userdata"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newQueryCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:        "query",
		Usage:       "ask a question about a corpus",
		ArgsUsage:   "QUESTION | - | --chat",
		Description: "Without a question, or with -, the question is read from standard input.",
		Flags: slices.Concat([]ucli.Flag{corporaFlag()}, settingFlags("query"), queryFlags(), []ucli.Flag{maxCostFlag()}, queryModelFlags(),
			filterFlags(), retrievalFlags(), settingFlags("models.rerank"), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, queryOptionsFrom, runQuery),
	}
}

func runQuery(ctx context.Context, env *environment, o queryOptions) error {
	if o.dryRun {
		return runQueryDryRun(ctx, env, o)
	}
	past, err := userdata.Folder(env.home).OpenHistory(o.history, env.note)
	if errors.Is(err, userdata.ErrHistory) {
		return usage("--history %v", err)
	}
	if err != nil {
		return err
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	suggestLocalModels(ctx, env, o.use, false)
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		engines, end, err := engineMaker(env, store, m, o.modelOptions)
		if err != nil {
			return err
		}
		defer end()
		engine, err := engines(ctx, o.corpora)
		if err != nil {
			return err
		}
		if o.context {
			q := o.question
			q.History = past.Turns
			return printContext(ctx, env, engine, q, o.explain)
		}
		a := asker{env: env, engine: engine, stream: m.hasChat()}
		if o.chat {
			return runChat(ctx, &chat{asker: a, question: o.question, history: past})
		}
		q := o.question
		q.History = past.Turns
		answer, err := a.ask(ctx, q)
		if err != nil {
			return err
		}
		if err := past.Add(answer.Answer); err != nil {
			return err
		}
		if env.json {
			return env.printJSON(answer.Answer)
		}
		printAnswer(env, answer)
		printHints(env, answer.Answer, "`neorag trace 1`", env.verbose || o.explain)
		if o.explain {
			for _, t := range answer.Traces {
				t.Print(env.Stdout)
			}
		}
		return nil
	})
}
