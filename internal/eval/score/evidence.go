package score

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

const (
	quotesPerCall = 20
	maxQuoteBytes = 1200 // of a statement, and of a quote
)

// JudgeEvidence asks a model of each answer which of its quotes support their statements, and
// which statements their quotes support together.
func JudgeEvidence(ctx context.Context, f *evalrun.Folder, m *Model, o Options) (evalrun.Count, error) {
	var todo cells[evalrun.Verdict]
	for _, a := range f.Answers.All() {
		cell := evalrun.Verdict{Answer: a.Key(), Kind: evalrun.VerdictEvidence, Judge: m.Identity(prompts.AnswerEvidence)}
		todo.add(cell.Key(), func(ctx context.Context) (evalrun.Verdict, error) {
			var err error
			cell.Usage, err = metered(ctx, func(ctx context.Context) error { return m.evidence(ctx, a, &cell) })
			return cell, err
		})
	}
	return todo.run(ctx, f, "verdicts", f.Verdicts, o)
}

// A cited statement has the quotes of its evidence.
type cited struct {
	statement string
	citations int
	quotes    []string
}

// citedIn returns the statements of an answer that cite something, in order.
func citedIn(a evalrun.Answer) []cited {
	var out []cited
	at := map[string]int{}
	for _, c := range a.Citations {
		i, known := at[c.Statement]
		if !known {
			i = len(out)
			at[c.Statement] = i
			out = append(out, cited{statement: c.Statement})
		}
		out[i].citations++
		if c.Quote != "" {
			out[i].quotes = append(out[i].quotes, c.Quote)
		}
	}
	return out
}

// evidence counts the citations and statements of an answer in a verdict. A citation without a
// quote supports nothing, and a statement without a quote is not covered: no model is asked.
func (m *Model) evidence(ctx context.Context, a evalrun.Answer, v *evalrun.Verdict) error {
	quoted := countEvidence(a, v)
	for from := 0; from < len(quoted); {
		to, quotes := from, 0
		for to < len(quoted) && (to == from || quotes+len(quoted[to].quotes) <= quotesPerCall) {
			quotes += len(quoted[to].quotes)
			to++
		}
		judged, err := m.judgeQuotes(ctx, quoted[from:to])
		if err != nil {
			return err
		}
		for _, j := range judged {
			j.addTo(v)
		}
		from = to
	}
	return nil
}

// countEvidence counts the statements and citations of an answer in a verdict, and returns the
// statements that have quotes.
func countEvidence(a evalrun.Answer, v *evalrun.Verdict) (quoted []cited) {
	v.Statements = a.Uncited
	for _, c := range citedIn(a) {
		v.Statements++
		v.Citations += c.citations
		if len(c.quotes) > 0 {
			quoted = append(quoted, c)
		}
	}
	return quoted
}

// A judgedStatement is how quotes support a statement: 2 all, 1 a part, 0 nothing.
type judgedStatement struct {
	Statement int
	Together  int
	Quotes    []int
}

func (j judgedStatement) addTo(v *evalrun.Verdict) {
	for _, support := range j.Quotes {
		switch support {
		case 2:
			v.Supported++
		case 1:
			v.Partly++
		}
	}
	if j.Together == 2 {
		v.Covered++
	}
}

// judgeQuotes asks for verdicts on statements.
func (m *Model) judgeQuotes(ctx context.Context, statements []cited) ([]judgedStatement, error) {
	var b strings.Builder
	for i, s := range statements {
		fmt.Fprintf(&b, "Statement %d: %s\n", i+1, text.Truncate(text.OneLine(s.statement), maxQuoteBytes))
		for j, quote := range s.quotes {
			fmt.Fprintf(&b, "Quote %d.%d: %s\n", i+1, j+1, text.Truncate(text.OneLine(quote), maxQuoteBytes))
		}
		b.WriteString("\n")
	}
	values := prompts.Values{"text": strings.TrimSpace(b.String())}
	return prompts.Ask(ctx, m.Ask, prompts.AnswerEvidence, values, func(answer string) ([]judgedStatement, error) { return parseVerdicts(answer, statements) })
}

// parseVerdicts reads one verdict for each statement, and one for each of its quotes.
func parseVerdicts(answer string, statements []cited) ([]judgedStatement, error) {
	var raw struct{ Statements []judgedStatement }
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the verdicts are not of the form asked for: %w", err)
	}
	if len(raw.Statements) != len(statements) {
		return nil, fmt.Errorf("%d of %d statements were judged", len(raw.Statements), len(statements))
	}
	judged := map[int]bool{}
	for _, s := range raw.Statements {
		if s.Statement < 1 || s.Statement > len(statements) || judged[s.Statement] {
			return nil, fmt.Errorf("statement %d was judged twice, or is none of %d", s.Statement, len(statements))
		}
		judged[s.Statement] = true
		if want := len(statements[s.Statement-1].quotes); len(s.Quotes) != want {
			return nil, fmt.Errorf("statement %d has %d quotes, and %d were judged", s.Statement, want, len(s.Quotes))
		}
		for _, support := range append([]int{s.Together}, s.Quotes...) {
			if support < 0 || support > 2 {
				return nil, fmt.Errorf("statement %d with support %d: it is 0, 1 or 2", s.Statement, support)
			}
		}
	}
	return raw.Statements, nil
}
