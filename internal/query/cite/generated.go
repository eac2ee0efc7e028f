package cite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// A Record is what an answer of a model cites by its number.
type Record struct {
	graph.Reference

	Title string
}

// Generated returns an answer that a model wrote, in which [n] cites the record of that number,
// and [n.m] its mth sentence. Citations that say nothing of their statement are removed where
// another one has better evidence, and so are records without evidence; the others are then
// numbered in their order. Paraphrased quotes are passed to check, if set, and removed if they
// do not support their statement. If check fails, they are kept, and the answer has its error.
func (r Resolver) Generated(ctx context.Context, generated string, records []Record, known Known, check Checker) (Answer, error) {
	said, uncited := sayings(generated)
	statements, of, places := statementsOf(said, records)
	r.written = true
	found, err := r.resolve(ctx, statements, known)
	if err != nil {
		return Answer{}, fmt.Errorf("resolve references: %w", err)
	}
	judged, err := dropUnsupported(ctx, found, statements, check)
	if err != nil {
		return Answer{}, fmt.Errorf("check quotes: %w", err)
	}
	a := Answer{Uncited: len(uncited), Unsupported: judged.dropped, Unchecked: judged.missing, CheckErr: judged.err}
	numbers := make([]int, len(records)) // of each record; 0 for none
	for i := range records {
		best, ok := bestReference(found, of, i)
		switch {
		case ok:
			numbers[i] = len(a.References) + 1
			best.N = numbers[i]
			a.References = append(a.References, best)
		case !droppedEverywhere(found, of, i):
			a.Dangling++
		}
	}
	dropped := map[int]bool{} // places of citations in the text
	before := len(marksIn(generated))
	for _, s := range said {
		before -= len(s.marks) // those before the first statement are left
	}
	for i, f := range found {
		a.Missing += f.missing
		for _, place := range places[i] {
			dropped[before+place] = f.dropped
		}
		switch {
		case f.unfounded:
			a.Unfounded++
		case f.unsupported: // its quotes are counted
		case f.dropped:
			a.Dropped++
		case f.repeats: // another citation shows its words
		case f.Key != "" && (f.Quote != "" || !quotedElsewhere(found, statements, of, i)):
			a.Citations = append(a.Citations, f.citation(numbers[of[i]], statements[i].Text))
			for _, rest := range f.rest {
				a.Citations = append(a.Citations, rest.citation(numbers[of[i]], statements[i].Text))
			}
		}
	}
	a.Uncited += unmarked(said, dropped, before)
	a.Text = StripSentences(dropNumbers(generated, dropped))
	if len(a.References) < len(records) {
		a.Text = replaceGroups(a.Text, func(group string) string { return renumber(group, numbers) })
	}
	if a.Dropped+a.Unfounded+a.Unsupported+a.Dangling > 0 {
		a.Text = sanitize.Text(a.Text) // removing a citation may have completed something
	}
	if err := r.place(ctx, &a); err != nil {
		return Answer{}, fmt.Errorf("place quotes: %w", err)
	}
	return a, nil
}

// unmarked returns the number of the sentences that state something and whose citations were all
// dropped. Citations are counted from a place in the text.
func unmarked(said []saying, dropped map[int]bool, place int) int {
	n := 0
	for _, s := range said {
		kept := false
		for range s.marks {
			kept = kept || !dropped[place]
			place++
		}
		if !kept {
			n += len(uncitedIn(s.text))
		}
	}
	return n
}

// droppedEverywhere reports whether all citations of a record were dropped.
func droppedEverywhere(found []resolved, of []int, record int) bool {
	cited := false
	for i, f := range found {
		if of[i] == record {
			cited = true
			if !f.dropped {
				return false
			}
		}
	}
	return cited
}

// quotedElsewhere reports whether another group of sentences of the same record is quoted for
// the statement at a place.
func quotedElsewhere(found []resolved, statements []Statement, of []int, at int) bool {
	for i, f := range found {
		if of[i] == of[at] && statements[i].Text == statements[at].Text && f.Quote != "" {
			return true
		}
	}
	return false
}

// statementsOf returns each statement once for each record that it cites, or once for each group
// of its sentences that one quote can hold, with the index of its record, and the indices of its
// citations among the citations of all statements.
func statementsOf(said []saying, records []Record) (statements []Statement, of []int, places [][]int) {
	place := -1
	for _, s := range said {
		first := len(statements)
		for _, m := range s.marks {
			place++
			if m.n < 1 || m.n > len(records) {
				continue
			}
			at := slices.IndexFunc(statements[first:], func(o Statement) bool {
				return o.Target.Key == records[m.n-1].Key && (m.sentence == 0 || fitsQuote(o, m.sentence))
			})
			if at < 0 {
				rec := records[m.n-1]
				at = len(statements) - first
				of, places = append(of, m.n-1), append(places, nil)
				statements = append(statements, Statement{
					Text: s.text, About: s.about, Title: rec.Title, Target: graph.Reference{Kind: rec.Kind, Key: rec.Key},
				})
			}
			if m.sentence > 0 {
				statements[first+at].Sentences = append(statements[first+at].Sentences, m.sentence)
			}
			places[first+at] = append(places[first+at], place)
		}
	}
	return statements, of, places
}

// fitsQuote reports whether one quote can hold a sentence together with those that a statement
// cites already. What sentences of a report say is not in one place of a document.
func fitsQuote(s Statement, n int) bool {
	switch {
	case len(s.Sentences) == 0 || slices.Contains(s.Sentences, n):
		return true
	case s.Target.Kind == graph.KindReport:
		return false
	}
	return max(slices.Max(s.Sentences), n)-min(slices.Min(s.Sentences), n) < maxQuote
}

// bestReference returns the reference of a record with the best of its quotes: one that holds
// the words of its statement, or else the one that holds most. It reports false if the record
// leads nowhere.
func bestReference(found []resolved, of []int, record int) (Reference, bool) {
	var best resolved
	for i, f := range found {
		if of[i] == record && f.Key != "" && !f.dropped && (best.Key == "" || f.better(best)) {
			best = f
		}
	}
	return best.Reference, best.Key != ""
}

// renumber replaces the citations of a group by their new numbers, each once.
// Without any left the group is removed.
func renumber(group string, numbers []int) string {
	var kept []int
	for _, m := range marksIn(group) {
		if m.n >= 1 && m.n <= len(numbers) && numbers[m.n-1] > 0 && !slices.Contains(kept, numbers[m.n-1]) {
			kept = append(kept, numbers[m.n-1])
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
}
