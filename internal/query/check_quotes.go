package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/sys/parallel"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// TaskCheckQuotes is the task by which calls that check quotes are counted.
const TaskCheckQuotes = "check-quotes"

// checkedPerCall is the number of quotes that one call judges.
const checkedPerCall = 20

// errTooLong means that a statement has more quotes than one call can hold.
var errTooLong = errors.New("a statement and its quotes do not fit into one call")

// checker returns what checks the quotes of an answer by the model; nil if nothing is to be checked.
func (r Request) checker() cite.Checker {
	if !r.CheckQuotes || r.Options.Model == nil {
		return nil
	}
	return r.checkQuotes
}

// checkQuotes has the model judge the doubtful quotes of statements, many in one call. What it does
// not judge has no verdict, and an error says why.
func (r Request) checkQuotes(ctx context.Context, statements []cite.QuotedStatement) ([][]cite.Verdict, error) {
	verdicts := make([][]cite.Verdict, len(statements))
	calls, err := checkCalls(statements, r.MapTokens)
	if err != nil {
		return verdicts, err
	}
	r.Step("checking", 0, len(calls))
	judged, err := parallel.All(ctx, r.Options.Concurrency, calls, func(ctx context.Context, c checkCall) ([][]cite.Verdict, error) {
		if c.tooLong {
			return nil, errTooLong
		}
		return r.checkCall(ctx, statements[c.start:c.end])
	})
	for i, of := range judged {
		copy(verdicts[calls[i].start:calls[i].end], of.Value)
		err = errors.Join(err, of.Err)
	}
	return verdicts, err
}

// A checkCall is the statements of one call.
type checkCall struct {
	start, end int // of the statements

	tooLong bool // one statement that no call can hold
}

// checkCalls splits statements into calls of at most checkedPerCall quotes, if they have no more, and
// of a number of tokens.
func checkCalls(statements []cite.QuotedStatement, most int) ([]checkCall, error) {
	counter, err := tokens.Get("")
	if err != nil {
		return nil, err
	}
	var calls []checkCall
	quotes, size := 0, 0
	for i, s := range statements {
		n, length := len(s.Doubtful), counter.Count(quotesText([]cite.QuotedStatement{s}))
		if len(calls) == 0 || calls[len(calls)-1].tooLong || length > most || quotes+n > checkedPerCall || size+length > most {
			calls = append(calls, checkCall{i, i, length > most})
			quotes, size = 0, 0
		}
		calls[len(calls)-1].end = i + 1
		quotes, size = quotes+n, size+length
	}
	return calls, nil
}

// checkCall asks for the verdicts on the doubtful quotes of some statements.
func (r Request) checkCall(ctx context.Context, statements []cite.QuotedStatement) ([][]cite.Verdict, error) {
	values := prompts.Values{"text": quotesText(statements)}
	return prompts.Ask(ctx, r.Asker(TaskCheckQuotes), prompts.CheckQuotes, values, func(answer string) ([][]cite.Verdict, error) { return parseVerdicts(answer, statements) })
}

// quotesText shows statements and their quotes to the model, each on a line, so that no line of a
// quote can look like another one. The doubtful ones have numbers.
func quotesText(statements []cite.QuotedStatement) string {
	var b strings.Builder
	n := 0
	line := func(head, s string) { b.WriteString(head + ": " + text.OneLine(sanitize.Text(s)) + "\n") }
	for _, s := range statements {
		line("Statement", s.Text)
		for _, quote := range s.Doubtful {
			n++
			line("Quote "+strconv.Itoa(n), quote)
		}
		for _, quote := range s.Others {
			line("Quote without a number", quote)
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

// parseVerdicts reads one verdict for each doubtful quote of some statements; numbers may be quoted.
func parseVerdicts(answer string, statements []cite.QuotedStatement) ([][]cite.Verdict, error) {
	var raw struct {
		Quotes []struct {
			Quote    json.RawMessage `json:"quote"`
			Supports cite.Verdict    `json:"supports"`
		} `json:"quotes"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the verdicts are not of the form asked for: %w", err)
	}
	total := 0
	for _, s := range statements {
		total += len(s.Doubtful)
	}
	flat := make([]cite.Verdict, total)
	for _, q := range raw.Quotes {
		n, err := strconv.Atoi(llm.Unquote(q.Quote))
		if err != nil || n < 1 || n > total {
			return nil, fmt.Errorf("there is no quote %s: the numbers are 1 to %d", q.Quote, total)
		}
		if !slices.Contains([]cite.Verdict{cite.SupportsAll, cite.SupportsPart, cite.SupportsNothing}, q.Supports) {
			return nil, fmt.Errorf("quote %d supports %q: answer all, part or nothing", n, q.Supports)
		}
		if flat[n-1] != "" {
			return nil, fmt.Errorf("quote %d was judged twice", n)
		}
		flat[n-1] = q.Supports
	}
	if i := slices.Index(flat, ""); i >= 0 {
		return nil, fmt.Errorf("quote %d was not judged", i+1)
	}
	verdicts := make([][]cite.Verdict, len(statements))
	for i, s := range statements {
		verdicts[i], flat = flat[:len(s.Doubtful)], flat[len(s.Doubtful):]
	}
	return verdicts, nil
}
