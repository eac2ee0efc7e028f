package expand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/prompts"
)

// TaskFacts is the task by which calls that choose relationships are counted.
const TaskFacts = "facts"

const factBytes = 1000

// SelectFacts has a model choose the relationships that a question needs, by one call, and returns
// their places, in ascending order and possibly none (HippoRAG 2, section 3.2: recognition
// memory). A relationship is shown on one line.
func SelectFacts(ctx context.Context, ask prompts.Asker, question string, relationships []string) ([]int, error) {
	var b strings.Builder
	for i, r := range relationships {
		b.WriteString(strconv.Itoa(i+1) + ": " + text.Truncate(text.OneLine(sanitize.Text(r)), factBytes) + "\n")
	}
	return prompts.Ask(ctx, ask, prompts.Facts, prompts.Values{"question": question, "context": b.String()}, func(answer string) ([]int, error) { return parseFacts(answer, len(relationships)) })
}

// parseFacts returns the places of numbers from 1 to n; others are ignored.
func parseFacts(answer string, n int) ([]int, error) {
	var raw struct{ Facts *[]int }
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the chosen relationships are not of the form asked for: %w", err)
	}
	if raw.Facts == nil {
		return nil, errors.New("the answer has no list of relationships")
	}
	var places []int
	for _, number := range *raw.Facts {
		if number >= 1 && number <= n {
			places = append(places, number-1)
		}
	}
	slices.Sort(places)
	return slices.Compact(places), nil
}
