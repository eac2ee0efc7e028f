package route

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var carolNames = []string{
	"Scrooge", "Ebenezer Scrooge", "Marley", "Jacob Marley", "Bob Cratchit", "Cratchit", "Tiny Tim", "Tim", "Fezziwig", "Mrs. Fezziwig", "Belle", "Fan",
	"Camden Town", "London", "Christmas", "Ghost", "Topper", "Fred", "Li Hua",
}

// topics are entities of a medical graph, which are not particular things.
var topics = []string{"Hautkrebs", "Nebennierentumoren", "Adrenal Tumours", "Skin Cancer"}

// namesIn returns the names of the sample's graph that a question holds, none inside a longer one.
func namesIn(question string) []Name {
	names := slices.Concat(carolNames, topics)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var out []string
	for _, name := range names {
		inside := slices.ContainsFunc(out, func(longer string) bool { return strings.Contains(longer, name) })
		if !inside && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(question) {
			out = append(out, name)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(strings.Index(question, a), strings.Index(question, b)) })
	found := make([]Name, len(out))
	for i, name := range out {
		found[i] = Name{name, "person"}
		if slices.Contains(topics, name) {
			found[i].Type = "concept"
		}
	}
	return found
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
		// Comparisons of topics.
		{"How do the treatments of skin cancer and of adrenal tumours differ?", "global", "local"},
		{"Compare the poor with the rich", "global", "local"},
		{"Was ist der Unterschied zwischen Armen und Reichen?", "global", "fused"},
		{"Was ist der Unterschied zwischen Hautkrebs und Nebennierentumoren?", "global", "local"},
		{"Compare the treatments of Adrenal Tumours and Skin Cancer", "global", "local"},
		{"Vergleiche Marley mit Fezziwig", "local", "local"},
		{"Was unterscheidet Marley von Hautkrebs?", "global", "local"},
		{"When did they differ?", "fused", "fused"},
		// Names of the graph.
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
		{"When did Marley die?", "fused", "fused"},
		{"Where does Bob Cratchit live?", "fused", "fused"},
		{"Who signed the register of the burial?", "fused", "fused"},
		{"How many shillings a week does Bob Cratchit earn?", "fused", "fused"},
		{"Which year was the firm founded?", "fused", "fused"},
		{"What did Scrooge say about prisons?", "fused", "fused"},
		{`Where does "dead as a door-nail" stand?`, "fused", "fused"},
		{"Give the exact words of the ghost", "fused", "fused"},
		{"What was planned for 20260410?", "fused", "fused"},
		{"In which passage is the turkey bought?", "fused", "fused"},
		{"price of a goose at the baker's", "fused", "fused"},
		{"Is the pudding good?", "fused", "fused"},
		{"Who is Napoleon?", "fused", "fused"},
	}
	for _, tt := range tests {
		for reports, want := range map[bool]string{true: tt.want, false: tt.without} {
			f := FeaturesOf(tt.question, Found{Names: namesIn(tt.question), Entities: 1, Reports: reports, Model: true})
			c := Decide(f)
			if c.Method != want || c.Why == "" || c.By != "rules" {
				t.Errorf("%q with reports %v: got %s (%s) by %+v, want %s", tt.question, reports, c.Method, c.Why, f, want)
			}
		}
	}
	if len(tests) < 30 {
		t.Errorf("%d questions, want at least 30", len(tests))
	}
}

// TestTopics: names in small letters count, and the reason is true.
func TestTopics(t *testing.T) {
	t.Parallel()
	cancer, leukemia, treatment := Name{"kidney cancer", "concept"}, Name{"leukemia", "condition"}, Name{"treatment", "concept"}
	for _, tt := range []struct {
		question, model, offline, why string
		topics                        []Name
	}{
		{"What is kidney cancer?", "local", "fused", "it asks about kidney cancer, found in the graph", []Name{cancer}},
		{"What is a treatment?", "local", "fused", "it asks about treatment, found in the graph", []Name{treatment}},
		{"What makes kidney cancer more likely?", "local", "fused", "it names kidney cancer, found in the graph", []Name{cancer}},
		{"Why is leukemia hard to see?", "local", "fused", "it names leukemia, found in the graph", []Name{leukemia}},
		{"Which treatment helps?", "fused", "fused", "of the graph it names only common words (treatment), so the search uses its words", []Name{treatment}},
		{"How are kidney cancer and leukemia related?", "local", "local", `"related" asks how kidney cancer and leukemia are related`, []Name{cancer, leukemia}},
		{"What are the key findings on kidney cancer?", "global", "global", `"key findings" asks about the whole`, []Name{cancer}},
		{"Is the pudding good?", "fused", "fused", "it names no entity of the graph, so the search uses its words", nil},
		{"What is ALL?", "fused", "fused", "it names no entity of the graph, so the search uses its words", nil},
	} {
		found := Found{Topics: tt.topics, Entities: 1, Reports: true, Model: true}
		if c := Decide(FeaturesOf(tt.question, found)); c.Method != tt.model || c.Why != tt.why {
			t.Errorf("%s: got %s (%s), want %s (%s)", tt.question, c.Method, c.Why, tt.model, tt.why)
		}
		found.Model = false
		c := Decide(FeaturesOf(tt.question, found))
		if c.Method != tt.offline || len(tt.topics) > 0 && strings.Contains(c.Why, "no entity") {
			t.Errorf("%s without a model: got %s (%s), want %s", tt.question, c.Method, c.Why, tt.offline)
		}
	}
	if q, ok := ReadOverview("What is ALL?", nil); ok {
		t.Errorf("What is ALL? is read as %+v", q)
	}
	if _, ok := ReadOverview("What is all this about?", nil); !ok {
		t.Error("What is all this about? is not read as a question about the whole")
	}
}

// TestDecideWithoutModel chooses what finds sentences: nobody writes a comparison or a description.
func TestDecideWithoutModel(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"What are the main themes of the story?":                    "global",
		"Compare the treatments of Adrenal Tumours and Skin Cancer": "local",
		"Was ist der Unterschied zwischen Armen und Reichen?":       "fused",
		"Who is Tiny Tim?":                   "local",
		"Describe Camden Town":               "local",
		"Who is related to Scrooge and Fan?": "local",
		"What happens to Tiny Tim?":          "fused",
		"Did Li Hua buy the shoes?":          "fused",
		"When did Marley die?":               "fused",
	} {
		c := Decide(FeaturesOf(question, Found{Names: namesIn(question), Entities: 1, Reports: true}))
		if c.Method != want || c.Why == "" {
			t.Errorf("%q: got %s (%s), want %s", question, c.Method, c.Why, want)
		}
	}
}
