package query

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
)

// supports finds for every reference of a written answer the statement of its
// block that says most of what the answer says there: its words are the quote.
func supports(text string, refs []graph.Reference, byKey map[string]*block) []statement {
	said := map[int]string{}
	for _, c := range splitCited(text) {
		for _, n := range c.numbers {
			said[n] += " " + c.text
		}
	}
	out := make([]statement, len(refs))
	for i, ref := range refs {
		out[i] = statement{target: graph.Reference{Kind: ref.Kind, Key: ref.Key}}
		b := byKey[ref.Key]
		if b == nil {
			continue
		}
		out[i].title = b.title
		words := termSet(said[ref.N])
		best := -1
		for _, s := range b.statements() {
			shared := 0
			for w := range termSet(s.text) {
				if words[w] {
					shared++
				}
			}
			if shared > best {
				best, out[i] = shared, s
			}
		}
	}
	return out
}

// blocksByKey finds blocks by their keys.
func blocksByKey(blocks []block) map[string]*block {
	byKey := make(map[string]*block, len(blocks))
	for i := range blocks {
		byKey[blocks[i].key] = &blocks[i]
	}
	return byKey
}

// quotable reads what the reports that an answer refers to say and cite, where
// only their texts were read.
func (r Reader) quotable(ctx context.Context, refs []graph.Reference, byKey map[string]*block) error {
	var unread []string
	for _, ref := range refs {
		if b := byKey[ref.Key]; b != nil && b.kind == graph.KindReport && len(b.statements()) == 0 {
			unread = append(unread, ref.Key)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	reports, err := r.ReportTexts(ctx, unread)
	if err != nil {
		return err
	}
	for _, report := range reports {
		byKey[report.Key].said = reportStatements(report, byKey[report.Key].weight)
	}
	return nil
}

// finishWritten resolves the references of an answer that a model wrote, and
// numbers those that resolve anew.
func (r request) finishWritten(ctx context.Context, d draft) (Answer, error) {
	refs, err := r.resolve(ctx, d.statements, d.known)
	if err != nil {
		return Answer{}, fmt.Errorf("resolve references: %w", err)
	}
	a := Answer{Usage: d.usage(), Notes: d.notes, Dangling: d.dangling}
	number := make([]int, len(refs))
	for i, ref := range refs {
		if ref.Key == "" {
			a.Dangling++
			continue
		}
		number[i] = len(a.References) + 1
		ref.N = number[i]
		a.References = append(a.References, ref)
	}
	a.Answer = referenceGroup.ReplaceAllStringFunc(d.text, func(group string) string {
		var kept []int
		for _, m := range referenceNumber.FindAllStringSubmatch(group, -1) {
			n, err := strconv.Atoi(m[1])
			if err == nil && n >= 1 && n <= len(number) && number[n-1] > 0 && !slices.Contains(kept, number[n-1]) {
				kept = append(kept, number[n-1])
			}
		}
		if len(kept) == 0 {
			return ""
		}
		var out strings.Builder
		out.WriteString(group[:strings.IndexByte(group, '[')])
		for _, n := range kept {
			out.WriteString("[" + strconv.Itoa(n) + "]")
		}
		return out.String()
	})
	return a, nil
}

// A stream turns the references of an answer into numbers while it comes. A
// bracket is held until it closes.
type stream struct {
	offered map[report.Local]string
	numbers report.Numbers
	deliver func(string)
	held    string
}

// mostHeld is how long a bracket may be: one that stays open is text.
const mostHeld = 400

func (s *stream) write(delta string) {
	s.held += delta
	for s.held != "" {
		open := strings.IndexByte(s.held, '[')
		if open < 0 {
			// White space may stand before a reference.
			text := strings.TrimRight(s.held, " \t")
			s.give(text)
			s.held = s.held[len(text):]
			return
		}
		before := strings.TrimRight(s.held[:open], " \t")
		s.give(before)
		s.held = s.held[len(before):]
		end := strings.IndexByte(s.held, ']')
		if end < 0 && len(s.held) <= mostHeld {
			return
		}
		if end < 0 {
			end = len(s.held) - 1
		}
		mark := s.held[:end+1]
		s.held = s.held[end+1:]
		checked, _ := report.CheckReferences(mark, s.offered, &s.numbers)
		switch checked {
		case "":
		case strings.TrimSpace(mark):
			s.give(mark)
		default:
			s.give(" " + checked)
		}
	}
}

func (s *stream) give(text string) {
	if text != "" {
		s.deliver(text)
	}
}

// close delivers what was held.
func (s *stream) close() {
	s.give(strings.TrimRight(s.held, " \t"))
	s.held = ""
}
