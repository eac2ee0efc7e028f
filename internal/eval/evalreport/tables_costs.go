package evalreport

import (
	"fmt"
	"slices"
)

// tokenTables have one column for each condition (GraphRAG, table 2).
func tokenTables(r Report) []Table {
	t := Table{Title: "Context of a question", Head: []string{""}, Text: 1, Notes: []string{
		"Means over answers: reports, chunks or records that an answer was made from, their tokens, and the share of the tokens of the condition that reads most.",
	}}
	units, tokens, share := row("units"), row("tokens"), row("% of the maximum")
	known := false
	for _, c := range r.Costs {
		if c.Answers == 0 {
			continue
		}
		known = known || c.ContextTokens > 0
		t.Head = append(t.Head, c.Condition)
		unit := ""
		if c.ContextUnits > 0 {
			unit = number(c.ContextUnits, 0)
		}
		units, tokens = append(units, Cell{Text: unit}), append(tokens, Cell{Text: number(c.ContextTokens, 0)})
		share = append(share, Cell{Text: fmt.Sprintf("%.1f", 100*c.ShareOfMost)})
	}
	if known {
		t.Rows = [][]Cell{units, tokens, share}
	}
	return []Table{t}
}

func costTables(r Report) []Table {
	question := Table{Title: "Cost of a question", Head: []string{"condition", "answers", "calls", "tokens in", "tokens out", "cost", "seconds", "in papers"}, Text: 1}
	for _, c := range r.Costs {
		if c.Answers == 0 {
			continue
		}
		question.Rows = append(question.Rows, costRow(c, r.settingsOf(c.Condition)))
	}
	question.Notes = []string{"Means over answers. Figures of papers are of other corpora: they show the order of magnitude."}
	spent := Table{Title: "Cost of the evaluation", Head: []string{"records", "number", "calls", "tokens in", "tokens out", "cost"}, Text: 1}
	for _, s := range r.Spent {
		spent.Rows = append(spent.Rows, row(s.Kind, number(float64(s.Records), 0), number(float64(s.Usage.Calls), 0),
			number(float64(s.Usage.TokensIn), 0), number(float64(s.Usage.TokensOut), 0), number(s.Usage.Cost, 4)))
	}
	return []Table{question, spent}
}

func costRow(c Cost, settings map[string]string) []Cell {
	return row(c.Condition, number(float64(c.Answers), 0), number(c.Calls, 1), number(c.TokensIn, 0), number(c.TokensOut, 0),
		number(c.Money, 4), number(c.Seconds, 1), inPapers(c.Method, settings))
}

// settingsOf returns the settings of a condition.
func (r Report) settingsOf(name string) map[string]string {
	i := slices.IndexFunc(r.Conditions, func(c Condition) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return r.Conditions[i].Condition.Settings
}
