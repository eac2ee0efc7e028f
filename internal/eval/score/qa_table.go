package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table returns the result as Markdown tables: accuracy by the type of the question (QCG-RAG, table
// 1), the agreement with known answers, and the measures that need no model.
func (q QA) Table() string {
	var b strings.Builder
	q.accuracy(&b)
	b.WriteString("\n| method | questions | exact % | normalized % | token F1 % |\n|---|---:|---:|---:|---:|\n")
	for _, m := range q.Methods {
		s := m.Groups[qaGroups[0].name]
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", cell(m.Method), s.Questions+s.Unanswerable, percent(s.Exact), percent(s.Normalized), percent(s.F1))
	}
	b.WriteString("\n| method | questions | in the first line | in the answer | words | declined wrongly | unanswerable | declined |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, m := range q.Methods {
		if m.Constant {
			continue
		}
		for _, g := range qaGroups {
			s := m.Groups[g.name]
			fmt.Fprintf(&b, "| %s | %s, %d | %.3f | %.3f | %.0f | %.3f | %d | %.3f |\n", cell(m.Method), g.name, s.Questions, s.InFirst, s.InAnswer, s.Words, s.Wrongly, s.Unanswerable, s.Declined)
		}
	}
	return b.String()
}

// accuracy writes the table of accuracy.
func (q QA) accuracy(b *strings.Builder) {
	types := map[string]int{}
	for _, m := range q.Methods {
		for name, s := range m.ByType {
			types[name] = max(types[name], s.Questions+s.Unanswerable)
		}
	}
	names := SortTypes(types)
	by := "rules"
	if q.Judge != "" {
		by = q.Judge
	}
	fmt.Fprintf(b, "| accuracy %%, by %s | overall |", cell(by))
	for _, name := range names {
		fmt.Fprintf(b, " %s, %d |", cell(name), types[name])
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(names)) + "\n")
	for _, m := range q.Methods {
		fmt.Fprintf(b, "| %s | %s |", cell(m.Method), percent(m.Groups[qaGroups[0].name].Accuracy))
		for _, name := range names {
			s, ok := m.ByType[name]
			if !ok {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(b, " %s |", percent(s.Accuracy))
		}
		b.WriteString("\n")
	}
}

// SortTypes returns types of questions, sorted; "null" is last.
func SortTypes[V any](types map[string]V) []string {
	names := slices.Sorted(maps.Keys(types))
	if i := slices.Index(names, Unanswerable); i >= 0 {
		names = append(slices.Delete(names, i, i+1), Unanswerable)
	}
	return names
}
