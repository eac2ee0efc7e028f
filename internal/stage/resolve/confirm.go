package resolve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// TaskNames is the task under which calls that confirm names are counted.
const TaskNames = "names"

// PairsPerCall is how many pairs of names one call is about at most.
const PairsPerCall = 20

// A Confirmer asks a model which names denote the same entity.
type Confirmer struct {
	Chat    llm.Chat
	Prompts prompts.Set
}

// A Described is a name with what the model is shown of it.
type Described struct{ Name, Type, Description string }

// Confirm reports for each pair whether the model confirmed that both names denote the same
// entity. What it says of other pairs is ignored; an answer about none of these is an error.
func (c *Confirmer) Confirm(ctx context.Context, pairs [][2]Described) ([]bool, error) {
	p, err := c.Prompts.Get(prompts.SameNames)
	if err != nil {
		return nil, err
	}
	system, user := p.Render(prompts.Values{"context": ShowPairs(pairs)})
	same, err := llm.Parsed(ctx, c.Chat, llm.Request{
		Task:     TaskNames,
		Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema:   &llm.Schema{Name: "same_names", JSON: p.Schema},
	}, func(answer string) ([]bool, error) { return parseSame(answer, len(pairs)) })
	if err != nil {
		return nil, fmt.Errorf("confirm %d pairs of names: %w", len(pairs), err)
	}
	return same, nil
}

// ShowPairs returns pairs as the prompt shows them. Each name is one line, so that no description
// can look like another pair.
func ShowPairs(pairs [][2]Described) string {
	var b strings.Builder
	for i, p := range pairs {
		fmt.Fprintf(&b, "Pair %d\n", i+1)
		for _, d := range p {
			fmt.Fprintf(&b, "- %s\n", strings.TrimSuffix(text.OneLine(d.Name+" ("+d.Type+"): "+d.Description), ":"))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

// parseSame reads the answer about n pairs; numbers and values may be quoted. A pair that is
// missing or has two answers is not confirmed.
func parseSame(answer string, n int) ([]bool, error) {
	var raw struct {
		Pairs []struct {
			Pair json.RawMessage `json:"pair"`
			Same json.RawMessage `json:"same"`
		} `json:"pairs"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the answer is not of the form asked for: %w", err)
	}
	same, seen := make([]bool, n), make([]bool, n)
	known := false
	for _, p := range raw.Pairs {
		at, err := strconv.Atoi(llm.Unquote(p.Pair))
		value, valid := strconv.ParseBool(strings.ToLower(llm.Unquote(p.Same)))
		if err != nil || valid != nil || at < 1 || at > n {
			continue
		}
		same[at-1] = value && (!seen[at-1] || same[at-1])
		seen[at-1], known = true, true
	}
	if !known {
		return nil, errors.New("the answer is about none of the pairs")
	}
	return same, nil
}
