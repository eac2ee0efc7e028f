package evalreport

import (
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// retrievalTables have, for each corpus, one row for each condition and type of question, and one for
// each group of questions with the differences to the first condition.
func retrievalTables(r Report) []Table {
	var corpora []string
	for _, s := range r.Retrieval {
		if !slices.Contains(corpora, s.Condition.Corpus) {
			corpora = append(corpora, s.Condition.Corpus)
		}
	}
	var out []Table
	for _, corpus := range corpora {
		own := slices.DeleteFunc(slices.Clone(r.Retrieval), func(s Retrieval) bool { return s.Condition.Corpus != corpus })
		of := ""
		if len(corpora) > 1 {
			of = " in " + corpus
		}
		out = append(out, r.metricsTable("Retrieval"+of, own))
		if len(own) > 1 {
			out = append(out, differencesTable("Retrieval compared"+of, own))
		}
	}
	return out
}

// metricsTable has the metrics of all questions, and of each type if there are several.
func (r Report) metricsTable(title string, list []Retrieval) Table {
	t := Table{Title: title, Head: []string{"condition", "type", "questions", "recall@1", "@3", "@5", "@10", "all@5", "MRR", "nDCG@10"}, Text: 2}
	failed, older := 0, []string{}
	for _, s := range list {
		failed, older = failed+s.Failed, append(older, s.note)
		t.Rows = append(t.Rows, metricsRow(s.Name, "", s.Metrics))
		if len(s.ByType) < 2 {
			continue
		}
		for _, name := range r.types {
			if m, ok := s.ByType[name]; ok {
				t.Rows = append(t.Rows, metricsRow(s.Name, name, m))
			}
		}
	}
	t.Notes = append([]string{"Recall: share of the documents of a question among the first ones, mean over questions. all@5: share of the questions with all of theirs among the first five."},
		notEmpty(counted(failed, "search failed and counts as having found nothing.", "searches failed and count as having found nothing."))...)
	t.Notes = append(t.Notes, notEmpty(older...)...)
	return t
}

func metricsRow(name, kind string, m score.Metrics) []Cell {
	cells := row(name, kind, number(float64(m.Questions), 0))
	for _, x := range []float64{m.Recall1, m.Recall3, m.Recall5, m.Recall10, m.Hit5, m.MRR, m.NDCG} {
		cells = append(cells, Cell{Text: number(x, 3)})
	}
	return cells
}

// differencesTable compares conditions with the first one on groups of the questions.
func differencesTable(title string, list []Retrieval) Table {
	against := ""
	for _, s := range list {
		if s.Against != "" {
			against = s.Against
		}
	}
	less := "less " + against
	t := Table{Title: title, Head: []string{"condition", "questions", "number", "recall@5", less, "MRR", less}, Text: 2, Notes: []string{
		"Differences are paired by question, with intervals of a bootstrap; bold where 0 is outside. odd: questions whose id ends in an odd digit, if settings are chosen on the others. several: those with several documents.",
	}}
	difference := func(i stats.Interval) Cell { return Cell{Text: signed(i, 3), Bold: i.Apart()} }
	for _, s := range list {
		for _, name := range score.RetrievalGroups {
			g := s.Groups[name]
			cells := row(s.Name, name, number(float64(g.Questions), 0), fmt.Sprintf("%.3f", g.Recall5), "", fmt.Sprintf("%.3f", g.MRR), "")
			if g.Versus != nil {
				cells[4], cells[6] = difference(g.Versus.Recall5), difference(g.Versus.MRR)
			}
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}
