package query

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
	"github.com/neorag/neorag/internal/textproc"
)

// among makes what a search finds in a graph that has these names.
func among(question string, reports bool, names ...string) nearby {
	n := nearby{asked: textproc.ReadQuestion(question)}
	n.found.HasReports = reports
	spelled := nameKeys("c", question)
	for _, s := range spelled {
		for _, name := range names {
			if s.key == graph.EntityKey("c", resolve.Normalise(name)) {
				n.found.Names = append(n.found.Names, neo4jstore.Hit{Key: s.key, Score: 1})
			}
		}
	}
	n.found.Entities = []neo4jstore.Hit{{Key: "c/scrooge", Score: 1}}
	n.fuse(spelled, true)
	return n
}

var carolNames = []string{
	"Scrooge", "Ebenezer Scrooge", "Marley", "Jacob Marley", "Bob Cratchit", "Cratchit", "Tiny Tim", "Tim", "Fezziwig", "Mrs. Fezziwig", "Belle", "Fan",
	"Camden Town", "London", "Christmas", "Ghost", "Topper", "Fred", "Li Hua",
}

func TestDecide(t *testing.T) {
	t.Parallel()
	tests := []struct{ question, want, without string }{
		// About the whole.
		{"What are the main themes of the story?", "global", "local"},
		{"Give me an overview of this collection", "global", "local"},
		{"Summarise the book", "global", "local"},
		{"Who are the most important people?", "global", "local"},
		{"What are the key takeaways across all documents?", "global", "local"},
		{"Which trends appear throughout the articles?", "global", "local"},
		{"What is this dataset about?", "global", "local"},
		{"What common patterns do customers complain about?", "global", "local"},
		{"What are the recurring motifs of redemption?", "global", "local"},
		{"Overall, how is poverty described?", "global", "local"},
		{"What are the top issues?", "global", "local"},
		{"What is the moral of the story?", "global", "local"},
		{"What are the central conflicts between rich and poor?", "global", "local"},
		// Names that the graph has.
		{"Who is Tiny Tim?", "local", "local"},
		{"Who was Jacob Marley?", "local", "local"},
		{"Tell me about Fezziwig", "local", "local"},
		{"What is the relationship between Scrooge and Bob Cratchit?", "local", "local"},
		{"Who is related to Scrooge and Fan?", "local", "local"},
		{"How does Scrooge change?", "local", "local"},
		{"What happens to Tiny Tim?", "local", "local"},
		{"Why did Belle leave Scrooge?", "local", "local"},
		{"Describe Camden Town", "local", "local"},
		{"How are Fezziwig and Marley different?", "local", "local"},
		{"What themes does Marley stand for?", "local", "local"},
		{"Did Li Hua buy the shoes?", "local", "local"},
		{"How are greed and loneliness connected?", "local", "local"},
		// One fact, or the words themselves.
		{"When did Marley die?", "basic", "basic"},
		{"Where does Bob Cratchit live?", "basic", "basic"},
		{"Who signed the register of the burial?", "basic", "basic"},
		{"How many shillings a week does Bob Cratchit earn?", "basic", "basic"},
		{"Which year was the firm founded?", "basic", "basic"},
		{"What did Scrooge say about prisons?", "basic", "basic"},
		{`Where does "dead as a door-nail" stand?`, "basic", "basic"},
		{"Give the exact words of the ghost", "basic", "basic"},
		{"What was planned for 20260410?", "basic", "basic"},
		{"In which passage is the turkey bought?", "basic", "basic"},
		{"price of a goose at the baker's", "basic", "basic"},
		{"Is the pudding good?", "basic", "basic"},
		{"Who is Napoleon?", "basic", "basic"},
	}
	for _, tt := range tests {
		for reports, want := range map[bool]string{true: tt.want, false: tt.without} {
			f := featuresOf(tt.question, among(tt.question, reports, carolNames...))
			c := decide(f)
			if c.Method != want || c.Why == "" || c.By != "rules" {
				t.Errorf("%q with reports %v: got %s (%s) by %+v, want %s", tt.question, reports, c.Method, c.Why, f, want)
			}
		}
	}
	if len(tests) < 30 {
		t.Errorf("%d questions, want at least 30", len(tests))
	}
}

func TestSpelledNames(t *testing.T) {
	t.Parallel()
	q := "Did Bob Cratchit, of Camden Town, meet Marley's ghost or Topper's?"
	got := strings.Join(among(q, true, carolNames...).spelledNames(), "; ")
	if want := "Bob Cratchit; Camden Town; Marley; Topper"; got != want {
		t.Errorf("names of %q: got %q, want %q", q, got, want)
	}
}
