package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
)

// prices returns the prices of the models of a command by index stage.
func (m *models) prices() (index.Prices, error) {
	p := index.Prices{}
	if m == nil {
		return p, nil
	}
	for stage, task := range map[string]string{"extract": "extract", "derive": "summarise", "describe": "summarise", "report": "report", "queries": "queries"} {
		if !slices.Contains(m.tasks(), task) {
			continue
		}
		at, err := m.settings.TaskEndpoint(task, m.general)
		if err != nil {
			return nil, err
		}
		p[stage] = at.Price
	}
	at, err := m.settings.EmbeddingEndpoint(m.general)
	p["embed"] = at.Price
	return p, err
}

// anyPrice reports whether any stage has a price.
func anyPrice(p index.Prices) bool {
	for _, price := range p {
		if price != (llm.Price{}) {
			return true
		}
	}
	return false
}

// newBudget returns the budget of --max-cost; nil without that flag. It needs every price
// of the models of the command.
func (m *models) newBudget() (*llm.Budget, error) {
	if !m.options.costLimited {
		return nil, nil
	}
	var missing []string
	for _, task := range m.tasks() {
		at, err := m.settings.TaskEndpoint(task, m.general)
		if err != nil {
			return nil, err
		}
		missing = append(missing, at.MissingPrices()...)
	}
	at, err := m.settings.EmbeddingEndpoint(m.general)
	if err != nil {
		return nil, err
	}
	if at.Model != "" || len(m.tasks()) == 0 { // without tasks the corpus may name the embedding model
		missing = append(missing, at.MissingPrices()...)
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return nil, usage("--max-cost: give the prices per million tokens too (--price-in, --price-out, --embedding-price-in; 0 for a free model): set %s", strings.Join(slices.Compact(missing), ", "))
	}
	m.chats = map[string]llm.Chat{} // they were built without the budget
	return llm.NewBudget(m.options.maxCost), nil
}

// costText returns the cost of a run; "" if the prices are unknown.
func costText(cost float64) string {
	if cost == 0 {
		return ""
	}
	return fmt.Sprintf(", cost %.4f", cost)
}
