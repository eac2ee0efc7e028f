package synth

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/prompts"
)

// A windowPrompt is blocks as a model sees them: numbered by kind.
type windowPrompt struct {
	text    string
	values  prompts.Values // of the kinds of its blocks
	offered map[report.Local]string
}

// newWindowPrompt numbers the blocks of a window.
func newWindowPrompt(blocks []Block) windowPrompt {
	p := windowPrompt{values: kindValues(blocks), offered: map[report.Local]string{}}
	var b strings.Builder
	numbers := map[graph.Kind]int{}
	for _, block := range blocks {
		numbers[block.Kind]++
		n := numbers[block.Kind]
		p.offered[report.Local{Kind: block.Kind, N: n}] = block.Key
		fmt.Fprintf(&b, "%s %d: %s\n%s\n\n", recordWord(block.Kind), n, report.Plain(block.Title), strings.TrimSpace(report.Plain(block.Text)))
	}
	p.text = strings.TrimSpace(b.String())
	return p
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

// kindValues returns the values of prompts about the kinds of blocks: "kind" for an example
// of a citation, and "kinds", which names them all.
func kindValues(blocks []Block) prompts.Values {
	words := kindsOf(blocks)
	if len(words) == 0 {
		words = []string{cite.KindWord(graph.KindReport)}
	}
	last := words[len(words)-1]
	kinds := last
	if len(words) > 1 {
		kinds = strings.Join(words[:len(words)-1], ", ") + " and " + last
	}
	return prompts.Values{"kind": last, "kinds": kinds}
}
