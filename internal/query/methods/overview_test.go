package methods_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/query"
)

// TestOverview asks questions about the whole of the sample, without a model: each has another
// answer, which starts with what the corpus is.
func TestOverview(t *testing.T) {
	t.Parallel()
	store := open(t)
	files := staves(t)
	for _, without := range []bool{false, true} {
		e := sampleFor(without).indexed(t, store)
		answers := map[string]string{}
		for question, first := range map[string]string{
			"What are the main themes of the story?":   "- **Christmas (28 sources)**: ",
			"Who are the main characters?":             "- **Scrooge (68 sources)**: ",
			"Which places are important in the story?": "- **Camden Town (",
			"What happens in the story?":               "- **Christmas (",
			"How are the characters connected?":        "- **Scrooge — Spirit (26 mentions)**: ",
			"What changed over time?":                  "- **stave-1, ",
			"How many documents are there?":            "- **stave-1**: Marley was dead, to begin with.",
		} {
			a := ask(t, e, query.Question{Text: question})
			checkAnswer(t, a, files)
			if other, same := answers[a.Answer]; same {
				t.Errorf("%q is answered as %q", question, other)
			}
			answers[a.Answer] = question
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

// TestOverviewOfNames asks how names of the sample are connected, differ and change, and counts: every
// method that such a question may be routed to answers it in the same form.
func TestOverviewOfNames(t *testing.T) {
	t.Parallel()
	files := staves(t)
	e := sampleOffline.indexed(t, open(t))
	for _, tt := range []struct {
		question, lead string
		has            []string // in this order
	}{
		{
			"What is the relationship between Scrooge and Bob Cratchit?", "Scrooge and Bob Cratchit are named together (5 mentions), and both with ",
			[]string{"- **Bob Cratchit — Scrooge (5 mentions)**: ", "- **Scrooge — Tiny Tim (4 mentions)**: ", "- **Bob Cratchit — Tiny Tim (2 mentions)**: "},
		},
		{
			"How is Tiny Tim related to Fezziwig?", "No relationship joins Tiny Tim and Fezziwig; both are named with Scrooge and Spirit.",
			[]string{"- **Scrooge — Tiny Tim (4 mentions)**: ", "- **Fezziwig — Scrooge (1 mention)**: "},
		},
		{
			"How is Martha connected to Fezziwig?", "No relationship joins Martha and Fezziwig, and nothing is named with both; the shortest path has 3 relationships.",
			[]string{"Martha", "Fezziwig"},
		},
		{
			"Compare Marley and Fezziwig", "Named: Marley in 10 sources, Fezziwig in 4 sources. Both are named with ",
			[]string{"- **Marley**: ", "- **Fezziwig**: "},
		},
		{
			"What is the difference between Scrooge and Bob Cratchit?", "Named: Scrooge in 68 sources, Bob Cratchit in 11 sources, both together in 5 mentions. ",
			[]string{"- **Scrooge**: ", "- **Bob Cratchit**: ", "- **Bob Cratchit — Scrooge (5 mentions)**: "},
		},
		{
			"How did Scrooge change?", "Scrooge is named in 68 sources; from the first to the last:",
			[]string{"- **stave-1**: ", "- **stave-2**: ", "- **stave-5**: "},
		},
		{
			"How many people are mentioned?", "60 people, counted by name, in 5 documents; most often named: Scrooge, Spirit, Ghost, Bob Cratchit and Scrooge's nephew.",
			[]string{"- **Scrooge (68 sources)**: ", "- **Spirit (36 sources)**: "},
		},
	} {
		for _, method := range []string{"auto", "global", "local"} {
			if method == "local" && strings.HasPrefix(tt.question, "How many") {
				continue
			}
			a := ask(t, e, query.Question{Text: tt.question, Method: method})
			checkAnswer(t, a, files)
			if !strings.HasPrefix(a.Answer, tt.lead) || a.Uncited > 0 {
				t.Errorf("%s, %q: %q", method, tt.question, a.Answer)
			}
			rest := a.Answer
			for _, part := range tt.has {
				_, after, ok := strings.Cut(rest, part)
				if !ok {
					t.Errorf("%s, %q: no %q in %q", method, tt.question, part, rest)
				}
				rest = after
			}
		}
	}
}
