package query_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/query"
)

// TestOverview asks five questions about the whole of the sample, without a model: each has another
// answer, which starts with what the corpus is.
func TestOverview(t *testing.T) {
	t.Parallel()
	store := open(t)
	files := staves(t)
	for _, without := range []bool{false, true} {
		e := indexed(t, store, index.Options{Corpus: neo4jtest.Borrow(t, "index"), WithoutReports: without}, sample)
		answers := map[string]string{}
		for question, first := range map[string]string{
			"What are the main themes of the story?":   "",
			"Who are the main characters?":             "- **Scrooge (",
			"Which places are important in the story?": "- **Camden Town (",
			"What organizations are mentioned?":        "- **",
			"What happens in the story?":               "- **Christmas (",
		} {
			a := ask(t, e, query.Question{Text: question})
			checkAnswer(t, a, files)
			if other, same := answers[a.Answer]; same {
				t.Errorf("%q is answered as %q", question, other)
			}
			answers[a.Answer] = question
			if first == "" {
				continue
			}
			lead, list, _ := strings.Cut(a.Answer, "\n\n")
			if lead != "5 documents; most often named: Scrooge, Spirit, Christmas." || !strings.HasPrefix(list, first) || a.Uncited > 0 {
				t.Errorf("%q, without reports %v: %q, then %q", question, without, lead, list)
			}
		}
		filtered := ask(t, e, query.Question{Text: "Who are the main characters?", Method: "local", Filter: query.Filter{Documents: []string{"stave-5*"}}})
		if strings.Contains(filtered.Answer, "most often named") {
			t.Errorf("in a filter: %q", filtered.Answer)
		}
	}
}
