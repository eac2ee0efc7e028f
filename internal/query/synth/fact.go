package synth

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A fact is a sentence or message that may answer a question for one fact.
type fact struct {
	Sentence

	block   int    // its place in the context
	chat    bool   // the block is a chat log
	speaker string // of a message
	opens   bool   // a message begins with it; else it is a further line of one
	isTime  bool   // it only tells the time of a chat log

	heading string           // of prose: the nearest heading above it
	section textproc.TermSet // terms of all headings above it
	place   int              // of prose: among the statements below the heading, from 0; fragments do not count

	cells   []textproc.Cell // of the row of a table
	bare    bool            // its text lacks the names of the columns
	columns bool            // a row with the names of columns

	base  string // its text with the base forms of verbs
	terms textproc.TermSet
	own   float64 // how much of the question it holds, from 0 to 1
	asks  float64 // the share of that in sentences that ask something themselves
}

// readFacts returns the sentences of blocks in the order of their texts, with their terms in the language
// of a question.
func readFacts(l language.Language, blocks []Block) []fact {
	var out []fact
	for i := range blocks {
		chat := textproc.IsChat(blocks[i].Text)
		speaker, above, place := "", "", 0
		var section textproc.TermSet
		for _, s := range splitRows(blocks[i].Text, blocks[i].lines()) {
			f := fact{Sentence: s, block: i, chat: chat, base: textproc.WithBaseForms(l, s.Text)}
			f.terms = textproc.TermSetIn(l, f.base)
			if chat {
				if name, at := textproc.Speaker(s.Text); at > 0 {
					speaker, f.opens = name, true
				}
				f.speaker, f.isTime = speaker, textproc.IsTimeLine(s.Text)
			} else {
				if path := blocks[i].heading(s.Quote.Start); path != above || section == nil {
					above, place, section = path, 0, textproc.TermSetIn(l, path)
				}
				f.heading, f.section, f.place = above[strings.LastIndex(above, headingSeparator)+1:], section, place
				if !s.Fragment {
					place++
				}
			}
			out = append(out, f)
		}
	}
	readRows(l, out, blocks)
	return out
}

// indexOf returns the place of the fact that a sentence was chosen from, -1 for none.
func indexOf(facts []fact, s Sentence) int {
	return slices.IndexFunc(facts, func(f fact) bool { return f.Target == s.Target && f.Quote == s.Quote })
}

// headingSeparator is before each heading of a path but the first.
const headingSeparator = ">"

// before returns the fact that precedes the nth by some places in the same block, nil if there is
// none.
func before(facts []fact, n, places int) *fact {
	if n < places || facts[n-places].block != facts[n].block {
		return nil
	}
	return &facts[n-places]
}

// questionsIn splits a text at the ends of its sentences, and passes each part with whether it ends
// with a question mark.
func questionsIn(text string, each func(part string, asks bool)) {
	for len(text) > 0 {
		end := strings.IndexAny(text, ".?!")
		if end < 0 {
			each(text, false)
			return
		}
		each(text[:end], text[end] == '?')
		text = text[end+1:]
	}
}
