package resolve

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// modelVersion changes when the same model answers give different descriptions.
const modelVersion = "1"

// TaskSummarise is the task under which calls are counted.
const TaskSummarise = "summarise"

// A Model merges several descriptions into one. If they exceed the limits, a
// language model summarises them; otherwise they are joined as a Describer
// does.
type Model struct {
	Describer
	Chat     llm.Chat
	Prompts  prompts.Set
	Language string // in which summaries are written; empty means the language of the descriptions
}

// Fingerprint covers the options, the prompt, and the model with its parameters.
func (m *Model) Fingerprint() string {
	parts := []string{m.Describer.Fingerprint(), "model", modelVersion, llm.Identity(m.Chat), m.Prompts.Fingerprint(prompts.Summarise)}
	if m.Language != "" {
		parts = append(parts, m.Language)
	}
	return graph.Hash(parts...)
}

// Describe merges the fragments, in the order of Fragments, into one description
// of the entity or relationship called name.
func (m *Model) Describe(ctx context.Context, name string, fragments []string) (string, error) {
	if joined, fits := m.join(name, fragments); fits {
		return joined, ctx.Err()
	}
	p, err := m.Prompts.Get(prompts.Summarise)
	if err != nil {
		return "", err
	}
	lines := m.fitting(ctx, fragments)
	limit := m.Limits().MaxTokens
	system, user := p.Render(prompts.Values{
		"name": name, "limit": strconv.Itoa(limit), "words": strconv.Itoa(limit * 7 / 10), "language": cmp.Or(prompts.Name(m.Language), "the language of the descriptions"),
		"descriptions": strings.Join(lines, "\n"),
	})
	res, err := m.Chat.Chat(ctx, llm.Request{
		Task:     TaskSummarise,
		Shorten:  true,
		Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
	})
	if err != nil {
		return "", fmt.Errorf("summarise the descriptions of %s: %w", name, err)
	}
	return strings.TrimSpace(m.Counter.Cut(strings.TrimSpace(res.Text), 2*limit)), nil
}

// promptTokens is more than the prompt of a summary has without descriptions.
const promptTokens = 300

// fitting returns descriptions as lines: the first ones that the model can read in one call, at
// least one.
func (m *Model) fitting(ctx context.Context, fragments []string) []string {
	room := llm.Room(ctx, m.Chat)
	var lines []string
	used := 0
	for _, f := range fragments {
		line := text.OneLine(f)
		if used += m.Counter.Count(line) + 1; room > 0 && used > room-promptTokens && len(lines) > 0 {
			break
		}
		lines = append(lines, line)
	}
	return lines
}
