package cite

import (
	"context"
	"slices"
	"strings"
)

// A Verdict is what a Checker finds of a quote. Empty means that it did not judge it.
type Verdict string

// The verdicts.
const (
	SupportsAll     Verdict = "all"     // of the statement
	SupportsPart    Verdict = "part"    // of the statement, alone or with its other quotes
	SupportsNothing Verdict = "nothing" // of the statement
)

// A QuotedStatement is a statement of an answer with its quotes, each once.
type QuotedStatement struct {
	Text     string
	Doubtful []string // approximate quotes
	Others   []string
}

// A Checker judges the doubtful quotes of statements: verdicts[i][j] is that on the jth of
// statements[i]. Where verdicts are missing, the error says why.
type Checker func(ctx context.Context, statements []QuotedStatement) (verdicts [][]Verdict, err error)

// A checked answer is what a Checker found.
type checked struct {
	dropped int   // quotes that state nothing
	missing int   // verdicts
	err     error // why they are missing
}

// dropUnsupported has the doubtful quotes of statements judged, and drops those that state nothing of
// their statement. Another quote of the same citation takes the place of one that is dropped.
func dropUnsupported(ctx context.Context, found []resolved, statements []Statement, check Checker) (checked, error) {
	if check == nil {
		return checked{}, nil
	}
	groups, doubtful := groupQuotes(found, statements)
	if len(doubtful) == 0 {
		return checked{}, nil
	}
	verdicts, err := check(ctx, doubtful)
	if ctx.Err() != nil {
		return checked{}, ctx.Err()
	}
	out := checked{err: err}
	for i, s := range doubtful {
		of := make([]Verdict, len(s.Doubtful))
		if i < len(verdicts) {
			copy(of, verdicts[i])
		}
		for j, quote := range s.Doubtful {
			switch of[j] {
			case "":
				out.missing++
			case SupportsNothing:
				for at := groups[i].first; at < groups[i].last; at++ {
					out.dropped += found[at].dropQuote(quote)
				}
			}
		}
	}
	return out, nil
}

// A group is the places of the citations of one statement.
type group struct{ first, last int }

// groupQuotes returns the statements that have doubtful quotes, with the places of their citations.
func groupQuotes(found []resolved, statements []Statement) (groups []group, doubtful []QuotedStatement) {
	for first := 0; first < len(found); {
		last := first + 1
		for last < len(found) && statements[last].Text == statements[first].Text {
			last++
		}
		if s := quotedStatement(statements[first].Text, found[first:last]); len(s.Doubtful) > 0 {
			groups, doubtful = append(groups, group{first, last}), append(doubtful, s)
		}
		first = last
	}
	return groups, doubtful
}

// quotedStatement returns a statement with the quotes of its citations.
func quotedStatement(text string, found []resolved) QuotedStatement {
	s := QuotedStatement{Text: text}
	for _, f := range found {
		if f.dropped || f.repeats {
			continue
		}
		for _, q := range append([]resolved{f}, f.rest...) {
			switch {
			case q.Quote == "" || slices.Contains(s.Doubtful, q.Quote) || slices.Contains(s.Others, q.Quote):
			case q.Approximate:
				s.Doubtful = append(s.Doubtful, q.Quote)
			default:
				s.Others = append(s.Others, q.Quote)
			}
		}
	}
	return s
}

// dropQuote drops a quote of a citation, and the citation if it has no other. It returns how many
// quotes it dropped.
func (r *resolved) dropQuote(quote string) int {
	if r.dropped {
		return 0
	}
	if r.repeats && (strings.Contains(quote, r.Quote) || strings.Contains(r.Quote, quote)) {
		r.dropped, r.unsupported = true, true
		return 0
	}
	before := len(r.rest)
	r.rest = slices.DeleteFunc(r.rest, func(q resolved) bool { return q.Quote == quote })
	dropped := before - len(r.rest)
	switch {
	case r.Quote != quote:
		return dropped
	case len(r.rest) == 0:
		r.dropped, r.unsupported = true, true
		r.setQuote(resolved{})
	default:
		r.setQuote(r.rest[0])
		r.rest = r.rest[1:]
	}
	return dropped + 1
}
