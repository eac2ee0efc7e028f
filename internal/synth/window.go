package synth

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
)

// A windowPrompt is blocks as a model sees them: numbered by kind.
type windowPrompt struct {
	text    string
	kind    string // the word for its blocks in citations
	offered map[report.Local]string
}

// newWindowPrompt numbers the blocks of a window.
func newWindowPrompt(blocks []Block) windowPrompt {
	p := windowPrompt{kind: kindWord(blocks), offered: map[report.Local]string{}}
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

// recordWord heads a block of a kind in a prompt.
func recordWord(kind graph.Kind) string {
	if kind == graph.KindChunk {
		return "Source"
	}
	return string(kind)
}

// kindWord is the word for blocks of one kind, chunks or reports, in citations.
func kindWord(blocks []Block) string {
	if len(blocks) > 0 && blocks[0].Kind == graph.KindChunk {
		return "Sources"
	}
	return "Reports"
}
