package cli

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
)

// runQueryDryRun prints how much each level would read, and what that would cost, and asks
// nothing.
func runQueryDryRun(ctx context.Context, env *environment, o queryOptions) error {
	if len(o.corpora) > 1 {
		return usage("query: --dry-run takes one corpus, not %d", len(o.corpora))
	}
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return err
	}
	defer m.close()
	return withEngine(ctx, env, o.corpora[0], func(engine *query.Engine) error {
		sizes, err := engine.LevelSizes(ctx, o.question)
		if err != nil {
			return err
		}
		var known pricing
		if m.hasChat() {
			var p query.Prices
			if p, known, err = m.queryPrices(); err != nil {
				return err
			}
			sizes.AddEstimates(o.question, p)
			sizes.PriceDate = known.listed
		}
		return env.print(sizes, func() {
			printLevelSizes(env, sizes)
			known.note(env)
		})
	})
}

// queryPrices returns the prices of the models that read and answer, and what is known of them.
func (m *models) queryPrices() (p query.Prices, known pricing, err error) {
	for task, price := range map[string]*llm.Price{synth.TaskMap: &p.Map, synth.TaskAnswer: &p.Answer} {
		at, err := m.settings.TaskEndpoint(task, m.general)
		if err != nil {
			return p, known, err
		}
		*price = at.Price
		known.add(at)
	}
	return p, known, nil
}

// printLevelSizes compares the reports of each level with the text, and what questions are expected
// to use.
func printLevelSizes(env *environment, s query.LevelSizes) {
	for _, level := range s.Levels {
		share := 0.
		if s.TextTokens > 0 {
			share = 100 * float64(level.Tokens) / float64(s.TextTokens)
		}
		env.printf("global --level %-3d %6d reports %9d tokens %6.1f %% of the text%s\n", level.Level, level.Reports, level.Tokens, share, estimateText(level.Estimate))
	}
	env.printf("text               %6d chunks  %9d tokens%s\n", s.Chunks, s.TextTokens, estimateText(s.TextEstimate))
	if s.ContextEstimate != nil {
		env.printf("chunks in one call, as with basic%s\n", estimateText(s.ContextEstimate))
		env.printf("chunks, records and reports in one call, as with local%s\n", estimateText(s.LocalEstimate))
	}
}

// estimateText returns what a question is expected to use, "" if that is not estimated.
func estimateText(u *llm.Usage) string {
	if u == nil {
		return ""
	}
	text := fmt.Sprintf("; about %d calls, %d tokens in, %d tokens out", u.Calls, u.TokensIn, u.TokensOut)
	if u.Cost > 0 {
		text += fmt.Sprintf(", cost %.4f", u.Cost)
	}
	return text
}
