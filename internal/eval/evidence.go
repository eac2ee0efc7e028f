package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// An Answered is what of an answer its evidence is measured by.
type Answered struct {
	Method    string
	Citations []cite.Citation
	Uncited   int // statements without a citation
	Calls     int64
	Tokens    int64 // in and out
}

// Evidence is the quality of the evidence of answers, by method.
type Evidence struct {
	Methods []MethodEvidence `json:"methods"`
	Judged  bool             `json:"judged"` // a model judged the quotes
}

// A MethodEvidence is the quality of the evidence of the answers of one method. Shares are
// from 0 to 1.
type MethodEvidence struct {
	Method     string  `json:"method"`
	Answers    int     `json:"answers"`
	Statements int     `json:"statements"`  // with and without references
	Referenced float64 `json:"referenced"`  // share of the statements with a reference, from 0 to 1, as all shares
	Citations  int     `json:"citations"`   // pairs of a statement and a record
	Quoted     float64 `json:"quoted"`      // share of the citations with a quote
	InDocument float64 `json:"in_document"` // share of the quotes that are in the document, at their offsets
	Exact      float64 `json:"exact"`       // share of the quotes with the words of the statement
	Coverage   float64 `json:"coverage"`    // mean share of a referenced statement's terms that its quotes hold
	Supported  float64 `json:"supported"`   // share of the citations whose quote supports all of the statement, as the model judges; 0 without --judge
	Partly     float64 `json:"partly"`      // share of the citations whose quote supports a part of it; 0 without --judge
	Calls      float64 `json:"calls"`       // of the model for an answer
	Tokens     float64 `json:"tokens"`      // of the model for an answer, in and out
}

// MeasureEvidence measures the evidence of answers. quoted reports whether the
// quote of a citation is in its document, at its offsets. judge asks a model whether quotes support their statements; nil for no model.
func MeasureEvidence(ctx context.Context, answers []Answered, quoted func(cite.Citation) bool, judge prompts.Asker) (Evidence, error) {
	byMethod := map[string][]Answered{}
	var methods []string
	for _, a := range answers {
		if byMethod[a.Method] == nil {
			methods = append(methods, a.Method)
		}
		byMethod[a.Method] = append(byMethod[a.Method], a)
	}
	slices.Sort(methods)
	out := Evidence{Methods: []MethodEvidence{}, Judged: judge != nil}
	for _, method := range methods {
		m := measureMethod(byMethod[method], quoted)
		m.Method = method
		if judge != nil {
			if err := m.judge(ctx, byMethod[method], judge); err != nil {
				return Evidence{}, fmt.Errorf("judge the answers of %s: %w", method, err)
			}
		}
		out.Methods = append(out.Methods, m)
	}
	return out, nil
}

// measureMethod measures the answers of one method without a model.
func measureMethod(answers []Answered, quoted func(cite.Citation) bool) MethodEvidence {
	m := MethodEvidence{Answers: len(answers)}
	referenced, quotes, found, exact := 0, 0, 0, 0
	coverage := 0.
	for _, a := range answers {
		quotesOf := map[string]string{} // by statement
		for _, c := range a.Citations {
			quotesOf[c.Statement] += "\n" + c.Quote
			if c.Quote == "" {
				continue
			}
			quotes++
			if quoted(c) {
				found++
			}
			if c.Match == cite.Exact {
				exact++
			}
		}
		for statement, quoted := range quotesOf {
			if terms := textproc.TermSetOf(statement); len(terms) > 0 {
				coverage += float64(textproc.TermSetOf(quoted).Shared(terms)) / float64(len(terms))
			}
		}
		referenced += len(quotesOf)
		m.Statements += len(quotesOf) + a.Uncited
		m.Citations += len(a.Citations)
		m.Calls += float64(a.Calls)
		m.Tokens += float64(a.Tokens)
	}
	m.Referenced, m.Quoted = share(referenced, m.Statements), share(quotes, m.Citations)
	m.InDocument, m.Exact = share(found, quotes), share(exact, quotes)
	m.Coverage = coverage / float64(max(1, referenced))
	m.Calls, m.Tokens = m.Calls/float64(m.Answers), m.Tokens/float64(m.Answers)
	return m
}

func share(part, all int) float64 { return float64(part) / float64(max(1, all)) }

const (
	pairsPerCall = 20
	maxPairText  = 1200 // bytes of a statement, and of a quote
)

// judge asks a model how many quotes support their statements.
func (m *MethodEvidence) judge(ctx context.Context, answers []Answered, ask prompts.Asker) error {
	var pairs []string
	for _, a := range answers {
		for _, c := range a.Citations {
			if c.Quote != "" {
				pairs = append(pairs, "Statement: "+text.Truncate(text.OneLine(c.Statement), maxPairText)+"\nQuote: "+text.Truncate(text.OneLine(c.Quote), maxPairText))
			}
		}
	}
	supported, partly := 0, 0
	for part := range slices.Chunk(pairs, pairsPerCall) {
		verdicts, err := judgePairs(ctx, part, ask)
		if err != nil {
			return err
		}
		for _, v := range verdicts {
			switch v {
			case 2:
				supported++
			case 1:
				partly++
			}
		}
	}
	m.Supported, m.Partly = share(supported, m.Citations), share(partly, m.Citations)
	return nil
}

// judgePairs returns a verdict from 0 to 2 for each pair.
func judgePairs(ctx context.Context, pairs []string, ask prompts.Asker) ([]int, error) {
	var b strings.Builder
	for i, p := range pairs {
		fmt.Fprintf(&b, "Pair %d\n%s\n\n", i+1, p)
	}
	values := prompts.Values{"context": strings.TrimSpace(b.String())}
	return prompts.Ask(ctx, ask, prompts.Support, values, func(answer string) ([]int, error) { return parseSupport(answer, len(pairs)) })
}

// parseSupport reads the verdicts on n pairs.
func parseSupport(answer string, n int) ([]int, error) {
	var raw struct {
		Pairs []struct{ Pair, Support int }
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the verdicts are not of the form asked for: %w", err)
	}
	verdicts, judged := make([]int, n), map[int]bool{}
	for _, p := range raw.Pairs {
		if p.Pair < 1 || p.Pair > n || p.Support < 0 || p.Support > 2 {
			return nil, fmt.Errorf("pair %d with support %d: there are %d pairs, and support is 0, 1 or 2", p.Pair, p.Support, n)
		}
		if judged[p.Pair] {
			return nil, fmt.Errorf("pair %d was judged twice", p.Pair)
		}
		verdicts[p.Pair-1], judged[p.Pair] = p.Support, true
	}
	if len(judged) != n {
		return nil, fmt.Errorf("%d of %d pairs were judged", len(judged), n)
	}
	return verdicts, nil
}

// Table returns the figures as a Markdown table.
func (e Evidence) Table() string {
	var b strings.Builder
	b.WriteString("| method | answers | statements | referenced | citations | quoted | in document | exact | coverage |")
	judged := ""
	if e.Judged {
		b.WriteString(" supported | partly |")
		judged = "---:|---:|"
	}
	b.WriteString(" calls | tokens |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|" + judged + "---:|---:|\n")
	for _, m := range e.Methods {
		fmt.Fprintf(&b, "| %s | %d | %d | %.2f | %d | %.2f | %.2f | %.2f | %.2f |", m.Method, m.Answers, m.Statements, m.Referenced, m.Citations, m.Quoted, m.InDocument, m.Exact, m.Coverage)
		if e.Judged {
			fmt.Fprintf(&b, " %.2f | %.2f |", m.Supported, m.Partly)
		}
		fmt.Fprintf(&b, " %.1f | %.0f |\n", m.Calls, m.Tokens)
	}
	return b.String()
}
