package chunk

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// PassageVersion changes when the same chunks give different passages.
const PassageVersion = "passages-5"

// EarlierPassageVersions are the values that PassageVersion had.
var EarlierPassageVersions = []string{"passages-1", "passages-2", "passages-4"}

// passageTerms is the size of a passage: about 100 words of chat, or 70 of web text.
const passageTerms = 60

// Passages cuts the chunks of a document into short windows for full text
// search, in the language of the document, and also returns the index terms of the whole text. Every passage
// carries the header terms of the document. Chunks may overlap but their passages
// do not: the passages of a chunk begin where the passages of the previous chunk end.
// Offsets refer to the chunk's original text; only the terms come from cleaned
// text.
func Passages(corpus string, doc graph.Document, chunks []graph.Chunk, lead string) (passages []graph.Passage, terms string) {
	chat := textproc.IsChat(doc.Text)
	lines := textproc.Clean(doc.Text, chat)
	leadTerms := strings.Fields(lead)
	var all []string
	from := 0
	for _, c := range chunks {
		var own []textproc.Line
		own, lines = takeLines(doc.Text, lines, max(from, c.Start), c.End, chat)
		from = c.End
		for _, w := range textproc.Passages(language.Language(doc.Language), own, passageTerms) {
			if len(w.Terms) == 0 {
				continue
			}
			all = append(all, w.Terms...)
			passages = append(passages, graph.Passage{
				Key: graph.PassageKey(corpus, c.Key, w.Start-c.Start), Chunk: c.Key,
				Terms: strings.Join(append(slices.Clip(w.Terms), leadTerms...), " "),
				Pairs: strings.Join(textproc.TermPairs(w.Terms), " "),
				Start: w.Start - c.Start, End: w.End - c.Start,
			})
		}
	}
	return passages, strings.Join(all, " ")
}

// takeLines splits off the lines before end. A line that crosses end is cleaned again up
// to there, so that every passage lies within one chunk; its rest is a line without
// text, which is cleaned when it is taken.
func takeLines(text string, lines []textproc.Line, start, end int, chat bool) (own, rest []textproc.Line) {
	for i, l := range lines {
		if l.Start >= end {
			return own, lines[i:]
		}
		if l.End <= end && l.Text != "" {
			own = append(own, l)
			continue
		}
		own = append(own, cleanPart(text, max(l.Start, start), min(l.End, end), chat)...)
		if l.End > end {
			lines[i] = textproc.Line{Start: end, End: l.End}
			return own, lines[i:]
		}
	}
	return own, nil
}

// cleanPart cleans text[start:end] and keeps its offsets in the whole text.
func cleanPart(text string, start, end int, chat bool) []textproc.Line {
	lines := textproc.Clean(text[start:end], chat)
	for i := range lines {
		lines[i].Move(start)
	}
	return lines
}
