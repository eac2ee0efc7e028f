package querygen

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

// maxTopics is how many names and nouns of a sentence a question about it lists.
const maxTopics = 8

// spoken returns the question for a message of a chat log: what its speaker says about what
// the message names, or asks about it.
func (r *sentenceReader) spoken(question bool) []QAPair {
	verb := "say about"
	if question {
		verb = "ask about"
	}
	return r.about("What does "+textproc.SplitCamel(r.sentence.Speaker)+" "+verb+" ", 1)
}

// about returns the question that some words and what the sentence names make, if it names at least
// some things.
func (r *sentenceReader) about(words string, least int) []QAPair {
	topics := r.topics()
	if len(topics) < least {
		return nil
	}
	return []QAPair{{words + strings.Join(topics, ", ") + "?", r.text(0, len(r.sentence.Tokens))}}
}

// topics returns the names of the sentence and its other words of content, in their order.
func (r *sentenceReader) topics() []string {
	var out []string
	add := func(s string) {
		if len(out) < maxTopics && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	toks := r.sentence.Tokens
	for i := 0; i < len(toks); i++ {
		if at := slices.IndexFunc(r.names, func(n textproc.Span) bool { return n.Start == i }); at >= 0 {
			add(r.text(i, r.names[at].End))
			i = r.names[at].End - 1
			continue
		}
		t := toks[i]
		if t.Has(textproc.Letters) && t.Runes > 3 && !t.Is(textproc.FunctionWord|textproc.Calendar) && len(textproc.Terms(t.Text)) > 0 {
			add(t.Text)
		}
	}
	return out
}
