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
	topics := r.topics()
	if len(topics) == 0 {
		return nil
	}
	verb := "say about"
	if question {
		verb = "ask about"
	}
	query := "What does " + textproc.SplitCamel(r.sentence.Speaker) + " " + verb + " " + strings.Join(topics, ", ") + "?"
	return []QAPair{{query, r.text(0, len(r.sentence.Tokens))}}
}

// about returns the question about what the sentence names.
func (r *sentenceReader) about() []QAPair {
	topics := r.topics()
	if len(topics) < 2 {
		return nil
	}
	return []QAPair{{"What is said about " + strings.Join(topics, ", ") + "?", r.text(0, len(r.sentence.Tokens))}}
}

// listed returns a question without words of any language: what the sentence names.
func (r *sentenceReader) listed() []QAPair {
	topics := r.topics()
	if len(topics) == 0 {
		return nil
	}
	return []QAPair{{strings.Join(topics, ", ") + "?", r.text(0, len(r.sentence.Tokens))}}
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
