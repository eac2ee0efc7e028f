package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
)

// budgetFlag bounds what one run may cost.
func budgetFlag() ucli.Flag {
	return &ucli.Float64Flag{Name: "max-cost", Usage: "stop before the calls of this run cost more than this `AMOUNT`; needs prices; the same command goes on where it stopped"}
}

// prices are what the models of a command cost, by the stages of a run.
func (m *models) prices() (index.Prices, error) {
	p := index.Prices{}
	if m == nil {
		return p, nil
	}
	for stage, task := range map[string]string{"extract": "extract", "describe": "summarise", "report": "report"} {
		if !hasFlag(m.cc, "model-"+task) {
			continue
		}
		_, at, err := m.chat(task)
		if err != nil {
			return nil, err
		}
		p[stage] = at.Price
	}
	at, err := m.c.config.EmbeddingEndpoint(m.general)
	p["embed"] = at.Price
	return p, err
}

// priced tells that something has a price.
func priced(p index.Prices) bool {
	for _, price := range p {
		if price != (llm.Price{}) {
			return true
		}
	}
	return false
}

// bound is what a run may cost; nil where that is not bounded.
func (m *models) bound() (*llm.Budget, error) {
	if !m.cc.IsSet("max-cost") {
		return nil, nil
	}
	most := m.cc.Float64("max-cost")
	if !(most > 0) {
		return nil, usage("--max-cost: give an amount above 0")
	}
	p, err := m.prices()
	if err != nil {
		return nil, err
	}
	if !priced(p) {
		return nil, usage("--max-cost: give the prices too (--price-in, --price-out, --embedding-price-in), per million tokens")
	}
	m.chats = map[string]llm.Chat{} // those were made without a budget
	return llm.NewBudget(most), nil
}
