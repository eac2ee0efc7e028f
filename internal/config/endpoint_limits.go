package config

import (
	"math"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
)

// otherMaxTokens is the token limit of answers that are not records: they have fewer than
// 1,000 tokens, and the rest is for the reasoning that some models write first. Records
// have llm.DefaultMaxTokens.
const otherMaxTokens = 4096

// readMaxTokens reads the token limit of a section: from its parameters, else from its
// max_tokens. If it has neither, the limit stays.
func (c *Config) readMaxTokens(e *Endpoint, section string) error {
	if key := "models." + section + ".max_tokens"; override(c, &e.MaxTokens, key) {
		e.MaxTokensKey, e.maxTokensChosen = key, true
	}
	given := c.Get("models." + section + ".parameters")
	if len(given.Items) == 0 {
		return nil
	}
	for _, name := range openai.TokenLimitParams {
		value, ok := e.Params[name]
		if !ok {
			continue
		}
		n, number := value.(float64)
		if !number || n < 1 || n > math.MaxInt32 || n != math.Trunc(n) {
			return mistake("%s: %s: give a number of tokens above 0", given.Where, name)
		}
		e.MaxTokens, e.MaxTokensKey, e.maxTokensChosen = int(n), name+" in models."+section+".parameters", true
	}
	return nil
}

// withDefaultMaxTokens returns the endpoint of a task with a token limit.
func (e Endpoint) withDefaultMaxTokens(task string) Endpoint {
	if e.MaxTokens > 0 {
		return e
	}
	e.MaxTokens, e.MaxTokensKey = otherMaxTokens, "models."+task+".max_tokens"
	if task == "extract" {
		e.MaxTokens = llm.DefaultMaxTokens
	}
	return e
}

// AnswerLimit returns the token limit of answers of a task.
func (e Endpoint) AnswerLimit() llm.AnswerLimit {
	return llm.AnswerLimit{Tokens: e.MaxTokens, Setting: e.MaxTokensKey, Chosen: e.maxTokensChosen}
}

// readPrice reads a price of a section, and notes that it is known. If the section has
// none, the price stays.
func (c *Config) readPrice(price *float64, known *bool, key string) {
	*known = override(c, price, key) || *known
}

// MissingPrices returns the settings of the prices that are not known.
func (e Endpoint) MissingPrices() []string {
	var keys []string
	if !e.inPriced {
		keys = append(keys, "models."+e.section+".price_in")
	}
	if !e.outPriced && e.section != "embedding" {
		keys = append(keys, "models."+e.section+".price_out")
	}
	return keys
}
