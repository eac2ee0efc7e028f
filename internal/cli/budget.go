package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/prices"
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

// endpoints returns the models of the tasks of a command, and the embedding model.
func (m *models) endpoints() ([]config.Endpoint, error) {
	if m == nil {
		return nil, nil
	}
	var all []config.Endpoint
	for _, task := range m.tasks() {
		at, err := m.settings.TaskEndpoint(task, m.general)
		if err != nil {
			return nil, err
		}
		all = append(all, at)
	}
	at, err := m.settings.EmbeddingEndpoint(m.general)
	if at.Model != "" || len(m.tasks()) == 0 { // without tasks the corpus may name the embedding model
		all = append(all, at)
	}
	return all, err
}

// pricing returns what is known of the prices of a command's models.
func (m *models) pricing() (p pricing, err error) {
	all, err := m.endpoints()
	for _, at := range all {
		p.add(at)
	}
	return p, err
}

// priceDate returns the date of the built-in list of prices, "" if no price is from it.
func (m *models) priceDate() (string, error) {
	p, err := m.pricing()
	return p.listed, err
}

// A pricing is what is known of the prices of a command's models.
type pricing struct {
	listed  string   // date of the built-in list, "" if no price is from it
	unknown []string // models whose prices are not known, and that are not on this machine, sorted
}

// add adds what is known of the price of a model.
func (p *pricing) add(at config.Endpoint) {
	if at.ListedPrice() {
		p.listed = prices.Date
	}
	if len(at.MissingPrices()) > 0 && !at.IsLocal() {
		p.unknown = append(p.unknown, at.Model)
		slices.Sort(p.unknown)
		p.unknown = slices.Compact(p.unknown)
	}
}

// note tells where the prices are from.
func (p pricing) note(env *environment) {
	if p.listed != "" {
		env.note("the cost is in %s, by the list prices of %s; --price-in, --price-out and --embedding-price-in set other prices", prices.Currency, p.listed)
	}
	if len(p.unknown) > 0 {
		env.note("the cost of %s is unknown without prices (--price-in, --price-out, --embedding-price-in)", strings.Join(p.unknown, ", "))
	}
}

// newBudget returns the budget of --max-cost; nil without that flag. It needs every price
// of the models of the command.
func (m *models) newBudget() (*llm.Budget, error) {
	if !m.options.costLimited {
		return nil, nil
	}
	all, err := m.endpoints()
	if err == nil {
		err = checkPriced(all...)
	}
	if err != nil {
		return nil, err
	}
	m.chats = map[string]llm.Chat{} // they were built without the budget
	return llm.NewBudget(m.options.maxCost), nil
}

// checkPriced returns an error that names the prices of models that are not known.
func checkPriced(all ...config.Endpoint) error {
	var missing []string
	for _, at := range all {
		missing = append(missing, at.MissingPrices()...)
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return usage("--max-cost: give the prices per million tokens too (--price-in, --price-out, --embedding-price-in; 0 for a free model): set %s", strings.Join(slices.Compact(missing), ", "))
}

// costText returns the cost of a run; "" if the prices are unknown.
func (env *environment) costText(cost float64) string {
	switch {
	case cost == 0:
		return ""
	case env.priceDate != "":
		return fmt.Sprintf(", cost %.4f %s by the list prices of %s", cost, prices.Currency, env.priceDate)
	}
	return fmt.Sprintf(", cost %.4f", cost)
}
