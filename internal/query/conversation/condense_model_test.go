package conversation

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/text/tokens"
)

func TestPromptHistory(t *testing.T) {
	t.Parallel()
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	history := []Turn{
		{Question: "First?", Answer: strings.Repeat("old ", 400)},
		{Question: "and then?", Asked: "Second?", Answer: "It was [1][2]. " + strings.Repeat("new ", 400)},
	}
	for _, budget := range []int{1, 10, 100, 600, 2000} {
		got := promptHistory(history, budget, counter)
		if n := counter.Count(got); n > budget+12 { // what joins the turns
			t.Errorf("budget %d: %d tokens", budget, n)
		}
		if budget >= 100 && (!strings.HasPrefix(got, "Question: Second?\nAnswer: It was.") || !strings.Contains(got, "First?")) {
			t.Errorf("budget %d: got %q", budget, got)
		}
	}
}

func TestParseCondensed(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"Who is Scrooge's nephew?\n", "Who is Scrooge's nephew?"},
		{"**Standalone question:** \"Who is  he?\"\nIt names him.", "Who is he?"},
		{"Question: who?", "who?"},
		{"Which of the two: a or b?", "Which of the two: a or b?"},
		{"Sure! Here is the rewritten question:\n\n> Who is Scrooge's nephew?", "Who is Scrooge's nephew?"},
		{"Here is the question:", ""},
		{"Here is the rewritten question: Who is Scrooge's nephew?", "Who is Scrooge's nephew?"},
		{"Sure! **Here is the standalone question:** \"Who is he?\"", "Who is he?"},
		{"Sure!\nOf course.\nWho is Scrooge's nephew?", "Who is Scrooge's nephew?"},
		{"Certainly.", ""},
		{"Why?", "Why?"},
		{"Describe Scrooge.", "Describe Scrooge."},
		{"Is the question of money: open, or closed?", "Is the question of money: open, or closed?"},
		{" \n", ""},
		{strings.Repeat("x", 1000), ""},
	}
	for _, tt := range tests {
		if got, err := parseCondensed(tt.in, "and he?"); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q: got %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}
