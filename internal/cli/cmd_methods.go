package cli

import (
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
)

func newMethodsCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:   "methods",
		Usage:  "list the query methods: what each needs, and what a question takes",
		Action: func(*ucli.Context) error { return runMethods(env) },
	}
}

// methodList is the shape of `methods --json`.
type methodList struct {
	Methods []methodRow `json:"methods"`
}

type methodRow struct {
	Name       string           `json:"name"`
	Everyday   bool             `json:"everyday"` // not only for comparisons with papers
	Summary    string           `json:"summary"`
	Reads      string           `json:"reads"`
	Use        string           `json:"use"`
	Needs      []query.Artifact `json:"needs"`
	Uses       []query.Artifact `json:"uses"`
	NeedsModel bool             `json:"needs_model"`
	Filters    bool             `json:"filters"`
	Corpora    bool             `json:"several_corpora"`
	Modes      []string         `json:"modes,omitempty"`
	Paths      []string         `json:"paths,omitempty"`
	Settings   []string         `json:"settings,omitempty"`
	Paper      *query.Paper     `json:"paper,omitempty"`
	Calls      string           `json:"calls"`
	Cost       query.Cost       `json:"cost"`
}

func methodRows() []methodRow {
	var rows []methodRow
	for _, m := range query.Methods() {
		row := methodRow{
			Name: m.Name, Everyday: m.Everyday(), Summary: m.Summary, Reads: m.Reads, Use: m.Use, Needs: append([]query.Artifact{}, m.Needs...), Uses: append([]query.Artifact{}, m.Uses...),
			NeedsModel: m.NeedsModel, Filters: m.Scoped, Corpora: m.Scoped, Modes: m.Modes, Paths: m.Paths, Settings: query.TuningNames(m.Name),
			Calls: m.Calls, Cost: m.Cost,
		}
		if m.Paper.Name != "" {
			row.Paper = &m.Paper
		}
		rows = append(rows, row)
	}
	return rows
}

func runMethods(env *environment) error {
	rows := methodRows()
	if env.json {
		return env.printJSON(methodList{rows})
	}
	for i, m := range rows {
		if !m.Everyday && (i == 0 || rows[i-1].Everyday) {
			env.printf("\nThese serve comparisons with papers:\n\n")
		}
		env.printf("%-8s %s\n", m.Name, m.Summary)
		for _, line := range m.lines() {
			env.printf("         %s\n", line)
		}
	}
	env.printf("\nCalls and tokens: ten questions about examples/christmas-carol, with the simulated model of the tests.\n--check-quotes adds a call for each 20 quotes that it checks.\n")
	return nil
}

// lines describe what a method needs, and what it takes.
func (m methodRow) lines() []string {
	needs := "needs only documents"
	if len(m.Needs) > 0 {
		needs = "needs " + query.JoinArtifacts(m.Needs)
	}
	if len(m.Uses) > 0 {
		needs += "; uses " + query.JoinArtifacts(m.Uses)
	}
	if m.NeedsModel {
		needs += "; needs a model"
	}
	if m.Filters {
		needs += "; filters, several corpora"
	}
	if m.Paper != nil {
		needs += fmt.Sprintf("; %s %s", m.Paper.Name, m.Paper.Section)
	}
	return []string{needs, fmt.Sprintf("with a model: %v calls (%s), %v tokens in, %v out", m.Cost.Calls, m.Calls, m.Cost.TokensIn, m.Cost.TokensOut)}
}
