package cite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/sanitize"
	"github.com/neorag/neorag/internal/textproc"
)

// A Source is what a citation of a generated text may point at.
type Source struct {
	Title      string
	Statements []Statement
}

// Supports returns for each reference of a generated text the statement of its
// source that shares most terms with the text at the citation. The statement is
// approximate unless one holds the other word for word, and has no text where the
// source shares no term. refs[i] is cited by its number N. source finds a source by
// its key.
func Supports(generated string, refs []graph.Reference, source func(key string) (Source, bool)) []Statement {
	said := map[int][]string{}
	for _, c := range splitCited(generated) {
		for _, n := range c.numbers {
			said[n] = append(said[n], c.text)
		}
	}
	out := make([]Statement, len(refs))
	for i, ref := range refs {
		out[i] = Statement{Target: graph.Reference{Kind: ref.Kind, Key: ref.Key}}
		from, ok := source(ref.Key)
		if !ok {
			continue
		}
		out[i].Title = from.Title
		terms := textproc.TermSetOf(strings.Join(said[ref.N], " "))
		best := 0
		for _, s := range from.Statements {
			if shared := textproc.TermSetOf(s.Text).Shared(terms); shared > best {
				best, out[i] = shared, s
			}
		}
		out[i].Approximate = !slices.ContainsFunc(said[ref.N], func(text string) bool { return sameWords(text, out[i].Text) })
	}
	return out
}

// sameWords reports whether one of two texts holds the other, whatever marks they end in.
func sameWords(a, b string) bool {
	const marks = " .,;:!?…"
	a, b = strings.TrimRight(a, marks), strings.TrimRight(b, marks)
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}

// Generated returns an answer that a model wrote, in which [n] cites the nth
// statement. Citations without evidence are removed, and the others are then
// numbered again in the order of the statements.
func (r Resolver) Generated(ctx context.Context, generated string, statements []Statement, known Known) (Answer, error) {
	refs, err := r.resolve(ctx, statements, known)
	if err != nil {
		return Answer{}, fmt.Errorf("resolve references: %w", err)
	}
	var a Answer
	numbers := make([]int, len(refs)) // of each statement; 0 for none
	for i, ref := range refs {
		if ref.Key == "" {
			a.Dangling++
			continue
		}
		numbers[i] = len(a.References) + 1
		ref.N = numbers[i]
		a.References = append(a.References, ref)
	}
	if a.Dangling == 0 {
		a.Text = generated
		return a, nil
	}
	renumbered := numberGroup.ReplaceAllStringFunc(generated, func(group string) string { return renumber(group, numbers) })
	a.Text = sanitize.Text(renumbered) // removing a citation may have completed something
	return a, nil
}

// renumber replaces the citations of a group by their new numbers, each once.
// Without any left the group is removed.
func renumber(group string, numbers []int) string {
	var kept []int
	for _, m := range number.FindAllStringSubmatch(group, -1) {
		n, err := strconv.Atoi(m[1])
		if err == nil && n >= 1 && n <= len(numbers) && numbers[n-1] > 0 && !slices.Contains(kept, numbers[n-1]) {
			kept = append(kept, numbers[n-1])
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
