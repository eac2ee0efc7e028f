package synth

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// A windowPrompt is blocks as a model sees them: numbered by kind.
type windowPrompt struct {
	text    string
	values  prompts.Values // of the kinds of its blocks
	offered map[report.Local]string
}

// newWindowPrompt numbers the blocks of a window, and the sentences of sources and reports.
func (g Generative) newWindowPrompt(blocks []Block) (windowPrompt, error) {
	values, err := g.kindValues(blocks)
	if err != nil {
		return windowPrompt{}, err
	}
	shown, numbers := g.Show(blocks)
	p := windowPrompt{text: shown, values: values, offered: map[report.Local]string{}}
	for i, b := range blocks {
		p.offered[report.Local{Kind: b.Kind, N: numbers[i]}] = b.Key
	}
	return p, nil
}

// Show returns blocks as a model sees them, and the number of each among the blocks of its kind,
// from 1, which is in its head.
func (g Generative) Show(blocks []Block) (shown string, numbers []int) {
	var b strings.Builder
	last := map[graph.Kind]int{}
	numbers = make([]int, len(blocks))
	for i := range blocks {
		kind := blocks[i].Kind
		last[kind]++
		numbers[i] = last[kind]
		fmt.Fprintf(&b, "%s %d: %s\n%s\n\n", recordWord(kind), numbers[i], text.OneLine(report.Plain(blocks[i].Title)), g.shown(&blocks[i], numbers[i]))
	}
	return strings.TrimSpace(b.String()), numbers
}

// shown returns the text of a block for a model. With numbers of sentences, each sentence of a
// source, and each part of a report that cites something, is a line that begins with its number.
// The title of a report, which is in its head, and its rating are left out.
func (g Generative) shown(b *Block, n int) string {
	var lines []string
	switch {
	case g.WholeRecords || !numbersSentences(b.Kind):
		return disarm(strings.TrimSpace(report.Plain(b.Text)))
	case b.Kind == graph.KindReport:
		for _, part := range b.parts() {
			switch line := report.Plain(part.Text); {
			case strings.TrimLeft(line, "# ") == text.OneLine(b.Title), part.N == 0 && strings.HasPrefix(line, report.RatingPrefix):
			case part.N > 0:
				lines = append(lines, fmt.Sprintf("%d.%d %s", n, part.N, line))
			default:
				lines = append(lines, disarm(line))
			}
		}
	default:
		for i, sentence := range cite.Sentences(b.Text) {
			lines = append(lines, fmt.Sprintf("%d.%d %s", n, i+1, report.Plain(sentence)))
		}
	}
	return strings.Join(lines, "\n")
}

// numbersSentences reports whether the sentences of a kind of records get numbers.
func numbersSentences(kind graph.Kind) bool {
	return kind == graph.KindReport || kind == graph.KindChunk
}

// headLike matches the beginning of a line that looks like the head of a record, or like a numbered
// sentence, in any case and with marks of Markdown.
var headLike = regexp.MustCompile(`(?mi)^([ \t]*)([*_#>~\x60 \t-]*(?:(?:report|source|entit(?:y|ie)|relationship|claim)s?[ \t]*\d+[*_~\x60 \t]*[:：]|\d+\.\d+[*_~\x60]*[ \t]))`)

// disarm marks the lines of a text that could pose as other records.
func disarm(s string) string { return headLike.ReplaceAllString(s, "$1| $2") }

// numberingShare is how many tokens of a context are left for one that the numbers of
// sentences take.
const numberingShare = 6

// Budget returns the tokens of blocks that fit into a window together with the numbers of
// their sentences.
func (g Generative) Budget(tokens int) int {
	if g.WholeRecords {
		return tokens
	}
	return tokens - tokens/(numberingShare+1)
}

// with returns the values of a prompt that asks a question of the window.
func (p windowPrompt) with(question string) prompts.Values {
	values := maps.Clone(p.values)
	values["question"], values["context"] = question, p.text
	return values
}

// recordWord heads a block of a kind in a prompt.
func recordWord(kind graph.Kind) string {
	if kind == graph.KindChunk {
		return "Source"
	}
	return string(kind)
}

// kindOrder is the order in which kinds are named.
var kindOrder = []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport, graph.KindChunk}

// kindsOf returns the words for the kinds of blocks in citations, the preferred one last.
func kindsOf(blocks []Block) []string {
	var words []string
	for _, kind := range kindOrder {
		if slices.ContainsFunc(blocks, func(b Block) bool { return b.Kind == kind }) {
			words = append(words, cite.KindWord(kind))
		}
	}
	return words
}

// kindValues returns the values of prompts about the kinds of blocks: "kind" is the preferred
// one, "kinds" names them all, "example" is what a citation names, and "numbers" says which
// numbers to use.
func (g Generative) kindValues(blocks []Block) (prompts.Values, error) {
	words := kindsOf(blocks)
	if len(words) == 0 {
		words = []string{cite.KindWord(graph.KindReport)}
	}
	last := words[len(words)-1]
	values := prompts.Values{"kind": last, "kinds": text.JoinAnd(words)}
	name, example := prompts.CiteRecords, last+" (2, 7)"
	if !g.WholeRecords && slices.ContainsFunc(blocks, func(b Block) bool { return numbersSentences(b.Kind) }) {
		name, example = prompts.CiteSentences, last+" (2.1, 7.3)"
	}
	p, err := g.Model.Prompts.Get(name)
	if err != nil {
		return nil, err
	}
	values["example"] = example
	_, values["numbers"] = p.Render(prompts.Values{"kind": last})
	return values, nil
}
