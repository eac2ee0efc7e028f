package conversation

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCondense(t *testing.T) {
	t.Parallel()
	scrooge := Turn{Question: "Who is Scrooge?", Answer: "Scrooge is a miser of London. Scrooge was the partner of Jacob Marley [1]. His clerk is Bob Cratchit [2][3]."}
	typed := Turn{Question: "who is scrooge?", Answer: scrooge.Answer}
	two := Turn{Question: "How did Fred and Mrs Cratchit meet?", Answer: "They met in London."}
	themes := Turn{Question: "What are the main themes?", Answer: "money and charity."}
	visits := Turn{Question: "who came?", Asked: "Who came to Scrooge?", Answer: "Jacob Marley came first. Bob Cratchit came later."}
	tests := []struct {
		history  []Turn
		in, want string
	}{
		{nil, "And his nephew?", "And his nephew?"},
		{[]Turn{scrooge}, "And his nephew?", "Who is Scrooge's nephew?"},
		{[]Turn{typed}, "and his nephew?", "who is Scrooge's nephew?"},
		{[]Turn{scrooge}, "Where did he live?", "Where did Scrooge live?"},
		{[]Turn{scrooge}, "what did they say to him", "What did they say to Scrooge"}, // they: the last question has one name
		{[]Turn{scrooge}, "What about Fred?", "Who is Fred?"},
		{[]Turn{scrooge}, "Marley?", "Who is Marley?"},
		{[]Turn{scrooge}, "in Paris?", "Who is Scrooge in Paris?"},
		{[]Turn{scrooge}, "Why?", "Who is Scrooge, and why?"},
		{[]Turn{scrooge}, "Why is that?", "Who is Scrooge, and why is that?"},
		{[]Turn{scrooge}, "Who else?", "Who is Scrooge, and who else?"},
		{[]Turn{scrooge}, "What did Marley do with his chains?", "What did Marley do with his chains?"},
		{[]Turn{scrooge}, "Tell me about Christmas.", "Tell me about Christmas."},
		{[]Turn{scrooge}, "Is it true that ghosts exist?", "Is it true that ghosts exist?"},
		{[]Turn{scrooge, themes}, "When was he born?", "When was Scrooge born?"},
		{[]Turn{themes}, "and money?", "What are the main themes, as to money?"},
		{[]Turn{themes}, "What does he want?", "What does he want?"},
		{[]Turn{two}, "Did he love her?", "Did Fred love Mrs Cratchit?"},
		{[]Turn{two}, "Where is her house?", "Where is Mrs Cratchit's house?"},
		{[]Turn{two}, "What did they say?", "What did Fred and Mrs Cratchit say?"},
		{[]Turn{visits}, "And Fred?", "Who came to Fred?"},
		{[]Turn{scrooge}, "   ", ""},
	}
	for _, tt := range tests {
		if got := Condense(tt.in, tt.history); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestCondenseKeepsTheQuestion: a question stays a question, and keeps its words
// except pronouns and openers.
func TestCondenseKeepsTheQuestion(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"and", "what", "about", "his", "her", "it", "Scrooge", "nephew", "why", "?", "is", "that", "the", "in", "London", "É", "'s", "they"})
	rapid.Check(t, func(t *rapid.T) {
		question := strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "question"), " ")
		history := []Turn{{Question: strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "before"), " "), Answer: strings.Join(rapid.SliceOfN(word, 0, 20).Draw(t, "answer"), " ")}}
		got := Condense(question, history)
		if (got == "") != (question == "") {
			t.Fatalf("%q became %q", question, got)
		}
		for _, w := range []string{"nephew", "London", "É"} {
			if strings.Contains(question, w) && !strings.Contains(strings.ToLower(got), strings.ToLower(w)) {
				t.Fatalf("%q lost %q: %q", question, w, got)
			}
		}
	})
}
